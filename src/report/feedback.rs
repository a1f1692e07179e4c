//! `feedback`: instructions for the model that must return again, one for each finding. Short and
//! deterministic; text of the return is escaped and truncated.

use std::fmt::Write as _;

use crate::check::finding::Finding;
use crate::check::report::Report;
use crate::check::rules::{ARTIFACT_BY_ANOTHER, ARTIFACT_UNWRITTEN, STATUS_UNKNOWN};
use crate::document::Form;
use crate::instruct::Instruction;
use crate::profile::words::ANY;
use crate::profile::{Action, Meaning, Profile, Shape};
use crate::report::text::{named_subagent, unusable};
use crate::text::escape::{full, list, truncated};

/// The most characters of the findings in one block, so that they cannot fill the context of a model.
const FINDINGS: usize = 1_600;

/// The most artifacts that are named because they fail once the status is valid.
const UNUSABLE: usize = 8;

/// The most characters of the form of the return. A longer form is not shown.
const FORM: usize = 2_000;

/// The longest agent name or session id that is put into the form, in bytes.
const NAME: usize = 200;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Audience {
    /// The agent that must return again.
    Subagent,
    /// The same, if its return is a file.
    Writer,
    Orchestrator,
    User,
}

/// Returns the instructions, failures first. Findings that do not fit are left out at the end.
pub(crate) fn block(report: &Report, profile: &Profile, reader: Audience) -> String {
    let agent = truncated(&report.subagent);
    let is_agent = matches!(reader, Audience::Subagent | Audience::Writer);
    let mut text = match reader {
        _ if is_agent => "Your return was not accepted. Correct each of these:\n".to_owned(),
        Audience::User => format!("The return of {agent} is invalid. Findings:\n"),
        _ => format!("The return of {agent} is invalid; do not rely on it. Findings:\n"),
    };
    let findings = report.failures_first();
    let findings: Vec<_> = findings.filter(|it| !is_covered(it, report)).collect();
    let mut left_out = report.failures + report.warnings;
    left_out -= report.findings.len() - findings.len();
    // Findings of one rule with the same advice are shown as one item.
    let (mut points, mut length) = (Vec::<(&str, &str, Vec<String>)>::new(), 0);
    for finding in findings {
        let message = said(finding, report.form);
        let advice = if is_agent { &*finding.advice_to_agent } else { &*finding.help };
        let is_first = points.is_empty();
        let mut known = points.iter_mut();
        let known = known.find(|(rule, same, _)| (*rule, *same) == (finding.rule.id, advice));
        let more = known.as_ref().map_or(advice.chars().count() + 8, |_| 2);
        length += message.chars().count() + more;
        // The first one is said, however long it is.
        if length > FINDINGS && !is_first {
            break;
        }
        match known {
            Some((.., messages)) => messages.push(message),
            None => points.push((finding.rule.id, advice, vec![message])),
        }
        left_out -= 1;
    }
    for (number, (_, advice, messages)) in (1..).zip(&points) {
        let is_ended = advice.ends_with(['.', '?']);
        let (messages, end) = (messages.join("; "), if is_ended { "" } else { "." });
        let _ = writeln!(text, "{number}. {messages}. {advice}{end}");
    }
    let artifacts = unusable(report).map(|(path, why)| format!("{path} {why}"));
    let artifacts = artifacts.take(UNUSABLE).collect::<Vec<_>>().join("; ");
    if !artifacts.is_empty() {
        let fail = "If the status claims success, these artifacts fail, too";
        let _ = writeln!(text, "{fail}: {artifacts}.");
    }
    if left_out > 0 {
        let _ = writeln!(text, "And {left_out} more.");
    }
    if is_agent {
        let is_file = reader == Audience::Writer || profile.file.is_some();
        text += &form(report, profile);
        text += &profile.with_root(&how_to_return(report, profile, is_file));
    } else if reader == Audience::Orchestrator && report.next().action == Action::Retry {
        text += "Run the task again, or treat it as failed.\n";
    }
    text
}

/// Whether another finding says more about the same artifact: which agent wrote it.
fn is_covered(finding: &Finding, report: &Report) -> bool {
    let mut findings = report.findings.iter();
    let says_more = |it: &Finding| {
        it.rule.id == ARTIFACT_BY_ANOTHER.id && it.pointer.as_deref() == finding.pointer.as_deref()
    };
    finding.rule.id == ARTIFACT_UNWRITTEN.id && findings.any(says_more)
}

/// What is wrong, and where.
fn said(finding: &Finding, form: Form) -> String {
    let message = finding.message();
    match finding.pointer.as_deref() {
        None | Some("") => message,
        Some(_) if form == Form::Text => format!("{message} (line {})", finding.position.line),
        Some(pointer) => format!("{message} (at {})", truncated(pointer)),
    }
}

/// The form of the return, if the agent got it wrong and it is not too long.
fn form(report: &Report, profile: &Profile) -> String {
    let mut findings = report.findings.iter();
    // An agent is not told the expression that its status must fit, but shown it.
    let status = profile.roles.status.as_ref();
    let is_matched = status.is_some_and(|place| place.expression.is_some());
    let is_formal = findings.any(|finding| {
        let id = finding.rule.id;
        id.starts_with("field-") || is_matched && id == STATUS_UNKNOWN.id
    });
    let has_status = report.returned.status.is_some() || profile.statuses_of(None).next().is_none();
    if profile.shape == Shape::Message || has_status && !is_formal {
        return String::new();
    }
    let instruction = Instruction {
        session: report.session.as_deref().filter(|it| it.len() <= NAME),
        agent: named_subagent(report).filter(|it| it.len() <= NAME),
        ..Instruction::new(profile)
    };
    let example = instruction.example().unwrap_or_default();
    if example.is_empty() || example.chars().count() > FORM {
        return String::new();
    }
    format!("The form is:\n{example}\n")
}

fn how_to_return(report: &Report, profile: &Profile, is_file: bool) -> String {
    let mut findings = report.findings.iter();
    let how = match report.form {
        Form::Json if is_file => {
            "Write the complete file again, as one JSON object and nothing else"
        }
        _ if is_file => "Write the complete file again, with nothing else in it",
        _ if profile.shape == Shape::Message => {
            "Write your complete answer again as your final report"
        }
        // Its marks are around it, and other text may be.
        _ if profile.part.is_some() => "Write the complete report again",
        Form::Text => "Write the complete report again, with nothing else",
        Form::Yaml => {
            "Return the complete YAML again as your whole final report, with no text around it"
        }
        Form::Json if findings.any(|it| it.rule.id.starts_with("handoff-")) => {
            return "Correct your handoff file, then return the complete JSON object again as your whole final report, with no text around it.\n".to_owned();
        }
        Form::Json => {
            "Return the complete JSON object again as your whole final report, with no text around it"
        }
    };
    format!("{how}. It replaces the previous one.\n")
}

/// Words that say that the task failed, and nothing of its subject. The first one that a profile has counts.
const FAILED: [&str; 4] = ["failed", "failure", "error", "blocked"];

/// Asks for an honest return when the agent has one try left, with a status and in a place that its profile has.
pub(crate) fn last_try(report: &Report, profile: &Profile, is_file: bool) -> String {
    let agent = Some(&*report.subagent);
    let others = profile.statuses_of(agent);
    let others = others.filter(|it| it.meaning == Meaning::Other && it.word != ANY);
    let words: Vec<_> = others.map(|it| &*it.word).collect();
    let ask = "This is the last time you are asked. If you cannot correct it,";
    let whole = match report.form {
        _ if is_file || profile.file.is_some() => "write the complete file",
        _ if profile.part.is_some() => "write the complete report",
        Form::Text => "return the complete report",
        Form::Yaml => "return the complete YAML",
        Form::Json => "return the complete JSON object",
    };
    let known = agent.and_then(|it| profile.agent(it));
    let writes = known.is_none_or(|it| it.writes_handoff);
    let why = match profile.has_handoff_file() {
        true if writes => ", and say why in your handoff file",
        false if report.form == Form::Text || profile.roles.summary.is_some() => ", and say why",
        _ => "",
    };
    let not = format!("{ask} do not claim success: {whole} with");
    let find = |failed: &&str| words.iter().find(|it| it.eq_ignore_ascii_case(failed));
    let text = match FAILED.iter().find_map(find) {
        Some(failed) => format!("{not} the status {}{why}.\n", full(failed)),
        // No word of theirs means that and nothing else.
        None if !words.is_empty() && !profile.agents.is_empty() => {
            format!("{not} one of the statuses {}{why}.\n", list(&words))
        }
        None => format!("{ask} {whole} all the same, and claim nothing in it that is not so.\n"),
    };
    profile.with_root(&text).into_owned()
}
