//! `gitlab`: a report for GitLab's Code Quality, an array with an entry for each finding.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use serde::Serialize;

use crate::check::ReportParts;
use crate::check::explain::NotChecked;
use crate::check::finding::Finding;
use crate::check::fingerprint::{hexadecimal, of};
use crate::check::report::Report;
use crate::check::rules::Level;
use crate::format::json::write;
use crate::format::{Checked, Reporter, RunSummary, Source, common};

/// A Code Quality report.
#[derive(Debug, Clone)]
pub(super) struct Gitlab {
    /// The folders to which absolute paths are made relative, if the paths are inside one of them.
    pub(super) folders: Vec<PathBuf>,
}

impl Gitlab {
    /// Returns the source with its path relative to the first folder that contains it, because GitLab
    /// does not link absolute paths. The path stays as it is if no folder contains it.
    fn relative<'s>(&self, source: &Source<'s>) -> Source<'s> {
        let mut folders = self.folders.iter();
        Source {
            name: folders
                .find_map(|folder| below(folder, source.name))
                .unwrap_or(source.name),
            ..*source
        }
    }
}

/// Returns the path of a file relative to `folder`. None if the file is not inside it, or if the path
/// goes up with `..`.
fn below<'s>(folder: &Path, name: &'s str) -> Option<&'s str> {
    let below = Path::new(name).strip_prefix(folder).ok()?;
    let goes_up = below.components().any(|it| it == Component::ParentDir);
    below.to_str().filter(|it| !goes_up && !it.is_empty())
}

/// An entry, with the members that GitLab reads.
#[derive(Serialize)]
struct CodeQualityIssue<'i> {
    description: String,
    check_name: &'static str,
    fingerprint: String,
    severity: &'static str,
    location: CodeQualityLocation<'i>,
}

#[derive(Serialize)]
struct CodeQualityLocation<'i> {
    path: Cow<'i, str>,
    lines: CodeQualityLines,
}

#[derive(Serialize)]
struct CodeQualityLines {
    begin: usize,
}

/// The rule id of an entry that only counts findings.
const NOT_SHOWN: &str = "not-shown";

impl Reporter for Gitlab {
    fn parts(&self) -> ReportParts {
        ReportParts {
            fingerprints: true,
            ..ReportParts::FINDINGS
        }
    }

    fn begin(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"[\n");
    }

    fn report(&self, source: &Source<'_>, checked: Checked<'_>, out: &mut Vec<u8>) {
        let source = self.relative(source);
        let issues = match checked {
            Checked::Report(report) => issues(&source, report),
            Checked::Unreadable(why) => vec![unread(&source, why)],
        };
        for (index, issue) in issues.iter().enumerate() {
            if index > 0 {
                out.extend_from_slice(self.between());
            }
            write(issue, out);
        }
    }

    fn between(&self) -> &'static [u8] {
        b",\n"
    }

    fn finish(&self, _: &RunSummary<'_>, out: &mut Vec<u8>) {
        out.extend_from_slice(b"\n]\n");
    }
}

fn issues<'s>(source: &Source<'s>, report: &Report<'_>) -> Vec<CodeQualityIssue<'s>> {
    let returned = returned(source, report);
    // GitLab counts entries with equal fingerprints as one, so equal findings are numbered.
    let mut equal: HashMap<u128, usize> = HashMap::new();
    let findings = report.findings.iter().map(|finding| {
        let number = equal.entry(finding.fingerprint()).or_default();
        *number += 1;
        let parts = [hexadecimal(finding.fingerprint()), number.to_string()];
        let parts = [&*returned, &parts[0], &parts[1]];
        CodeQualityIssue {
            description: description(finding),
            severity: severity(finding.level),
            ..issue(
                source,
                finding.rule.id,
                &parts,
                source.place(finding)[0].line,
            )
        }
    });
    let mut issues: Vec<_> = findings.collect();
    if let Some(omitted) = common::omitted(report) {
        let level = if report.is_valid() {
            Level::Warning
        } else {
            Level::Error
        };
        let line = source.line.unwrap_or(1);
        issues.push(CodeQualityIssue {
            description: omitted,
            severity: severity(level),
            ..issue(source, NOT_SHOWN, &[&returned, NOT_SHOWN], line)
        });
    }
    issues
}

fn unread<'s>(source: &Source<'s>, why: &str) -> CodeQualityIssue<'s> {
    let line = source.line.unwrap_or(1);
    CodeQualityIssue {
        description: format!("Not checked: {why}"),
        ..issue(source, NotChecked::ID, &[NotChecked::ID], line)
    }
}

/// Returns an entry without a description, whose fingerprint is made of the path and of `parts`.
fn issue<'s>(
    source: &Source<'s>,
    check_name: &'static str,
    parts: &[&str],
    begin: usize,
) -> CodeQualityIssue<'s> {
    let path = common::file(source.name);
    let parts: Vec<_> = [path.as_ref()].iter().chain(parts).copied().collect();
    CodeQualityIssue {
        description: String::new(),
        check_name,
        fingerprint: hexadecimal(of(&parts)),
        severity: "critical",
        location: CodeQualityLocation {
            path,
            lines: CodeQualityLines { begin },
        },
    }
}

/// Returns what distinguishes a return from the others of its source: the session, which stays the same
/// when the return moves, or else the line.
fn returned(source: &Source<'_>, report: &Report<'_>) -> String {
    match (&report.session_id, source.line) {
        (Some(session), _) => format!("session {session}"),
        (None, Some(line)) => format!("line {line}"),
        (None, None) => String::new(),
    }
}

fn description(finding: &Finding) -> String {
    let end = if finding.help().ends_with(['.', '?']) {
        ""
    } else {
        "."
    };
    format!("{}. {}{end}", finding.message(), finding.help())
}

fn severity(level: Level) -> &'static str {
    match level {
        Level::Error => "major",
        Level::Warning | Level::Off => "minor",
    }
}
