//! The words of the status, those of all agents and of each, and what else depends on them.

use toml::Spanned;

use crate::config::nodes::{Entries, VisibleName};
use crate::config::profile::change_next;
use crate::config::standard::build::Builder;
use crate::config::standard::{PlaceText, StandardTable, WordMeaning};
use crate::profile::standard::Condition;
use crate::profile::standard::words::ANY;
use crate::profile::{Agent, Meaning, Status};
use crate::text::escape::truncated;

impl StandardTable {
    fn all_statuses(&self) -> impl Iterator<Item = &(Spanned<VisibleName>, WordMeaning)> {
        let of_agents = self
            .agents
            .0
            .iter()
            .flat_map(|(_, agent)| &agent.statuses.0);
        self.statuses.0.iter().chain(of_agents)
    }
}

impl Builder<'_, '_> {
    /// The agents with words of their own.
    pub(super) fn agents(&mut self, own: &StandardTable) -> Vec<Agent> {
        let known = own.agents.0.iter().map(|(name, _)| name.get_ref().cow());
        let known: Vec<_> = known.collect();
        let mut agents = Vec::new();
        for (name, table) in &own.agents.0 {
            let mut agent = Agent {
                name: name.get_ref().cow(),
                statuses: statuses_of(&table.statuses).into(),
                ..Agent::BASE
            };
            if let Err(error) = change_next(&mut agent, &table.next, &known) {
                self.refuse(error.at, error.message);
            }
            agents.push(agent);
        }
        agents
    }

    pub(super) fn statuses(&mut self, at: usize, own: &StandardTable) -> Vec<Status> {
        let has_role = own.at.status.is_some();
        if has_role && own.all_statuses().next().is_none() {
            self.refuse(
                at,
                "`at.status` needs `statuses`, the words that it can have",
            );
        } else if !has_role && !own.statuses.0.is_empty() {
            self.refuse(at, "`statuses` needs `at.status`, the place of the status");
        }
        let mut all = own.all_statuses();
        let first = own.statuses.0.first();
        let names_files = own.at.artifacts.is_some() || own.at.files.is_some();
        if let (Some((first, _)), true) = (
            first,
            names_files && all.all(|(_, it)| it.meaning != Meaning::Success),
        ) {
            self.refuse(
                first.span().start,
                "`statuses` needs a word of \"success\"; without one, no file is ever looked up",
            );
        }
        statuses_of(&own.statuses)
    }

    pub(super) fn conditions(
        &mut self,
        key: &str,
        own: &StandardTable,
        conditions: &Entries<VisibleName, Vec<PlaceText>>,
    ) -> Vec<Condition> {
        let conditions = conditions.0.iter().map(|(words, places)| Condition {
            words: self.words(key, own, words),
            places: self.places(key, places),
        });
        conditions.collect()
    }

    /// The words of a key such as `DONE, PASS`, each of which must be a status.
    pub(super) fn words(
        &mut self,
        key: &str,
        own: &StandardTable,
        words: &Spanned<VisibleName>,
    ) -> Vec<String> {
        let at = words.span().start;
        let words: Vec<_> = words.get_ref().0.split(',').map(str::trim).collect();
        let is_known = |word: &&str| {
            let mut statuses = own.all_statuses();
            statuses.any(|(own, _)| own.get_ref().0 == *word || own.get_ref().0 == ANY)
        };
        if let Some(unknown) = words.iter().find(|word| !is_known(word)) {
            let unknown = truncated(unknown);
            self.refuse(at, format!("`{key}`: `{unknown}` is none of the statuses"));
        }
        words.into_iter().map(str::to_owned).collect()
    }
}

fn statuses_of(own: &Entries<VisibleName, WordMeaning>) -> Vec<Status> {
    let status = |(word, meaning): &(Spanned<VisibleName>, WordMeaning)| Status {
        word: word.get_ref().cow(),
        meaning: meaning.meaning,
        own_action: meaning.action,
        ..Status::BASE
    };
    own.0.iter().map(status).collect()
}
