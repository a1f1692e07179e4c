//! Step 1, with evidence: the agent ended with a return, not with an error.

use crate::check::rules::assessed::AssessedClaim;
use crate::check::{Collector, fitting};
use crate::json::pointer::Pointer;
use crate::rule::{Applies, Example, Level, Rule, Step};

pub(crate) static MISSING: Rule = Rule {
    id: "return-missing",
    step: Step::Json,
    level: Level::Error,
    applies: Applies::Always,
    message: "Agent ended without a return ({why})",
    help: "Call {agent} again, nothing in its answer can be corrected",
    message_to_agent: Some("You ended without a return ({why})"),
    advice_to_agent: "Return your result",
    explanation: "Reported with evidence: the record of the agent ends with an error of the \
                  client, a limit or an interruption, and what stands in place of a return is no \
                  object in JSON. A return that is there may have been written before the error; \
                  it is checked as usual. In the profile any also without evidence: the message \
                  is empty, or is the text that a client puts in place of an answer.",
    source: "Subagent return validation, step 1",
    example: Example::of_returns(
        "return",
        "API Error: 529 Overloaded",
        include_str!("../../../fixtures/profiles/return/failed-research.json"),
    )
    .with("--transcript sessions/api-error.jsonl --agent-id a1"),
};

pub(crate) fn check(collector: &mut Collector<'_, '_>) {
    let context = collector.context;
    let Some(subject) = context.subject().filter(|_| collector.is_enabled(&MISSING)) else {
        return;
    };
    if let Some(answered) = subject.answered(context.returned.is_some()) {
        AssessedClaim::new(fitting!(MISSING), &Pointer::root()).collect(collector, &answered);
    }
}
