//! The compact protocol's final message, as the compact protocol defines it.

use std::borrow::Cow;

use crate::profile::builtin::agents::AGENTS;
use crate::profile::builtin::{NO_LIMITS, required};
use crate::profile::{Action, LengthLimit, Measured, Profile, Requirement, Shape, Unit};

/// The action after each code that does not claim success. Codes that hand the work to another agent
/// proceed.
pub(super) static ACTIONS: [(Cow<'static, str>, Action); 20] = [
    (Cow::Borrowed("PARTIAL"), Action::Resume),
    (Cow::Borrowed("CONTINUE"), Action::Resume),
    (Cow::Borrowed("INVESTIGATION_INCOMPLETE"), Action::Resume),
    (Cow::Borrowed("HYPOTHESIS_ELIMINATED"), Action::Resume),
    (Cow::Borrowed("NEED_MORE_ANALYSIS"), Action::Resume),
    (Cow::Borrowed("FAIL"), Action::Retry),
    (Cow::Borrowed("FLAKY"), Action::Retry),
    (Cow::Borrowed("CHANGES_REQUESTED"), Action::Retry),
    (Cow::Borrowed("BLOCKED"), Action::Ask),
    (Cow::Borrowed("NEEDS_CLARIFICATION"), Action::Ask),
    (Cow::Borrowed("ROOT_CAUSE_FOUND"), Action::Proceed),
    (Cow::Borrowed("ESCALATE_SENIOR"), Action::Proceed),
    (Cow::Borrowed("FAIL_ESCALATE"), Action::Proceed),
    (Cow::Borrowed("NEEDS_TECH_LEAD_VALIDATION"), Action::Proceed),
    (Cow::Borrowed("SPAWN_INVESTIGATOR"), Action::Proceed),
    (Cow::Borrowed("UNBLOCKING_GUIDANCE"), Action::Proceed),
    (Cow::Borrowed("ESCALATE_TO_OPUS"), Action::Proceed),
    (
        Cow::Borrowed("ARCHITECTURAL_DECISION_MADE"),
        Action::Proceed,
    ),
    (Cow::Borrowed("INVESTIGATION_NEEDED"), Action::Proceed),
    (Cow::Borrowed("NEED_DEVELOPER_DIAGNOSTIC"), Action::Proceed),
];

/// The compact protocol's final message.
pub static COMPACT: Profile = Profile {
    id: Cow::Borrowed("compact"),
    document: Cow::Borrowed("the final message {\"status\":\"CODE\"}"),
    sources: Cow::Borrowed("Compact return protocol"),
    shape: Shape::Return,
    fields: Cow::Borrowed(&[required("status")]),
    session: None,
    agent: None,
    statuses: Cow::Borrowed(&[]),
    agents: Cow::Borrowed(&AGENTS),
    failure: Cow::Borrowed(""),
    actions: Cow::Borrowed(&ACTIONS),
    forbidden: Cow::Borrowed(&[]),
    artifact_types: Cow::Borrowed(&[]),
    error_types: Cow::Borrowed(&[]),
    // From the compact protocol, section on the token impact: about 50 tokens for each agent's return.
    length: Some(LengthLimit {
        of: Measured::Return,
        unit: Unit::Tokens,
        most: 50,
        inclusive: true,
    }),
    soft_length: None,
    sentences: None,
    limits: NO_LIMITS,
    requirements: Cow::Borrowed(&[Requirement::NothingElse]),
    levels: Cow::Borrowed(&[]),
    file: None,
    files: Cow::Borrowed(&[]),
    handoff_path: Some(Cow::Borrowed(
        "bazinga/artifacts/{session}/{group}/handoffs/handoff_{agent}.json",
    )),
    routing: Cow::Borrowed(&[]),
    decisions: Cow::Borrowed(&[]),
};
