//! A profile in lists that can grow, while drafts change it one after the other.

use crate::config::limits::Limit;
use crate::config::patch::{AgentPatch, ProfilePatch, Statuses, Words};
use crate::config::reader::unknown_name;
use crate::json::field::Form;
use crate::profile::{Agent, FieldSpec, LengthLimit, Limits, Profile, Status};
use crate::rules::Level;
use crate::text::escape;

pub(super) struct Parts<'d> {
    base: &'static Profile<'static>,
    id: &'d str,
    document: &'d str,
    fields: Vec<FieldSpec<'d>>,
    own: Vocabulary<'d>,
    agents: Vec<AgentParts<'d>>,
    artifact_types: Vec<&'d str>,
    error_types: Vec<&'d str>,
    length: Option<LengthLimit>,
    sentences: Option<(usize, usize)>,
    limits: Limits,
    levels: Vec<(&'d str, Level)>,
    file: Option<&'d str>,
    handoff_path: Option<&'d str>,
}

/// Status words, and the one for work that failed.
struct Vocabulary<'d> {
    statuses: Vec<Status<'d>>,
    failure: &'d str,
}

struct AgentParts<'d> {
    name: &'d str,
    own: Vocabulary<'d>,
    reads_from: Vec<&'d str>,
    writes_handoff: bool,
}

impl<'d> Parts<'d> {
    /// What `draft` and all that it extends come to, or why there is no end to it.
    pub(super) fn of(draft: &'d ProfilePatch, drafts: &'d [ProfilePatch]) -> Result<Self, String> {
        let mut chain = vec![draft];
        loop {
            let (last, name) = (chain[chain.len() - 1], |draft: &ProfilePatch| {
                draft.id.clone()
            });
            let extends = last.extends.value.as_str();
            if let Some(base) = Profile::named(extends) {
                let mut parts = Self::built_in(base);
                chain.iter().rev().for_each(|draft| parts.change(draft));
                return Ok(parts);
            }
            if chain.iter().any(|known| known.id == extends) {
                let mut circle: Vec<_> = chain.iter().map(|draft| name(draft)).collect();
                circle.push(extends.to_owned());
                return Err(format!(
                    "the profile extends itself: {}",
                    circle.join(" -> ")
                ));
            }
            let Some(next) = drafts.iter().find(|known| known.id == extends) else {
                let built_in = crate::profile::PROFILES.iter().map(|profile| profile.id);
                let known = built_in.chain(drafts.iter().map(|draft| draft.id.as_str()));
                return Err(unknown_name("profile", extends, known));
            };
            chain.push(next);
        }
    }

    fn built_in(base: &'static Profile<'static>) -> Self {
        let agent = |agent: &Agent<'static>| AgentParts {
            name: agent.name,
            own: Vocabulary {
                statuses: agent.statuses.to_vec(),
                failure: agent.failure,
            },
            reads_from: agent.reads_from.to_vec(),
            writes_handoff: agent.writes_handoff,
        };
        Self {
            base,
            id: base.id,
            document: base.document,
            fields: base.fields.to_vec(),
            own: Vocabulary {
                statuses: base.statuses.to_vec(),
                failure: base.failure,
            },
            agents: base.agents.iter().map(agent).collect(),
            artifact_types: base.artifact_types.to_vec(),
            error_types: base.error_types.to_vec(),
            length: base.length,
            sentences: base.sentences,
            limits: base.limits,
            levels: base.levels.to_vec(),
            file: base.file,
            handoff_path: base.handoff_path,
        }
    }

    fn change(&mut self, draft: &'d ProfilePatch) {
        self.id = &draft.id;
        self.document = draft.document.as_deref().unwrap_or(self.document);
        self.own.change(&draft.own);
        for agent in &draft.agents {
            self.change_agent(agent);
        }
        change_words(&mut self.artifact_types, draft.artifact_types.as_ref());
        change_words(&mut self.error_types, draft.error_types.as_ref());
        for (path, need) in &draft.needs {
            let asked = FieldSpec { path, need: *need };
            match self.fields.iter_mut().find(|field| field.path == path) {
                Some(field) => *field = asked,
                None => self.fields.push(asked),
            }
        }
        for limit in &draft.limits {
            self.change_limit(*limit);
        }
        for (rule, level) in &draft.rules {
            self.levels.retain(|(known, _)| *known != rule.id);
            self.levels.push((rule.id, *level));
        }
        let own_file = draft.files.first().map(String::as_str);
        self.file = self.file.map(|file| own_file.unwrap_or(file));
        self.handoff_path = draft.handoff_path.as_deref().or(self.handoff_path);
    }

    fn change_agent(&mut self, draft: &'d AgentPatch) {
        let known = self
            .agents
            .iter()
            .position(|agent| agent.name == draft.name);
        let place = known.unwrap_or_else(|| {
            self.agents.push(AgentParts {
                name: &draft.name,
                own: Vocabulary {
                    statuses: Vec::new(),
                    failure: "",
                },
                reads_from: Vec::new(),
                writes_handoff: true,
            });
            self.agents.len() - 1
        });
        let agent = &mut self.agents[place];
        agent.own.change(&draft.own);
        if let Some(before) = &draft.reads_from {
            agent.reads_from = before.iter().map(String::as_str).collect();
        }
        agent.writes_handoff = draft.writes_handoff.unwrap_or(agent.writes_handoff);
    }

    fn change_limit(&mut self, limit: Limit) {
        match limit {
            Limit::Length(length) => self.length = length,
            Limit::Sentences(ends) => self.sentences = ends,
            Limit::SummaryAtLeast(least) => self.limits.summary_at_least = least,
            Limit::ArtifactSummaryAtMost(most) => self.limits.artifact_summary_at_most = most,
            Limit::ErrorMessageAtMost(most) => self.limits.error_message_at_most = most,
            Limit::NextStepsAtMost(most) => self.limits.next_steps_at_most = most,
        }
    }

    /// What contradicts itself, if anything does.
    pub(super) fn refusal(&self, draft: &ProfilePatch) -> Option<String> {
        let form = self.base.shape.form();
        let unreadable = draft.needs.iter().find(|(path, _)| !has_place(&form, path));
        if let Some((path, _)) = unreadable {
            let path = escape::truncated(path);
            return Some(format!(
                "{path} cannot be asked for: it is to be a member of the return, or of an object that {} \
                 describes",
                self.base.id
            ));
        }
        if draft.handoff_path.is_some() && self.base.handoff_path.is_none() {
            return Some(format!(
                "{} has no handoff files to give a path to",
                self.base.id
            ));
        }
        if self.own.statuses.is_empty() && self.agents.is_empty() {
            return Some("no status is left".to_owned());
        }
        let agents = self.agents.iter().map(|agent| (agent.name, &agent.own));
        let own = (!self.own.statuses.is_empty()).then_some(("", &self.own));
        let mut all = own.into_iter().chain(agents);
        all.find_map(|(agent, own)| self.without_failure(agent, own))
    }

    /// A failed agent must have a word for it.
    fn without_failure(&self, agent: &str, own: &Vocabulary<'_>) -> Option<String> {
        let of_agent = if agent.is_empty() {
            &[][..]
        } else {
            &own.statuses
        };
        let statuses = self.own.statuses.iter().chain(of_agent);
        let words: Vec<_> = statuses.map(|status| status.word).collect();
        if words.contains(&own.failure) {
            return None;
        }
        let of = if agent.is_empty() {
            String::new()
        } else {
            format!(" of {}", escape::truncated(agent))
        };
        let failure = if own.failure.is_empty() {
            "failure".to_owned()
        } else {
            format!("failure {}", escape::truncated(own.failure))
        };
        let words = words.join(", ");
        let words = escape::truncated(&words);
        Some(format!(
            "the {failure}{of} is to be one of its statuses: {words}"
        ))
    }
}

impl Parts<'static> {
    pub(super) fn profile(&'static self) -> Profile<'static> {
        let agent = |agent: &'static AgentParts<'static>| Agent {
            name: agent.name,
            statuses: &agent.own.statuses,
            failure: agent.own.failure,
            reads_from: &agent.reads_from,
            writes_handoff: agent.writes_handoff,
        };
        let agents: Vec<_> = self.agents.iter().map(agent).collect();
        Profile {
            id: self.id,
            document: self.document,
            fields: &self.fields,
            statuses: &self.own.statuses,
            agents: agents.leak(),
            failure: self.own.failure,
            artifact_types: &self.artifact_types,
            error_types: &self.error_types,
            length: self.length,
            sentences: self.sentences,
            limits: self.limits,
            levels: &self.levels,
            file: self.file,
            handoff_path: self.handoff_path,
            ..*self.base
        }
    }
}

impl<'d> Vocabulary<'d> {
    fn change(&mut self, draft: &'d Statuses) {
        for (word, claim) in &draft.words {
            let known = self.statuses.iter().position(|status| status.word == word);
            match (known, claim) {
                (Some(place), Some(claim)) => self.statuses[place].meaning = *claim,
                (Some(place), None) => drop(self.statuses.remove(place)),
                (None, Some(claim)) => self.statuses.push(Status {
                    word,
                    meaning: *claim,
                    asks: &[],
                    aliases: &[],
                }),
                (None, None) => {}
            }
        }
        self.failure = draft.failure.as_deref().unwrap_or(self.failure);
    }
}

fn change_words<'d>(known: &mut Vec<&'d str>, change: Option<&'d Words>) {
    match change {
        Some(Words::Any) => known.clear(),
        Some(Words::And(more)) => {
            for word in more {
                if !known.contains(&word.as_str()) {
                    known.push(word);
                }
            }
        }
        None => {}
    }
}

/// Whether a dotted path ends in an object whose members are read.
fn has_place(form: &Form, path: &str) -> bool {
    let (name, rest) = path
        .split_once('.')
        .map_or((path, None), |(name, rest)| (name, Some(rest)));
    let plain = name.trim_end_matches("[]");
    let Form::Record(members) = form else {
        return false;
    };
    let Some(rest) = rest else {
        return !plain.is_empty() && plain == name;
    };
    let member = members.iter().find(|(known, _)| *known == plain);
    match member.map(|(_, form)| form) {
        Some(Form::List(item)) => name.ends_with("[]") && has_place(item, rest),
        Some(form) => name == plain && has_place(form, rest),
        None => false,
    }
}
