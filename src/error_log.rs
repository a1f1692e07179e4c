//! The centralized error log: what a record of an invalid return says, and where in a log it goes.
//!
//! `errors.json` is a document with an `errors` array; every byte of it but the new record stays.

use serde::{Deserialize, Serialize};
use serde_json::Number;
use serde_json::value::RawValue;

use crate::finding::Finding;
use crate::report::{Delegation, Report};
use crate::text::escape;

/// A log without records.
pub const EMPTY: &str = "{\n  \"errors\": []\n}\n";

/// A text that is no error log, and what a parser says of it, safe to print.
#[derive(Debug, thiserror::Error)]
#[error("it is not a JSON document with an \"errors\" array, and is left as it is{0}")]
pub struct NotALog(String);

/// When and where an invalid return was met.
#[derive(Debug, Clone, Copy)]
pub struct Occurrence<'m> {
    /// What tells the record from all others.
    pub id: &'m str,
    /// When, in ISO 8601.
    pub timestamp: &'m str,
    /// The name of the return's source; not safe to print.
    pub source: &'m str,
    /// The return's line there, from 1, where the source has one return a line.
    pub line: Option<usize>,
}

#[derive(Serialize)]
struct ErrorRecord<'r> {
    id: &'r str,
    timestamp: &'r str,
    r#type: &'static str,
    severity: &'static str,
    message: String,
    context: ErrorContext<'r>,
    trajectory: Trajectory<'r>,
    recovery: Recovery<'r>,
    fix_status: &'static str,
}

#[derive(Serialize)]
struct ErrorContext<'r> {
    session_id: Option<&'r str>,
    agent_type: &'r str,
    source: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
}

#[derive(Serialize)]
struct Trajectory<'r> {
    delegation_path: &'r [String],
    failed_at_depth: Option<Number>,
}

#[derive(Serialize)]
struct Recovery<'r> {
    suggested_action: &'r str,
    auto_recoverable: bool,
}

/// The record of an invalid return: JSON on one line, safe to print.
#[must_use]
pub fn record(report: &Report<'_>, met: &Occurrence<'_>) -> String {
    let first = report.findings.first();
    let more = report.failures + report.warnings;
    let message = first.map(Finding::message).unwrap_or_default();
    let delegation = report.delegation.as_ref();
    let record = ErrorRecord {
        id: met.id,
        timestamp: met.timestamp,
        r#type: "validation_failed",
        // Work that was claimed and not done misleads everyone after it.
        severity: if report.claims_success {
            "high"
        } else {
            "medium"
        },
        message: match more {
            0 | 1 => message,
            _ => format!("{message} (and {} more)", more - 1),
        },
        context: ErrorContext {
            session_id: report.session.as_deref(),
            agent_type: &report.subagent,
            source: met.source,
            line: met.line,
        },
        trajectory: Trajectory {
            delegation_path: delegation.map_or(&[][..], |delegation| &delegation.path),
            failed_at_depth: delegation.and_then(Delegation::depth_in_json),
        },
        recovery: Recovery {
            suggested_action: first.map_or("", |finding| &finding.help),
            auto_recoverable: true,
        },
        fix_status: "unfixed",
    };
    // Only a map key that is no string could fail, and records have none.
    escape::json(&serde_json::to_string(&record).unwrap_or_default()).into_owned()
}

/// The part of a log that is read; everything else is only kept.
#[derive(Deserialize)]
struct KnownMembers<'d> {
    #[serde(borrow)]
    errors: &'d RawValue,
}

/// The log with records, made by [`record`], at the end of its `errors`.
///
/// # Errors
///
/// If the text is no log.
pub fn append(text: &str, records: &[String]) -> Result<String, NotALog> {
    let before = text[..end_of_errors(text)?].trim_end();
    let is_first = before.ends_with('[');
    let mut new = before.to_owned();
    for (number, record) in records.iter().enumerate() {
        new.push_str(if number == 0 && is_first {
            "\n    "
        } else {
            ",\n    "
        });
        new.push_str(record);
    }
    let after = &text[before.len()..];
    new.push_str(if after.starts_with(']') { "\n  " } else { "" });
    new.push_str(after);
    Ok(new)
}

/// The byte of the bracket that closes the `errors` array.
fn end_of_errors(text: &str) -> Result<usize, NotALog> {
    let document = serde_json::from_str::<KnownMembers<'_>>(text);
    let document = document
        .map_err(|error| NotALog(format!(": {}", escape::truncated(&error.to_string()))))?;
    let errors = document.errors.get();
    // serde takes an array for a record, too: its items for the members.
    let is_object = text.trim_ascii_start().starts_with('{');
    if !is_object || !errors.starts_with('[') {
        return Err(NotALog(String::new()));
    }
    // The raw value is a part of the text.
    Ok(errors.as_ptr().addr() - text.as_ptr().addr() + errors.len() - 1)
}
