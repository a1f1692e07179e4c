//! What transcripts and repositories show of the claims of a return.

mod audit;
mod bounds;
mod claims;
#[path = "../common/mod.rs"]
mod common;
mod transcript_changes;
