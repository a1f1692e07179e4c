//! `feedback`: instructions for the model that must return again, one for each finding. Short and
//! deterministic; text of the return is escaped and truncated.

use std::fmt::Write as _;

use crate::check::finding::Finding;
use crate::check::report::Report;
use crate::check::rules::STATUS_UNKNOWN;
use crate::check::rules::work::{BY_ANOTHER, UNWRITTEN};
use crate::document::Form;
use crate::instruct::Instruction;
use crate::profile::words::ANY;
use crate::profile::{Action, Meaning, Profile, Shape};
use crate::report::text::named_subagent;
use crate::text::escape::{full, list, truncated};

/// The most characters of the findings in one block, so that they cannot fill the context of a model.
const FINDINGS: usize = 1_600;

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
    Caller,
}

/// Returns the instructions, failures first. Findings that do not fit are left out at the end.
pub(crate) fn block(report: &Report, profile: &Profile, reader: Audience) -> String {
    let agent = truncated(&report.subagent);
    let is_agent = matches!(reader, Audience::Subagent | Audience::Writer);
    let mut text = if is_agent {
        "Your return was not accepted. Correct each of these:\n".to_owned()
    } else {
        format!("The return of {agent} is invalid; do not rely on it. Findings:\n")
    };
    let is_shown = |it: &&Finding| !is_covered(it, report);
    let covered = report.findings.len() - report.findings.iter().filter(is_shown).count();
    let mut left_out = report.failures + report.warnings - covered;
    // Findings of one rule with the same advice are shown as one item.
    let (mut points, mut length) = (Vec::<(&str, &str, Vec<String>)>::new(), 0);
    for finding in report.failures_first().filter(is_shown) {
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
    if left_out > 0 {
        let _ = writeln!(text, "And {left_out} more.");
    }
    if is_agent {
        let is_file = reader == Audience::Writer || profile.file.is_some();
        text += &form(report, profile);
        text += &how_to_return(report, profile, is_file);
    } else if report.next().action == Action::Retry {
        text += "Run the task again, or treat it as failed.\n";
    }
    text
}

/// Whether another finding says more of the same artifact: which agent wrote it. Nobody shall write it anew.
fn is_covered(finding: &Finding, report: &Report) -> bool {
    let says_more = |it: &Finding| {
        it.rule.id == BY_ANOTHER.id && it.pointer.as_deref() == finding.pointer.as_deref()
    };
    finding.rule.id == UNWRITTEN.id && report.findings.iter().any(says_more)
}

/// What is wrong, and where.
fn said(finding: &Finding, form: Form) -> String {
    let message = match (&finding.error, &finding.detail) {
        // Only a text that is not JSON has both, and its head names the agent to the caller.
        (Some(_), Some(detail)) => format!("Return is not valid JSON: {detail}"),
        _ => finding.message(),
    };
    match finding.pointer.as_deref() {
        None | Some("") => message,
        Some(_) if form == Form::Text => format!("{message} (line {})", finding.position.line),
        Some(pointer) => format!("{message} (at {})", truncated(pointer)),
    }
}

/// The form of the return, if the agent got it wrong and it is not too long.
fn form(report: &Report, profile: &Profile) -> String {
    // An agent is not told the expression that its status must fit, but shown it.
    let status = profile.roles.status.as_ref();
    let is_matched = status.is_some_and(|place| place.expression.is_some());
    let is_formal = report.findings.iter().any(|finding| {
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
    let of_handoff = |it: &Finding| it.rule.id.starts_with("handoff-");
    let is_of_handoff = profile.has_handoff_file() && report.findings.iter().any(of_handoff);
    let before = if is_of_handoff { "Correct your handoff file. " } else { "" };
    let how = match report.form {
        _ if is_file => "Write the complete file again, with nothing else in it",
        Form::Json if profile.part.is_none() && profile.shape != Shape::Message => {
            "Return the complete JSON again as your whole final report, with no text around it"
        }
        _ => "Write the complete report again",
    };
    format!("{before}{how}. It replaces the previous one.\n")
}

/// Asks for an honest return when the agent has one try left.
pub(crate) fn last_try(report: &Report, profile: &Profile) -> String {
    let others = profile.statuses_of(Some(&*report.subagent));
    let others = others.filter(|it| it.meaning == Meaning::Other && it.word != ANY);
    let words: Vec<_> = others.map(|it| &*it.word).collect();
    // Whether the return is a message, a file or the argument of a tool was said before.
    let instead = match &*words {
        [] => "claim nothing that is not so".to_owned(),
        [word] => format!("do not claim success: use the status {}", full(word)),
        _ => format!("do not claim success: use one of the statuses {}", list(words)),
    };
    let can_explain = report.form == Form::Text || profile.roles.summary.is_some();
    let why = if can_explain { ", and say why" } else { "" };
    format!("This is the last time you are asked. If you cannot correct it, {instead}{why}.\n")
}
