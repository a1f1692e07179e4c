//! How much a rule counts.

use crate::text::names;

names! {
    /// How much a rule counts.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Level: "level" {
        /// The rule is not checked.
        Off = "off",
        /// It is reported, and the return can be valid.
        Warning = "warning",
        /// The return is not valid.
        Error = "error",
    }
}
