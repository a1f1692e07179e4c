//! The groups of options in the help of `check` and `hook`.

pub(crate) const INPUT: &str = "Input";
pub(crate) const EXPECTED: &str = "Expected";
pub(crate) const EVIDENCE: &str = "Evidence";
pub(crate) const RULES: &str = "Rules";
pub(crate) const OUTPUT: &str = "Output";
pub(crate) const FILES: &str = "Files";
pub(crate) const LOG: &str = "Log";
pub(crate) const SETTINGS: &str = "Settings";
