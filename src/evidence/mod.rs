//! Checks the claims of a return against the client's transcript of the agent, file times, and the repository.
//!
//! Every claim is [shown, contradicted or unknown](EvidenceValue). Only a complete source can contradict
//! a claim; a missing, partial or unreadable one leaves it unknown. What the return says about itself,
//! such as when the agent began, is not evidence.

mod assessment;
mod calls;
mod changed;
pub(crate) mod claims;
mod delegated;
mod not_there;
mod place;
mod read;
mod receipt;
pub(crate) mod repository;
pub(crate) mod shell;
mod sources;
mod subject;
mod tested;
#[cfg(test)]
mod tests;
mod writes;
mod written;

pub(crate) use assessment::{Assessment, EvidenceMode, EvidenceValue, NO_REPOSITORY, span};
pub(crate) use delegated::given_ids;
pub(crate) use receipt::{Receipt, RunEnd};
pub(crate) use sources::{Record, ReturnIdentity, WorkEvidence};
pub(crate) use subject::Subject;
pub(crate) use tested::TestReceipt;
