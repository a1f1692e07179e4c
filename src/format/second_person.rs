//! Findings worded for the agent itself: "your artifact does not exist".

use crate::finding::Finding;
use crate::text::escape::truncated;

/// The beginnings of recommendations about an agent, in two parts. The order to the agent follows them.
const ABOUT: [(&str, &str); 3] = [
    ("Fix {agent}", " subagent to "),
    ("Fix {agent}", " to "),
    ("Have {agent}", " "),
];

/// Words about the agent, and the words that replace them when the agent is addressed.
const WORDS: [(&str, &str); 13] = [
    // Without "to", the verb that follows is an order.
    (" and to ", " and "),
    (", or to ", ", or "),
    ("its artifacts", "your artifacts"),
    ("its last change", "your last change"),
    ("that it failed", "that you failed"),
    ("its own ", "your own "),
    ("its task gives it", "your task gives you"),
    ("its task", "your task"),
    ("its handoff", "your handoff"),
    ("it returns as its", "you return as your"),
    ("it wrote itself", "you wrote yourself"),
    ("it wrote", "you wrote"),
    ("it starts", "you start"),
];

/// The advice to the agent, by rule id, where the recommendation is meant for somebody else.
const TO_AGENT: [(&str, &str); 19] = [
    ("status-unknown", "Use one of the valid statuses"),
    (
        "session-mismatch",
        "Return the session_id that your task gives you",
    ),
    // Only the caller of the agent can hand over a transcript.
    (
        "evidence-unknown",
        "Write the file with a file tool, if you have not",
    ),
    (
        "still-in-progress",
        "You stopped before you wrote a final status: finish your work, and write it",
    ),
    (
        "delegation-cycle",
        "Return the delegation path that your task gives you, and call no agent in it",
    ),
    (
        "started-at-implausible",
        "Write started_at as the time of your start",
    ),
    ("json-syntax", "Return one JSON object"),
    (
        "artifact-none",
        "Create the artifacts before you claim success, or return a status that does not",
    ),
    (
        "handoff-not-found",
        "Write your handoff file before you return your status",
    ),
    (
        "artifact-outside-root",
        "Write your artifacts inside the project",
    ),
    (
        "artifact-not-found",
        "Write the file, or return the path that you wrote to",
    ),
    ("artifact-not-a-file", "List regular files"),
    ("artifact-empty", "Write content to your artifacts"),
    ("artifact-blank", "Write content to your artifacts"),
    (
        "artifact-unreadable",
        "Create artifacts that the orchestrator can read",
    ),
    ("session-format", "Return the session id of your task"),
    ("handoff-invalid", "Write a valid handoff file"),
    ("return-missing", "Return your result"),
    (
        "handoff-status-mismatch",
        "Return the status that you wrote to your handoff file",
    ),
];

/// The beginnings of messages about something that belongs to the agent.
const OWN: [&str; 12] = [
    "Artifact ",
    "Compact return ",
    "Decision ",
    "Delegation ",
    "Duration ",
    "Error ",
    "Handoff ",
    "Metadata file ",
    "Next steps ",
    "Return ",
    "Status ",
    "Summary ",
];

/// By rule id: the beginning of a message about the agent's work, and what replaces it when the agent is
/// addressed.
const TO_WORKER: [(&str, &str, &str); 10] = [
    ("agent-mismatch", "Agent is ", "Your agent_type is "),
    (
        "delegation-cycle",
        "Delegation cycle: ",
        "Your delegation path has a cycle: ",
    ),
    (
        "claim-untested",
        "Tests are claimed that did not pass",
        "You claim tests that did not pass",
    ),
    (
        "claim-tests-stale",
        "Tests are claimed for older code",
        "You claim tests of older code",
    ),
    (
        "work-none",
        "Agent claims work that it cannot have done",
        "You claim work that you cannot have done",
    ),
    (
        "artifact-unwritten",
        "Artifact was not written by the agent: ",
        "You did not write your artifact: ",
    ),
    (
        "artifact-stale",
        "Artifact is older than the run of the agent: ",
        "Your artifact is older than your run: ",
    ),
    (
        "evidence-unknown",
        "Artifact is not shown to be the work of the agent: ",
        "Your artifact is not shown to be your work: ",
    ),
    (
        "session-undelegated",
        "Session ID was not given to the agent: ",
        "The session ID was not given to you: ",
    ),
    (
        "return-missing",
        "Agent ended without a return",
        "You ended without a return",
    ),
];

/// Returns what is wrong, worded for the agent.
pub(super) fn message(finding: &Finding) -> String {
    let message = finding.message_of(finding.to_agent().unwrap_or(finding.head()));
    if let Some(message) = to_worker(finding.rule.id, &message) {
        return message;
    }
    if let (Some(detail), "json-syntax") = (finding.detail(), finding.rule.id) {
        return format!("Cannot parse your return as JSON: {detail}");
    }
    if let Some(rest) = message.strip_prefix("Agent returned ") {
        return format!("You returned {rest}");
    }
    let is_own = OWN.iter().any(|own| message.starts_with(own));
    if is_own {
        let first = message[..1].to_ascii_lowercase();
        return format!("Your {first}{}", &message[1..]);
    }
    message.into_owned()
}

fn to_worker(rule: &str, message: &str) -> Option<String> {
    let (_, about, to) = TO_WORKER.iter().find(|(id, ..)| *id == rule)?;
    Some(format!("{to}{}", message.strip_prefix(about)?))
}

/// Returns what to do about it, worded for the agent, with a hint if there is one.
pub(super) fn advice(finding: &Finding) -> String {
    let mut to_agent = TO_AGENT.iter().filter(|(rule, _)| *rule == finding.rule.id);
    let mut text = match to_agent.next() {
        Some((_, text)) => (*text).to_owned(),
        None => rewritten(finding.rule.help.text(), finding.recommendation()),
    };
    if let (Some(hint), "json-syntax") = (finding.suggestion(), finding.rule.id) {
        text = capitalized(hint);
    } else if let Some(hint) = finding.suggestion() {
        text = format!("{text}: {hint}");
    }
    text
}

/// Turns a recommendation about the agent into an order to it. `template` is the recommendation with
/// placeholders for names. It is needed to find the order, because a name can contain any words.
fn rewritten(template: &str, recommendation: &str) -> String {
    let order = ABOUT.iter().find_map(|(about, before)| {
        let order = template.strip_prefix(about)?.strip_prefix(before)?;
        let literal = order.split('{').next().unwrap_or_default();
        let at = recommendation.find(&format!("{before}{literal}"))?;
        recommendation.get(at + before.len()..)
    });
    let Some(order) = order else {
        return recommendation.to_owned();
    };
    let mut text = capitalized(order);
    for (about, to) in WORDS {
        text = text.replace(about, to);
    }
    text
}

fn capitalized(text: &str) -> String {
    let first = text.get(..1).unwrap_or_default().to_ascii_uppercase();
    first + text.get(1..).unwrap_or_default()
}

/// Returns the pointer of a finding in brackets, or an empty text without one.
pub(super) fn place(finding: &Finding) -> String {
    let pointer = finding.pointer().filter(|it| !it.is_empty());
    pointer.map_or_else(String::new, |pointer| {
        format!(" (at {})", truncated(pointer))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RULES;

    #[test]
    fn every_recommendation_is_an_order_to_the_agent() {
        for rule in RULES {
            let known = TO_AGENT.iter().find(|(id, _)| *id == rule.id);
            let text = known.map_or_else(
                || rewritten(rule.help.text(), &rule.help.in_capitals()),
                |(_, text)| (*text).to_owned(),
            );
            let is_about_it = text.contains("subagent")
                || text.contains(" it wrote")
                || text.contains(" its ")
                || text.contains(" and to ")
                || text.contains(" or to ")
                || text.contains("itself")
                || ["Fix ", "Verify ", "Give ", "Resume "]
                    .iter()
                    .any(|first| text.starts_with(first));
            let missing = "is not said to the agent itself: add it to TO_AGENT";
            assert!(!is_about_it, "{}: {text:?} {missing}", rule.id);
        }
        for rule in RULES {
            let text = rule.message.text();
            let text = to_worker(rule.id, text).unwrap_or_else(|| text.to_owned());
            assert!(!text.contains("the agent"), "{}: {text}", rule.id);
        }
        let is_rule = |id: &str| RULES.iter().any(|rule| rule.id == id);
        assert!(TO_AGENT.iter().all(|(id, _)| is_rule(id)));
    }

    #[test]
    fn the_name_of_an_agent_is_no_part_of_an_order() {
        let text = rewritten(
            "Fix {agent} subagent to write its own file",
            "Fix planner to obey subagent to write its own file",
        );
        assert_eq!(text, "Write your own file");
    }
}
