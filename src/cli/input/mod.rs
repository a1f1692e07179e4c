//! Finds and reads the returns to check. All reading of returns is in this module.
//!
//! A [`Feed`] yields work in the order of the command line: a batch of files or a block of lines at
//! a time. It never has more than that in memory.

mod extension;
mod feed;
mod files;
mod found_files;
mod globs;
mod lines;
mod listing;
mod origin;
mod path_list;
mod single;
mod walk;

pub(crate) use feed::{Feed, FeedOptions, Job};
pub(crate) use files::{Opener, open_found};
pub(crate) use globs::{GlobList, Globs, OtherReturns};
pub(crate) use lines::Block;
pub(crate) use origin::{InputEntry, Origin, shown_name};
pub(crate) use single::read_one;
