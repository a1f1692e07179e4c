//! What the steps read of a return, and where it is; and the typed return for the report.

use std::borrow::Cow;

use crate::check::report::{Artifact, Delegation, Progress, Return, ReturnError};
use crate::document::tree::Value;

/// The values that the steps take out of a return, with their positions.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ReadReturn<'v, 't> {
    /// How the work ended: one of the words of the profile, or else the text that is there.
    pub(crate) status: Option<Cow<'t, str>>,
    pub(crate) summary: Option<Cow<'t, str>>,
    /// The id of the delegation that it answers.
    pub(crate) session: Option<Cow<'t, str>>,
    /// The agent that it names as its author.
    pub(crate) agent: Option<Cow<'t, str>>,
    pub(crate) artifacts: Vec<ReadArtifact<'v, 't>>,
    /// The number of files that it names, also in a way that cannot be looked up. None if there is no list.
    pub(crate) claimed: Option<usize>,
    pub(crate) tests: Option<PassedTests<'v, 't>>,
    pub(crate) has_commits: bool,
    /// The files that it cites, or that its verdict is about. Only with evidence.
    pub(crate) seen: Vec<SeenFile<'v, 't>>,
    /// The delegation that a return of a built-in format answers.
    pub(crate) metadata: Option<Value<'v, 't>>,
    /// Where its values stand, by name, if they are no members of the whole.
    pub(crate) places: Vec<(&'static str, Value<'v, 't>)>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ReadArtifact<'v, 't> {
    /// The path, as the return has it.
    pub(crate) path: Cow<'t, str>,
    pub(crate) kind: Option<Cow<'t, str>>,
    pub(crate) summary: Option<Cow<'t, str>>,
    pub(crate) at: Value<'v, 't>,
    /// Why nothing is known of the file if it is not there. None if it must be there.
    pub(crate) doubt: Option<&'static str>,
}

/// A file that the agent says it saw.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SeenFile<'v, 't> {
    pub(crate) path: Cow<'t, str>,
    /// What it quotes of the file.
    pub(crate) quote: Option<Cow<'t, str>>,
    pub(crate) at: Value<'v, 't>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PassedTests<'v, 't> {
    pub(crate) at: Value<'v, 't>,
    /// Whether no failed tests are claimed.
    pub(crate) all_passed: bool,
}

impl<'v, 't> ReadArtifact<'v, 't> {
    pub(crate) fn new(path: Cow<'t, str>, at: Value<'v, 't>) -> Self {
        Self { path, kind: None, summary: None, at, doubt: None }
    }
}

impl ReadReturn<'_, '_> {
    /// The typed return. What only the formats of the documents have is read from `object`.
    pub(crate) fn typed(&self, object: Option<Value<'_, '_>>) -> Return {
        let own = |text: &Option<Cow<'_, str>>| text.as_ref().map(|it| it.clone().into_owned());
        let string = |of: Value<'_, '_>, name| of.text_of(name).map(str::to_owned);
        let artifact = |it: &ReadArtifact<'_, '_>| Artifact {
            kind: own(&it.kind),
            path: it.path.clone().into_owned(),
            summary: own(&it.summary),
        };
        let error = |it: Value<'_, '_>| ReturnError {
            kind: string(it, "type"),
            message: string(it, "message"),
            code: string(it, "code"),
            recoverable: it.member("recoverable").and_then(Value::boolean),
            recommendation: string(it, "recommendation"),
        };
        let names = |path: Value<'_, '_>| {
            let names = path.items().filter_map(Value::text);
            names.map(str::to_owned).collect()
        };
        let errors = object.and_then(|it| it.list_of("errors")).into_iter();
        let errors = errors.flatten();
        let metadata = self.metadata;
        let progress = object.and_then(|it| it.object_of("partial_progress"));
        Return {
            status: own(&self.status),
            session_id: own(&self.session),
            agent_type: own(&self.agent),
            summary: own(&self.summary),
            artifacts: self.artifacts.iter().map(artifact).collect(),
            errors: errors.filter(|it| it.is_object()).map(error).collect(),
            next_steps: object.and_then(|it| string(it, "next_steps")),
            duration_seconds: metadata.and_then(|it| it.number_of("duration_seconds")),
            delegation: metadata.map(|it| Delegation {
                depth: it.number_of("delegation_depth").filter(|it| it.fract() == 0.0),
                path: it.member("delegation_path").map_or_else(Vec::new, names),
            }),
            partial_progress: progress.map(|it| Progress {
                stage: string(it, "stage"),
                details: string(it, "details"),
                phases_completed: it.number_of("phases_completed"),
                phases_total: it.number_of("phases_total"),
            }),
        }
    }
}

/// The passing tests that a handoff claims, and whether it counts no failed ones.
pub(super) fn passing_tests<'v, 't>(handoff: Value<'v, 't>) -> Option<PassedTests<'v, 't>> {
    let of = |name: &'static str, [passed, failed]: [&str; 2]| {
        let counts = handoff.object_of(name)?;
        let is_some = |name| counts.number_of(name).is_some_and(|it| it > 0.0);
        is_some(passed).then(|| PassedTests { at: counts, all_passed: !is_some(failed) })
    };
    of("tests", ["passing", "failing"]).or_else(|| of("total_tests", ["passed", "failed"]))
}
