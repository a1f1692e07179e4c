//! The centralized error log: makes the record of an invalid return, and appends it to a log.
//!
//! `errors.json` is a document with an `errors` array. Everything else in the file is preserved byte for
//! byte.

pub(crate) mod baseline;
mod bounded;
mod scan;

use std::borrow::Cow;
use std::io::{self, Read};

use serde::Serialize;
use serde_json::Number;

use crate::check::finding::Finding;
use crate::check::report::{Delegation, Report};
use crate::format::Source;
use crate::log::bounded::{agents, bounded, excerpt};
use crate::text::escape;

/// The most bytes that a message takes in a record.
const MESSAGE_BYTES: usize = 4_000;
/// The most bytes that a name takes in a record.
const NAME_BYTES: usize = 1_000;
/// The most bytes that a source takes in a record. No path is longer.
const SOURCE_BYTES: usize = 8_000;

/// The text of an empty log.
pub(crate) const EMPTY: &str = "{\n  \"errors\": []\n}\n";

/// Why records cannot be added. What it displays is safe to print.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ErrorLogError {
    /// The text is not an error log.
    #[error("not a JSON document with an \"errors\" array; the file was not changed: {0}")]
    NotALog(String),
    /// The text cannot be read.
    #[error(transparent)]
    Read(#[from] io::Error),
}

/// When and where an invalid return was found.
#[derive(Debug, Clone)]
pub(crate) struct Occurrence<'m> {
    /// The unique id of the record.
    pub id: String,
    /// The time, in ISO 8601.
    pub timestamp: String,
    /// The source of the return; not safe to print.
    pub source: Source<'m>,
    /// The bytes of the return, if they are known. The record has their beginning and their number.
    pub returned: Option<&'m [u8]>,
    /// The call of a client's hook that found it.
    pub hook: Option<HookCall>,
}

/// The call of a client's hook that found an invalid return. Not safe to print.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct HookCall {
    /// The name of the client.
    pub client: &'static str,
    /// The client's id of the agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<String>,
    /// The client's id of the session, whatever the return must have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_session: Option<String>,
    /// Whether the hook only observes, so that nobody was told.
    pub observed: bool,
    /// How often the agent was asked again before, as far as that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked_again: Option<u64>,
}

#[derive(Serialize)]
struct ErrorRecord<'r> {
    id: &'r str,
    timestamp: &'r str,
    r#type: &'static str,
    severity: &'static str,
    message: Cow<'r, str>,
    context: ErrorContext<'r>,
    #[serde(skip_serializing_if = "Option::is_none")]
    returned: Option<ReturnBeginning>,
    trajectory: Trajectory<'r>,
    recovery: Recovery<'r>,
    fix_status: &'static str,
}

#[derive(Serialize)]
struct ErrorContext<'r> {
    session_id: Option<Cow<'r, str>>,
    agent_type: Cow<'r, str>,
    source: Cow<'r, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(flatten)]
    hook: Option<&'r HookCall>,
}

#[derive(Serialize)]
struct ReturnBeginning {
    bytes: usize,
    excerpt: String,
}

#[derive(Default, Serialize)]
struct Trajectory<'r> {
    delegation_path: Vec<Cow<'r, str>>,
    failed_at_depth: Option<Number>,
}

#[derive(Serialize)]
struct Recovery<'r> {
    suggested_action: Cow<'r, str>,
    auto_recoverable: bool,
}

impl<'r> ErrorRecord<'r> {
    fn new(
        occurrence: &'r Occurrence<'_>,
        session: Option<&'r str>,
        agent: &'r str,
        action: &'r str,
    ) -> Self {
        Self {
            id: &occurrence.id,
            timestamp: &occurrence.timestamp,
            r#type: INVALID,
            severity: "high",
            message: Cow::Borrowed(""),
            context: ErrorContext {
                session_id: session.map(|id| bounded(id, NAME_BYTES)),
                agent_type: bounded(agent, NAME_BYTES),
                source: bounded(occurrence.source.name, SOURCE_BYTES),
                line: occurrence.source.line,
                hook: occurrence.hook.as_ref(),
            },
            returned: None,
            trajectory: Trajectory::default(),
            recovery: Recovery {
                suggested_action: bounded(action, MESSAGE_BYTES),
                auto_recoverable: true,
            },
            fix_status: "unfixed",
        }
    }
}

/// An agent that left no return to check. Nothing in it is safe to print.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FailedAgent<'m> {
    /// The session of the agent.
    pub session: Option<&'m str>,
    /// Its name.
    pub agent: &'m str,
    /// Why there is no return.
    pub message: &'m str,
    /// What to do.
    pub action: &'m str,
    /// What became of its return.
    pub lack: ReturnLack,
}

/// Why there is no return that was checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReturnLack {
    /// The agent ended without one, which is recorded like an invalid return.
    Missing,
    /// The agent ended by an error.
    Failed,
    /// The return could not be checked.
    Unchecked,
}

impl FailedAgent<'_> {
    /// Returns the record: JSON on one line, safe to print, of a bounded length.
    pub(crate) fn record(&self, occurrence: &Occurrence<'_>) -> String {
        let record = ErrorRecord {
            r#type: match self.lack {
                ReturnLack::Missing => INVALID,
                ReturnLack::Failed => "agent_failed",
                ReturnLack::Unchecked => "not_checked",
            },
            message: bounded(self.message, MESSAGE_BYTES),
            ..ErrorRecord::new(occurrence, self.session, self.agent, self.action)
        };
        line(&record)
    }
}

/// The type of the records of invalid returns.
const INVALID: &str = "validation_failed";

fn line(record: &ErrorRecord<'_>) -> String {
    // This fails only for map keys that are not strings, which records do not have.
    escape::json(&serde_json::to_string(record).unwrap_or_default()).into_owned()
}

/// Returns the record of an invalid return: JSON on one line, safe to print.
///
/// The length of the record is bounded, whatever the return contains: longer texts are cut, and their
/// length is given.
pub(crate) fn record(report: &Report<'_>, occurrence: &Occurrence<'_>) -> String {
    let first = report.findings.first();
    let more = report.failures + report.warnings;
    let message = first.map(Finding::message).unwrap_or_default();
    let delegation = report.delegation.as_ref();
    let action = first.map_or("", |it| it.help());
    let record = ErrorRecord {
        // A false claim of success misleads every later step.
        severity: if report.claims_success {
            "high"
        } else {
            "medium"
        },
        message: match more {
            0 | 1 => bounded(&message, MESSAGE_BYTES),
            _ => {
                let message = bounded(&message, MESSAGE_BYTES);
                format!("{message} (and {} more)", more - 1).into()
            }
        },
        returned: occurrence.returned.map(|bytes| ReturnBeginning {
            bytes: bytes.len(),
            excerpt: excerpt(bytes),
        }),
        trajectory: Trajectory {
            delegation_path: delegation.map_or_else(Vec::new, |it| agents(&it.path)),
            failed_at_depth: delegation.and_then(Delegation::depth_in_json),
        },
        ..ErrorRecord::new(
            occurrence,
            report.session.as_deref(),
            &report.subagent,
            action,
        )
    };
    line(&record)
}

/// Where records are added to a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Insertion(scan::ArrayEnd);

impl Insertion {
    /// Finds where records are added to a log. Reads the whole log as a stream.
    pub(crate) fn find(log: impl Read) -> Result<Self, ErrorLogError> {
        scan::end(log).map(Self)
    }

    /// Returns the offset in bytes at which records are inserted.
    pub(crate) fn offset(&self) -> u64 {
        self.0.offset
    }

    /// Returns the text before a record that is added.
    pub(crate) fn separator(&self, is_first: bool) -> &'static str {
        if is_first && self.0.is_empty {
            "\n    "
        } else {
            ",\n    "
        }
    }

    /// Returns the text after the last record that is added.
    pub(crate) fn ending(&self) -> &'static str {
        if self.0.is_tight { "\n  " } else { "" }
    }
}
