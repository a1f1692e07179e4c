//! Step 6: claims that a standard of one's own declares, such as lines that the agent cites. Each is shown,
//! contradicted or unknown; only a contradiction is a finding.

pub(crate) mod changes;
pub(crate) mod cites;
pub(crate) mod commits;
pub(crate) mod counted_tests;
