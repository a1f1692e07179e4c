//! The files that a return says it wrote: where each path leads, judged by its text, and what is there.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use crate::check::Context;
use crate::root::{Found, Root};
use crate::text::is_blank;

/// Where a path leads, before the file system is read.
pub(super) enum PathTarget<'p> {
    /// Below the root. The path is relative to it.
    Below(Cow<'p, str>),
    Outside,
    /// The path cannot name a file, for this reason.
    Invalid(&'static str),
}

impl<'p> PathTarget<'p> {
    pub(super) fn of(path: &'p str, root: &Root) -> Self {
        if let Some(why) = wrong_text(path) {
            return Self::Invalid(why);
        }
        if is_relative(path) {
            return Self::Below(Cow::Borrowed(path));
        }
        let below = if path.starts_with('/') {
            root.below(Path::new(path))
        } else {
            root.below(&root.absolute(Path::new(path)))
        };
        let shown = |relative: PathBuf| relative.to_string_lossy().into_owned().into();
        below.map_or(Self::Outside, |relative| Self::Below(shown(relative)))
    }
}

/// Whether a path begins in the root. One that begins with `..` may lead back into it.
pub(super) fn is_relative(path: &str) -> bool {
    !path.starts_with('/') && path.split('/').next() != Some("..")
}

/// What is at a path below the root, or below another folder of the profile. With `with_content`, also whether
/// it has visible content. An error says why the path cannot name a file.
pub(super) fn look_up(
    context: &Context<'_, '_>,
    path: &str,
    with_content: bool,
) -> Result<Found, &'static str> {
    let found = match PathTarget::of(path, context.root) {
        PathTarget::Below(relative) => context.root.stat(Path::new(&*relative), with_content),
        PathTarget::Outside => Found::Outside,
        PathTarget::Invalid(why) => return Err(why),
    };
    if found != Found::Outside {
        return Ok(found);
    }
    let absolute = context.root.absolute(Path::new(path));
    let below = |folder: &PathBuf| {
        let root = Root::open(folder).ok()?;
        let found = root.stat(&root.below(&absolute)?, with_content);
        (found != Found::Outside).then_some(found)
    };
    let found = context.profile.extra_roots.iter().find_map(below);
    Ok(found.unwrap_or(Found::Outside))
}

/// A path as paths are compared: without `.` and `..`, and relative to the root if it leads there.
pub(super) fn comparable<'p>(path: &'p str, root: &Root) -> Cow<'p, str> {
    let PathTarget::Below(path) = PathTarget::of(path, root) else {
        return Cow::Borrowed(path);
    };
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

/// Why the text of a path cannot name a file below the root. None if it can.
fn wrong_text(path: &str) -> Option<&'static str> {
    let has_drive = matches!(path.as_bytes(), [first, b':', ..] if first.is_ascii_alphabetic());
    let faults = [
        (is_blank(path), "is empty"),
        (path.contains('\0'), "contains a NUL character"),
        (path.contains('\\'), "contains a backslash"),
        (path.starts_with('~'), "begins with ~"),
        (has_drive, "has a drive letter"),
        (has_scheme(path), "is a URL"),
    ];
    let mut faults = faults.into_iter();
    faults.find_map(|(is_wrong, why)| is_wrong.then_some(why))
}

fn has_scheme(path: &str) -> bool {
    let (scheme, rest) = path.split_once(':').unwrap_or_default();
    let is_of_scheme = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    let mut local = ["file", "data"].iter();
    let is_local = local.any(|known| scheme.eq_ignore_ascii_case(known));
    let is_scheme = !scheme.is_empty() && scheme.bytes().all(is_of_scheme);
    is_scheme && (is_local || rest.starts_with("//"))
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
