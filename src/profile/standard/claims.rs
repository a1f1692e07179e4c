//! What must hold of the values of a document, besides being there.

use globset::{Glob, GlobMatcher};

use crate::profile::standard::ValuePlace;

/// Conditions on the values of a document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Claims {
    /// The words that values can be.
    pub(crate) values: Vec<AllowedWords>,
    /// The same with some words of the status.
    pub(crate) values_if: Vec<(Vec<String>, Vec<AllowedWords>)>,
    /// Places that have one value.
    pub(crate) same: Vec<Vec<ValuePlace>>,
    /// A total, and its parts.
    pub(crate) sums: Vec<(ValuePlace, Vec<ValuePlace>)>,
    pub(crate) counts: Vec<CountRule>,
}

impl Claims {
    /// Whether values are compared with each other.
    pub(crate) fn compare_values(&self) -> bool {
        !(self.same.is_empty() && self.sums.is_empty() && self.counts.is_empty())
    }

    /// All places of values.
    pub(crate) fn places(&self) -> impl Iterator<Item = &ValuePlace> {
        let conditional = self.values_if.iter().flat_map(|(_, values)| values);
        let values = self.values.iter().chain(conditional);
        let sums = self.sums.iter();
        let counts = self.counts.iter().flat_map(|count| {
            let (CountedThings::Items { place, .. } | CountedThings::Files { folder: place, .. }) =
                &count.counted;
            [&count.number, place]
        });
        values
            .map(|allowed| &allowed.place)
            .chain(self.same.iter().flatten())
            .chain(sums.flat_map(|(total, parts)| std::iter::once(total).chain(parts)))
            .chain(counts)
    }
}

/// The words that a value can be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AllowedWords {
    pub(crate) place: ValuePlace,
    pub(crate) words: Vec<String>,
}

/// A number, and what it counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CountRule {
    pub(crate) number: ValuePlace,
    pub(crate) counted: CountedThings,
}

/// What a number counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CountedThings {
    /// Values, or the items of lists. Of objects only those with these members.
    Items {
        place: ValuePlace,
        members: Vec<(ValuePlace, String)>,
    },
    /// Files in a folder that a place names.
    Files { folder: ValuePlace, glob: PathGlob },
}

/// A glob of paths. A `*` stands for slashes, too.
#[derive(Debug, Clone)]
pub(crate) struct PathGlob {
    glob: Glob,
    matcher: GlobMatcher,
}

impl PathGlob {
    pub(crate) fn new(text: &str) -> Result<Self, globset::Error> {
        let glob = Glob::new(text)?;
        let matcher = glob.compile_matcher();
        Ok(Self { glob, matcher })
    }

    pub(crate) fn as_str(&self) -> &str {
        self.glob.glob()
    }

    pub(crate) fn is_match(&self, path: &str) -> bool {
        self.matcher.is_match(path)
    }
}

impl PartialEq for PathGlob {
    fn eq(&self, other: &Self) -> bool {
        self.glob == other.glob
    }
}

impl Eq for PathGlob {}
