//! The values of claims, and how much they count.

use crate::evidence::reason::EvidenceReason;
use crate::text::names;

names! {
    /// What the evidence says about a claim.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum EvidenceValue: "evidence value" {
        /// A source shows that the claim is true.
        Shown = "shown",
        /// A complete source shows that the claim is false.
        Contradicted = "contradicted",
        /// The sources do not show whether the claim is true.
        Unknown = "unknown",
    }
}

names! {
    /// How much evidence counts.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub(crate) enum EvidenceMode: "evidence mode" {
        /// No evidence is looked at.
        Off = "off",
        /// A contradicted claim is a warning.
        Warn = "warn",
        /// A contradicted claim has the level of its rule.
        #[default]
        Fail = "fail",
        /// Like `Fail`. In addition, it is an error if nothing shows that the agent wrote an artifact.
        Require = "require",
    }
}

/// The value of one claim, and the reason for it.
#[derive(Debug, Clone)]
pub(crate) struct Assessment {
    pub(crate) value: EvidenceValue,
    pub(crate) reason: EvidenceReason,
    /// The line of the transcript with the call that the reason is about, from 1.
    pub(crate) line: Option<u64>,
}

impl Assessment {
    pub(super) fn shown(reason: impl Into<EvidenceReason>) -> Self {
        Self::of(EvidenceValue::Shown, reason.into())
    }

    pub(super) fn contradicted(reason: impl Into<EvidenceReason>) -> Self {
        Self::of(EvidenceValue::Contradicted, reason.into())
    }

    pub(crate) fn unknown(reason: impl Into<EvidenceReason>) -> Self {
        Self::of(EvidenceValue::Unknown, reason.into())
    }

    fn of(value: EvidenceValue, reason: EvidenceReason) -> Self {
        let line = reason.call.as_ref().map(|call| call.line);
        Self {
            value,
            reason,
            line,
        }
    }
}
