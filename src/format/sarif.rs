//! `sarif`: SARIF 2.1.0, the OASIS standard that code scanning reads. A result for each finding.
//!
//! Results are written as they come. What is known only at the end, such as the exit code, follows them.
//! At the end of this file are the parts of a log, named as in section 3 of the standard.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;

use crate::check::explain::NotChecked;
use crate::check::finding::Finding;
use crate::check::fingerprint;
use crate::check::report::Report;
use crate::check::rules::{Level, RULES, Rule, Step};
use crate::format::json::write;
use crate::format::{Checked, Reporter, RuleUrl, RunSummary, Source, Totals, common};

/// SARIF 2.1.0, for code scanning.
#[derive(Debug, Clone)]
pub(super) struct Sarif {
    /// The address of each rule's explanation.
    pub(super) rule_url: Option<RuleUrl>,
}

/// The address at which OASIS publishes the schema of SARIF 2.1.0 with its errata.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The suppressions of a finding that the baseline does not accept: none.
const OPEN: &[Suppression] = &[];

/// The suppressions of a finding that the baseline accepts.
const ACCEPTED: &[Suppression] = &[Suppression {
    kind: "external",
    status: "accepted",
    justification: "The baseline accepts it.",
}];

impl Reporter for Sarif {
    fn begin(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"version\":\"2.1.0\",\"$schema\":");
        write(&SCHEMA, out);
        out.extend_from_slice(b",\"runs\":[{\"tool\":");
        write(&tool(self.rule_url.as_ref()), out);
        out.extend_from_slice(b",\"columnKind\":\"unicodeCodePoints\",\"results\":[\n");
    }

    fn report(&self, source: &Source<'_>, checked: Checked<'_>, out: &mut Vec<u8>) {
        match checked {
            Checked::Report(report) => {
                let accepted = report.accepted_findings.iter();
                let accepted = accepted.map(|finding| (finding, ACCEPTED));
                let findings = report.findings.iter().map(|finding| (finding, OPEN));
                for (index, (finding, suppressions)) in findings.chain(accepted).enumerate() {
                    if index > 0 {
                        out.extend_from_slice(self.between());
                    }
                    let mut result = result(source, report, finding, suppressions);
                    if index + 1 == report.findings.len() {
                        result.properties = omitted(report);
                    }
                    write(&result, out);
                }
            }
            Checked::Unreadable(why) => write(&unread(source, why), out),
        }
    }

    fn between(&self) -> &'static [u8] {
        b",\n"
    }

    fn finish(&self, end: &RunSummary<'_>, out: &mut Vec<u8>) {
        out.extend_from_slice(b"\n],\"invocations\":");
        let invocation = Invocation {
            execution_successful: end.exit_code < 2,
            exit_code: end.exit_code,
        };
        write(&[invocation], out);
        out.extend_from_slice(b",\"properties\":");
        write(&RunProperties { totals: end.totals }, out);
        out.extend_from_slice(b"}]}\n");
    }
}

/// The home page of the package, as Cargo.toml names it; empty while there is none.
const HOMEPAGE: &str = env!("CARGO_PKG_HOMEPAGE");

fn tool(url: Option<&RuleUrl>) -> Tool {
    const VERSION: &str = env!("CARGO_PKG_VERSION");
    Tool {
        driver: Driver {
            name: env!("CARGO_PKG_NAME"),
            version: VERSION,
            semantic_version: VERSION,
            information_uri: Some(HOMEPAGE).filter(|address| !address.is_empty()),
            rules: RULES
                .map(|rule| descriptor(rule, url))
                .into_iter()
                .chain([not_checked()])
                .collect(),
        },
    }
}

fn descriptor(rule: &'static Rule, url: Option<&RuleUrl>) -> Descriptor {
    let help = |strong: &str| {
        let (why, todo, source) = (rule.explanation(), rule.recommendation(), rule.source);
        let todo = format!("{strong}Recommendation:{strong} {todo}.");
        escaped(&format!("{why}\n\n{todo}\n\nSource: {source}."))
    };
    Descriptor {
        id: rule.id,
        name: pascal_case(rule.id),
        short_description: message(&rule.title()),
        full_description: message(rule.explanation()),
        help_uri: url.map(|url| url.of(rule.id)),
        help: Message {
            text: help(""),
            markdown: Some(help("**")),
        },
        default_configuration: Configuration {
            enabled: rule.level != Level::Off,
            level: level(rule.level),
        },
        properties: Tags {
            tags: vec![rule.step],
        },
    }
}

/// Returns the descriptor for results about sources that could not be read. It is the last one, after
/// the rules.
fn not_checked() -> Descriptor {
    Descriptor {
        id: NotChecked::ID,
        name: pascal_case(NotChecked::ID),
        short_description: message(NotChecked::TITLE),
        full_description: message(NotChecked::MEANING),
        // This is not a rule of the program, so no page explains it.
        help_uri: None,
        help: Message {
            text: NotChecked::ADVICE.to_owned(),
            markdown: Some(NotChecked::ADVICE.to_owned()),
        },
        default_configuration: Configuration {
            enabled: true,
            level: level(Level::Error),
        },
        properties: Tags { tags: Vec::new() },
    }
}

/// Returns the name of a rule in Pascal case, which viewers of SARIF expect: `ArtifactEmpty`.
fn pascal_case(id: &str) -> String {
    let capitalized = |word: &str| {
        let (first, rest) = word.split_at(1);
        first.to_ascii_uppercase() + rest
    };
    id.split('-').map(capitalized).collect()
}

fn result<'r>(
    source: &Source<'_>,
    report: &Report<'_>,
    finding: &'r Finding,
    suppressions: &'static [Suppression],
) -> SarifResult<'r> {
    let rule = finding.rule;
    let text = finding.message();
    let pointer = finding.pointer().unwrap_or_default();
    let session = report.session_id.as_deref().unwrap_or_default();
    SarifResult {
        rule_id: rule.id,
        rule_index: RULES
            .iter()
            .position(|known| known.id == rule.id)
            .unwrap_or(RULES.len()),
        level: level(finding.level),
        message: message(&format!("{text}\nRecommendation: {}", finding.help())),
        partial_fingerprints: fingerprints(&[rule.id, &uri(source), session, pointer, &text]),
        suppressions,
        locations: [SarifLocation {
            physical_location: PhysicalLocation {
                artifact_location: artifact(source),
                region: region(source, finding),
            },
            logical_locations: (!pointer.is_empty()).then_some([LogicalLocation {
                fully_qualified_name: pointer,
            }]),
        }],
        related_locations: evidence(report, finding).map(|location| [location]),
        properties: None,
    }
}

/// Returns the place of a finding. Of a return that its line holds as a text, it is the line.
fn region(source: &Source<'_>, finding: &Finding) -> Region {
    let [start, end] = source.place(finding);
    if source.holds_text {
        return Region::Line {
            start_line: start.line,
        };
    }
    Region::Span {
        start_line: start.line,
        start_column: start.column,
        end_line: end.line,
        end_column: end.column,
        byte_offset: start.offset,
        byte_length: finding.length(),
    }
}

/// Returns the place in the transcript that contradicts the claim. None if it is not known.
fn evidence(report: &Report<'_>, finding: &Finding) -> Option<RelatedLocation> {
    let evidence = report.evidence.as_ref()?;
    let pointer = finding.pointer()?;
    let mut claims = evidence.claims.iter();
    let claim = claims.find(|it| it.rule.id == finding.rule.id && it.pointer == pointer)?;
    let (name, line) = (evidence.transcript.as_deref()?, claim.line?);
    Some(RelatedLocation {
        physical_location: PhysicalLocation {
            artifact_location: artifact(&Source::new(name)),
            region: Region::Line {
                start_line: usize::try_from(line).ok()?,
            },
        },
        message: message(&claim.reason),
    })
}

/// Returns the result for a source that could not be read. Code scanning requires a line, so line 1 is
/// given if the source has none.
fn unread(source: &Source<'_>, why: &str) -> SarifResult<'static> {
    SarifResult {
        rule_id: NotChecked::ID,
        rule_index: RULES.len(),
        level: level(Level::Error),
        message: message(&format!("Not checked: {why}")),
        partial_fingerprints: fingerprints(&[NotChecked::ID, &uri(source)]),
        suppressions: OPEN,
        locations: [SarifLocation {
            physical_location: PhysicalLocation {
                artifact_location: artifact(source),
                region: Region::Line {
                    start_line: source.line.unwrap_or(1),
                },
            },
            logical_locations: None,
        }],
        related_locations: None,
        properties: None,
    }
}

fn omitted(report: &Report<'_>) -> Option<Omitted> {
    let findings_omitted = report.findings_omitted();
    (findings_omitted > 0).then_some(Omitted { findings_omitted })
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning | Level::Off => "warning",
    }
}

fn message(text: &str) -> Message {
    Message {
        text: escaped(text),
        markdown: None,
    }
}

/// Escapes a text for a SARIF message. Without that, braces would be placeholders (section 3.11.5 of the
/// standard) and `[text](destination)` a link (section 3.11.6). No return may create these.
fn escaped(text: &str) -> String {
    text.replace("](", "]\\u{28}")
        .replace('{', "{{")
        .replace('}', "}}")
}

/// Returns the location of a source. A description distinguishes standard input, which has no URI, from
/// files.
fn artifact(source: &Source<'_>) -> ArtifactLocation {
    let is_stdin = common::is_stdin(source.name);
    ArtifactLocation {
        uri: uri(source),
        description: is_stdin.then(|| message("standard input")),
    }
}

/// The bytes to escape in the path of a URI: all but `/` and the unreserved characters (RFC 3986,
/// section 2.3).
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'/');

/// Returns the URI of a source. It is relative to the current folder, which in CI is the repository,
/// unless the path is absolute.
fn uri(source: &Source<'_>) -> String {
    let path = common::file(source.name);
    let scheme = if path.starts_with('/') { "file://" } else { "" };
    format!("{scheme}{}", utf8_percent_encode(&path, ESCAPED))
}

/// Returns a fingerprint of `parts`. Positions are not among them, so that it stays the same when a
/// finding moves in its source. The session distinguishes the returns of a stream.
fn fingerprints(parts: &[&str]) -> Fingerprints {
    Fingerprints {
        finding: fingerprint::hexadecimal(fingerprint::of(parts)),
    }
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    version: &'static str,
    semantic_version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    information_uri: Option<&'static str>,
    rules: Vec<Descriptor>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor {
    id: &'static str,
    name: String,
    short_description: Message,
    full_description: Message,
    #[serde(skip_serializing_if = "Option::is_none")]
    help_uri: Option<String>,
    help: Message,
    default_configuration: Configuration,
    properties: Tags,
}

#[derive(Serialize)]
struct Message {
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    markdown: Option<String>,
}

#[derive(Serialize)]
struct Configuration {
    enabled: bool,
    level: &'static str,
}

#[derive(Serialize)]
struct Tags {
    tags: Vec<Step>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult<'r> {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Message,
    locations: [SarifLocation<'r>; 1],
    /// The line of a transcript that contradicts the claim.
    #[serde(skip_serializing_if = "Option::is_none")]
    related_locations: Option<[RelatedLocation; 1]>,
    partial_fingerprints: Fingerprints,
    /// SARIF allows this member in all results or in none (section 3.27.23 of the standard).
    suppressions: &'static [Suppression],
    #[serde(skip_serializing_if = "Option::is_none")]
    properties: Option<Omitted>,
}

/// Why a result can be ignored.
#[derive(Serialize)]
struct Suppression {
    kind: &'static str,
    status: &'static str,
    justification: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifLocation<'r> {
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    logical_locations: Option<[LogicalLocation<'r>; 1]>,
}

/// A place outside the return.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RelatedLocation {
    physical_location: PhysicalLocation,
    message: Message,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    region: Region,
}

#[derive(Serialize)]
struct ArtifactLocation {
    uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<Message>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase", untagged)]
enum Region {
    #[serde(rename_all = "camelCase")]
    Span {
        start_line: usize,
        start_column: usize,
        end_line: usize,
        end_column: usize,
        byte_offset: usize,
        byte_length: usize,
    },
    #[serde(rename_all = "camelCase")]
    Line { start_line: usize },
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LogicalLocation<'r> {
    fully_qualified_name: &'r str,
}

/// If the input of the fingerprint changes, the version in the name of the member must change, too.
#[derive(Serialize)]
struct Fingerprints {
    #[serde(rename = "retvalFinding/v1")]
    finding: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Omitted {
    findings_omitted: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    exit_code: u8,
}

#[derive(Serialize)]
struct RunProperties<'r> {
    totals: &'r Totals,
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
        assert_eq!(
            escaped("[a](https://b) {0} [c] (d)"),
            "[a]\\u{{28}}https://b) {{0}} [c] (d)"
        );
    }

    #[test]
    fn a_fingerprint_depends_on_its_parts_and_nothing_else() {
        let of = |parts: &[&str]| fingerprints(parts).finding;
        assert_eq!(of(&["a", "b"]), "1c057ada3d71525f28b5fa00341168bf");
        assert_ne!(of(&["a", "b"]), of(&["ab", ""]));
    }
}
