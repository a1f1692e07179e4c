//! What a return claims: files, work that evidence was looked for, and the chain of its delegations.

use std::borrow::Cow;

use crate::check::report::owned;
use crate::evidence::EvidenceValue;
use crate::rule::Rule;
use crate::text::names;

names! {
    /// What was found at the path of an artifact.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum ArtifactState: "artifact state" {
        /// A file with content.
        Ok = "ok",
        /// A file of 0 bytes.
        Empty = "empty",
        /// Nothing exists there.
        NotFound = "not-found",
        /// A folder, a FIFO, a device or a socket.
        NotAFile = "not-a-file",
        /// The path leaves the root.
        OutsideRoot = "outside-root",
        /// The text is not a valid path below the root.
        InvalidPath = "invalid-path",
        /// It exists, but cannot be read.
        Unreadable = "unreadable",
        /// It was not looked up, because the status does not claim success and no rule needs the file.
        Unchecked = "unchecked",
    }
}

/// A file that the return claims to have written.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ArtifactReport<'t> {
    /// The path, exactly as the return has it: not safe to print.
    pub path: Cow<'t, str>,
    /// Its type, if the return gives one.
    pub kind: Option<Cow<'t, str>>,
    /// What it contains, as stated by the return.
    pub summary: Option<Cow<'t, str>>,
    /// What was found.
    pub state: ArtifactState,
    /// The size in bytes, if there is a file.
    pub bytes: Option<u64>,
}

impl ArtifactReport<'_> {
    /// Returns the same report without borrows from the checked text.
    pub(crate) fn into_owned(self) -> ArtifactReport<'static> {
        ArtifactReport {
            path: owned(self.path),
            kind: self.kind.map(owned),
            summary: self.summary.map(owned),
            state: self.state,
            bytes: self.bytes,
        }
    }
}

/// What the evidence shows about the claims of a return.
#[derive(Debug, Clone)]
pub(crate) struct EvidenceReport {
    /// The name of the transcript, if there is one: not safe to print.
    pub transcript: Option<String>,
    /// The claims, in the order of the steps; at most [`Report::FINDINGS_KEPT`](crate::Report::FINDINGS_KEPT).
    pub claims: Vec<ClaimReport>,
}

/// What the evidence shows about one claim of a return.
#[derive(Debug, Clone)]
pub(crate) struct ClaimReport {
    /// The rule that is broken if the claim is contradicted.
    pub rule: &'static Rule,
    /// The handoff file that has the claim, if the return itself has not: not safe to print.
    pub file: Option<String>,
    /// RFC 6901 pointer to the claim. Not safe to print.
    pub pointer: String,
    /// The file that the claim is about, exactly as the return has it: not safe to print.
    pub path: Option<String>,
    /// Whether the evidence shows or contradicts the claim.
    pub value: EvidenceValue,
    /// Why it has that value, in a few words. Safe to print.
    pub reason: String,
    /// The line of the transcript that shows this, from 1.
    pub line: Option<u64>,
}
