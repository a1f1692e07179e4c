//! Messages of agents that nobody has told how to return.

use std::borrow::Cow;

use crate::profile::{Profile, Shape};

/// Any message that says something. It has no status, no fields and no files. It is not one of
/// [`PROFILES`](crate::profile::PROFILES), which describe documents.
pub static ANY: Profile = Profile {
    id: Cow::Borrowed("any"),
    document: Cow::Borrowed("any message that says something"),
    shape: Shape::Message,
    ..Profile::BASE
};
