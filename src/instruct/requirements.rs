//! The requirements of a return, one line each: its members and words, and the delegation that it answers.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::instruct::view::words;
use crate::instruct::{DELEGATION_DEPTH, DELEGATION_PATH, Instruction, claims};
use crate::profile::told::told;
use crate::profile::{Companion, FieldSpec, Meaning, Measured, Need, Requirement, Shape, Status};
use crate::text::count;
use crate::text::escape::{full, list};

impl Instruction<'_> {
    pub(super) fn requirements(&self, text: &mut String) {
        let profile = self.profile;
        let mut lines =
            if profile.is_own() { claims::requirements(self) } else { self.of_fields() };
        lines.extend(self.session_line());
        self.delegation(&mut lines);
        if profile.requires(Requirement::NothingElse) {
            let members = list(profile.fields.iter().map(|field| &field.path));
            lines.push(format!(
                "No members other than {members}. Everything else belongs in the handoff file."
            ));
        }
        for line in lines {
            let _ = writeln!(text, "- {line}");
        }
        if profile.is_own() {
            text.push_str(&claims::schema(profile));
        }
    }

    fn of_fields(&self) -> Vec<String> {
        let profile = self.profile;
        let mut lines = self.required();
        if profile.shape == Shape::Handoff {
            let recommended = list(self.recommended());
            lines.push(format!("Should also be there: {recommended}."));
        }
        let fields = self.fields().filter(|it| it.need == Need::Optional);
        let optional = fields.map(|field| &*field.path).filter(|path| {
            let is_routing = profile.routing.iter().any(|name| name == path);
            !path.contains("[]") && !is_routing && !self.holds_session(path)
        });
        let optional = list(optional);
        if !optional.is_empty() {
            lines.push(format!("Optional: {optional}."));
        }
        self.statuses(&mut lines);
        lines.extend(self.length("summary"));
        if profile.has_field("artifacts[].path") {
            let types = list(&*profile.artifact_types);
            let is_short = profile.requires(Requirement::OneSentenceArtifacts);
            let summary = ["", "; summary is one plain sentence"][usize::from(is_short)];
            lines.push(format!(
                "artifacts: every file that you wrote; type is one of {types}; path is relative to the project root{summary}."
            ));
        } else if profile.shape == Shape::Handoff {
            lines.extend(self.handoff_files());
        }
        if profile.has_field("errors") {
            let fields = profile.fields.iter();
            let members = list(fields.filter_map(|field| field.path.strip_prefix("errors[].")));
            let types = match &*profile.error_types {
                [] => String::new(),
                types => format!("; type is one of {}", list(types)),
            };
            lines.push(format!("errors: what went wrong, each with {members}{types}."));
        }
        let limits = profile.limits;
        let most = [
            ("an artifact's summary", limits.artifact_summary_at_most),
            ("an error's message", limits.error_message_at_most),
            ("next_steps", limits.next_steps_at_most),
        ];
        let most = most.map(|(what, most)| Some(format!("{what} {} characters", most?)));
        let most: Vec<_> = most.into_iter().flatten().collect();
        if !most.is_empty() {
            lines.push(format!("At most: {}.", most.join(", ")));
        }
        for (requirement, line) in [
            (Requirement::NoEmoji, "No emojis in the summary."),
            (Requirement::NoMarkup, "No formatting markup in the summary: no Markdown, no HTML."),
            (
                Requirement::UpperSnakeErrorCodes,
                "Error codes are in upper snake case, such as TIMEOUT_EXCEEDED.",
            ),
        ] {
            if profile.requires(requirement) {
                lines.push(line.to_owned());
            }
        }
        lines
    }

    pub(super) fn length(&self, summary: &str) -> Option<String> {
        let profile = self.profile;
        let limit = profile.soft_length.or(profile.length);
        let is_whole = limit.is_some_and(|limit| limit.of == Measured::Return);
        let what = if is_whole { "the whole return" } else { summary };
        let sentences = profile.sentences.map(|(least, most)| match least {
            _ if least == most => count(most, "sentence"),
            _ => format!("{least} to {}", count(most, "sentence")),
        });
        let bounds = sentences.into_iter().chain(limit.map(|it| it.bound()));
        let bounds: Vec<_> = bounds.collect();
        (!bounds.is_empty()).then(|| format!("{what}: {}.", bounds.join(", ")))
    }

    /// The members that every return must have, then those of objects and lists that are not required.
    fn required(&self) -> Vec<String> {
        let required = self.fields().map(|field| &*field.path);
        let required = required.filter(|path| self.must_have(path));
        let outermost = |path: &str| path.split(['.', '[']).next().unwrap_or_default().to_owned();
        let (always, within): (Vec<_>, Vec<_>) =
            required.partition(|path| self.must_have(&outermost(path)));
        let mut lines = vec![format!("Required: {}.", list(always))];
        if !within.is_empty() {
            lines.push(format!("Required in what is there: {}.", list(within)));
        }
        lines
    }

    fn requires(&self, path: &str) -> bool {
        let mut required = self.profile.fields_with(Need::Required);
        required.any(|field| field == path)
    }

    /// Whether a return must have the member, or the object around it must.
    fn must_have(&self, path: &str) -> bool {
        self.requires(path) || self.holds_session(path)
    }

    /// Whether the member is the session id that the caller expects, or an object around it.
    pub(super) fn holds_session(&self, path: &str) -> bool {
        let place = self.profile.session_member();
        let rest = place.as_deref().and_then(|place| place.strip_prefix(path));
        self.session.or(self.fallback_session).is_some()
            && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }

    /// The fields in the documents of the agent. If it is unknown, those that the documents of all agents have.
    fn fields(&self) -> impl Iterator<Item = &FieldSpec> {
        let is_known = self.knows_agent();
        let fields = self.profile.fields_of(self.agent);
        fields.filter(move |it| is_known || it.agents.is_empty())
    }

    pub(super) fn knows_agent(&self) -> bool {
        self.spec().is_some()
    }

    fn statuses(&self, lines: &mut Vec<String>) {
        let profile = self.profile;
        // Agents may give the same word different meanings. The check uses this one.
        let statuses = words(profile.statuses_of(self.agent)).into_iter();
        let statuses = statuses.filter_map(|word| profile.status(word, self.agent));
        let statuses: Vec<_> = statuses.collect();
        let those = |is_wanted: &dyn Fn(&Status) -> bool| {
            let words = statuses.iter().filter(|it| is_wanted(it));
            list(words.map(|status| &status.word))
        };
        lines.push(format!(
            "status on success, which requires that every file exists and is not empty: {}; otherwise: {}.",
            those(&|it| it.meaning == Meaning::Success),
            those(&|it| it.meaning != Meaning::Success)
        ));
        for (word, why) in profile.forbidden.iter() {
            lines.push(format!("Never use the status {word}: {why}."));
        }
        let companions = statuses.iter().flat_map(|status| status.companions.iter());
        let companions: BTreeSet<_> = companions.copied().collect();
        for companion in companions {
            let member = match companion {
                Companion::Errors => "errors",
                Companion::StartedAt => "started_at, as 2026-01-28T10:30:00Z",
                Companion::Progress => "partial_progress with stage and details",
                Companion::CompletionData => {
                    "completion_data with completion_summary in 1 to 3 sentences. A meta task, which changes files below .claude/, also needs claudemd_suggestions (none if there are none); any other task may have roadmap_items"
                }
                // They are a part of every return.
                Companion::Artifacts => continue,
            };
            let words = those(&|it| it.companions.contains(&companion));
            lines.push(format!("With the status {words} also write {member}."));
        }
    }

    fn session_line(&self) -> Option<String> {
        let place = self.profile.roles.session.as_ref()?;
        let place = if self.profile.is_own() {
            told(place.as_str(), self.profile.form)
        } else {
            place.dotted()
        };
        if let Some(session) = self.session {
            return Some(format!("{place} is \"{}\", exactly.", full(session)));
        }
        let session = full(self.fallback_session?);
        Some(format!(
            "{place} is the session id that your task gives you; if it gives none, {place} is \"{session}\"."
        ))
    }

    /// The delegation path and depth to return. What the caller does not give here, the agent takes from its task.
    fn delegation(&self, lines: &mut Vec<String>) {
        if !self.profile.has_field(DELEGATION_PATH) {
            return;
        }
        if !self.delegation_path.is_empty() {
            let path = list(self.delegation_path);
            lines.push(format!("{DELEGATION_PATH} is {path}, exactly."));
        } else if self.requires(DELEGATION_PATH) {
            lines.push(format!(
                "{DELEGATION_PATH}: every name from the orchestrator to you, as your task gives them."
            ));
            let names = self.fallback_path.iter();
            let names: Vec<_> = names.map(|name| format!("\"{}\"", full(name))).collect();
            // Most agents are called by the main agent.
            if let Some(depth) = names.len().checked_sub(1) {
                lines.push(format!(
                    "If your task gives no delegation path: [{}] and a delegation_depth of {depth}, or more \
                     if a subagent called you, with your callers between the two.",
                    names.join(", ")
                ));
            }
        }
        if let Some(depth) = self.delegation_path.len().checked_sub(1) {
            lines.push(format!("{DELEGATION_DEPTH} is {depth}, exactly."));
        } else if self.requires(DELEGATION_DEPTH) {
            lines.push(format!(
                "{DELEGATION_DEPTH}: a number, how many delegations led to you, as your task gives it."
            ));
        }
    }
}
