//! The centralized error log: makes the record of an invalid return, and appends it to a log.
//!
//! `errors.json` is a document with an `errors` array. Everything else in the file is preserved byte for
//! byte.

pub(crate) mod baseline;

use std::borrow::Cow;
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::check::finding::Finding;
use crate::check::report::{Delegation, Report};
use crate::report::{Source, line, members};
use crate::text::{cut, escape};

const MESSAGE: usize = 800;
const FAILURE: usize = 200;
/// The most failures that a record names.
const FAILURES: usize = 10;
const NAME: usize = 200;
const SOURCE: usize = 800;
/// The most names of a delegation path in a record, and the most characters of each.
const AGENTS: usize = 20;
const AGENT: usize = 50;
/// The most characters of a return that a record shows. Escapes count with all their characters.
const EXCERPT: usize = 2_000;

pub(crate) const EMPTY: &str = "{\n  \"errors\": []\n}\n";

/// Writes a log with records, each of which is after a comma, added to its `errors`; all else stays the same to
/// the byte. Nothing is written if the text is no log: the error is safe to print.
pub(crate) fn add(log: &str, mut records: impl Read, out: &mut impl Write) -> io::Result<()> {
    #[derive(Deserialize)]
    #[serde(expecting = "an object")]
    struct Log<'l> {
        #[serde(borrow)]
        errors: &'l RawValue,
    }
    let refuse = |why: &str| {
        let why = escape::truncated(why);
        io::Error::other(format!(
            "not a JSON document with an \"errors\" array; the file was not changed: {why}"
        ))
    };
    let read: Log<'_> = serde_json::from_str(log).map_err(|it| refuse(&it.to_string()))?;
    let list = read.errors.get();
    let inner = list.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    let Some(inner) = inner.filter(|_| log.trim_ascii_start().starts_with('{')) else {
        return Err(refuse("expected an object with a list of errors"));
    };
    let known = inner.trim_ascii_end();
    let at = inner.as_ptr().addr() - log.as_ptr().addr() + known.len();
    out.write_all(&log.as_bytes()[..at])?;
    if known.is_empty() {
        // Nothing is before the first comma.
        records.read_exact(&mut [0])?;
    }
    io::copy(&mut records, out)?;
    if known.len() == inner.len() {
        out.write_all(b"\n  ")?;
    }
    out.write_all(&log.as_bytes()[at..])
}

/// Where and when something was found that is recorded.
#[derive(Debug, Clone)]
pub(crate) struct Occurrence<'m> {
    pub id: String,
    pub timestamp: String,
    pub source: Source<'m>,
    /// The bytes of the return, if they are known. The record has their beginning and their number.
    pub returned: Option<&'m [u8]>,
    pub hook: Option<HookCall>,
}

impl<'m> Occurrence<'m> {
    /// Something that is found now.
    pub(crate) fn now(
        source: Source<'m>,
        returned: Option<&'m [u8]>,
        hook: Option<HookCall>,
    ) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let (now, process) = (jiff::Timestamp::now(), std::process::id());
        let id = format!("err_{}_{process:x}_{number:x}", now.as_millisecond());
        Self { id, timestamp: now.to_string(), source, returned, hook }
    }
}

/// The call of a client's hook that found an invalid return. Not safe to print.
#[derive(Debug, Clone)]
pub(crate) struct HookCall {
    pub client: &'static str,
    pub agent_id: Option<String>,
    /// The client's id of the session, whatever the return must have.
    pub client_session: Option<String>,
    /// Whether the hook only observes, so that nobody was told.
    pub observed: bool,
    /// How often the agent was asked again before, as far as that is known.
    pub asked_again: Option<u64>,
}

/// An agent that left no return to check. Nothing in it is safe to print.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FailedAgent<'m> {
    pub session: Option<&'m str>,
    pub agent: &'m str,
    pub message: &'m str,
    pub action: &'m str,
    pub lack: ReturnLack,
}

/// Why there is no return that was checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) enum ReturnLack {
    /// The agent ended without one, which is recorded like an invalid return.
    #[serde(rename = "validation_failed")]
    Missing,
    #[serde(rename = "agent_failed")]
    Failed,
    #[serde(rename = "not_checked")]
    Unchecked,
}

/// The record of an invalid return: JSON on one line, safe to print. Its length is bounded.
pub(crate) fn record(report: &Report, occurrence: &Occurrence<'_>) -> String {
    let first = report.failures_first().next();
    let message = first.map(Finding::message).unwrap_or_default();
    let agent = FailedAgent {
        session: report.session.as_deref(),
        agent: &report.subagent,
        message: &message,
        action: first.map_or("", |it| &it.help),
        lack: ReturnLack::Missing,
    };
    agent.record_with(Some(report), occurrence)
}

impl FailedAgent<'_> {
    /// Returns the record: JSON on one line, safe to print, of a bounded length.
    pub(crate) fn record(self, occurrence: &Occurrence<'_>) -> String {
        self.record_with(None, occurrence)
    }

    fn record_with(self, report: Option<&Report>, occurrence: &Occurrence<'_>) -> String {
        let (source, hook) = (&occurrence.source, occurrence.hook.as_ref());
        let mut message = bounded(self.message, MESSAGE);
        let findings = report.map_or(1, |it| it.failures + it.warnings);
        if findings > 1 {
            message = format!("{message} (and {} more)", findings - 1).into();
        }
        // A false claim of success misleads every later step.
        let misleads = report.is_none_or(|it| it.claims_success);
        let delegation = report.and_then(|it| it.returned.delegation.as_ref());
        let path = delegation.map(|it| agents(&it.path));
        line(&members! {
            "id": occurrence.id,
            "timestamp": occurrence.timestamp,
            "type": self.lack,
            "severity": if misleads { "high" } else { "medium" },
            "message": message,
            "failures" optional: report.filter(|it| it.failures > 1).map(failures),
            "context": members! {
                "session_id": self.session.map(|id| bounded(id, NAME)),
                "agent_type": bounded(self.agent, NAME),
                "source": bounded(source.name, SOURCE),
                "line" optional: source.line,
                "client" optional: hook.map(|it| it.client),
                "agent_id" optional: hook.and_then(|it| it.agent_id.as_ref()),
                "client_session" optional: hook.and_then(|it| it.client_session.as_ref()),
                "observed" optional: hook.map(|it| it.observed),
                "asked_again" optional: hook.and_then(|it| it.asked_again),
            },
            "returned" optional: occurrence.returned.map(|bytes| members! {
                "bytes": bytes.len(),
                "excerpt": excerpt(bytes),
            }),
            "trajectory": members! {
                "delegation_path": path.unwrap_or_default(),
                "failed_at_depth": delegation.and_then(Delegation::depth_in_json),
            },
            "recovery": members! {
                "suggested_action": bounded(self.action, MESSAGE),
                "auto_recoverable": true,
            },
            "fix_status": "unfixed",
        })
    }
}

fn failures(report: &Report) -> Vec<String> {
    let messages = report.errors().take(FAILURES).map(Finding::message);
    let mut messages: Vec<_> = messages.map(|it| bounded(&it, FAILURE).into_owned()).collect();
    if messages.len() < report.failures {
        messages.push(format!("… ({} failures)", report.failures));
    }
    messages
}

/// The beginning of a text. If it is cut, its length in characters is appended.
fn bounded(text: &str, characters: usize) -> Cow<'_, str> {
    let kept = cut(text, characters);
    if kept.len() == text.len() {
        return Cow::Borrowed(text);
    }
    format!("{kept}… ({} characters)", text.chars().count()).into()
}

/// Returns the first names of a delegation path, and the number of all if there are more.
fn agents(path: &[String]) -> Vec<Cow<'_, str>> {
    let first = path.iter().take(AGENTS);
    let mut agents: Vec<_> = first.map(|agent| bounded(agent, AGENT)).collect();
    if path.len() > AGENTS {
        agents.push(format!("… ({} agents)", path.len()).into());
    }
    agents
}

fn excerpt(bytes: &[u8]) -> String {
    // A character has at most four bytes.
    let first = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * EXCERPT)]);
    cut(&escape::full(cut(&first, EXCERPT)).to_string(), EXCERPT).to_owned()
}
