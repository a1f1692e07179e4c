//! Finds and reads the returns to check. All reading of returns is in this module.
//!
//! A [`Feed`] yields work in the order of the command line: a batch of files or a block of lines at
//! a time. It never has more than that in memory.

mod feed;
mod find;
mod globs;
mod lines;
mod read;

pub(crate) use feed::{Feed, FeedOptions, Job};
pub(crate) use find::{InputEntry, Origin, shown_name};
pub(crate) use globs::{GlobList, Globs, ReturnNames};
pub(crate) use read::{Opener, open_found, read_one};
