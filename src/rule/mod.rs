//! What a rule is: a check's name, level, words and example. The table of all is in
//! [`rules`](crate::rules).

mod applies;
mod example;
pub(crate) mod template;

pub use applies::{Applies, Companion, Requirement, TextLimit};
pub use example::{Example, Side};

use crate::level::Level;
use crate::step::Step;

/// One thing that a return is held to.
#[derive(Debug)]
pub struct Rule {
    /// Its name in options, configuration and reports.
    pub id: &'static str,
    /// The step that it belongs to.
    pub step: Step,
    /// Its level unless a profile or an option sets another.
    pub level: Level,
    /// The profiles whose standard asks for it.
    pub applies: Applies,
    /// What a finding says; `{words}` are filled in.
    pub message: &'static str,
    /// What a finding recommends; `{agent}` is filled in.
    pub help: &'static str,
    /// What it means and why it matters.
    pub explanation: &'static str,
    /// The seed, and its section, that asks for it.
    pub seed: &'static str,
    /// How it is broken and how it is kept.
    pub example: Example,
}

impl Rule {
    /// What its findings say, with what differs from one to the next in capitals: of the rule, not
    /// of a return.
    #[must_use]
    pub fn title(&self) -> String {
        in_capitals(&template::to_nobody(self.message))
    }

    /// What its findings recommend, in the same way.
    #[must_use]
    pub fn recommendation(&self) -> String {
        in_capitals(&template::to_nobody(self.help))
    }
}

/// A template with its `{words}` as `WORDS`.
fn in_capitals(template: &str) -> String {
    let mut text = String::with_capacity(template.len());
    let mut in_word = false;
    for character in template.chars() {
        match character {
            '{' | '}' => in_word = character == '{',
            _ if in_word => text.push(character.to_ascii_uppercase()),
            _ => text.push(character),
        }
    }
    text
}
