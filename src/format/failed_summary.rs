//! The summary of a failed return, within the limits of its profile.

use crate::check::report::Report;
use crate::profile::{Measured, Profile};

/// The most sentences of a summary, because a profile can require any number.
const SENTENCES: usize = 100;
/// The most characters to which a summary is lengthened, because a profile can require any number.
const CHARACTERS: usize = 10_000;

/// Returns a summary that says how many findings there are. It contains no text of the return, because
/// that text could break a rule.
pub(super) fn summary(profile: &Profile, report: &Report<'_>) -> String {
    let first = report.findings.first();
    let first = first.map_or("none", |finding| finding.rule.id);
    let (failures, warnings) = (report.failures, report.warnings);
    let (least, most) = profile.sentences.unwrap_or((2, 2));
    let count = least.max(2).min(most).clamp(1, SENTENCES);
    let counts = format!("ailures: {failures}, warnings: {warnings}, first rule: {first}.");
    let whole = if count == 1 {
        format!("The return of the subagent failed validation, f{counts}")
    } else {
        let more = " See the errors.".repeat(count - 2);
        format!("The return of the subagent failed validation. F{counts}{more}")
    };
    let whole = padded(whole, profile.limits.summary_at_least.unwrap_or(0));
    let short = vec!["No."; count].join(" ");
    let mut texts = [whole, short, "No".to_owned()].into_iter();
    let is_allowed = |text: &String| {
        let limit = profile.length.filter(|limit| limit.of == Measured::Summary);
        limit.is_none_or(|limit| limit.allows(limit.measure(text)))
    };
    texts.find(is_allowed).unwrap_or_else(|| "x".to_owned())
}

/// Lengthens the last sentence until the text has at least `least` characters, or [`CHARACTERS`] if that
/// is less.
fn padded(mut text: String, least: usize) -> String {
    let least = least.min(CHARACTERS);
    while text.len() < least {
        text.pop();
        text.push_str(", and each of the errors says what to correct.");
    }
    text
}
