//! Memory of reports that nobody needs any more, for the next reports of the same thread.
//!
//! Threads wait for each other where they ask for memory and give it back. A thread that checks one
//! return after the other needs the same few buffers each time.

use std::cell::RefCell;

use crate::finding::Finding;
use crate::report::{ArtifactReport, Report};

/// The most texts of findings that are kept: few returns have more findings.
const TEXTS: usize = 8;

/// The most bytes or items that a buffer which is kept may have room for. A hostile return can make one
/// as large as itself.
const LARGEST: usize = 1024;

#[derive(Default)]
struct Recycled {
    findings: Vec<Finding>,
    texts: Vec<String>,
    artifacts: Vec<ArtifactReport<'static>>,
}

thread_local! {
    static RECYCLED: RefCell<Recycled> = RefCell::default();
}

/// An empty list of findings.
pub(crate) fn findings() -> Vec<Finding> {
    take(|recycled| std::mem::take(&mut recycled.findings))
}

/// An empty text with room for that many bytes.
pub(crate) fn text(bytes: usize) -> String {
    let mut text = take(|recycled| recycled.texts.pop().unwrap_or_default());
    text.reserve(bytes);
    text
}

/// An empty list with room for that many artifacts.
pub(crate) fn artifacts<'t>(count: usize) -> Vec<ArtifactReport<'t>> {
    let mut artifacts = take(|recycled| std::mem::take(&mut recycled.artifacts));
    artifacts.reserve_exact(count);
    artifacts
}

fn take<T: Default>(take: impl FnOnce(&mut Recycled) -> T) -> T {
    RECYCLED.with(|recycled| {
        recycled
            .try_borrow_mut()
            .map_or_else(|_| T::default(), |mut it| take(&mut it))
    })
}

impl Report<'_> {
    /// Gives the memory of this report to the next reports that the same thread makes.
    pub fn recycle(self) {
        let Self {
            mut findings,
            artifacts,
            ..
        } = self;
        if findings.capacity() == 0 && artifacts.capacity() == 0 {
            return;
        }
        take(|recycled| {
            for finding in findings.drain(..) {
                let text = finding.texts.into_memory();
                if recycled.texts.len() < TEXTS && text.capacity() <= LARGEST {
                    recycled.texts.push(text);
                }
            }
            if findings.capacity() <= LARGEST {
                recycled.findings = findings;
            }
            if artifacts.capacity() <= LARGEST {
                recycled.artifacts = emptied(artifacts);
            }
        });
    }
}

/// The memory of a list, which borrows nothing any more.
fn emptied(mut artifacts: Vec<ArtifactReport<'_>>) -> Vec<ArtifactReport<'static>> {
    artifacts.clear();
    let nothing = artifacts.into_iter().map(ArtifactReport::into_owned);
    nothing.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_keeps_its_memory() {
        let artifacts = Vec::with_capacity(9);
        assert_eq!(emptied(artifacts).capacity(), 9);
    }
}
