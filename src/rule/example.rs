//! A return that fails a rule and one that passes, each as short as possible.

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::json::members::RawMembers;

/// A failing and a passing example of a rule.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Example {
    /// The profile for both.
    pub profile: &'static str,
    /// The example that fails.
    pub fails: Side,
    /// The example that passes.
    pub passes: Side,
    /// The configuration with the profile, if it is a standard of one's own. Empty if it is built in.
    pub config: &'static str,
    /// Whether the texts are only members, to be added to a return that is otherwise valid.
    is_of_members: bool,
}

/// One half of an [`Example`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Side {
    /// The whole return, or only the relevant members. `{root}` stands for the path of the root.
    pub text: &'static str,
    /// Additional options of `retval check`, as typed in a shell.
    pub options: &'static str,
}

impl Side {
    const fn new(text: &'static str) -> Self {
        Self { text, options: "" }
    }
}

impl Example {
    pub(crate) const fn of_returns(
        profile: &'static str,
        fails: &'static str,
        passes: &'static str,
    ) -> Self {
        Self {
            profile,
            fails: Side::new(fails),
            passes: Side::new(passes),
            config: "",
            is_of_members: false,
        }
    }

    /// Returns of the profile `own` of this configuration.
    pub(crate) const fn of_standard(
        config: &'static str,
        fails: &'static str,
        passes: &'static str,
    ) -> Self {
        Self {
            config,
            ..Self::of_returns("own", fails, passes)
        }
    }

    pub(crate) const fn of_members(
        profile: &'static str,
        fails: &'static str,
        passes: &'static str,
    ) -> Self {
        Self {
            is_of_members: true,
            ..Self::of_returns(profile, fails, passes)
        }
    }

    pub(crate) const fn with(self, options: &'static str) -> Self {
        self.with_each(options, options)
    }

    pub(crate) const fn with_each(mut self, fails: &'static str, passes: &'static str) -> Self {
        self.fails.options = fails;
        self.passes.options = passes;
        self
    }

    /// The whole return of one side. Its artifacts exist in the project of the fixtures.
    pub(crate) fn whole(&self, side: &Side) -> String {
        if !self.is_of_members {
            return side.text.to_owned();
        }
        let object = format!("{{{}}}", side.text);
        let own = members(&object);
        let is_replaced = |key: &str| own.iter().any(|(name, _)| name == key);
        let valid = members(valid_return(self.profile)).into_iter();
        let rest = valid.filter(|(key, _)| !is_replaced(key));
        let members: Vec<_> = (own.iter().cloned())
            .chain(rest)
            .map(|(key, value)| format!("\"{key}\": {value}"))
            .collect();
        format!("{{{}}}", members.join(", "))
    }
}

fn valid_return(profile: &str) -> &'static str {
    match profile {
        "return-v1" => include_str!("../../fixtures/profiles/return-v1/task-executor.json"),
        "return-meta" => {
            include_str!(
                "../../fixtures/profiles/return-meta/implemented/specs/12_tide_tables/.return-meta.json"
            )
        }
        "handoff" => include_str!("../../fixtures/profiles/handoff/handoff_developer.json"),
        _ => include_str!("../../fixtures/profiles/return/completed-plan.json"),
    }
}

fn members(object: &str) -> Vec<(Cow<'_, str>, &RawValue)> {
    serde_json::from_str::<RawMembers<'_>>(object).map_or_else(|_| Vec::new(), |it| it.0)
}
