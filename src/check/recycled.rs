//! Buffers of reports that are done with, kept for the next reports of the same thread.
//!
//! The allocator of the release file has one lock for all threads, so threads that allocate and free wait
//! for each other. A thread that checks one return after the other needs the same few buffers each time.

use std::cell::{Cell, RefCell};
use std::mem::take;

use crate::check::finding::Finding;
use crate::check::report::{ArtifactReport, Report};

/// How many texts of findings are kept at most: few returns have more findings.
const TEXTS: usize = 8;

/// The largest capacity of a buffer that is kept, in bytes or items. A hostile return can make a buffer as
/// large as itself.
const LARGEST: usize = 1024;

#[derive(Default)]
struct Recycled {
    findings: Vec<Finding>,
    texts: Vec<String>,
    artifacts: Vec<ArtifactReport<'static>>,
}

impl Recycled {
    fn keep_text(&mut self, mut text: String) {
        if self.texts.len() < TEXTS && text.capacity() <= LARGEST {
            text.clear();
            self.texts.push(text);
        }
    }
}

thread_local! {
    static RECYCLED: RefCell<Recycled> = RefCell::default();
    /// Whether the thread has kept anything yet. Until then `RECYCLED` is not touched: its first use takes
    /// system calls, which a thread that checks a single return need not make.
    static IS_USED: Cell<bool> = const { Cell::new(false) };
}

pub(crate) fn take_findings() -> Vec<Finding> {
    from_thread(|recycled| take(&mut recycled.findings))
}

/// Takes an empty text with room for that many bytes.
pub(crate) fn take_text(bytes: usize) -> String {
    let mut text = from_thread(|recycled| recycled.texts.pop().unwrap_or_default());
    text.reserve(bytes);
    text
}

/// Takes an empty list with room for that many artifacts.
pub(crate) fn take_artifacts<'t>(count: usize) -> Vec<ArtifactReport<'t>> {
    let mut artifacts = from_thread(|recycled| take(&mut recycled.artifacts));
    artifacts.reserve_exact(count);
    artifacts
}

/// Lends an empty text to `act`.
pub(crate) fn with_text<T>(act: impl FnOnce(&mut String) -> T) -> T {
    let mut text = take_text(0);
    let done = act(&mut text);
    if IS_USED.get() {
        of_thread(|recycled| recycled.keep_text(text));
    }
    done
}

fn from_thread<T: Default>(act: impl FnOnce(&mut Recycled) -> T) -> T {
    if IS_USED.get() {
        of_thread(act)
    } else {
        T::default()
    }
}

fn of_thread<T: Default>(act: impl FnOnce(&mut Recycled) -> T) -> T {
    RECYCLED.with(|recycled| {
        recycled
            .try_borrow_mut()
            .map_or_else(|_| T::default(), |mut it| act(&mut it))
    })
}

impl Report<'_> {
    /// Empties its lists of findings and artifacts, and keeps their memory for the next reports that the
    /// same thread makes.
    pub(crate) fn recycle(&mut self) {
        if self.findings.capacity() > 0 || self.artifacts.capacity() > 0 {
            keep(take(&mut self.findings), take(&mut self.artifacts));
        }
    }
}

fn keep(mut findings: Vec<Finding>, artifacts: Vec<ArtifactReport<'_>>) {
    IS_USED.set(true);
    of_thread(|recycled| {
        for finding in findings.drain(..) {
            let (text, notes) = finding.texts.into_memory();
            recycled.keep_text(text);
            for note in notes {
                recycled.keep_text(note);
            }
        }
        keep_larger(&mut recycled.findings, findings);
        keep_larger(&mut recycled.artifacts, emptied(artifacts));
    });
}

fn keep_larger<T>(kept: &mut Vec<T>, other: Vec<T>) {
    if (kept.capacity()..=LARGEST).contains(&other.capacity()) {
        *kept = other;
    }
}

/// The list without its items, so that it borrows nothing. It keeps its capacity.
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

    #[test]
    fn the_largest_list_is_kept_unless_it_is_too_large() {
        let mut kept = Vec::<u8>::new();
        for (other, expected) in [(5, 5), (0, 5), (LARGEST, LARGEST), (LARGEST + 1, LARGEST)] {
            keep_larger(&mut kept, Vec::with_capacity(other));
            assert_eq!(kept.capacity(), expected);
        }
    }
    #[test]
    fn memory_of_earlier_reports_leaves_no_trace_in_later_ones() {
        let fixtures = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
        let root = crate::Root::open(fixtures.join("project")).expect("a root");
        let checker = crate::Checker::new(&crate::RETURN, &root);
        let returns = [
            "profiles/return/completed-plan.json",
            "rules/artifact-not-found/fail/phantom.json",
            "rules/json-syntax/fail/comment.json",
            "rules/artifact-empty/fail/zero-bytes.json",
        ];
        let returns = returns.map(|path| std::fs::read(fixtures.join(path)).expect("a return"));
        let render = |bytes: &Vec<u8>| crate::Format::Json.render(&checker.check(bytes), "return");
        let expected: Vec<_> = returns.iter().map(render).collect();
        for first in &returns {
            for (second, expected) in returns.iter().zip(&expected) {
                for earlier in [second, first] {
                    checker.check(earlier).recycle();
                }
                assert_eq!(&render(second), expected);
            }
        }
    }
}
