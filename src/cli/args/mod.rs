//! Arguments shared by several commands.

pub(crate) mod config;
pub(crate) mod heading;
pub(crate) mod values;
