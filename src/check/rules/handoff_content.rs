//! Handoff files: the members for the next agent are present and do not contradict each other.

use std::borrow::Cow;

use crate::check::rules::handoff_counts::{self, COUNTS, has};
use crate::check::rules::{members, metadata_file};
use crate::check::{Collector, Value, values};
use crate::json::field::{Node, State};
use crate::json::pointer::Pointer;
use crate::profile::document::Handoff;
use crate::profile::{Need, Profile};
use crate::rule::{Example, Rule, Step, ToAgent};

/// A complete handoff of a tech lead with this status, decision and list of required changes.
macro_rules! review {
    ($status:literal, $decision:literal, $changes:literal) => {
        concat!(
            r#"{"from_agent": "tech_lead", "status": ""#,
            $status,
            r#"", "summary": "Reviewed the tide tables.", "decision": ""#,
            $decision,
            r#"", "code_quality_score": 8, "security_issues": 0, "lint_issues": 2, "#,
            r#""coverage_acceptable": true, "what_was_done_well": ["Small functions"], "#,
            r#""required_changes": "#,
            $changes,
            r#", "suggestions": [], "artifacts": {"review_details": "#,
            r#""specs/12_tide_tables/reports/research-001.md"}}"#
        )
    };
}

pub(super) static INCOMPLETE: Rule = Rule {
    id: "handoff-incomplete",
    applies: Profile::is_handoff,
    message: "Handoff lacks {what}",
    help: "Fix {agent} subagent to write {what} to its handoff file",
    message_to_agent: ToAgent::Words("Your handoff is incomplete"),
    advice_to_agent: "Add {what} to your handoff file",
    explanation: "The next agent knows the work only by the handoff. The members that it looks for \
                  depend on the agent that wrote it. A handoff with to_agent, timestamp or \
                  group_id should have all three, and session_id. What \
                  the protocol's own complete example leaves out is not asked for.",
    source: "Compact return protocol, handoff file schema by agent and new ultra-minimal formats (required)",
    example: Example::of_members(
        "handoff",
        r#""tests": null, "branch": null"#,
        r#""branch": "feature/tide-tables""#,
    ),
    ..Rule::warning(Step::Fields)
};

/// Reports all members that the agent's handoff should have and lacks, in one finding.
pub(super) fn complete(collector: &mut Collector<'_, '_>, handoff: &Handoff<'_>) {
    let context = collector.context;
    if !collector.is_enabled(&INCOMPLETE) {
        return;
    }
    let profile = context.profile;
    let is_missing = |path: &str| {
        matches!(
            state(handoff, path),
            State::Missing | State::Null | State::Blank
        )
    };
    let mut missing: Vec<Cow<'_, str>> = Vec::new();
    let routing = profile.routing.iter().map(|name| &**name);
    // The routing members are required as soon as there is one, but a session id alone does not count.
    let mut address = routing
        .clone()
        .filter(|name| profile.session.as_deref() != Some(name));
    if address.any(|name| !is_missing(name)) {
        missing.extend(routing.filter(|name| is_missing(name)).map(Cow::Borrowed));
    }
    let agent = context.acting_agent();
    if profile.has_fields_of(agent) {
        let asked = profile
            .fields_of(agent)
            .filter(|it| it.need == Need::Recommended);
        for path in asked.map(|field| &*field.path) {
            // If an object is missing, only the object is reported, not its members.
            let parent = path.rsplit_once('.').map(|(parent, _)| parent);
            if parent.is_none_or(|parent| state(handoff, parent) == State::Present)
                && is_missing(path)
            {
                missing.push(Cow::Borrowed(path));
            }
        }
    }
    if !missing.is_empty() {
        let values = values![what = Value::List(&missing)];
        collector.report(&INCOMPLETE, Pointer::root(), &values);
    }
}

/// The state of a member at a dotted path.
fn state(handoff: &Handoff<'_>, path: &str) -> State {
    let mut node: &dyn Node = handoff;
    for name in path.split('.') {
        match node.member(name) {
            Some(member) => node = member,
            None if node.state() == State::Present => return members::state_of_unknown(node, name),
            None => return State::Missing,
        }
    }
    node.state()
}

pub(super) fn check(collector: &mut Collector<'_, '_>, handoff: &Handoff<'_>) {
    metadata_file::timestamp(collector, "timestamp", &handoff.timestamp);
    if has(collector.context, "decision") {
        decision(collector, handoff);
    }
    addressee(collector, handoff);
    if collector.is_enabled(&COUNTS) {
        handoff_counts::check(collector, handoff);
    }
}

pub(crate) static DECISION: Rule = Rule {
    id: "handoff-decision",
    applies: Profile::is_handoff,
    message: "Decision is {found}, expected {expected}",
    help: "Fix {agent} subagent to write the decision that it returns as its status",
    advice_to_agent: "Write the decision that you return as your status",
    explanation: "The orchestrator acts on the status, and the next agent on the decision. One of \
                  them approves the work and the other does not, or the decision is not a word that \
                  the next agent knows.",
    source: "Compact return protocol, handoff file schema by agent (tech lead)",
    example: Example::of_returns(
        "handoff",
        review!("APPROVED", "CHANGES_REQUESTED", "[]"),
        review!("APPROVED", "APPROVED", "[]"),
    ),
    ..Rule::error(Step::Status)
};

fn decision(collector: &mut Collector<'_, '_>, handoff: &Handoff<'_>) {
    let known = &collector.context.profile.decisions;
    let decision = handoff.decision.present();
    let Some(decision) = decision.filter(|_| !handoff.decision.is_unfilled() && !known.is_empty())
    else {
        return;
    };
    let status = handoff.status.present().filter(|word| known.contains(word));
    let expected = match status {
        Some(status) if status != decision => format!("{status} as in the status"),
        _ if !known.contains(decision) => known.join(" or "),
        _ => return,
    };
    let values = values![found = decision, expected = &expected];
    collector.report(&DECISION, "decision", &values);
}

pub(super) static TO: Rule = Rule {
    id: "handoff-to",
    applies: Profile::is_handoff,
    message: "Handoff is addressed to {found}, but after {status} comes {expected}",
    advice_to_agent: "Address the next agent of the chain",
    explanation: "The orchestrator sends the work on by the status. The handoff is addressed to \
                  another agent than the one that will read it.",
    source: "Compact return protocol, complete handoff chain and response parsing",
    example: Example::of_members(
        "handoff",
        r#""to_agent": "project_manager""#,
        r#""to_agent": "qa_expert""#,
    ),
    ..Rule::warning(Step::Status)
};

fn addressee(collector: &mut Collector<'_, '_>, handoff: &Handoff<'_>) {
    let context = collector.context;
    let Some(found) = handoff
        .to_agent
        .present()
        .filter(|_| !handoff.to_agent.is_unfilled())
    else {
        return;
    };
    let agent = context.acting_agent();
    let is_known = agent.is_some_and(|name| context.profile.agent(name).is_some());
    let Some(status) = context.status.filter(|_| is_known) else {
        return;
    };
    if status.next.is_empty() || status.next.contains(found) {
        return;
    }
    let expected = status.next.join(" or ");
    let values = values![found = found, status = &status.word, expected = &expected];
    collector.report(&TO, "to_agent", &values);
}
