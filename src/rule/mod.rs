//! What a rule is: a check's name, level, words and example. The table of all is in
//! [`rules`](crate::rules).

mod applies;
mod example;
mod template;

pub use applies::{Applies, Companion, Requirement, TextLimit};
pub use example::{Example, Side};
pub(crate) use template::Addressee;
pub use template::{Template, Word};

use crate::level::Level;
use crate::step::Step;

/// One thing that is checked.
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
    /// What a finding says; `{words}` are filled in.
    pub message: Template,
    /// What a finding recommends; `{agent}` is filled in.
    pub help: Template,
    /// What it means and why it matters.
    pub explanation: &'static str,
    /// The documents that ask for it, each with its section.
    pub source: &'static str,
    /// How it is broken and how it is kept.
    pub example: Example,
}

impl Rule {
    /// What its findings say, with what differs from one to the next in capitals: of the rule, not
    /// of a return.
    #[must_use]
    pub fn title(&self) -> String {
        self.message.in_capitals()
    }

    /// What its findings recommend, in the same way.
    #[must_use]
    pub fn recommendation(&self) -> String {
        self.help.in_capitals()
    }
}
