//! An example return: the required and recommended members of a profile, with valid values.

use std::fmt::Write as _;

use crate::document::pointer::below;
use crate::instruction::Instruction;
use crate::instruction::requirements::{DELEGATION_DEPTH, DELEGATION_PATH};
use crate::profile::fields::{Member, Type};
use crate::profile::{Meaning, Need, Shape};
use crate::text::escape;

/// Values that fit together in an example of finished work.
const SAMPLES: [(&str, &str); 10] = [
    ("timestamp", "\"2026-01-28T10:30:00Z\""),
    ("tests.failing", "0"),
    ("tests.coverage", "\"92%\""),
    ("tech_debt_logged", "false"),
    (
        "tests_run",
        "{\"integration\": {\"passed\": 1, \"failed\": 0, \"duration\": \"30s\"}}",
    ),
    ("total_tests.failed", "0"),
    ("failures", "[]"),
    ("security_issues", "0"),
    ("lint_issues", "0"),
    ("required_changes", "[]"),
];

// The texts that stand in an example until the agent writes its own.

/// The summary.
pub(super) const SUMMARY: &str = "What was done. What the result is.";
/// The path of a file.
pub(super) const PATH: &str = "path/of/the/file.md";
/// The summary of a file.
const CONTENT: &str = "What the file contains";
/// The session id, if the instruction does not give it.
pub(super) const SESSION: &str = "the session id of this task";
/// The agent, if the instruction does not name it.
pub(super) const AGENT: &str = "your-agent-name";

/// Whether a text is one of those, or only dots.
pub(crate) fn is_sample(text: &str) -> bool {
    matches!(
        text,
        SUMMARY | PATH | CONTENT | SESSION | AGENT | "..." | "…"
    )
}

pub(super) fn text(instruction: &Instruction<'_>) -> String {
    let mut skeleton = Skeleton {
        instruction,
        text: String::new(),
    };
    skeleton.value(instruction.profile.shape.form(), "", 0);
    skeleton.text
}

struct Skeleton<'s, 'i> {
    instruction: &'s Instruction<'i>,
    text: String,
}

impl Skeleton<'_, '_> {
    fn value(&mut self, form: Type, path: &str, depth: usize) {
        if let Some((_, sample)) = SAMPLES.iter().find(|(known, _)| *known == path) {
            return self.text.push_str(sample);
        }
        match form {
            Type::Record(members) => self.record(members, path, depth),
            Type::List(_) if path == DELEGATION_PATH => self.delegation_path(),
            Type::Integer if path == DELEGATION_DEPTH => self.delegation_depth(),
            Type::List(item) => {
                self.text.push('[');
                self.value(*item, &format!("{path}[]"), depth);
                self.text.push(']');
            }
            Type::Map(_) if path == "artifacts" => self.details(depth),
            Type::Map(_) => self.text.push_str("{}"),
            Type::Integer | Type::Number => self.text.push('1'),
            Type::Boolean => self.text.push_str("true"),
            Type::Text | Type::Amount | Type::Anything => {
                let text = self.words(path);
                self.string(&text);
            }
        }
    }

    fn record(&mut self, members: &'static [Member], path: &str, depth: usize) {
        let indent = "  ".repeat(depth + 1);
        self.text.push('{');
        let mut is_first = true;
        let own = self.instruction.profile.custom_members(members, path);
        let own: Vec<_> = own.map(|name| (name, Type::Anything)).collect();
        let members = members.iter().map(|it| (it.name, it.of));
        for (name, form) in members.chain(own) {
            let below = below(path, name);
            if !self.is_shown(&below) {
                continue;
            }
            let _ = write!(self.text, "{}\n{indent}", if is_first { "" } else { "," });
            is_first = false;
            self.string(name);
            self.text.push_str(": ");
            self.value(form, &below, depth + 1);
        }
        let _ = write!(self.text, "\n{}}}", "  ".repeat(depth));
    }

    fn details(&mut self, depth: usize) {
        let indent = "  ".repeat(depth + 1);
        let files: Vec<_> = self.instruction.detail_files().collect();
        self.text.push('{');
        for (index, (name, path)) in files.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            let _ = write!(self.text, "{comma}\n{indent}");
            self.string(name);
            self.text.push_str(": ");
            self.string(path);
        }
        if !files.is_empty() {
            let _ = write!(self.text, "\n{}", "  ".repeat(depth));
        }
        self.text.push('}');
    }

    /// Whether a member is in the example: it is required or recommended, or needed for success.
    fn is_shown(&self, path: &str) -> bool {
        let profile = self.instruction.profile;
        // The example of a handoff has all members, because agents do not write members that they have
        // not seen.
        if self.instruction.knows_agent() && profile.shape == Shape::Handoff {
            return profile.has_field_of(path, self.instruction.agent);
        }
        let is_common = profile
            .fields
            .iter()
            .any(|it| it.path == path && it.agents.is_empty());
        let is_needed =
            |field: &&crate::profile::FieldSpec| field.path == path && field.need != Need::Optional;
        let by_path =
            profile.fields.iter().any(|field| is_needed(&field)) && !path.starts_with("errors");
        let claims = profile.has_field(path) && path == "files_created";
        let session = self.instruction.holds_session(path);
        let instruction = self.instruction;
        let delegation = profile.has_field(path)
            && (path == DELEGATION_PATH && !instruction.delegation_path.is_empty()
                || path == DELEGATION_DEPTH && instruction.delegation_depth.is_some());
        (by_path && is_common) || claims || session || delegation
    }

    /// If the delegation is not known, the value describes what to write. Agents would copy an example
    /// value.
    fn delegation_path(&mut self) {
        let path = self.instruction.delegation_path;
        self.text.push('[');
        for (index, name) in path.iter().enumerate() {
            self.text.push_str(if index > 0 { ", " } else { "" });
            self.string(name);
        }
        if path.is_empty() {
            self.string("the delegation path of this task");
        }
        self.text.push(']');
    }

    fn delegation_depth(&mut self) {
        match self.instruction.delegation_depth {
            Some(depth) => self.text.push_str(&depth.to_string()),
            None => self.string("the delegation depth of this task, a number"),
        }
    }

    fn agent(&self) -> String {
        let first = self
            .instruction
            .profile
            .agents
            .first()
            .map(|agent| &*agent.name);
        self.instruction.agent.or(first).unwrap_or(AGENT).to_owned()
    }

    fn words(&self, path: &str) -> String {
        let profile = self.instruction.profile;
        match path {
            "status" | "decision" => self.success().to_owned(),
            "summary" => SUMMARY.to_owned(),
            _ if Some(path) == profile.session.as_deref() => {
                self.instruction.session.unwrap_or(SESSION).to_owned()
            }
            _ if Some(path) == profile.agent.as_deref() => self.agent(),
            "artifacts[].type" => profile
                .artifact_types
                .first()
                .map_or("file", |kind| kind)
                .to_owned(),
            "artifacts[].path" | "files_created[]" | "files_modified[]" => PATH.to_owned(),
            "to_agent" => self.next_agent().unwrap_or("the next agent").to_owned(),
            "group_id" => (self.instruction.group)
                .unwrap_or("the group of this task")
                .to_owned(),
            "branch" => "the branch with the work".to_owned(),
            "artifacts[].summary" => CONTENT.to_owned(),
            _ => "text".to_owned(),
        }
    }

    /// The agent that the work goes to after the example.
    fn next_agent(&self) -> Option<&str> {
        let instruction = self.instruction;
        instruction
            .profile
            .next_agent(instruction.agent, self.success())
    }

    /// The status of success that the agent's name reminds of, as `planned` of `planner`, else the first.
    fn success(&self) -> &str {
        let agent = self.instruction.agent.unwrap_or_default();
        let statuses = self.instruction.profile.statuses_of(self.instruction.agent);
        let words = statuses.filter(|status| status.meaning == Meaning::Success);
        let words: Vec<&str> = words.map(|status| &*status.word).collect();
        let reminds = |word: &&&str| is_like(word, agent);
        let word = words.iter().find(reminds).or(words.first());
        word.map_or("", |word| word)
    }

    fn string(&mut self, text: &str) {
        let text = serde_json::to_string(text).unwrap_or_default();
        self.text.push_str(&escape::json(&text));
    }
}

/// Letters at the beginning of a status that tell what kind of work it is about: `plan` of `planned`.
const STEM: usize = 4;

/// Whether a name has the beginning of a word in it.
fn is_like(word: &str, name: &str) -> bool {
    let stem = word.get(..STEM).unwrap_or(word).to_ascii_lowercase();
    !stem.is_empty() && name.to_ascii_lowercase().contains(&stem)
}
