//! Where in a document the values stand that matter, and what must hold there.

use std::borrow::Cow;
use std::path::Path;

use globset::{Glob, GlobMatcher};
use regex::Regex;

use crate::profile::types::with_base;
use crate::profile::{FilePattern, Place, PlacePath, Profile, Schema};

with_base! {
    /// The places of the values that steps look at.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub(crate) struct Roles {
        pub(crate) status: Option<Place> = None,
        pub(crate) session: Option<Place> = None,
        pub(crate) agent: Option<Place> = None,
        pub(crate) summary: Option<Place> = None,
        pub(crate) artifacts: Option<Place> = None,
        /// Files that must be there, whoever wrote them.
        pub(crate) files: Option<Place> = None,
        /// Files that a verdict is about, so that the agent must have read them.
        pub(crate) covers: Option<Place> = None,
        /// Values that must be those of `--given`, by name.
        pub(crate) given: Cow<'static, [(String, Place)]> = Cow::Borrowed(&[]),
        /// Lines of files that the agent cites.
        pub(crate) cites: Option<Place> = None,
        pub(crate) commits: Option<Place> = None,
        pub(crate) tests: Option<Place> = None,
        /// Files that the agent changed, all of them.
        pub(crate) changed: Option<Place> = None,
    }
}

impl Roles {
    pub(crate) fn all(&self) -> impl Iterator<Item = &Place> {
        let named =
            [&self.status, &self.session, &self.agent, &self.summary, &self.artifacts, &self.files];
        let named = named.into_iter().chain(self.claims()).flatten();
        named.chain(self.given.iter().map(|(_, role)| role))
    }

    /// Claims that are compared with more than the return itself.
    fn claims(&self) -> [&Option<Place>; 5] {
        [&self.covers, &self.cites, &self.commits, &self.tests, &self.changed]
    }

    pub(crate) fn has_claims(&self) -> bool {
        self.claims().into_iter().any(Option::is_some)
    }
}

/// Places to which something applies with some statuses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Condition {
    pub(crate) words: Vec<String>,
    pub(crate) places: Vec<Place>,
}

with_base! {
    /// The most that a whole message may have.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct MessageLimits {
        pub(crate) lines: Option<usize> = None,
        pub(crate) characters: Option<usize> = None,
        pub(crate) tokens: Option<usize> = None,
    }
}

impl Profile {
    pub(crate) fn places(&self) -> impl Iterator<Item = &Place> {
        let conditions = self.required_if.iter().chain(&*self.empty_if);
        let schema = self.schema.iter().filter_map(|it| it.place.as_ref());
        (self.roles.all())
            .chain(&*self.required)
            .chain(conditions.flat_map(|condition| &condition.places))
            .chain(schema)
            .chain(self.claims.places())
    }

    pub(crate) fn paths(&self) -> impl Iterator<Item = &PlacePath> {
        self.places().flat_map(|place| &*place.paths)
    }
}

with_base! {
    /// Conditions on the values of a document.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) struct Claims {
        pub(crate) values: Cow<'static, [AllowedWords]> = Cow::Borrowed(&[]),
        /// The same with some words of the status.
        pub(crate) values_if: Cow<'static, [(Vec<String>, Vec<AllowedWords>)]> = Cow::Borrowed(&[]),
        pub(crate) same: Cow<'static, [Vec<Place>]> = Cow::Borrowed(&[]),
        pub(crate) sums: Cow<'static, [(Place, Vec<Place>)]> = Cow::Borrowed(&[]),
        pub(crate) counts: Cow<'static, [CountRule]> = Cow::Borrowed(&[]),
    }
}

impl Claims {
    pub(crate) fn compare_values(&self) -> bool {
        !(self.same.is_empty() && self.sums.is_empty() && self.counts.is_empty())
    }

    pub(crate) fn places(&self) -> impl Iterator<Item = &Place> {
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

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AllowedWords {
    pub(crate) place: Place,
    pub(crate) words: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CountRule {
    pub(crate) number: Place,
    pub(crate) counted: CountedThings,
}

/// What a number counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CountedThings {
    /// Values, or the items of lists. Of objects only those with these members.
    Items { place: Place, members: Vec<(PlacePath, WantedText)> },
    /// Files in a folder that a place names.
    Files { folder: Place, glob: PathGlob },
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct WantedText {
    pub(crate) text: String,
    /// Whether it is a text, and no number or boolean.
    pub(crate) is_text: bool,
}

/// A glob of paths. A `*` stands for slashes, too.
#[derive(Debug, Clone)]
pub(crate) struct PathGlob(GlobMatcher);

impl PathGlob {
    pub(crate) fn new(text: &str) -> Result<Self, globset::Error> {
        let plain = text.trim_start_matches("./").trim_end_matches('/');
        Glob::new(plain).map(|glob| Self(glob.compile_matcher()))
    }

    /// Whether it matches a path or a folder around it.
    pub(crate) fn is_around(&self, path: &Path) -> bool {
        path.ancestors().any(|it| self.0.is_match(it))
    }

    pub(crate) fn as_str(&self) -> &str {
        self.0.glob().glob()
    }

    pub(crate) fn is_match(&self, path: &str) -> bool {
        self.0.is_match(path)
    }
}

/// The group whose text counts.
const GROUP: &str = "value";

const BYTES_AT_MOST: usize = 256 * 1024;

/// A regular expression with a group `value`, which takes linear time. Compiled once.
#[derive(Debug, Clone)]
pub(crate) struct Expression(Regex);

impl Expression {
    pub(crate) fn new(text: &str) -> Result<Self, String> {
        let built = regex::RegexBuilder::new(text).size_limit(BYTES_AT_MOST).build();
        let regex = built.map_err(|error| {
            let text = error.to_string();
            let last = text.lines().last().unwrap_or_default();
            last.trim_start_matches("error: ").to_owned()
        })?;
        if !regex.capture_names().flatten().any(|name| name == GROUP) {
            return Err(format!("it has no group named `{GROUP}`"));
        }
        Ok(Self(regex))
    }

    pub(crate) fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The bytes of a text that its group takes, once for each match. An empty one counts only if there is no other.
    pub(crate) fn find(&self, text: &str) -> Vec<std::ops::Range<usize>> {
        let found = self.0.captures_iter(text);
        let found = found.filter_map(|it| Some(it.name(GROUP)?.range()));
        let (empty, mut filled): (Vec<_>, Vec<_>) = found.partition(std::ops::Range::is_empty);
        if filled.is_empty() {
            filled.extend(empty.into_iter().next());
        }
        filled
    }
}

/// Types of which those are equal that are written alike.
macro_rules! equal_as_written {
    ($($type:ty),+) => {
        $(impl PartialEq for $type {
            fn eq(&self, other: &Self) -> bool {
                self.as_str() == other.as_str()
            }
        }

        impl Eq for $type {})+
    };
}
equal_as_written!(Expression, FilePattern, PathGlob, Schema);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_takes_its_group() {
        let expression = Expression::new(r"^(?<value>[A-Z_]+)\|").expect("valid");
        assert_eq!(expression.find("DONE|a.md"), vec![0..4]);
        assert!(expression.find("done|a.md").is_empty());
        let expression = Expression::new(r"FILE (?<value>\S*)").expect("valid");
        assert_eq!(expression.find("FILE a, FILE \nFILE b"), [5..7, 19..20]);
        assert_eq!(expression.find("FILE "), vec![5..5]);
    }

    #[test]
    fn a_wrong_expression_is_told() {
        let error = |text| Expression::new(text).expect_err("an error");
        assert_eq!(error("(?<value>a"), "unclosed group");
        assert_eq!(error("a"), "it has no group named `value`");
        assert!(error("(?<value>(a{1000}){1000})").contains("size limit"));
    }
}
