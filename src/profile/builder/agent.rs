//! One agent of a custom profile.

use std::borrow::Cow;

use crate::profile::builder::{ProfileBuilder, check_template};
use crate::profile::{Agent, DetailFile, Meaning, ProfileError, Status};

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

    /// Returns the builder of an agent, which is added if it is new. None if the name is not valid.
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

    /// Sets the status word for the agent's failed work.
    pub fn failure(&mut self, word: impl Into<Cow<'static, str>>) -> &mut Self {
        if let Some(word) = self.builder.checked_name("a status", word.into()) {
            self.agent().failure = word;
        }
        self
    }

    /// Sets the agents whose handoff files this agent starts from.
    pub fn reads_from<N: Into<Cow<'static, str>>>(
        &mut self,
        agents: impl IntoIterator<Item = N>,
    ) -> &mut Self {
        if let Some(names) = self.names(agents) {
            self.agent().reads_from = names.into();
        }
        self
    }

    /// Sets the agents whose handoff files this agent starts from if none of the
    /// [others](Self::reads_from) left one.
    pub fn reads_otherwise<N: Into<Cow<'static, str>>>(
        &mut self,
        agents: impl IntoIterator<Item = N>,
    ) -> &mut Self {
        if let Some(names) = self.names(agents) {
            self.agent().reads_otherwise = names.into();
        }
        self
    }

    /// Sets the agents that may continue after a status of this agent, the usual one first. With no
    /// agents, it stays open who continues. The status and the agents must be known.
    pub fn next<N: Into<Cow<'static, str>>>(
        &mut self,
        status: &str,
        agents: impl IntoIterator<Item = N>,
    ) -> &mut Self {
        let Some(names) = self.names(agents) else {
            return self;
        };
        let profile = &self.builder.profile;
        if let Some(name) = names.iter().find(|name| profile.agent(name).is_none()) {
            let agents = profile.agents.iter().map(|agent| agent.name.to_string());
            let error = ProfileError::UnknownAgent {
                agent: name.to_string(),
                agents: agents.collect(),
            };
            self.builder.refuse(error);
            return self;
        }
        let agent = self.agent();
        let statuses = agent.statuses.to_mut();
        if let Some(status) = statuses.iter_mut().find(|it| it.word == status) {
            status.next = names.into();
            return self;
        }
        let known = statuses.iter().map(|it| it.word.to_string());
        let error = ProfileError::UnknownStatus {
            status: status.to_owned(),
            statuses: known.collect(),
            agent: agent.name.to_string(),
        };
        self.builder.refuse(error);
        self
    }

    /// Adds a file with details of the agent's work, which its handoff names in `artifacts`, or changes
    /// the path of the file. `{session}`, `{group}` and `{agent}` in the path are replaced.
    pub fn detail(
        &mut self,
        name: impl Into<Cow<'static, str>>,
        path: impl Into<Cow<'static, str>>,
    ) -> &mut Self {
        let path = path.into();
        if let Err(error) = check_template(&path) {
            self.builder.refuse(error);
        } else if let Some(name) = self.builder.checked_name("the name of a file", name.into()) {
            let details = self.agent().details.to_mut();
            match details.iter_mut().find(|detail| detail.name == name) {
                Some(detail) => detail.path = path,
                None => details.push(DetailFile { name, path }),
            }
        }
        self
    }

    /// Removes a file with details.
    pub fn remove_detail(&mut self, name: &str) -> &mut Self {
        self.agent()
            .details
            .to_mut()
            .retain(|detail| detail.name != name);
        self
    }

    /// Sets whether a handoff fails if its summary is too long. If not, a warning is reported.
    pub fn limits_summary(&mut self, limits_summary: bool) -> &mut Self {
        self.agent().limits_summary = limits_summary;
        self
    }

    /// Sets whether the agent writes a handoff file.
    pub fn writes_handoff(&mut self, writes_handoff: bool) -> &mut Self {
        self.agent().writes_handoff = writes_handoff;
        self
    }

    /// Returns the names of agents, or None if one is not valid.
    fn names<N: Into<Cow<'static, str>>>(
        &mut self,
        agents: impl IntoIterator<Item = N>,
    ) -> Option<Vec<Cow<'static, str>>> {
        let names = agents.into_iter().map(Into::into);
        names
            .map(|name| self.builder.checked_name("the name of an agent", name))
            .collect()
    }

    /// Takes the first error in the whole profile since the last call.
    pub(crate) fn take_error(&mut self) -> Option<ProfileError> {
        self.builder.take_error()
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
