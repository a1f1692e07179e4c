//! The files that a return says it wrote: their paths, from every list of its format, and where each path
//! leads, judged by its text alone.

use std::borrow::Cow;
use std::path::Path;

use crate::check::report::{ArtifactReport, ArtifactState};
use crate::check::{Collector, Diagnostic, Value, Values, values};
use crate::json::field::{Field, FieldList};
use crate::json::pointer::Pointer;
use crate::profile::document::{Artifact, Handoff, OwnPath, Returned};
use crate::root::Root;
use crate::rule::{Rule, Step, ToAgent};
use crate::text::is_blank;

/// One claimed path and its position in the return.
#[derive(Clone, Copy)]
pub(super) struct ClaimedPath<'r, 't> {
    pub(super) path: &'r Cow<'t, str>,
    list: &'static str,
    place: ClaimSource<'r>,
    /// The entry with the path, if it is an artifact with a type and a summary.
    entry: Option<&'r Artifact<'t>>,
}

#[derive(Clone, Copy)]
enum ClaimSource<'r> {
    Artifact(usize),
    Item(usize),
    Named(&'r str),
    Own(&'r Pointer<'static>),
}

impl<'r, 't> ClaimedPath<'r, 't> {
    /// A path of a standard of one's own.
    fn own(path: &'r OwnPath<'t>) -> Self {
        Self {
            path: &path.path,
            list: "",
            place: ClaimSource::Own(&path.pointer),
            entry: None,
        }
    }

    fn kind(&self) -> Option<Cow<'t, str>> {
        self.entry?.kind.present().cloned()
    }

    fn summary(&self) -> Option<Cow<'t, str>> {
        self.entry?.summary.present().cloned()
    }

    /// The claim with the state of its file and the size in bytes.
    pub(super) fn report(&self, state: ArtifactState, bytes: Option<u64>) -> ArtifactReport<'t> {
        ArtifactReport {
            path: self.path.clone(),
            kind: self.kind(),
            summary: self.summary(),
            state,
            bytes,
        }
    }

    /// Whether the path is a required field. A blank one is then reported as an empty field.
    fn is_required(&self) -> bool {
        matches!(self.place, ClaimSource::Artifact(_))
    }

    pub(super) fn diagnostic<'d>(
        &self,
        rule: &'static Rule,
        values: &'d Values<'d>,
    ) -> Diagnostic<'d>
    where
        'r: 'd,
    {
        Diagnostic::new(rule, self.pointer(), values).string(self.path)
    }

    pub(super) fn pointer(&self) -> Pointer<'r> {
        let list = Pointer::root().key(self.list);
        match self.place {
            ClaimSource::Artifact(index) => list.index(index).key("path"),
            ClaimSource::Item(index) => list.index(index),
            ClaimSource::Named(name) => list.key(name),
            ClaimSource::Own(pointer) => pointer.clone(),
        }
    }
}

/// The number of entries in the lists of a return, including invalid ones. None if `artifacts` is
/// missing or not a list; a handoff always has a number.
pub(crate) fn count(returned: Returned<'_, '_>) -> Option<usize> {
    match returned {
        Returned::Return(returned) => returned.artifacts.present().map(FieldList::len),
        Returned::Handoff(handoff) => {
            let lists = handoff_lists(handoff).map(|(_, paths)| paths.len());
            let named = handoff
                .artifacts
                .present()
                .map_or(0, |artifacts| artifacts.0.len());
            Some(lists.iter().sum::<usize>() + named)
        }
        Returned::Own(own) => Some(own.artifacts.len() + own.unreadable),
    }
}

/// The member to point at if a return claims no files.
pub(super) fn list(returned: Returned<'_, '_>) -> &'static str {
    match returned {
        Returned::Return(_) | Returned::Own(_) => "artifacts",
        Returned::Handoff(_) => "status",
    }
}

/// Calls `visit` with every path that `returned` claims, in the order of its lists.
pub(super) fn each<'r, 't>(returned: Returned<'r, 't>, visit: &mut dyn FnMut(ClaimedPath<'r, 't>)) {
    match returned {
        Returned::Return(returned) => {
            let artifacts = returned.artifacts.items();
            for (index, artifact) in artifacts.iter().enumerate() {
                let entry = artifact.present();
                if let Some(path) = entry.and_then(|entry| entry.path.present()) {
                    visit(ClaimedPath {
                        path,
                        list: "artifacts",
                        place: ClaimSource::Artifact(index),
                        entry,
                    });
                }
            }
        }
        Returned::Handoff(handoff) => each_of_handoff(handoff, visit),
        Returned::Own(own) => own.artifacts.iter().map(ClaimedPath::own).for_each(visit),
    }
}

fn each_of_handoff<'r, 't>(handoff: &'r Handoff<'t>, visit: &mut dyn FnMut(ClaimedPath<'r, 't>)) {
    for (list, paths) in handoff_lists(handoff) {
        for (index, path) in paths.iter().enumerate() {
            if let Some(path) = path.present() {
                visit(ClaimedPath {
                    path,
                    list,
                    place: ClaimSource::Item(index),
                    entry: None,
                });
            }
        }
    }
    for (name, path) in handoff
        .artifacts
        .present()
        .map_or(&[][..], |artifacts| &artifacts.0)
    {
        if let Some(path) = path.present() {
            visit(ClaimedPath {
                path,
                list: "artifacts",
                place: ClaimSource::Named(name),
                entry: None,
            });
        }
    }
}

type PathFields<'r, 't> = &'r [Field<Cow<'t, str>>];

fn handoff_lists<'r, 't>(handoff: &'r Handoff<'t>) -> [(&'static str, PathFields<'r, 't>); 2] {
    [
        ("files_created", &handoff.files_created),
        ("files_modified", &handoff.files_modified),
    ]
    .map(|(name, list)| (name, list.items()))
}

pub(super) static PATH: Rule = Rule {
    id: "artifact-path",
    message: "Invalid artifact path: {path} ({why})",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Write paths relative to the project root, with forward slashes",
    source: "Subagent return format 1.0, artifacts, path; Subagent return format, artifacts",
    ..Rule::error(Step::Artifacts)
};

pub(super) fn report_invalid(
    collector: &mut Collector<'_, '_>,
    claim: &ClaimedPath<'_, '_>,
    why: &'static str,
) {
    // If the path is a required field, a blank one is already reported as an empty field.
    if is_blank(claim.path) && claim.is_required() {
        return;
    }
    let values = values![path = claim.path, why = Value::Text(why)];
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
