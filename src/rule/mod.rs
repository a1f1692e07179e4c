//! The definition of a rule: name, level, messages and example. All rules are listed in
//! [`rules`](crate::check::rules).

mod applies;
mod example;
mod step;
mod strictness;
mod template;

pub(crate) use example::{Example, Side};
pub use step::Step;
pub use strictness::Strictness;
pub(crate) use template::fill;

pub use crate::profile::Level;
use crate::profile::Profile;
pub(crate) use crate::profile::{Companion, Requirement};

/// What ends the section of a document that requires what the rule checks.
pub(crate) const REQUIRED: &str = " (required)";

/// The source of the rules of standards of one's own.
const OF_STANDARD: &str = "The standard of the profile";

/// One check.
#[derive(Debug)]
pub struct Rule {
    /// Its name in options, configuration and reports.
    pub id: &'static str,
    /// The step that it belongs to.
    pub step: Step,
    /// Its level unless a profile or an option sets another.
    pub level: Level,
    /// Whether it applies to the returns of a profile.
    pub(crate) applies: fn(&Profile) -> bool,
    /// The message of its findings; `{words}` are placeholders. What follows `Error: ` in a second line is
    /// added if the return fails.
    pub(crate) message: &'static str,
    /// The recommendation of its findings; `{agent}` is a placeholder. If it is empty, the subagent is to be
    /// fixed so that it follows the advice.
    pub(crate) help: &'static str,
    pub(crate) message_to_agent: ToAgent,
    /// The recommendation to the agent itself. It begins with a verb.
    pub(crate) advice_to_agent: &'static str,
    /// What it means and why it matters.
    pub explanation: &'static str,
    /// The claim of the return that is false if the rule is broken, as a statement.
    pub(crate) claim: Option<(Claimed, &'static str)>,
    /// The documents that ask for it, each with the section, separated by semicolons. `(required)` at the end
    /// of a section says that the document requires it, where the rule is a warning.
    pub source: &'static str,
    /// A failing and a passing example.
    pub(crate) example: Example,
}

/// What a claim of a return is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Claimed {
    /// Two values of the return.
    Within,
    /// What a standard says that the return claims.
    Declared,
    /// A file that it lists.
    Artifact,
    /// The run of the agent.
    Work,
}

/// The message of a finding to the agent itself, in the second person.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ToAgent {
    /// `Your`, and the message to others.
    Yours,
    /// The message to others.
    Same,
    Words(&'static str),
}

/// What a recommendation begins with that is to make a subagent follow an advice.
const FIX: &str = "Fix {agent} subagent to ";

impl Rule {
    /// What the rules of a step have in common that report errors. They apply to every profile or, if the step
    /// is about artifacts, to those that list some, unless they say otherwise.
    pub(crate) const fn error(step: Step) -> Self {
        Self {
            id: "",
            step,
            level: Level::Error,
            applies: match step {
                Step::Artifacts => Profile::lists_artifacts,
                _ => |_| true,
            },
            message: "",
            help: "",
            message_to_agent: ToAgent::Yours,
            advice_to_agent: "",
            explanation: "",
            claim: None,
            source: "",
            example: Example::of_returns("", "", ""),
        }
    }

    /// The same for warnings.
    pub(crate) const fn warning(step: Step) -> Self {
        Self {
            level: Level::Warning,
            ..Self::error(step)
        }
    }

    /// The same for standards of one's own. The agent is told what a reader is.
    pub(crate) const fn of_standard(step: Step) -> Self {
        Self {
            applies: Profile::is_own_standard,
            message_to_agent: ToAgent::Same,
            source: OF_STANDARD,
            ..Self::error(step)
        }
    }

    /// Whether it is an error by default that evidence shows, and not the text of the return.
    pub(crate) fn is_error_of_evidence(&self) -> bool {
        let is_within = matches!(self.claim, None | Some((Claimed::Within, _)));
        self.level == Level::Error && !is_within
    }

    /// Whether only standards of one's own have it.
    pub(crate) fn is_of_standards(&self) -> bool {
        self.source == OF_STANDARD
    }

    /// Whether one of these documents requires it. They are separated by commas.
    pub(crate) fn is_required_by(&self, documents: &str) -> bool {
        let requires = |part: &str| {
            let document = part.strip_suffix(REQUIRED)?.split(',').next()?;
            documents.split(", ").find(|it| *it == document)
        };
        self.source.split("; ").any(|part| requires(part).is_some())
    }

    /// The message of its findings, and the error that is added if the return fails.
    pub(crate) fn message_and_error(&self) -> (&'static str, Option<&'static str>) {
        match self.message.split_once("\nError: ") {
            Some((message, error)) => (message, Some(error)),
            None => (self.message, None),
        }
    }

    /// The recommendation of its findings: words, and a text that goes on behind them.
    pub(crate) fn help(&self) -> [&'static str; 2] {
        match self.help {
            "" => [FIX, self.advice_to_agent],
            help => ["", help],
        }
    }

    /// The message to the agent itself, in the same way.
    pub(crate) fn told(&self) -> [&'static str; 2] {
        let (message, _) = self.message_and_error();
        match self.message_to_agent {
            ToAgent::Yours => ["Your ", message],
            ToAgent::Same => ["", message],
            ToAgent::Words(message) => ["", message],
        }
    }

    /// The message of its findings, with the placeholders in capitals.
    #[must_use]
    pub fn title(&self) -> String {
        in_capitals(["", self.message_and_error().0])
    }

    /// The recommendation of its findings, with the placeholders in capitals.
    #[must_use]
    pub fn recommendation(&self) -> String {
        in_capitals(self.help())
    }
}

/// A text that is addressed to no particular agent, with its placeholders in capitals.
fn in_capitals(text: [&str; 2]) -> String {
    let mut filled = String::new();
    fill(&mut filled, text, None, |filled, placeholder| {
        filled.push_str(&placeholder.to_ascii_uppercase());
    });
    filled
}
