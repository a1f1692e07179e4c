//! The instruction for a subagent on how to return. It is generated from the profile that the return
//! is checked against.

mod handoffs;
mod skeleton;

use std::fmt::{self, Display, Write as _};

use crate::profile::{
    Companion, HANDOFF, Meaning, Measured, Need, Profile, Requirement, Shape, Status,
};
use crate::text::escape::{self, full};

/// The instruction for one delegation. Displays as the text to add to the prompt.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Instruction<'i> {
    /// The profile that the return will be checked against.
    pub profile: &'i Profile,
    /// The session id that the return must have.
    pub session: Option<&'i str>,
    /// The session id to return if the task gives none; only without `session`.
    pub fallback_session: Option<&'i str>,
    /// The agent that is called.
    pub agent: Option<&'i str>,
    /// The group of work, which is a part of the paths of handoff files.
    pub group: Option<&'i str>,
    /// The agents from the orchestrator to the one that is called; empty if they are not known.
    pub delegation_path: &'i [String],
    /// How deep in the chain of delegations the agent is called.
    pub delegation_depth: Option<u32>,
    /// The folder of the task, where its metadata file belongs.
    pub task_folder: Option<&'i str>,
    /// The agent whose handoff is to be read; if none, the agents that the profile names.
    pub previous: Option<&'i str>,
    /// The profile that handoff files will be checked against.
    pub handoff: &'i Profile,
}

impl<'i> Instruction<'i> {
    /// The instruction for any session and agent.
    #[must_use]
    pub fn new(profile: &'i Profile) -> Self {
        Self {
            profile,
            session: None,
            fallback_session: None,
            agent: None,
            group: None,
            delegation_path: &[],
            delegation_depth: None,
            task_folder: None,
            previous: None,
            handoff: match profile.shape {
                Shape::Handoff => profile,
                Shape::Return => &HANDOFF,
            },
        }
    }

    /// Sets the session id that the return must have.
    #[must_use]
    pub fn session(mut self, session: impl Into<Option<&'i str>>) -> Self {
        self.session = session.into();
        self
    }

    /// Sets the session id to return if the task itself gives none.
    #[must_use]
    pub fn fallback_session(mut self, session: impl Into<Option<&'i str>>) -> Self {
        self.fallback_session = session.into();
        self
    }

    /// Sets the agent that is called.
    #[must_use]
    pub fn agent(mut self, agent: impl Into<Option<&'i str>>) -> Self {
        self.agent = agent.into();
        self
    }

    /// Sets the group of work.
    #[must_use]
    pub fn group(mut self, group: impl Into<Option<&'i str>>) -> Self {
        self.group = group.into();
        self
    }

    /// Sets the agents from the orchestrator to the one that is called.
    #[must_use]
    pub fn delegation_path(mut self, path: &'i [String]) -> Self {
        self.delegation_path = path;
        self
    }

    /// Sets how deep in the chain of delegations the agent is called.
    #[must_use]
    pub fn delegation_depth(mut self, depth: impl Into<Option<u32>>) -> Self {
        self.delegation_depth = depth.into();
        self
    }

    /// Sets the folder of the task, where its metadata file belongs.
    #[must_use]
    pub fn task_folder(mut self, folder: impl Into<Option<&'i str>>) -> Self {
        self.task_folder = folder.into();
        self
    }

    /// Sets the agent whose handoff is to be read.
    #[must_use]
    pub fn previous(mut self, previous: impl Into<Option<&'i str>>) -> Self {
        self.previous = previous.into();
        self
    }

    /// Sets the profile that the handoff file behind the return will be checked against.
    #[must_use]
    pub fn handoff(mut self, profile: &'i Profile) -> Self {
        self.handoff = profile;
        self
    }
}

/// Where a return says how it was delegated.
const DELEGATION_PATH: &str = "metadata.delegation_path";
const DELEGATION_DEPTH: &str = "metadata.delegation_depth";

fn is_required(profile: &Profile, path: &str) -> bool {
    profile
        .fields_with(Need::Required)
        .any(|field| field == path)
}

impl Display for Instruction<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.handoffs(&mut text);
        self.form(&mut text);
        let _ = writeln!(text, "\n{}\n", skeleton::text(self));
        self.requirements(&mut text);
        text.push_str(
            "\nWhat you return is validated before anyone acts on it. A return that is not JSON, lacks a field, or \
             names a file that does not exist is rejected, and the task counts as failed.\n",
        );
        out.write_str(&text)
    }
}

impl Instruction<'_> {
    fn has_session(&self) -> bool {
        self.session.or(self.fallback_session).is_some()
    }

    fn form(&self, text: &mut String) {
        text.push_str("RETURN FORMAT\n");
        match (self.profile.shape, self.profile.file.as_deref()) {
            (Shape::Handoff, _) => {
                text.push_str("Write the handoff file as one JSON object of this form:\n");
            }
            (_, Some(file)) => {
                let place = match self.task_folder {
                    Some(folder) => {
                        let folder = full(folder.trim_end_matches('/'));
                        format!("{folder}/{}", full(file))
                    }
                    None => format!("{} to the folder of your task", full(file)),
                };
                let _ = writeln!(
                    text,
                    "Write the metadata file {place}: immediately, with the status in_progress, \
                     and again when you finish. It is one JSON object of the form below. Your final message is a short \
                     summary in prose, not JSON."
                );
            }
            (_, None) => text.push_str(
                "Your whole final message must be one JSON object of this form, and nothing else: no text around it, no \
                 Markdown fence, no comments.\n",
            ),
        }
    }

    /// The requirements of the return, one line each.
    pub(crate) fn requirements(&self, text: &mut String) {
        let profile = self.profile;
        let mut say = |line: String| {
            let _ = writeln!(text, "- {line}");
        };
        say(format!(
            "Required: {}.",
            escape::list(self.paths(Need::Required))
        ));
        if profile.shape == Shape::Handoff {
            say(format!(
                "Should also be there: {}.",
                escape::list(self.asked())
            ));
        }
        let optional = self.paths(Need::Optional);
        let optional = optional
            .filter(|path| !path.contains("[]") && profile.routing.iter().all(|name| name != path));
        let optional = escape::list(optional);
        if !optional.is_empty() {
            say(format!("Optional: {optional}."));
        }
        self.members_of_agents(&mut say);
        self.statuses(&mut say);
        if let Some(limit) = profile.soft_length.or(profile.length) {
            let what = match limit.of {
                Measured::Summary => "summary",
                Measured::Return => "the whole return",
            };
            let sentences = profile
                .sentences
                .map(|(least, most)| format!("{least} to {most} sentences, "));
            say(format!(
                "{what}: {}{}.",
                sentences.unwrap_or_default(),
                limit.bound()
            ));
        }
        self.artifacts(&mut say);
        if profile.has_field("errors") {
            self.errors(&mut say);
        }
        self.limits(&mut say);
        if let (Some(place), Some(session)) = (&profile.session, self.session) {
            say(format!("{place} is \"{}\", exactly.", full(session)));
        } else if let (Some(place), Some(session)) = (&profile.session, self.fallback_session) {
            say(format!(
                "{place} is the session id that your task gives you; if it gives none, {place} is \"{}\".",
                full(session)
            ));
        }
        self.delegation(&mut say);
        if profile.requires(Requirement::NothingElse) {
            let members = profile.fields.iter().map(|field| &field.path);
            say(format!(
                "No members other than {}. Everything else belongs in the handoff file.",
                escape::list(members)
            ));
        }
    }

    /// The delegation as it is; where the caller has not told it, the task must.
    /// What to write where the task does not tell: most agents are called by the main agent.
    fn usual_delegation(&self, say: &mut impl FnMut(String)) {
        if let (Some(agent), Some(_)) = (self.agent, self.fallback_session) {
            say(format!(
                "If your task gives no delegation path: [\"orchestrator\", \"{}\"] and a delegation_depth of 1, or \
                 more if a subagent called you, with your callers between the two.",
                full(agent)
            ));
        }
    }

    fn delegation(&self, say: &mut impl FnMut(String)) {
        if !self.profile.has_field(DELEGATION_PATH) {
            return;
        }
        if self.delegation_path.is_empty() {
            let is_required = is_required(self.profile, DELEGATION_PATH);
            if is_required {
                say(format!(
                    "{DELEGATION_PATH}: every name from the orchestrator to you, as your task gives them."
                ));
                self.usual_delegation(say);
            }
        } else {
            let path = escape::list(self.delegation_path);
            say(format!("{DELEGATION_PATH} is {path}, exactly."));
        }
        match self.delegation_depth {
            Some(depth) => say(format!("{DELEGATION_DEPTH} is {depth}, exactly.")),
            None if is_required(self.profile, DELEGATION_DEPTH) => say(format!(
                "{DELEGATION_DEPTH}: a number, how many delegations led to you, as your task gives it."
            )),
            None => {}
        }
    }

    /// The paths of the fields with this need in the documents of the agent; of an unknown agent, of
    /// the fields that all documents have.
    fn paths(&self, need: Need) -> impl Iterator<Item = &str> {
        let is_known = self.knows_agent();
        let fields = self.profile.fields_of(self.agent);
        let fields = fields.filter(move |it| it.need == need && (is_known || it.agents.is_empty()));
        fields.map(|field| &*field.path)
    }

    fn knows_agent(&self) -> bool {
        let agent = self.agent.and_then(|name| self.profile.agent(name));
        agent.is_some()
    }

    fn limits(&self, say: &mut impl FnMut(String)) {
        let limits = self.profile.limits;
        let most = [
            ("an artifact's summary", limits.artifact_summary_at_most),
            ("an error's message", limits.error_message_at_most),
            ("next_steps", limits.next_steps_at_most),
        ];
        let most = most
            .iter()
            .filter_map(|(what, most)| Some(format!("{what} {} characters", (*most)?)));
        let most: Vec<_> = most.collect();
        if !most.is_empty() {
            say(format!("At most: {}.", most.join(", ")));
        }
        if self.profile.requires(Requirement::NoEmoji) {
            say("No emojis in the summary.".to_owned());
        }
        if self.profile.requires(Requirement::NoMarkup) {
            say("No formatting markup in the summary: no Markdown, no HTML.".to_owned());
        }
        if self.profile.requires(Requirement::UpperSnakeErrorCodes) {
            say("Error codes are in upper snake case, such as TIMEOUT_EXCEEDED.".to_owned());
        }
    }

    fn statuses(&self, say: &mut impl FnMut(String)) {
        let mut words: Vec<&Status> = Vec::new();
        for status in self.profile.statuses_of(self.agent) {
            if !words.iter().any(|it| it.word == status.word) {
                // Agents may give a word different meanings; the check uses this one.
                let meaning = self.profile.status(&status.word, self.agent);
                words.push(meaning.unwrap_or(status));
            }
        }
        let success = |success: bool| {
            let chosen = words
                .iter()
                .filter(move |status| (status.meaning == Meaning::Success) == success);
            escape::list(chosen.map(|status| &status.word))
        };
        say(format!(
            "status on success, which requires that every file exists and is not empty: {}; otherwise: {}.",
            success(true),
            success(false)
        ));
        for (word, why) in self.profile.forbidden.iter() {
            say(format!("Never use the status {word}: {why}."));
        }
        for (companion, member) in [
            (Companion::Errors, "errors"),
            (Companion::StartedAt, "started_at, as 2026-01-28T10:30:00Z"),
            (
                Companion::Progress,
                "partial_progress with stage and details",
            ),
            (
                Companion::CompletionData,
                "completion_data with completion_summary, and roadmap_items or claudemd_suggestions where they apply",
            ),
        ] {
            let statuses = words
                .iter()
                .filter(|status| status.companions.contains(&companion));
            let statuses = escape::list(statuses.map(|status| &status.word));
            if !statuses.is_empty() {
                say(format!("With the status {statuses} also write {member}."));
            }
        }
    }

    fn artifacts(&self, say: &mut impl FnMut(String)) {
        let profile = self.profile;
        if profile.has_field("artifacts[].path") {
            let types = escape::list(&*profile.artifact_types);
            say(format!(
                "artifacts: every file that you wrote; type is one of {types}; path is relative to the project root."
            ));
        } else if profile.shape == Shape::Handoff {
            self.handoff_files(say);
        }
    }

    fn errors(&self, say: &mut impl FnMut(String)) {
        let members = self
            .profile
            .fields
            .iter()
            .filter_map(|field| field.path.strip_prefix("errors[]."));
        let members = escape::list(members);
        let types = match &*self.profile.error_types {
            [] => String::new(),
            types => format!("; type is one of {}", escape::list(types)),
        };
        say(format!(
            "errors: what went wrong, each with {members}{types}."
        ));
    }
}
