//! What the agent is told whose return breaks a rule.

use crate::rule::Template;

/// A rule's texts for the agent itself.
#[derive(Debug, Clone, Copy)]
pub struct ToAgent {
    /// What is wrong; none if it is told like anybody else.
    message: Option<Template>,
    /// What to do. It begins with a verb.
    pub(crate) advice: Template,
}

impl ToAgent {
    /// What is wrong, in the second person, and what to do.
    pub(crate) const fn new(message: &'static str, advice: &'static str) -> Self {
        Self {
            message: Some(Template::new(message)),
            ..Self::advice(advice)
        }
    }

    /// What to do about a message that is not about the agent.
    pub(crate) const fn advice(advice: &'static str) -> Self {
        Self {
            message: None,
            advice: Template::new(advice),
        }
    }

    /// What is wrong; the message of the rule unless there is another for the agent.
    pub(crate) fn message<'r>(&'r self, of_rule: &'r Template) -> &'r Template {
        self.message.as_ref().unwrap_or(of_rule)
    }

    pub(super) const fn placeholders(&self) -> u32 {
        let advice = self.advice.placeholders();
        match &self.message {
            Some(message) => message.placeholders() | advice,
            None => advice,
        }
    }
}
