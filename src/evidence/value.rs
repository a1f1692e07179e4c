//! The value of a claim, and what follows from it.

use crate::evidence::reason::EvidenceReason;
use crate::text::names;

/// What the evidence says of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EvidenceValue {
    /// A source shows that the claim is true.
    Shown,
    /// A complete source shows that it is not.
    Contradicted,
    /// The sources cannot tell.
    Unknown,
}

names! { pub EvidenceValue, "evidence value" {
    Shown = "shown",
    Contradicted = "contradicted",
    Unknown = "unknown",
} }

/// How much evidence counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EvidenceMode {
    /// Nothing is looked at.
    Off,
    /// What is contradicted is a warning.
    Warn,
    /// What is contradicted has the level of its rule.
    #[default]
    Fail,
    /// The same, and an artifact whose work is unknown is an error.
    Require,
}

names! { pub EvidenceMode, "evidence mode" {
    Off = "off",
    Warn = "warn",
    Fail = "fail",
    Require = "require",
} }

/// The value of one claim, and why.
#[derive(Debug, Clone)]
pub(crate) struct Assessment {
    pub(crate) value: EvidenceValue,
    pub(crate) reason: EvidenceReason,
    /// The line of the transcript that says so.
    pub(crate) line: Option<u64>,
}

impl Assessment {
    pub(super) fn shown(reason: EvidenceReason) -> Self {
        Self::of(EvidenceValue::Shown, reason)
    }

    pub(super) fn contradicted(reason: EvidenceReason) -> Self {
        Self::of(EvidenceValue::Contradicted, reason)
    }

    pub(super) fn unknown(reason: impl Into<EvidenceReason>) -> Self {
        Self::of(EvidenceValue::Unknown, reason.into())
    }

    fn of(value: EvidenceValue, reason: EvidenceReason) -> Self {
        let line = reason.call().map(|call| call.line);
        Self {
            value,
            reason,
            line,
        }
    }
}
