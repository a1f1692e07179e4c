//! A return that fails a rule and one that passes, each as short as possible.

use std::fmt;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// A failing and a passing example of a rule.
#[derive(Debug, Clone, Copy)]
pub struct Example {
    /// The profile for both.
    pub profile: &'static str,
    /// The example that fails.
    pub fails: Side,
    /// The example that passes.
    pub passes: Side,
    /// Whether the texts are only members, to be added to a return that is otherwise valid.
    is_of_members: bool,
}

/// One half of an [`Example`].
#[derive(Debug, Clone, Copy)]
pub struct Side {
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
            is_of_members: false,
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
    #[must_use]
    pub fn whole(&self, side: &Side) -> String {
        if !self.is_of_members {
            return side.text.to_owned();
        }
        let object = format!("{{{}}}", side.text);
        let members = ExampleMembers::of(&object).0;
        let valid = ExampleMembers::of(valid_return(self.profile)).0;
        let is_replaced = |key| members.iter().any(|(name, _)| *name == key);
        let rest = valid.into_iter().filter(|(key, _)| !is_replaced(*key));
        let members: Vec<_> = (members.iter().copied())
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

/// The members of an object, with their source text. Keys of examples have no escapes.
#[derive(Default)]
struct ExampleMembers<'t>(Vec<(&'t str, &'t str)>);

impl<'t> ExampleMembers<'t> {
    fn of(text: &'t str) -> Self {
        let mut reader = serde_json::Deserializer::from_str(text);
        reader.deserialize_map(ExampleVisitor).unwrap_or_default()
    }
}

struct ExampleVisitor;

impl<'t> Visitor<'t> for ExampleVisitor {
    type Value = ExampleMembers<'t>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<M: MapAccess<'t>>(self, mut map: M) -> Result<ExampleMembers<'t>, M::Error> {
        let mut members = ExampleMembers::default();
        while let Some((key, value)) = map.next_entry::<&str, &RawValue>()? {
            members.0.push((key, value.get()));
        }
        Ok(members)
    }
}
