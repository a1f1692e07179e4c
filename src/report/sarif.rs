//! `sarif`: SARIF 2.1.0, the OASIS standard that code scanning reads. A result for each finding.
//!
//! Results are written as they come. What is known only at the end, such as the exit code, follows them.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::check::explain::NotChecked;
use crate::check::finding::{Finding, fingerprint_of, hexadecimal};
use crate::check::report::Report;
use crate::check::rules::{Level, RULES, Rule};
use crate::report::json::{Members, members, write};
use crate::report::{Checked, RuleUrl, RunSummary, Source};

/// The address at which OASIS publishes the schema of SARIF 2.1.0 with its errata.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

pub(super) fn begin(url: Option<&RuleUrl>, out: &mut Vec<u8>) {
    let version = env!("CARGO_PKG_VERSION");
    let rules = RULES.map(|rule| descriptor(rule, url));
    let tool = members! {
        "driver": members! {
            "name": env!("CARGO_PKG_NAME"),
            "version": version,
            "rules": rules.into_iter().chain([not_checked()]).collect::<Vec<_>>(),
        },
    };
    out.extend_from_slice(b"{\"version\":\"2.1.0\",\"$schema\":");
    write(&SCHEMA, out);
    out.extend_from_slice(b",\"runs\":[{\"tool\":");
    write(&tool, out);
    out.extend_from_slice(b",\"columnKind\":\"unicodeCodePoints\",\"results\":[\n");
}

pub(super) fn report(source: &Source<'_>, checked: Checked<'_>, out: &mut Vec<u8>) {
    let report = match checked {
        Checked::Report(report) => report,
        Checked::Unreadable(why) => return write(&unread(source, why), out),
    };
    let findings = report.findings.iter().chain(&report.accepted);
    for (index, finding) in findings.enumerate() {
        if index > 0 {
            out.extend_from_slice(b",\n");
        }
        write(&result(source, report, index, finding), out);
    }
}

pub(super) fn finish(end: &RunSummary<'_>, out: &mut Vec<u8>) {
    let invocation = members! {
        "executionSuccessful": end.exit_code < 2,
        "exitCode": end.exit_code,
    };
    out.extend_from_slice(b"\n],\"invocations\":");
    write(&[invocation], out);
    out.extend_from_slice(b"}]}\n");
}

fn descriptor(rule: &Rule, url: Option<&RuleUrl>) -> Members {
    let (why, todo, source) = (rule.explanation(), rule.recommendation(), rule.source());
    let help = format!("{why}\n\nRecommendation: {todo}.\n\nSource: {source}.");
    members! {
        "id": rule.id,
        "shortDescription": message(&rule.title()),
        "fullDescription": message(rule.explanation()),
        "helpUri" optional: url.map(|url| url.of(rule.id)),
        "help": message(&help),
        "defaultConfiguration": members! {
            "enabled": rule.level != Level::Off,
            "level": level(rule.level),
        },
    }
}

/// Returns the descriptor for sources that could not be read, which is the last one. It is not a rule of the program.
fn not_checked() -> Members {
    members! {
        "id": NotChecked::ID,
        "shortDescription": message(NotChecked::TITLE),
        "fullDescription": message(NotChecked::MEANING),
        "help": message(NotChecked::ADVICE),
        "defaultConfiguration": members! { "enabled": true, "level": level(Level::Error) },
    }
}

/// Returns the result for a finding. Those after the last one that counts are accepted by the baseline.
fn result(source: &Source<'_>, report: &Report, index: usize, finding: &Finding) -> Members {
    let (rule, text) = (finding.rule, finding.message());
    let pointer = finding.pointer.as_deref().unwrap_or_default();
    let [start, end] = source.place(finding);
    // Of a return that its line holds as a text, the place is the line.
    let region = if source.holds_text {
        members! { "startLine": start.line }
    } else {
        members! {
            "startLine": start.line,
            "startColumn": start.column,
            "endLine": end.line,
            "endColumn": end.column,
            "byteOffset": start.offset,
            "byteLength": finding.length(),
        }
    };
    let at_pointer = (!pointer.is_empty()).then(|| [members! { "fullyQualifiedName": pointer }]);
    let accepted = (index >= report.findings.len()).then(|| {
        members! {
            "kind": "external",
            "status": "accepted",
            "justification": "The baseline accepts it.",
        }
    });
    members! {
        "ruleId": rule.id,
        "ruleIndex": RULES.iter().position(|known| known.id == rule.id).unwrap_or(RULES.len()),
        "level": level(finding.level),
        "message": message(&format!("{text}\nRecommendation: {}", finding.help)),
        "locations": [members! {
            "physicalLocation": location(source, &region),
            "logicalLocations" optional: at_pointer,
        }],
        "partialFingerprints": fingerprints(finding.fingerprint),
        // SARIF allows this member in all results or in none (section 3.27.23 of the standard).
        "suppressions": accepted.as_slice(),
    }
}

/// The result for a source that could not be read. Code scanning requires a line.
fn unread(source: &Source<'_>, why: &str) -> Members {
    let region = members! { "startLine": source.line.unwrap_or(1) };
    members! {
        "ruleId": NotChecked::ID,
        "ruleIndex": RULES.len(),
        "level": level(Level::Error),
        "message": message(&format!("Not checked: {why}")),
        "locations": [members! { "physicalLocation": location(source, &region) }],
        "partialFingerprints": fingerprints(fingerprint_of(&[NotChecked::ID, &uri(source)])),
        "suppressions": [(); 0],
    }
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning | Level::Off => "warning",
    }
}

fn message(text: &str) -> Members {
    members! { "text": escaped(text) }
}

/// Escapes a text for a SARIF message. Without that, braces would be placeholders (section 3.11.5 of the
/// standard) and `[text](destination)` a link (section 3.11.6). No return may create these.
fn escaped(text: &str) -> String {
    text.replace("](", "]\\u{28}").replace('{', "{{").replace('}', "}}")
}

/// A description distinguishes standard input, which has no URI, from files.
fn location(source: &Source<'_>, region: &Members) -> Members {
    members! {
        "artifactLocation": members! {
            "uri": uri(source),
            "description" optional: source.is_stdin().then(|| message("standard input")),
        },
        "region": region,
    }
}

/// All but `/` and the unreserved characters (RFC 3986, section 2.3).
const ESCAPED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// The URI of a source, relative to the current folder unless its path is absolute.
fn uri(source: &Source<'_>) -> String {
    let path = source.file();
    let scheme = if path.starts_with('/') { "file://" } else { "" };
    format!("{scheme}{}", utf8_percent_encode(&path, ESCAPED))
}

/// A fingerprint without positions, so that it stays the same when a finding moves in its source.
fn fingerprints(fingerprint: u128) -> Members {
    members! { "retvalFinding/v1": hexadecimal(fingerprint) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_uris() {
        for (path, expected) in [
            ("./in/a.json", "in/a.json"),
            ("in/a b:c%.json", "in/a%20b%3Ac%25.json"),
            ("é#?.json", "%C3%A9%23%3F.json"),
            ("/in/a.json", "file:///in/a.json"),
        ] {
            assert_eq!(uri(&Source::new(path)), expected);
        }
    }

    #[test]
    fn no_text_creates_a_link_or_a_placeholder() {
        assert_eq!(escaped("[a](https://b) {0} [c] (d)"), "[a]\\u{{28}}https://b) {{0}} [c] (d)");
    }
}
