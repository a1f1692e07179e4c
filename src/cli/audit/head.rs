//! What a report is about: what was read, and what was left out.

use crate::audit::AuditReport;
use crate::text::escape;

use super::numbers::{bytes, count, number};

/// What the whole report is about, in sentences.
pub(super) fn head(report: &AuditReport) -> Vec<String> {
    let sources = &report.sources;
    let clients = escape::list(&sources.clients);
    let mut lines = vec![format!(
        "{} in {} of {} ({})",
        count(report.runs, "delegation"),
        count(sources.transcripts, "transcript"),
        if clients.is_empty() {
            "no client"
        } else {
            &clients
        },
        bytes(sources.bytes),
    )];
    if let (Some(first), Some(last)) = (&report.first, &report.last) {
        let day = |time: &str| time.get(..10).unwrap_or(time).to_owned();
        let (first, last) = (day(first), day(last));
        let period = if first == last {
            format!(", of {first}")
        } else {
            format!(", {first} to {last}")
        };
        lines[0].push_str(&period);
    }
    if sources.records > report.runs + sources.left_out {
        lines.push(format!(
            "{} of agents are these runs: a caller's transcript and copies have the same run.",
            count(sources.records, "record")
        ));
    }
    if sources.prewarming + sources.compaction > 0 {
        lines.push(format!(
            "Not counted: {} and {} that the client started for itself.",
            count(sources.prewarming, "prewarming agent"),
            count(sources.compaction, "compaction agent"),
        ));
    }
    if sources.left_out > 0 {
        let undated = match sources.undated {
            0 => String::new(),
            undated => format!(", {} of them because no time is recorded", number(undated)),
        };
        let left_out = count(sources.left_out, "run");
        lines.push(format!("Left out by the options: {left_out}{undated}."));
    }
    for (why, files) in &sources.unread {
        let why = escape::truncated(why);
        lines.push(format!("Not read: {} ({why}).", count(*files, "file")));
    }
    if sources.other_files > 0 {
        let files = count(sources.other_files, "file");
        lines.push(format!("Not a transcript of a known client: {files}."));
    }
    lines
}
