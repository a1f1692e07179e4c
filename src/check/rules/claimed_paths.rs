//! The files that a return says it wrote: their paths, from every list of its format, and where each path
//! leads, judged by its text alone.

use std::borrow::Cow;
use std::path::Path;

use crate::check::report::{ArtifactReport, ArtifactState};
use crate::check::returned::ReadArtifact;
use crate::check::{Collector, Context, Diagnostic, Placeholder, Values, values};
use crate::profile::Shape;
use crate::root::Root;
use crate::rule::{Rule, Step, ToAgent};
use crate::text::is_blank;

impl ReadArtifact<'_, '_> {
    /// The claim with the state of its file and the size in bytes.
    pub(super) fn report(&self, state: ArtifactState, bytes: Option<u64>) -> ArtifactReport {
        ArtifactReport {
            path: self.path.clone().into_owned(),
            kind: self.kind.clone().map(Cow::into_owned),
            summary: self.summary.clone().map(Cow::into_owned),
            state,
            bytes,
        }
    }

    pub(super) fn diagnostic<'d>(
        &self,
        rule: &'static Rule,
        values: &'d Values<'d>,
    ) -> Diagnostic<'d> {
        Diagnostic::new(rule, self.at, values)
    }
}

/// The value to point at if a return claims no files.
pub(super) fn list(context: &Context<'_, '_>) -> &'static str {
    if context.profile.is_handoff() {
        "status"
    } else {
        "artifacts"
    }
}

pub(super) static PATH: Rule = Rule {
    id: "artifact-path",
    message: "Invalid artifact path: {path} ({why})",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Write paths relative to the project root, with forward slashes",
    ..Rule::error(Step::Artifacts)
};

pub(super) fn report_invalid(
    collector: &mut Collector<'_, '_>,
    claim: &ReadArtifact<'_, '_>,
    why: &'static str,
) {
    // If the path is a required field, a blank one is already reported as an empty field.
    let is_required = collector.context.profile.shape == Shape::Return;
    if is_blank(&claim.path) && is_required {
        return;
    }
    let values = values![path = &claim.path, why = Placeholder::Text(why)];
    collector.add(claim.diagnostic(&PATH, &values));
}

/// Where a path leads, before the file system is read.
pub(super) enum PathTarget<'p> {
    /// Below the root. The path is relative to it.
    Below(Cow<'p, str>),
    /// Outside of the root.
    Outside,
    /// The path cannot name a file, for this reason.
    Invalid(&'static str),
}

impl<'p> PathTarget<'p> {
    pub(super) fn of(path: &'p str, root: &Root) -> Self {
        if let Some(why) = wrong_text(path) {
            return Self::Invalid(why);
        }
        if !path.starts_with('/') {
            return Self::Below(Cow::Borrowed(path));
        }
        match root.below(Path::new(path)) {
            Some(relative) => Self::Below(Cow::Owned(relative.to_string_lossy().into_owned())),
            None => Self::Outside,
        }
    }
}

/// A path in the form in which paths are compared: without `.` and `..`, and relative to the root if it
/// leads there.
pub(super) fn comparable<'p>(path: &'p str, root: &Root) -> Cow<'p, str> {
    let PathTarget::Below(path) = PathTarget::of(path, root) else {
        return Cow::Borrowed(path);
    };
    if is_comparable(&path) {
        return path;
    }
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    Cow::Owned(parts.join("/"))
}

/// Whether a path has no `.`, no `..` and no empty component. Returns false also for a component that
/// merely ends with a dot.
fn is_comparable(path: &str) -> bool {
    let bytes = path.as_bytes();
    let is_after_name = |end: usize| !matches!(bytes[..end].last(), Some(b'.' | b'/'));
    memchr::memchr_iter(b'/', bytes).all(is_after_name) && is_after_name(bytes.len())
}

/// Why the text of a path cannot name a file below the root. None if it can.
fn wrong_text(path: &str) -> Option<&'static str> {
    if is_plain(path) {
        return None;
    }
    let mut start = path.bytes();
    if is_blank(path) {
        Some("is empty")
    } else if path.contains('\0') {
        Some("contains a NUL character")
    } else if path.contains('\\') {
        Some("contains a backslash")
    } else if path.starts_with('~') {
        Some("begins with ~")
    } else if start
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic())
        && start.next() == Some(b':')
    {
        Some("has a drive letter")
    } else if has_scheme(path) {
        Some("is a URL")
    } else {
        None
    }
}

/// Whether a path certainly has none of the faults of `wrong_text`. This is a fast check that most paths
/// pass.
fn is_plain(path: &str) -> bool {
    let starts_plainly = |first: u8| first.is_ascii_alphanumeric() || matches!(first, b'.' | b'/');
    let bytes = path.as_bytes();
    let is_marked = memchr::memchr3(b'\0', b'\\', b':', bytes).is_some();
    bytes.first().copied().is_some_and(starts_plainly) && !is_marked
}

fn has_scheme(path: &str) -> bool {
    let Some((scheme, rest)) = path.split_once(':') else {
        return false;
    };
    let is_scheme = !scheme.is_empty()
        && scheme
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    is_scheme
        && (rest.starts_with("//")
            || ["file", "data"]
                .iter()
                .any(|known| scheme.eq_ignore_ascii_case(known)))
}

#[cfg(test)]
mod tests {
    use super::wrong_text;

    #[test]
    fn texts_that_cannot_name_a_file_of_the_project() {
        for path in [
            "a\0b",
            "a\\b.md",
            "~/a.md",
            "~root/a",
            "C:/a.md",
            "c:a",
            "https://x.test/a",
            "file:/etc/passwd",
            "FILE:a",
            "data:a",
            "git+ssh://x",
        ] {
            assert!(wrong_text(path).is_some(), "{path}");
        }
        for path in [
            "a.md",
            "specs/a b/ü.md",
            "notes:draft.md",
            "a~b",
            "12:30.md",
            "./x",
            "../x",
            "://x",
            "a b://c",
        ] {
            assert!(wrong_text(path).is_none(), "{path}");
        }
    }
}
