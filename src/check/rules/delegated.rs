//! Step 4, only with evidence: the agent was given the session id that its return names.

use crate::check::Collector;
use crate::check::rules::work::AssessedClaim;
use crate::json::pointer::Pointer;
use crate::profile::Profile;
use crate::rule::{Claimed, Example, Rule, Step, ToAgent};

pub(crate) static UNDELEGATED: Rule = Rule {
    id: "session-undelegated",
    claim: Some((Claimed::Work, "the agent was given the session id")),
    applies: Profile::returns_session,
    message: "Session ID was not given to the agent: {found} ({why})",
    help: "Have {agent} return the session_id of its own task",
    message_to_agent: ToAgent::Words("The session ID was not given to you: {found} ({why})"),
    advice_to_agent: "Return the session_id of your own task",
    explanation: "Reported only with evidence: the task of the agent gives session ids, one or \
                  several, and that of the return is none of them. An id is given as \
                  session_id: ID, outside of blocks of code. If none is given, or \
                  the agent has more than one task, nothing is reported: it may have its id from \
                  elsewhere. With --session nothing is reported either: an id that \
                  differs from it is a session-mismatch.",
    source: "Subagent return validation, step 4; Subagent return format, validation rule 4",
    example: Example::of_members(
        "return",
        r#""metadata": {"session_id": "sess_1735460684_a1b2c3", "agent_type": "planner", "delegation_depth": 1, "delegation_path": ["orchestrator", "plan", "planner"]}, "artifacts": [{"type": "plan", "path": "docs/tides.md", "summary": "Plan with three phases"}]"#,
        r#""metadata": {"session_id": "sess_1767225600_k3m9qa", "agent_type": "planner", "delegation_depth": 1, "delegation_path": ["orchestrator", "plan", "planner"]}, "artifacts": [{"type": "plan", "path": "docs/tides.md", "summary": "Plan with three phases"}]"#,
    )
    .with("--transcript sessions/writes-tides.jsonl --agent-id a1"),
    ..Rule::warning(Step::Session)
};

pub(super) fn check(collector: &mut Collector<'_, '_>) {
    let context = collector.context;
    let returned = context.returned;
    let (Some(returned), Some(subject)) = (returned, context.subject()) else {
        return;
    };
    let (Some(session), Some(place)) = (returned.session_id(), context.profile.session.as_deref())
    else {
        return;
    };
    let is_expected = context.expected.session.is_none_or(|it| it == session);
    if !is_expected || !subject.has_transcript() || !collector.is_enabled(&UNDELEGATED) {
        return;
    }
    let keys = place.split('.');
    let pointer = keys.fold(Pointer::root(), |at, key| at.key(key.to_owned()));
    let claim = AssessedClaim::new(&UNDELEGATED, &pointer).found(session);
    let is_expected = context.expected.session.is_some();
    claim.collect(collector, &subject.was_given(session, is_expected));
}
