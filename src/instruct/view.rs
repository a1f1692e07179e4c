//! What a profile says of each value of its documents: the one view that the example and the schemas are made
//! from. That of a built-in profile, or of one that extends it, is made from its fields; that of a profile of
//! one's own from its places.

use crate::document::pointer::below;
use crate::instruct::{DELEGATION_DEPTH, DELEGATION_PATH, Instruction};
use crate::profile::fields::{Member, Type, member};
use crate::profile::sample::{AGENT, CONTENT, PATH, SESSION, SUMMARY};
use crate::profile::words::ANY;
use crate::profile::{Companion, FieldSpec, Meaning, Need, Shape, Status};
use crate::text::escape;

pub(super) struct ValueView<'p> {
    /// Its path, as in [`FieldSpec::path`].
    pub(super) path: String,
    pub(super) need: Need,
    pub(super) about: Option<&'static str>,
    /// The words that it can be. Empty if it can be anything.
    pub(super) words: Vec<&'p str>,
    /// What an example has there, as JSON. Empty if that is made of what is inside.
    pub(super) sample: String,
    pub(super) is_shown: bool,
    pub(super) what: What<'p>,
}

pub(super) enum What<'p> {
    Leaf(Type),
    List(Box<ValueView<'p>>),
    Map(Box<ValueView<'p>>),
    Record(Vec<(&'p str, ValueView<'p>)>),
}

/// The whole document of a built-in profile. That of any agent is without the fields that only some agents have.
pub(super) fn of_fields<'p>(instruction: &Instruction<'p>, is_of_any: bool) -> ValueView<'p> {
    let own = instruction.spec();
    let is_mine = |it: &&FieldSpec| it.agents.is_empty() || !is_of_any && it.is_of(own);
    let survey =
        Survey { instruction, fields: instruction.profile.fields.iter().filter(is_mine).collect() };
    let form = instruction.profile.shape.form();
    survey.node(form, String::new(), None, false)
}

struct Survey<'s, 'p> {
    instruction: &'s Instruction<'p>,
    fields: Vec<&'p FieldSpec>,
}

impl<'p> Survey<'_, 'p> {
    /// `free` means inside an object with arbitrary keys, where every member is described.
    fn node(
        &self,
        form: Type,
        path: String,
        about: Option<&'static str>,
        free: bool,
    ) -> ValueView<'p> {
        let inside = |of: Type, path: String, free: bool| Box::new(self.node(of, path, None, free));
        let what = match form {
            Type::List(item) => What::List(inside(*item, format!("{path}[]"), free)),
            Type::Map(value) => What::Map(inside(*value, below(&path, "*"), true)),
            Type::Record(members) => What::Record(self.members(members, &path, free)),
            leaf => What::Leaf(leaf),
        };
        let Instruction { profile, agent, .. } = *self.instruction;
        let mut fields = self.fields.iter().copied();
        let field = fields.find(|field| field.path == path);
        // A member that only some agents should write is optional for the others.
        let is_for_all = |field: &&FieldSpec| {
            field.agents.is_empty()
                || field.need == Need::Required
                || self.instruction.knows_agent()
        };
        let need = field.filter(is_for_all).map_or(Need::Optional, |it| it.need);
        let texts = match &*path {
            "decision" => &*profile.decisions,
            "artifacts[].type" => &profile.artifact_types,
            "errors[].type" => &profile.error_types,
            _ => &[],
        };
        ValueView {
            need,
            about,
            words: match &*path {
                "status" => words(profile.statuses_of(agent)),
                _ => texts.iter().map(AsRef::as_ref).collect(),
            },
            sample: self.instruction.sample(form, &path),
            is_shown: self.instruction.is_shown(&path, need),
            path,
            what,
        }
    }

    /// The members in the object at `path`, in the order of the format; the last are those that it does not know.
    fn members(
        &self,
        members: &'static [Member],
        path: &str,
        free: bool,
    ) -> Vec<(&'p str, ValueView<'p>)> {
        let own: Vec<_> = if free {
            members.iter().map(|it| it.name).collect()
        } else {
            let own = self.fields.iter().filter_map(|field| {
                let (parent, name) = field.path.rsplit_once('.').unwrap_or(("", &field.path));
                (parent == path).then_some(name)
            });
            own.collect()
        };
        let mut found: Vec<(&str, ValueView<'_>)> = Vec::new();
        for name in own {
            if found.iter().all(|(known, _)| *known != name) {
                let known = member(members, name);
                let of = known.map_or(Type::Anything, |it| it.of);
                let about = known.map(|it| it.about);
                found.push((name, self.node(of, below(path, name), about, free)));
            }
        }
        let rank = |name: &str| members.iter().position(|it| it.name == name);
        found.sort_by_key(|(name, _)| rank(name).unwrap_or(usize::MAX));
        found
    }
}

pub(super) const SUITES: &str =
    "{\"integration\": {\"passed\": 1, \"failed\": 0, \"duration\": \"30s\"}}";

/// Values that fit together in an example of finished work.
const SAMPLES: [(&str, &str); 12] = [
    ("errors", "[]"),
    ("next_steps", "\"What should be done next\""),
    ("timestamp", "\"2026-01-28T10:30:00Z\""),
    ("tests.failing", "0"),
    ("tests.coverage", "\"92%\""),
    ("tech_debt_logged", "false"),
    ("tests_run", SUITES),
    ("total_tests.failed", "0"),
    ("failures", "[]"),
    ("security_issues", "0"),
    ("lint_issues", "0"),
    ("required_changes", "[]"),
];

impl<'p> Instruction<'p> {
    /// Whether a member is in the example: required, recommended, or needed for success.
    fn is_shown(&self, path: &str, need: Need) -> bool {
        // The example of a handoff has all members: agents do not write what they have not seen.
        let is_whole = self.knows_agent() && self.profile.shape == Shape::Handoff;
        let is_needed = need != Need::Optional && !path.starts_with("errors");
        let is_given = path == DELEGATION_PATH && !self.delegation_path.is_empty()
            || path == DELEGATION_DEPTH && !self.delegation_path.is_empty();
        is_whole || is_needed || is_given || self.holds_session(path) || self.is_usual(path)
    }

    /// Whether a member that is optional is in the form that the document shows, or belongs to the status.
    fn is_usual(&self, path: &str) -> bool {
        match path {
            "errors" | "next_steps" | "metadata.duration_seconds" | "files_created" => true,
            "completion_data" | "completion_data.completion_summary" => {
                let status = self.profile.status(self.success(), self.agent);
                status.is_some_and(|it| it.companions.contains(&Companion::CompletionData))
            }
            _ => false,
        }
    }

    /// What an example has at a path of a built-in format, as JSON.
    fn sample(&self, form: Type, path: &str) -> String {
        if let Some((_, sample)) = SAMPLES.iter().find(|(known, _)| *known == path) {
            return (*sample).to_owned();
        }
        match form {
            // If the delegation is not known, the value describes what to write. Agents would copy an
            // example value.
            Type::List(_) if path == DELEGATION_PATH => {
                let names = self.delegation_path.iter().map(|name| quoted(name));
                match names.collect::<Vec<_>>().join(", ").as_str() {
                    "" => "[\"the delegation path of this task\"]".to_owned(),
                    names => format!("[{names}]"),
                }
            }
            Type::Integer if path == DELEGATION_DEPTH => {
                match self.delegation_path.len().checked_sub(1) {
                    Some(depth) => depth.to_string(),
                    None => quoted("the delegation depth of this task, a number"),
                }
            }
            Type::Map(_) => {
                // The files with details, one below the other.
                let files = self.detail_files().filter(|_| path == "artifacts");
                let files =
                    files.map(|(name, it)| format!("\n    {}: {}", quoted(name), quoted(&it)));
                match files.collect::<Vec<_>>().join(",").as_str() {
                    "" => "{}".to_owned(),
                    files => format!("{{{files}\n  }}"),
                }
            }
            Type::Integer | Type::Number => "1".to_owned(),
            Type::Boolean => "true".to_owned(),
            Type::Text | Type::Amount | Type::Anything | Type::Unknown => {
                quoted(self.text_at(path))
            }
            Type::List(_) | Type::Record(_) => String::new(),
        }
    }

    fn text_at(&self, path: &str) -> &str {
        let profile = self.profile;
        match path {
            "status" | "decision" => self.success(),
            "summary" | "completion_data.completion_summary" => SUMMARY,
            _ if Some(path) == profile.session_member().as_deref() => {
                self.session.unwrap_or(SESSION)
            }
            _ if Some(path) == profile.agent_member().as_deref() => self.agent.unwrap_or(AGENT),
            "artifacts[].type" => self.kind(),
            "artifacts[].path" | "files_created[]" | "files_modified[]" => PATH,
            // The agent that the work goes to after the example.
            "to_agent" => {
                (profile.next_agent(self.agent, self.success())).unwrap_or("the next agent")
            }
            "group_id" => self.group.unwrap_or("the group of this task"),
            "branch" => "the branch with the work",
            "artifacts[].summary" => CONTENT,
            _ => "text",
        }
    }

    /// The type that the agent's name reminds of, as `plan` of `planner`, else a report, else the first.
    fn kind(&self) -> &'p str {
        let types = || self.profile.artifact_types.iter().map(AsRef::as_ref);
        let kind = types().find(|it| self.is_named_as(it));
        let kind = kind.or_else(|| types().find(|it| *it == "report"));
        kind.or_else(|| types().next()).unwrap_or("file")
    }

    /// The status of success that the agent's name reminds of, as `planned` of `planner`, else the first.
    pub(super) fn success(&self) -> &'p str {
        let statuses = || self.profile.statuses_of(self.agent);
        let mut successes = statuses().filter(|status| status.meaning == Meaning::Success);
        let first = successes.next();
        let mut all = first.into_iter().chain(successes);
        let alike = all.find(|it| self.is_named_as(&it.word));
        let status = alike.or(first).or_else(|| statuses().next());
        match status.map_or("", |status| &status.word) {
            ANY => "status",
            word => word,
        }
    }

    /// Whether the agent's name has the beginning of a word in it, which tells what kind of work it is about.
    fn is_named_as(&self, word: &str) -> bool {
        let stem = word.get(..4).unwrap_or(word).to_ascii_lowercase();
        let agent = self.agent.unwrap_or_default().to_ascii_lowercase();
        !stem.is_empty() && agent.contains(&stem)
    }
}

pub(super) fn words<'p>(statuses: impl Iterator<Item = &'p Status>) -> Vec<&'p str> {
    statuses.fold(Vec::new(), |mut words, status| {
        if !words.contains(&&*status.word) {
            words.push(&*status.word);
        }
        words
    })
}

/// A text as JSON, safe to print.
pub(super) fn quoted(text: &str) -> String {
    let text = serde_json::to_string(text).unwrap_or_default();
    escape::json(&text).into_owned()
}
