//! Claims that a standard of one's own declares, each compared with what there is: files, the record of
//! the agent, the repository, or its own numbers.

pub(crate) mod cite;
pub(crate) mod commit;
mod quote;
pub(crate) mod tally;
