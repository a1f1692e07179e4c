//! The handoff files around a task: which to read, which to write, and the files with details.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::instruct::Instruction;
use crate::instruct::view::SUITES;
use crate::profile::{Agent, Need, fill_placeholders};
use crate::text::escape::{full, list};

impl<'i> Instruction<'i> {
    pub(super) fn handoffs(&self, text: &mut String) {
        if !self.profile.has_handoff_file() {
            return;
        }
        let spec = self.spec();
        let names = [
            (self.session, "<session> is the session id of your task"),
            (self.group, "<group> is the group of your task"),
            (self.agent, "<agent> is your own name"),
        ];
        let unknown: Vec<_> = names.iter().filter(|it| it.0.is_none()).map(|it| it.1).collect();
        if !unknown.is_empty() {
            let _ = write!(text, "In the paths below, {}.", unknown.join(", "));
            if let Some(session) = self.fallback_session.map(full) {
                let known = "If your task gives no session id, <session> is";
                let _ = write!(text, " {known} {session}.");
            }
            text.push_str("\n\n");
        }
        if let Some(before) = self.before(spec) {
            let _ = writeln!(
                text,
                "BEFORE YOU START\nRead the handoff of the agent before you: {before}\nIt says what that agent did, \
                 the files that it changed, results of tests, concerns and the branch. Do not go on without reading \
                 it.\n"
            );
        }
        let writes = spec.is_none_or(|agent| agent.writes_handoff);
        if let Some(own) = self.file(self.agent).filter(|_| writes) {
            let required = list(self.handoff.fields_with(Need::Required));
            let and = match &*list(self.recommended()) {
                "" => String::new(),
                recommended => format!("; and with {recommended}"),
            };
            let _ = writeln!(
                text,
                "BEFORE YOU RETURN\nWrite your handoff file: {own}\nIt contains everything that the next agent needs, as one \
                 JSON object, with at least {required}: the status that you return{and}."
            );
            for line in self.handoff_files() {
                let _ = writeln!(text, "- {line}");
            }
            text.push('\n');
        }
    }

    /// What the profile says of the agent.
    pub(super) fn spec(&self) -> Option<&'i Agent> {
        self.profile.agent(self.agent?)
    }

    fn before(&self, spec: Option<&Agent>) -> Option<String> {
        let files = |agents: &[Cow<'_, str>]| {
            let files = agents.iter().filter_map(|agent| self.file(Some(agent)));
            files.collect::<Vec<_>>().join(", or ")
        };
        let both = [&spec?.reads_from, &spec?.reads_otherwise].map(|it| files(it));
        match both.each_ref().map(String::as_str) {
            ["", _] => None,
            [first, ""] => Some(first.to_owned()),
            [first, otherwise] => Some(format!("{first}; if there is none: {otherwise}")),
        }
    }

    fn file(&self, agent: Option<&str>) -> Option<String> {
        let template = self.profile.handoff_paths.first()?;
        Some(self.path(template, agent))
    }

    /// A path with the session, the group and the agent filled in, as far as they are known.
    fn path(&self, template: &str, agent: Option<&str>) -> String {
        let or = |known: Option<&str>, unknown: &str| {
            known.map_or_else(|| unknown.to_owned(), |known| full(known).to_string())
        };
        let (session, group) = (or(self.session, "<session>"), or(self.group, "<group>"));
        let (template, agent) = (full(template).to_string(), or(agent, "<agent>"));
        fill_placeholders(&template, &session, &group, &agent)
    }

    pub(super) fn recommended(&self) -> impl Iterator<Item = &str> {
        let fields = self.handoff.fields_of(self.agent);
        let is_known = self.handoff.has_fields_of(self.agent);
        let fields = fields.filter(move |field| is_known && field.need == Need::Recommended);
        let routing = self.handoff.routing.iter().map(AsRef::as_ref);
        routing.chain(fields.map(|field| &*field.path))
    }

    /// The files with the details of this agent's work: the name in `artifacts`, and the path.
    pub(super) fn detail_files(&self) -> impl Iterator<Item = (&str, String)> {
        let details = self.spec().map_or(&[][..], |agent| &agent.details).iter();
        details.map(|detail| (&*detail.name, self.path(&detail.path, self.agent)))
    }

    /// What a handoff must say about files, the decision and suites of tests.
    pub(super) fn handoff_files(&self) -> Vec<String> {
        let has = |member: &&str| self.handoff.has_field_of(member, self.agent);
        let lists = ["files_created", "files_modified", "artifacts"].into_iter();
        let lists = list(lists.filter(has));
        let every = "every file that you wrote, relative to the project root.";
        let mut lines = vec![format!("{lists}: {every}")];
        if !self.handoff.decisions.is_empty() && has(&"decision") {
            let words = list(self.handoff.decisions.iter());
            lines.push(format!(
                "decision: one of {words}; the same as the status if that is one of them."
            ));
        }
        if has(&"tests_run") {
            lines.push(format!("tests_run: {SUITES}, for each suite that ran."));
        }
        lines.extend(self.detail_files().map(|(name, path)| {
            format!("Write {} to {path}, and name it in artifacts.", full(name))
        }));
        lines
    }
}
