//! Arguments that several commands share.

pub(crate) mod config;
pub(crate) mod values;
