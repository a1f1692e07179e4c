//! `retval hook`, as the clients call it.

mod answers;
mod bound;
mod caller;
mod captured;
#[path = "../common/mod.rs"]
mod common;
mod endings;
mod folders;
mod gemini;
mod install;
mod memory;
mod never_blocks;
mod state;
mod trace;
mod transcripts;
mod trial;
mod unconfigured;
