//! The groups of options in the help of `check` and `hook`.

pub(crate) const INPUT: &str = "Input";
pub(crate) const EXPECTED: &str = "What is expected";
pub(crate) const RULES: &str = "Rules";
pub(crate) const EVIDENCE: &str = "Evidence";
pub(crate) const OUTPUT: &str = "Output";
pub(crate) const MANY: &str = "Many returns";
pub(crate) const LOG: &str = "Log";
pub(crate) const CONFIGURATION: &str = "Configuration";
