//! The requirements of a return, one line each: its members and words, and the delegation that it answers.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::instruct::view::words;
use crate::instruct::{DELEGATION_DEPTH, DELEGATION_PATH, Instruction, claims};
use crate::profile::told::told;
use crate::profile::{Companion, Meaning, Measured, Need, Requirement, Shape};
use crate::text::count;
use crate::text::escape::{full, list};

impl Instruction<'_> {
    pub(super) fn requirements(&self, text: &mut String) {
        let profile = self.profile;
        let mut say = |line: String| {
            let _ = writeln!(text, "- {line}");
        };
        if profile.is_own() {
            claims::requirements(self, &mut say);
            self.session_line(&mut say);
            text.push_str(&claims::schema(profile));
            return;
        }
        self.required(&mut say);
        if profile.shape == Shape::Handoff {
            say(format!(
                "Should also be there: {}.",
                list(self.recommended())
            ));
        }
        let optional = self.paths(Need::Optional).filter(|path| {
            let is_routing = profile.routing.iter().any(|name| name == path);
            !path.contains("[]") && !is_routing && !self.holds_session(path)
        });
        let optional = list(optional);
        if !optional.is_empty() {
            say(format!("Optional: {optional}."));
        }
        self.members_of_agents(&mut say);
        self.statuses(&mut say);
        self.length("summary", &mut say);
        self.artifacts(&mut say);
        self.errors(&mut say);
        self.limits(&mut say);
        self.session_line(&mut say);
        self.delegation(&mut say);
        if profile.requires(Requirement::NothingElse) {
            let members = list(profile.fields.iter().map(|field| &field.path));
            say(format!(
                "No members other than {members}. Everything else belongs in the handoff file."
            ));
        }
    }

    /// How long the summary, or the whole return, may be.
    pub(super) fn length(&self, summary: &str, say: &mut impl FnMut(String)) {
        let profile = self.profile;
        let limit = profile.soft_length.or(profile.length);
        let what = match limit.map(|limit| limit.of) {
            Some(Measured::Return) => "the whole return",
            Some(Measured::Summary) | None => summary,
        };
        let sentences = profile.sentences.map(|(least, most)| match least {
            _ if least == most => count(most, "sentence"),
            _ => format!("{least} to {}", count(most, "sentence")),
        });
        let bounds = sentences
            .into_iter()
            .chain(limit.map(|limit| limit.bound()));
        let bounds: Vec<_> = bounds.collect();
        if !bounds.is_empty() {
            say(format!("{what}: {}.", bounds.join(", ")));
        }
    }

    /// The members that every return must have. Then, for each object or list that is not required, the
    /// members that it must have if it is there.
    fn required(&self, say: &mut impl FnMut(String)) {
        let fields = self.profile.fields_of(self.agent);
        let fields = fields.filter(|it| self.knows_agent() || it.agents.is_empty());
        let required = fields.map(|field| &*field.path);
        let required: Vec<_> = required.filter(|path| self.must_have(path)).collect();
        let within = |place| {
            let paths = required.iter();
            list(paths.filter(move |path| self.optional_place(path) == place))
        };
        say(format!("Required: {}.", within(None)));
        let places = required.iter().filter_map(|path| self.optional_place(path));
        for place in places.collect::<BTreeSet<_>>() {
            let paths = within(Some(place));
            say(format!("With {}, also required: {paths}.", full(place)));
        }
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

    /// The outermost object or list around a member that a return need not have.
    fn optional_place<'p>(&self, path: &'p str) -> Option<&'p str> {
        let places = path.match_indices('.');
        let mut places = places.map(|(dot, _)| path[..dot].trim_end_matches("[]"));
        places.find(|place| !self.must_have(place))
    }

    /// The paths of the fields with this need in the documents of the agent. If the agent is unknown,
    /// only the fields that the documents of all agents have.
    fn paths(&self, need: Need) -> impl Iterator<Item = &str> {
        let is_known = self.knows_agent();
        let fields = self.profile.fields_of(self.agent);
        let fields = fields.filter(move |it| it.need == need && (is_known || it.agents.is_empty()));
        fields.map(|field| &*field.path)
    }

    pub(super) fn knows_agent(&self) -> bool {
        let agent = self.agent.and_then(|name| self.profile.agent(name));
        agent.is_some()
    }

    fn statuses(&self, say: &mut impl FnMut(String)) {
        let profile = self.profile;
        // Agents may give the same word different meanings. The check uses this one.
        let statuses = words(profile.statuses_of(self.agent)).into_iter();
        let statuses = statuses.filter_map(|word| profile.status(word, self.agent));
        let statuses: Vec<_> = statuses.collect();
        let success = |is_wanted: bool| {
            let words = statuses.iter();
            let words = words.filter(|it| (it.meaning == Meaning::Success) == is_wanted);
            list(words.map(|status| &status.word))
        };
        say(format!(
            "status on success, which requires that every file exists and is not empty: {}; otherwise: {}.",
            success(true),
            success(false)
        ));
        for (word, why) in profile.forbidden.iter() {
            say(format!("Never use the status {word}: {why}."));
        }
        let companions = statuses.iter().flat_map(|status| status.companions.iter());
        let companions: BTreeSet<_> = companions.copied().collect();
        for companion in companions {
            let Some(member) = member_of(companion) else {
                continue;
            };
            let words = statuses.iter();
            let words = words.filter(|status| status.companions.contains(&companion));
            let words = list(words.map(|status| &status.word));
            say(format!("With the status {words} also write {member}."));
        }
    }

    fn limits(&self, say: &mut impl FnMut(String)) {
        let (profile, limits) = (self.profile, self.profile.limits);
        let most = [
            ("an artifact's summary", limits.artifact_summary_at_most),
            ("an error's message", limits.error_message_at_most),
            ("next_steps", limits.next_steps_at_most),
        ];
        let most = most.into_iter();
        let most = most.filter_map(|(what, most)| Some(format!("{what} {} characters", most?)));
        let most: Vec<_> = most.collect();
        if !most.is_empty() {
            say(format!("At most: {}.", most.join(", ")));
        }
        for (requirement, line) in [
            (Requirement::NoEmoji, "No emojis in the summary."),
            (
                Requirement::NoMarkup,
                "No formatting markup in the summary: no Markdown, no HTML.",
            ),
            (
                Requirement::UpperSnakeErrorCodes,
                "Error codes are in upper snake case, such as TIMEOUT_EXCEEDED.",
            ),
        ] {
            if profile.requires(requirement) {
                say(line.to_owned());
            }
        }
    }

    fn artifacts(&self, say: &mut impl FnMut(String)) {
        let profile = self.profile;
        if profile.has_field("artifacts[].path") {
            let types = list(&*profile.artifact_types);
            let summary = if profile.requires(Requirement::OneSentenceArtifacts) {
                "; summary is one plain sentence"
            } else {
                ""
            };
            say(format!(
                "artifacts: every file that you wrote; type is one of {types}; path is relative to the project root{summary}."
            ));
        } else if profile.shape == Shape::Handoff {
            self.handoff_files(say);
        }
    }

    fn errors(&self, say: &mut impl FnMut(String)) {
        let profile = self.profile;
        if !profile.has_field("errors") {
            return;
        }
        let fields = profile.fields.iter();
        let members = list(fields.filter_map(|field| field.path.strip_prefix("errors[].")));
        let types = match &*profile.error_types {
            [] => String::new(),
            types => format!("; type is one of {}", list(types)),
        };
        say(format!(
            "errors: what went wrong, each with {members}{types}."
        ));
    }

    fn session_line(&self, say: &mut impl FnMut(String)) {
        let Some(place) = &self.profile.roles.session else {
            return;
        };
        let place = if self.profile.is_own() {
            told(place.as_str(), self.profile.form)
        } else {
            place.dotted()
        };
        if let Some(session) = self.session {
            say(format!("{place} is \"{}\", exactly.", full(session)));
        } else if let Some(session) = self.fallback_session {
            say(format!(
                "{place} is the session id that your task gives you; if it gives none, {place} is \"{}\".",
                full(session)
            ));
        }
    }

    /// The delegation path and depth to return. If the caller does not give them here, the agent takes
    /// them from its task.
    fn delegation(&self, say: &mut impl FnMut(String)) {
        if !self.profile.has_field(DELEGATION_PATH) {
            return;
        }
        if !self.delegation_path.is_empty() {
            let path = list(self.delegation_path);
            say(format!("{DELEGATION_PATH} is {path}, exactly."));
        } else if self.requires(DELEGATION_PATH) {
            say(format!(
                "{DELEGATION_PATH}: every name from the orchestrator to you, as your task gives them."
            ));
            self.usual_delegation(say);
        }
        if let Some(depth) = self.delegation_depth {
            say(format!("{DELEGATION_DEPTH} is {depth}, exactly."));
        } else if self.requires(DELEGATION_DEPTH) {
            say(format!(
                "{DELEGATION_DEPTH}: a number, how many delegations led to you, as your task gives it."
            ));
        }
    }

    /// What to return if the task does not give the delegation.
    fn usual_delegation(&self, say: &mut impl FnMut(String)) {
        let names = self.fallback_path.iter();
        let names: Vec<_> = names.map(|name| format!("\"{}\"", full(name))).collect();
        // Most agents are called by the main agent.
        if let Some(depth) = names.len().checked_sub(1) {
            say(format!(
                "If your task gives no delegation path: [{}] and a delegation_depth of {depth}, or more \
                 if a subagent called you, with your callers between the two.",
                names.join(", ")
            ));
        }
    }
}

/// What the instruction asks for with a status that requires it. None for artifacts, which are part of
/// every return.
fn member_of(companion: Companion) -> Option<&'static str> {
    Some(match companion {
        Companion::Errors => "errors",
        Companion::StartedAt => "started_at, as 2026-01-28T10:30:00Z",
        Companion::Progress => "partial_progress with stage and details",
        Companion::CompletionData => {
            "completion_data with completion_summary in 1 to 3 sentences. A meta task, which changes files below .claude/, also needs claudemd_suggestions (none if there are none); any other task may have roadmap_items"
        }
        Companion::Artifacts => return None,
    })
}
