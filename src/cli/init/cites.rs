//! Whether each line of a profile names only what the cited line of the definition says.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::Root;
use crate::cli::init::definitions::BYTES_AT_MOST;
use crate::text::escape::{full, truncated};

/// What is wrong with a line of a file.
pub(super) struct Problem {
    pub(super) line: usize,
    /// Whether it is more than a warning.
    pub(super) is_error: bool,
    /// Safe to print.
    pub(super) text: String,
}

impl Problem {
    pub(super) fn error(line: usize, text: String) -> Self {
        Self { line, is_error: true, text }
    }

    pub(super) fn warning(line: usize, text: String) -> Self {
        Self { line, is_error: false, text }
    }
}

/// What one line of the configuration names, and where its last value ends.
#[derive(Default)]
struct NamedLine {
    names: Vec<(NameKind, String)>,
    end: usize,
}

/// What a text of a profile is, if its line must say it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NameKind {
    Place,
    /// A word of a status or of another value, a mark around the return, or a number.
    Word,
}

/// Keys that no definition has to say: they are about the configuration itself.
const UNCITED: &str =
    "agents counter-example document example extends extra-roots instruct rules schema";

/// Members of the document of a text that are no names of its own.
const MEMBERS: &str = "blocks first front_matter labels last lines list sections table tags text";

/// The definitions that were read, by path: their lines, of which a file that cannot be read has none.
pub(super) struct Cites<'c> {
    text: &'c str,
    folder: &'c Path,
    files: BTreeMap<String, Vec<String>>,
}

impl<'c> Cites<'c> {
    /// The cites of a configuration, whose paths are relative to its folder.
    pub(super) fn new(text: &'c str, folder: &'c Path) -> Self {
        Self { text, folder, files: BTreeMap::new() }
    }

    /// Adds what is wrong with the cites of a profile.
    pub(super) fn check(&mut self, profile: &DeTable<'_>, problems: &mut Vec<Problem>) {
        let is_text = text_of(profile, "form").is_some_and(|form| form == "text");
        let mut lines = BTreeMap::new();
        for (key, value) in profile {
            if !UNCITED.split(' ').any(|it| it == key.get_ref()) {
                self.collect(&[key.get_ref()], key.span(), value, &mut lines);
            }
        }
        for (line, named) in lines {
            self.check_line(line, &named, is_text, problems);
        }
    }

    /// Adds what a key and its value name to the lines that they stand on.
    fn collect(
        &self,
        path: &[&str],
        key: Range<usize>,
        value: &Spanned<DeValue<'_>>,
        lines: &mut BTreeMap<usize, NamedLine>,
    ) {
        let (of_key, of_value) = kinds(path);
        let mut add = |span: Range<usize>, kind: Option<NameKind>, text: &str| {
            let named = lines.entry(line_of(self.text, span.end)).or_default();
            named.end = named.end.max(span.end);
            named.names.extend(kind.map(|kind| (kind, text.to_owned())));
        };
        if of_key.is_some() {
            add(key, of_key, path.last().copied().unwrap_or_default());
        }
        match value.get_ref() {
            DeValue::Table(table) => {
                for (key, value) in table {
                    self.collect(&[path, &[key.get_ref()]].concat(), key.span(), value, lines);
                }
            }
            DeValue::Array(items) => {
                for item in items {
                    self.collect(path, item.span().start..item.span().start, item, lines);
                }
            }
            DeValue::String(text) => add(value.span(), of_value, text),
            DeValue::Integer(number) => add(value.span(), of_value, number.as_str()),
            _ => add(value.span(), None, ""),
        }
    }

    fn check_line(
        &mut self,
        line: usize,
        named: &NamedLine,
        is_text: bool,
        problems: &mut Vec<Problem>,
    ) {
        let rest = self.text[named.end..].lines().next().unwrap_or_default();
        let comment = rest.split_once('#').map_or("", |it| it.1);
        let (mut places, mut said) = (Vec::new(), Vec::new());
        for (path, number) in comment.split(',').filter_map(cite) {
            let place = format!("{}:{number}", full(path));
            let Some(cited) = self.line(path, number) else {
                let why = format!(
                    "there is no line {place}: cite a definition by its path from the folder of this file"
                );
                return problems.push(Problem::error(line, why));
            };
            places.push(place);
            said.push(cited);
        }
        if places.is_empty() {
            let why =
                "this line cites nothing: end it with `# FILE:LINE` of the definition that says so";
            return problems.push(Problem::warning(line, why.to_owned()));
        }
        for (kind, text) in &named.names {
            for name in names(*kind, text, is_text) {
                let is_alike = is_text && *kind == NameKind::Place;
                if !said.iter().any(|it| says(it, &name, is_alike)) {
                    let (places, name) = (places.join(", "), truncated(&name));
                    let why = format!(
                        "`{name}` is not said at {places}: cite the line that says it, or leave it out"
                    );
                    problems.push(Problem::error(line, why));
                }
            }
        }
    }

    /// A line of a cited file. It is opened below the folder of the configuration, or below its own.
    fn line(&mut self, path: &str, number: usize) -> Option<String> {
        let read = || {
            let whole = Path::new(path);
            let folder = if whole.is_absolute() { whole.parent()? } else { self.folder };
            let below = if whole.is_absolute() { whole.file_name()?.to_str()? } else { path };
            Some(read_below(folder, below)?.lines().map(str::to_owned).collect())
        };
        let lines = self.files.entry(path.to_owned()).or_insert_with(|| read().unwrap_or_default());
        lines.get(number.checked_sub(1)?).cloned()
    }
}

/// The text of a file below a folder.
pub(super) fn read_below(folder: &Path, path: &str) -> Option<String> {
    let bytes = Root::open(folder).ok()?.read(Path::new(path), BYTES_AT_MOST).ok()?;
    String::from_utf8(bytes).ok().filter(|it| it.len() as u64 <= BYTES_AT_MOST)
}

/// The number of the line that has this byte, from 1.
pub(super) fn line_of(text: &str, at: usize) -> usize {
    1 + text[..at].matches('\n').count()
}

/// The text of a key.
pub(super) fn text_of<'t>(table: &'t DeTable<'_>, key: &str) -> Option<&'t str> {
    table.get(key)?.get_ref().as_str()
}

/// What the key and the value at the end of a path of keys are. The path begins below the profile.
fn kinds(path: &[&str]) -> (Option<NameKind>, Option<NameKind>) {
    use NameKind::{Place, Word};
    match path {
        ["statuses", _] => (Some(Word), None),
        ["values", _] | ["values-if", _, _] => (Some(Place), Some(Word)),
        ["sums", _] => (Some(Place), Some(Place)),
        ["required" | "same"]
        | ["required-if" | "empty-if" | "at", _]
        | ["at", "given", _]
        | ["at", _, "at" | "each" | "path" | "line" | "quote" | "commit"]
        | ["counts", "number" | "items"] => (None, Some(Place)),
        ["limits" | "part", _] | ["none"] => (None, Some(Word)),
        _ => (None, None),
    }
}

/// The names in a text of a profile.
fn names(kind: NameKind, text: &str, is_text: bool) -> Vec<String> {
    if kind != NameKind::Place {
        return vec![text.to_owned()];
    }
    let is_own = |(index, step): &(usize, &str)| {
        let is_member = MEMBERS.split(' ').any(|it| it == *step);
        let is_member = is_member && is_text && (*index > 0 || text.starts_with('/'));
        !is_member && *step != "*" && !step.bytes().all(|it| it.is_ascii_digit())
    };
    let steps = text.trim_start_matches('/').split('/').enumerate();
    let own = steps.filter(is_own);
    own.map(|it| it.1.replace("~1", "/").replace("~0", "~")).collect()
}

/// A path and a line, as a comment cites them.
fn cite(part: &str) -> Option<(&str, usize)> {
    let (path, line) = part.trim().rsplit_once(':')?;
    Some((path.trim_matches(['`', ' ']), line.trim_end_matches('`').parse().ok()?))
}

/// Whether a line says a name as a word of its own. `is_alike`: whatever its case and separators are, as in
/// the names of a text.
fn says(line: &str, name: &str, is_alike: bool) -> bool {
    let plain = |text: &str| {
        let parts = text.split(|it: char| !it.is_alphanumeric());
        let parts = parts.filter(|it| !it.is_empty()).map(str::to_lowercase);
        parts.collect::<Vec<_>>().join(" ")
    };
    if is_alike {
        let (line, name) = (plain(line), plain(name));
        return !name.is_empty() && stands(&line, &name);
    }
    stands(line, name) || stands(&line.replace(',', ""), name)
}

/// Whether a text has a name without letters around it that go on with it. Some scripts write no spaces.
fn stands(text: &str, name: &str) -> bool {
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_';
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        !(before.ends_with(is_part) && name.starts_with(is_part)
            || after.starts_with(is_part) && name.ends_with(is_part))
    })
}

#[cfg(test)]
mod tests {
    use super::{NameKind, cite, names, says};

    #[test]
    fn a_line_says_a_word_as_a_whole() {
        assert!(says("Verdict: **PASS** | FAIL", "PASS", false));
        assert!(!says("Status: DONE_WITH_CONCERNS", "DONE", false));
        assert!(!says("Verdict: pass", "PASS", false));
        assert!(says("结论：通过或失败", "通过", false));
        assert!(says("at most 1,000 words", "1000", false));
        assert!(says("## **Files**-changed:", "files changed", true));
        assert!(!says("Findings", "Finding", true));
        assert!(!says("anything", "**", true));
    }

    #[test]
    fn a_place_is_made_of_names() {
        let of = |text| names(NameKind::Place, text, true);
        assert_eq!(of("/last"), Vec::<String>::new());
        assert_eq!(of("Findings/sections/*/labels/severity"), ["Findings", "severity"]);
        assert_eq!(of("Text"), ["Text"]);
        assert_eq!(names(NameKind::Place, "/a~1b/0/text", false), ["a/b", "text"]);
    }

    #[test]
    fn a_cite_ends_with_a_line() {
        assert_eq!(cite(" a b.md:12"), Some(("a b.md", 12)));
        assert_eq!(cite(" check"), None);
        assert_eq!(cite(" a.md:x"), None);
    }
}
