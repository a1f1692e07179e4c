//! One agent of a custom profile.

use std::borrow::Cow;

use crate::profile::builder::ProfileBuilder;
use crate::profile::{Agent, Meaning, ProfileError, Status};

/// Changes one agent of a custom profile; see [`ProfileBuilder::agent`].
#[derive(Debug)]
pub struct AgentBuilder<'b> {
    builder: &'b mut ProfileBuilder,
    index: usize,
}

impl ProfileBuilder {
    /// Adds an agent with status words of its own, or changes it.
    pub fn agent(
        &mut self,
        name: impl Into<Cow<'static, str>>,
        change: impl FnOnce(&mut AgentBuilder<'_>),
    ) -> &mut Self {
        if let Some(mut agent) = self.agent_builder(name) {
            change(&mut agent);
        }
        self
    }

    /// The agent to change; none if that is no name.
    pub(crate) fn agent_builder(
        &mut self,
        name: impl Into<Cow<'static, str>>,
    ) -> Option<AgentBuilder<'_>> {
        let name = self.checked_name("the name of an agent", name.into())?;
        let agents = self.profile.agents.to_mut();
        let known = agents.iter().position(|agent| agent.name == name);
        let index = known.unwrap_or_else(|| {
            agents.push(Agent {
                name,
                statuses: Cow::Borrowed(&[]),
                failure: Cow::Borrowed(""),
                reads_from: Cow::Borrowed(&[]),
                reads_otherwise: Cow::Borrowed(&[]),
                writes_handoff: true,
                limits_summary: false,
                details: Cow::Borrowed(&[]),
            });
            agents.len() - 1
        });
        Some(AgentBuilder {
            builder: self,
            index,
        })
    }
}

impl AgentBuilder<'_> {
    /// Adds a status word, or changes what it means.
    pub fn status(&mut self, word: impl Into<Cow<'static, str>>, meaning: Meaning) -> &mut Self {
        if let Some(word) = self.builder.checked_name("a status", word.into()) {
            set_status(self.agent().statuses.to_mut(), word, meaning);
        }
        self
    }

    /// Removes a status word.
    pub fn remove_status(&mut self, word: &str) -> &mut Self {
        let statuses = self.agent().statuses.to_mut();
        statuses.retain(|status| status.word != word);
        self
    }

    /// Sets the status word of its work that failed.
    pub fn failure(&mut self, word: impl Into<Cow<'static, str>>) -> &mut Self {
        if let Some(word) = self.builder.checked_name("a status", word.into()) {
            self.agent().failure = word;
        }
        self
    }

    /// Sets the agents whose handoff file it starts from.
    pub fn reads_from<N: Into<Cow<'static, str>>>(
        &mut self,
        agents: impl IntoIterator<Item = N>,
    ) -> &mut Self {
        let names = agents.into_iter().map(Into::into);
        let names: Option<Vec<_>> = names
            .map(|name| self.builder.checked_name("the name of an agent", name))
            .collect();
        if let Some(names) = names {
            self.agent().reads_from = names.into();
        }
        self
    }

    /// Says whether it leaves a handoff file.
    pub fn writes_handoff(&mut self, writes_handoff: bool) -> &mut Self {
        self.agent().writes_handoff = writes_handoff;
        self
    }

    /// The first mistake so far, in the whole profile.
    pub(crate) fn error(&self) -> Option<&ProfileError> {
        self.builder.error()
    }

    fn agent(&mut self) -> &mut Agent {
        &mut self.builder.profile.agents.to_mut()[self.index]
    }
}

/// Adds a status word, or changes what it means.
pub(super) fn set_status(statuses: &mut Vec<Status>, word: Cow<'static, str>, meaning: Meaning) {
    match statuses.iter_mut().find(|status| status.word == word) {
        Some(status) => status.meaning = meaning,
        None => statuses.push(Status {
            word,
            meaning,
            companions: Cow::Borrowed(&[]),
            aliases: Cow::Borrowed(&[]),
            next: Cow::Borrowed(&[]),
        }),
    }
}
