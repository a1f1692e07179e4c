//! The globs of `[hook.agents]`, as sets. A set is compiled once, and one search finds all its globs
//! that match.

use std::sync::OnceLock;

use globset::{Glob, GlobSet};

/// Most bytes of a glob. Names of agents are short, and sets of longer globs could be too large to
/// compile.
pub(super) const BYTES_AT_MOST: usize = 1_000;

/// Most globs in a set.
const SET_AT_MOST: usize = 64;

/// Globs in the order of the file. They are compiled when they are first needed.
#[derive(Debug, Default)]
pub(super) struct AgentGlobs {
    globs: Vec<Glob>,
    sets: OnceLock<Vec<GlobSet>>,
}

impl AgentGlobs {
    pub(super) fn new(globs: Vec<Glob>) -> Self {
        Self {
            globs,
            sets: OnceLock::new(),
        }
    }

    /// The index of the first glob that matches.
    pub(super) fn first_match(&self, name: &str) -> Option<usize> {
        let mut sets = self.sets().iter().enumerate();
        sets.find_map(|(number, set)| Some(number * SET_AT_MOST + set.matches(name).first()?))
    }

    fn sets(&self) -> &[GlobSet] {
        self.sets.get_or_init(|| {
            let sets = self.globs.chunks(SET_AT_MOST).map(GlobSet::new);
            // This cannot fail: each glob is valid, and a set of them is not too large.
            sets.map(Result::unwrap_or_default).collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn globs(texts: impl IntoIterator<Item = String>) -> AgentGlobs {
        let globs = texts.into_iter().map(|text| Glob::new(&text));
        AgentGlobs::new(globs.map(|glob| glob.expect("a glob")).collect())
    }

    #[test]
    fn the_first_of_several_matches_counts() {
        let all = globs(["b*", "a?c", "*", "abc"].map(str::to_owned));
        for (name, first) in [("abc", 1), ("bb", 0), ("x", 2)] {
            assert_eq!(all.first_match(name), Some(first), "{name}");
        }
        assert_eq!(globs([]).first_match("x"), None);
    }

    #[test]
    fn many_globs_and_large_ones_are_found_in_their_order() {
        let many = globs((0..5_000).map(|number| format!("agent-{number}-*[a-f]")));
        for number in [0, SET_AT_MOST - 1, SET_AT_MOST, 4_999] {
            let name = format!("agent-{number}-xb");
            assert_eq!(many.first_match(&name), Some(number));
        }
    }

    #[test]
    fn a_set_of_the_longest_globs_can_be_compiled() {
        for part in ["*", "?", "[!a-f]", "a", "**/", "ü"] {
            let long = part.repeat((BYTES_AT_MOST - 2) / part.len());
            let all = globs((10..10 + SET_AT_MOST).map(|number| format!("{number}{long}")));
            assert!(GlobSet::new(&all.globs).is_ok(), "{part}");
        }
    }
}
