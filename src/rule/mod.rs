//! The definition of a rule: name, level, messages and example. All rules are listed in
//! [`rules`](crate::check::rules).

mod applies;
mod example;
mod level;
mod step;
mod template;
mod to_agent;

pub use applies::{Applies, Companion, Requirement, TextLimit};
pub use example::{Example, Side};
pub use level::Level;
pub use step::Step;
pub(crate) use template::Addressee;
pub use template::{Placeholder, Template};
pub use to_agent::ToAgent;

/// One check.
#[derive(Debug)]
pub struct Rule {
    /// Its name in options, configuration and reports.
    pub id: &'static str,
    /// The step that it belongs to.
    pub step: Step,
    /// Its level unless a profile or an option sets another.
    pub level: Level,
    /// The profiles that it applies to.
    pub applies: Applies,
    /// The message of its findings; `{words}` are placeholders.
    pub message: Template,
    /// The recommendation of its findings; `{agent}` is a placeholder.
    pub help: Template,
    /// What the agent itself is told.
    pub to_agent: ToAgent,
    /// What it means and why it matters.
    pub explanation: &'static str,
    /// The documents that require it, each with the section.
    pub source: &'static str,
    /// A failing and a passing example.
    pub example: Example,
}

impl Rule {
    /// The placeholders of all its texts, one bit each. The name of the agent is always known.
    pub(crate) const fn placeholders(&self) -> u32 {
        let all =
            self.message.placeholders() | self.help.placeholders() | self.to_agent.placeholders();
        all & !Placeholder::Agent.bit()
    }

    /// The message of its findings, with the placeholders in capitals.
    #[must_use]
    pub fn title(&self) -> String {
        self.message.in_capitals()
    }

    /// The recommendation of its findings, with the placeholders in capitals.
    #[must_use]
    pub fn recommendation(&self) -> String {
        self.help.in_capitals()
    }
}
