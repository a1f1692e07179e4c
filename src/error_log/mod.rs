//! The centralized error log: the record of an invalid return, and appending it to a log.
//!
//! `errors.json` is a document with an `errors` array. Everything else in it stays byte for byte.

use serde::{Deserialize, Serialize};
use serde_json::Number;
use serde_json::value::RawValue;

use crate::finding::Finding;
use crate::format::Source;
use crate::report::{Delegation, Report};
use crate::text::escape;

/// An empty log.
pub const EMPTY: &str = "{\n  \"errors\": []\n}\n";

/// The text is not an error log. Displays safe to print.
#[derive(Debug, thiserror::Error)]
#[error("not a JSON document with an \"errors\" array; the file was not changed{0}")]
pub struct ErrorLogError(String);

/// When and where an invalid return was found.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Occurrence<'m> {
    /// The unique id of the record.
    pub id: &'m str,
    /// The time, in ISO 8601.
    pub timestamp: &'m str,
    /// The source of the return; not safe to print.
    pub source: &'m str,
    /// Its line, from 1, in a source with one return on each line.
    pub line: Option<usize>,
}

impl<'m> Occurrence<'m> {
    /// An occurrence in a source. The id must be unique, the timestamp ISO 8601.
    #[must_use]
    pub fn new(id: &'m str, timestamp: &'m str, source: Source<'m>) -> Self {
        Self {
            id,
            timestamp,
            source: source.name,
            line: source.line,
        }
    }
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
pub fn record(report: &Report<'_>, occurrence: &Occurrence<'_>) -> String {
    let first = report.findings.first();
    let more = report.failures + report.warnings;
    let message = first.map(Finding::message).unwrap_or_default();
    let delegation = report.delegation.as_ref();
    let record = ErrorRecord {
        id: occurrence.id,
        timestamp: occurrence.timestamp,
        r#type: "validation_failed",
        // A false claim of success misleads every later step.
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
            source: occurrence.source,
            line: occurrence.line,
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
    // Fails only for map keys that are not strings, which records do not have.
    escape::json(&serde_json::to_string(&record).unwrap_or_default()).into_owned()
}

/// The part of a log that is read; the rest is copied.
#[derive(Deserialize)]
struct KnownMembers<'d> {
    #[serde(borrow)]
    errors: &'d RawValue,
}

/// The log with records made by [`record`] appended to its `errors`.
///
/// # Errors
///
/// If the text is not a log.
pub fn append(text: &str, records: &[String]) -> Result<String, ErrorLogError> {
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

/// The offset of the bracket that closes the `errors` array.
fn end_of_errors(text: &str) -> Result<usize, ErrorLogError> {
    let document = serde_json::from_str::<KnownMembers<'_>>(text);
    let document = document
        .map_err(|error| ErrorLogError(format!(": {}", escape::truncated(&error.to_string()))))?;
    let errors = document.errors.get();
    // serde also reads an array as a struct, its items as the members.
    let is_object = text.trim_ascii_start().starts_with('{');
    if !is_object || !errors.starts_with('[') {
        return Err(ErrorLogError(String::new()));
    }
    // The raw value is a part of the text.
    Ok(errors.as_ptr().addr() - text.as_ptr().addr() + errors.len() - 1)
}
