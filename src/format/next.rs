//! `next`: what the orchestrator should do, in one word for each return.

use crate::format::{Checked, Reporter, Source};
use crate::profile::Action;

/// Writes one word on a line for each return. The word for a source that could not be read is `stop`.
#[derive(Debug, Clone, Copy)]
pub(super) struct NextWord;

impl Reporter for NextWord {
    fn report(&self, _: &Source<'_>, checked: Checked<'_>, out: &mut Vec<u8>) {
        let action = match checked {
            Checked::Report(report) => report.next().action,
            Checked::Unreadable(_) => Action::Stop,
        };
        out.extend_from_slice(action.as_str().as_bytes());
        out.push(b'\n');
    }
}
