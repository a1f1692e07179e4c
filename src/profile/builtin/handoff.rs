//! The handoff files behind compact returns, as the compact protocol defines them.

use std::borrow::Cow;

use crate::profile::builtin::agents::AGENTS;
use crate::profile::builtin::{field_of, optional, place, recommended, required, words};
use crate::profile::{
    FieldSpec, FilePattern, LengthLimit, Measured, Need, Profile, Roles, Shape, Unit,
};

const DEVELOPERS: &[Cow<'static, str>] = words!["developer", "senior_software_engineer"];
const QA_EXPERT: &[Cow<'static, str>] = words!["qa_expert"];
const TECH_LEAD: &[Cow<'static, str>] = words!["tech_lead"];
/// The agents without a schema of their own.
const OTHERS: &[Cow<'static, str>] =
    words!["project_manager", "investigator", "requirements_engineer"];

const fn recommended_of(agents: &'static [Cow<'static, str>], path: &'static str) -> FieldSpec {
    field_of(agents, path, Need::Recommended)
}

const fn optional_of(agents: &'static [Cow<'static, str>], path: &'static str) -> FieldSpec {
    field_of(agents, path, Need::Optional)
}

/// The handoff file of an agent.
///
/// From the compact protocol, section on the handoff file schema of each agent. A field is recommended
/// if the agent's schema names it, unless the protocol's complete example of a handoff leaves it out.
pub static HANDOFF: Profile = Profile {
    id: Cow::Borrowed("handoff"),
    document: Cow::Borrowed("the handoff file of an agent"),
    sources: Cow::Borrowed("Compact return protocol"),
    shape: Shape::Handoff,
    fields: Cow::Borrowed(&[
        required("from_agent"),
        optional("to_agent"),
        optional("timestamp"),
        optional("session_id"),
        optional("group_id"),
        required("status"),
        required("summary"),
        recommended_of(DEVELOPERS, "files_modified"),
        optional_of(DEVELOPERS, "files_created"),
        optional_of(OTHERS, "files_modified"),
        optional_of(OTHERS, "files_created"),
        recommended_of(DEVELOPERS, "tests"),
        recommended_of(DEVELOPERS, "tests.total"),
        recommended_of(DEVELOPERS, "tests.passing"),
        recommended_of(DEVELOPERS, "tests.failing"),
        recommended_of(DEVELOPERS, "tests.coverage"),
        recommended_of(DEVELOPERS, "branch"),
        recommended_of(DEVELOPERS, "concerns"),
        optional_of(DEVELOPERS, "tech_debt_logged"),
        recommended_of(QA_EXPERT, "tests_run"),
        recommended_of(QA_EXPERT, "total_tests"),
        recommended_of(QA_EXPERT, "total_tests.passed"),
        recommended_of(QA_EXPERT, "total_tests.failed"),
        recommended_of(QA_EXPERT, "challenge_level_reached"),
        recommended_of(QA_EXPERT, "quality_assessment"),
        recommended_of(QA_EXPERT, "failures"),
        recommended_of(TECH_LEAD, "decision"),
        recommended_of(TECH_LEAD, "code_quality_score"),
        recommended_of(TECH_LEAD, "security_issues"),
        recommended_of(TECH_LEAD, "lint_issues"),
        recommended_of(TECH_LEAD, "coverage_acceptable"),
        recommended_of(TECH_LEAD, "what_was_done_well"),
        recommended_of(TECH_LEAD, "required_changes"),
        recommended_of(TECH_LEAD, "suggestions"),
        recommended("artifacts"),
    ]),
    roles: Roles {
        status: Some(place!["status"]),
        session: Some(place!["session_id"]),
        agent: Some(place!["from_agent"]),
        summary: Some(place!["summary"]),
        artifacts: Some(place![
            "files_created" / "*",
            "files_modified" / "*",
            "artifacts" / "*"
        ]),
        ..Roles::NONE
    },
    agents: Cow::Borrowed(&AGENTS),
    // From the compact protocol, section on the handoff file schema: a summary of at most 100 words.
    length: Some(LengthLimit::at_most(100, Unit::Words, Measured::Summary)),
    file: Some(Cow::Borrowed("handoff_*.json")),
    files: Cow::Borrowed(&[
        FilePattern::simple("handoff_*.json"),
        FilePattern::simple("handoffs/*_dev.json"),
        FilePattern::simple("handoffs/*_qa.json"),
        FilePattern::simple("handoffs/*_tl.json"),
    ]),
    routing: Cow::Borrowed(words!["to_agent", "timestamp", "session_id", "group_id"]),
    decisions: Cow::Borrowed(words!["APPROVED", "CHANGES_REQUESTED"]),
    ..Profile::BASE
};
