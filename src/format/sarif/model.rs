//! The parts of a SARIF log that are written, named as in section 3 of the standard.

use serde::Serialize;

use crate::check::rules::Step;
use crate::format::Totals;

#[derive(Serialize)]
pub(super) struct Tool {
    pub(super) driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Driver {
    pub(super) name: &'static str,
    pub(super) version: &'static str,
    pub(super) semantic_version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) information_uri: Option<&'static str>,
    pub(super) rules: Vec<Descriptor>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Descriptor {
    pub(super) id: &'static str,
    pub(super) name: String,
    pub(super) short_description: Message,
    pub(super) full_description: Message,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) help_uri: Option<String>,
    pub(super) help: Message,
    pub(super) default_configuration: Configuration,
    pub(super) properties: Tags,
}

#[derive(Serialize)]
pub(super) struct Message {
    pub(super) text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) markdown: Option<String>,
}

#[derive(Serialize)]
pub(super) struct Configuration {
    pub(super) enabled: bool,
    pub(super) level: &'static str,
}

#[derive(Serialize)]
pub(super) struct Tags {
    pub(super) tags: Vec<Step>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifResult<'r> {
    pub(super) rule_id: &'static str,
    pub(super) rule_index: usize,
    pub(super) level: &'static str,
    pub(super) message: Message,
    pub(super) locations: [SarifLocation<'r>; 1],
    /// The line of a transcript that contradicts the claim.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) related_locations: Option<[RelatedLocation; 1]>,
    pub(super) partial_fingerprints: Fingerprints,
    /// SARIF allows this member in all results or in none (section 3.27.23 of the standard).
    pub(super) suppressions: &'static [Suppression],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) properties: Option<Omitted>,
}

/// Why a result can be ignored.
#[derive(Serialize)]
pub(super) struct Suppression {
    pub(super) kind: &'static str,
    pub(super) status: &'static str,
    pub(super) justification: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifLocation<'r> {
    pub(super) physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) logical_locations: Option<[LogicalLocation<'r>; 1]>,
}

/// A place outside the return.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RelatedLocation {
    pub(super) physical_location: PhysicalLocation,
    pub(super) message: Message,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PhysicalLocation {
    pub(super) artifact_location: ArtifactLocation,
    pub(super) region: Region,
}

#[derive(Serialize)]
pub(super) struct ArtifactLocation {
    pub(super) uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) description: Option<Message>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase", untagged)]
pub(super) enum Region {
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
pub(super) struct LogicalLocation<'r> {
    pub(super) fully_qualified_name: &'r str,
}

/// If the input of the fingerprint changes, the version in the name of the member must change, too.
#[derive(Serialize)]
pub(super) struct Fingerprints {
    #[serde(rename = "retvalFinding/v1")]
    pub(super) finding: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Omitted {
    pub(super) findings_omitted: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Invocation {
    pub(super) execution_successful: bool,
    pub(super) exit_code: u8,
}

#[derive(Serialize)]
pub(super) struct RunProperties<'r> {
    pub(super) totals: &'r Totals,
}
