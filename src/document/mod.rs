//! Documents: how a text is read into one tree of values.

pub(crate) mod json;
pub(crate) mod tree;
