//! Finds the file that was probably meant, if a claimed one does not exist.
//!
//! The folder is listed once, for the first missing file: without links, and at most 10,000 entries, the
//! upper folders first. What was not listed is not suggested. A suggested file was looked
//! up like any other, so it is below the root.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;
use std::path::Path;

use crate::root::{Found, Root};

/// The most entries that are listed.
const ENTRIES: usize = 10_000;

/// Folders with many files that no agent claims.
const PASSED_OVER: [&str; 2] = [".git", "node_modules"];

/// The shortest name, without what stands behind its last dot, that may have a slip, in characters. Of
/// shorter ones, too many are alike.
const SLIP_FROM: usize = 4;

#[derive(Debug, Default)]
pub(super) struct NearFiles {
    paths: Vec<String>,
    /// Which of the paths are in a folder.
    folders: HashMap<String, Range<usize>>,
    /// Which of the paths have a name, in lower case.
    names: HashMap<String, Vec<usize>>,
}

impl Root {
    /// The path of the file that was probably meant by that of a missing one. None if there is none, or
    /// if there are several.
    pub(crate) fn near(&self, missing: &str) -> Option<String> {
        let plain = without_line(missing.trim()).trim_start_matches("./");
        let own = self.place.file_name().and_then(|name| name.to_str());
        let below = own.and_then(|own| plain.strip_prefix(own)?.strip_prefix('/'));
        let is_file = |path: &&str| {
            let found = self.stat(Path::new(path), false);
            matches!(found, Found::File { .. } | Found::Empty)
        };
        let written = [Some(plain), below].into_iter().flatten();
        if let Some(path) = written.filter(|path| *path != missing).find(is_file) {
            return Some(path.to_owned());
        }
        let files = self.near.get_or_init(|| NearFiles::below(&self.place));
        let near = files.named_like(plain).or_else(|| files.beside(plain))?;
        is_file(&near).then(|| near.to_owned())
    }
}

/// A path without the line and column that stand behind it, as in `src/main.rs:12:3` or `#L12`.
fn without_line(path: &str) -> &str {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    if let Some((before, _)) = path.rsplit_once("#L").filter(|it| is_number(it.1)) {
        return before;
    }
    let mut path = path;
    while let Some((before, _)) = path.rsplit_once(':').filter(|it| is_number(it.1)) {
        path = before;
    }
    path
}

impl NearFiles {
    fn below(root: &Path) -> Self {
        let mut files = Self::default();
        let mut folders = VecDeque::from([String::new()]);
        let mut left = ENTRIES;
        while let Some(folder) = folders.pop_front() {
            let first = files.paths.len();
            for entry in root
                .join(&folder)
                .read_dir()
                .into_iter()
                .flatten()
                .flatten()
            {
                if left == 0 {
                    break;
                }
                left -= 1;
                let (Ok(name), Ok(kind)) = (entry.file_name().into_string(), entry.file_type())
                else {
                    continue;
                };
                // The type is that of the entry itself: a link is neither a file nor a folder.
                if kind.is_file() {
                    files.add(&folder, &name);
                } else if kind.is_dir() && !PASSED_OVER.contains(&name.as_str()) {
                    folders.push_back(format!("{folder}{name}/"));
                }
            }
            files.folders.insert(folder, first..files.paths.len());
        }
        files
    }

    fn add(&mut self, folder: &str, name: &str) {
        let at = self.paths.len();
        self.names.entry(name.to_lowercase()).or_default().push(at);
        self.paths.push(format!("{folder}{name}"));
    }

    /// The file of the same name, apart from case, whose folders are most like those of `path`.
    fn named_like(&self, path: &str) -> Option<&str> {
        let (_, name) = split(path);
        let like = |other: &str| {
            let parts = path.rsplit('/').zip(other.rsplit('/'));
            let same = parts.take_while(|(one, other)| one.to_lowercase() == other.to_lowercase());
            (same.count(), split(other).1 == name)
        };
        let named = self.names.get(&name.to_lowercase())?.iter();
        only_best(named.map(|at| self.paths[*at].as_str()), like)
    }

    /// The file in the same folder whose name has one letter more, less, or another one, or two that
    /// are swapped.
    fn beside(&self, path: &str) -> Option<&str> {
        let (folder, name) = split(path);
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        if stem.chars().count() < SLIP_FROM {
            return None;
        }
        // Numbered files are often alike, and each is another one.
        let digits = |text: &str| -> Vec<u8> { text.bytes().filter(u8::is_ascii_digit).collect() };
        let is_near = |other: &str| {
            let is_as_long = name.len().abs_diff(other.len()) <= char::MAX.len_utf8();
            is_as_long && digits(name) == digits(other) && strsim::osa_distance(name, other) == 1
        };
        let there = &self.paths[self.folders.get(folder)?.clone()];
        let near = there.iter().map(String::as_str);
        only_best(near.filter(|other| is_near(split(other).1)), |_| ())
    }
}

/// The item with the highest value. None if several have it.
fn only_best<'i, Value: Ord>(
    items: impl Iterator<Item = &'i str> + Clone,
    value: impl Fn(&str) -> Value,
) -> Option<&'i str> {
    let best = items.clone().map(&value).max()?;
    let mut best = items.filter(|it| value(it) == best);
    best.next().filter(|_| best.next().is_none())
}

/// The folder with its slash, and the name.
fn split(path: &str) -> (&str, &str) {
    path.split_at(path.rfind('/').map_or(0, |slash| slash + 1))
}
