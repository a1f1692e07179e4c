//! Whether each line of a profile names only what the cited line of the definition says.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::Root;
use crate::cli::init::definitions::BYTES_AT_MOST;
use crate::text::escape::{full, truncated};

/// What is wrong with a file.
#[derive(Default)]
pub(super) struct Problems {
    pub(super) list: Vec<Problem>,
}

/// What is wrong with a line.
pub(super) struct Problem {
    pub(super) line: usize,
    /// Whether it is more than a warning.
    pub(super) is_error: bool,
    /// Safe to print.
    pub(super) text: String,
}

impl Problems {
    pub(super) fn error(&mut self, line: usize, text: String) {
        let is_error = true;
        self.list.push(Problem {
            line,
            is_error,
            text,
        });
    }

    pub(super) fn warning(&mut self, line: usize, text: String) {
        let is_error = false;
        self.list.push(Problem {
            line,
            is_error,
            text,
        });
    }

    pub(super) fn errors(&self) -> usize {
        self.list.iter().filter(|it| it.is_error).count()
    }

    pub(super) fn sort(&mut self) {
        self.list.sort_by_key(|it| it.line);
    }
}

/// What a text of a profile is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NameKind {
    /// It needs no line that says it.
    Free,
    Place,
    /// A word of a status or of another value, a mark around the return, or a number.
    Word,
}

/// What one line of the configuration names, and where its last value ends.
#[derive(Default)]
struct NamedLine {
    names: Vec<(NameKind, String)>,
    end: usize,
}

/// Keys that no definition has to say: they are about the configuration itself.
const UNCITED: [&str; 9] = [
    "agents",
    "counter-example",
    "document",
    "example",
    "extends",
    "extra-roots",
    "instruct",
    "rules",
    "schema",
];

/// Members of the document of a text that are no names of its own.
const MEMBERS: [&str; 11] = [
    "blocks",
    "first",
    "front_matter",
    "labels",
    "last",
    "lines",
    "list",
    "sections",
    "table",
    "tags",
    "text",
];

/// The most errors about cites: there is enough to correct.
const ERRORS: usize = 100;

/// The definitions that were read, by path: their lines, or why there are none.
pub(super) struct Cites<'c> {
    text: &'c str,
    folder: &'c Path,
    files: BTreeMap<String, Result<Vec<String>, String>>,
}

impl<'c> Cites<'c> {
    /// The cites of a configuration, whose paths are relative to its folder.
    pub(super) fn new(text: &'c str, folder: &'c Path) -> Self {
        let files = BTreeMap::new();
        Self {
            text,
            folder,
            files,
        }
    }

    /// Adds what is wrong with the cites of a profile.
    pub(super) fn check(&mut self, profile: &DeTable<'_>, problems: &mut Problems) {
        let is_text = text_of(profile, "form").is_some_and(|form| form == "text");
        let mut lines = BTreeMap::new();
        for (key, value) in profile {
            if !UNCITED.contains(&key.get_ref().as_ref()) {
                let path = [key.get_ref().as_ref()];
                self.collect(&path, key.span(), value, &mut lines);
            }
        }
        for (line, named) in lines {
            if problems.errors() > ERRORS {
                break;
            }
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
        if of_key != NameKind::Free {
            let name = path.last().copied().unwrap_or_default();
            self.add(key, of_key, name, lines);
        }
        match value.get_ref() {
            DeValue::Table(table) => {
                for (key, value) in table {
                    let path = [path, &[key.get_ref().as_ref()]].concat();
                    self.collect(&path, key.span(), value, lines);
                }
            }
            DeValue::Array(items) => {
                for item in items {
                    self.collect(path, item.span().start..item.span().start, item, lines);
                }
            }
            DeValue::String(text) => self.add(value.span(), of_value, text, lines),
            DeValue::Integer(number) => {
                self.add(value.span(), of_value, number.as_str(), lines);
            }
            _ => self.add(value.span(), NameKind::Free, "", lines),
        }
    }

    fn add(
        &self,
        span: Range<usize>,
        kind: NameKind,
        text: &str,
        lines: &mut BTreeMap<usize, NamedLine>,
    ) {
        let line = self.text[..span.end].matches('\n').count();
        let named: &mut NamedLine = lines.entry(line).or_default();
        named.end = named.end.max(span.end);
        if kind != NameKind::Free {
            named.names.push((kind, text.to_owned()));
        }
    }

    fn check_line(
        &mut self,
        line: usize,
        named: &NamedLine,
        is_text: bool,
        problems: &mut Problems,
    ) {
        let rest = self.text[named.end..].lines().next().unwrap_or_default();
        let comment = rest.split_once('#').map_or("", |it| it.1);
        let cites: Vec<_> = comment.split(',').filter_map(cite).collect();
        if cites.is_empty() {
            let why =
                "this line cites nothing: end it with `# FILE:LINE` of the definition that says so";
            return problems.warning(line + 1, why.to_owned());
        }
        for (path, _) in &cites {
            let file = self.files.entry((*path).to_owned());
            file.or_insert_with(|| read(self.folder, path));
        }
        let lines: Result<Vec<_>, _> = cites.iter().map(|it| self.line(it)).collect();
        let lines = match lines {
            Ok(lines) => lines,
            Err(why) => return problems.error(line + 1, why),
        };
        let places: Vec<_> = cites
            .iter()
            .map(|it| format!("{}:{}", full(it.0), it.1))
            .collect();
        let do_not = if places.len() > 1 {
            "do not"
        } else {
            "does not"
        };
        let places = places.join(" and ");
        for (kind, text) in &named.names {
            let is_alike = is_text && *kind == NameKind::Place;
            for name in names(*kind, text, is_text) {
                if lines.iter().any(|it| says(it, &name, is_alike)) {
                    continue;
                }
                let mut elsewhere = cites.iter().map(|it| self.elsewhere(it, &name, is_alike));
                let advice = match elsewhere.find_map(|it| it) {
                    Some(line) => format!("line {line} does: cite it if it is about the return"),
                    None => {
                        "no line of it does: leave this out, or write it as the definition does"
                            .to_owned()
                    }
                };
                let name = truncated(&name);
                problems.error(
                    line + 1,
                    format!("{places} {do_not} say `{name}`; {advice}"),
                );
            }
        }
    }

    /// A cited line, or why there is none.
    fn line(&self, (path, number): &(&str, usize)) -> Result<&str, String> {
        let shown = full(path);
        let lines = self.files[*path].as_ref().map_err(|why| {
            format!("cannot read {shown}: {why}: cite a definition by its path from the folder of this file")
        })?;
        let line = number.checked_sub(1).and_then(|it| lines.get(it));
        let count = lines.len();
        line.map(String::as_str)
            .ok_or_else(|| format!("{shown}:{number} does not exist: the file has {count} lines"))
    }

    /// The line nearest to a cited one that says a name.
    fn elsewhere(
        &self,
        (path, number): &(&str, usize),
        name: &str,
        is_alike: bool,
    ) -> Option<usize> {
        let lines = self.files[*path].as_ref().ok()?;
        let found = (0..lines.len()).filter(|it| says(&lines[*it], name, is_alike));
        found.map(|it| it + 1).min_by_key(|it| it.abs_diff(*number))
    }
}

/// The text of a key.
pub(super) fn text_of<'t>(table: &'t DeTable<'_>, key: &str) -> Option<&'t str> {
    table.get(key)?.get_ref().as_str()
}

/// What the key and the value at the end of a path of keys are. The path begins below the profile.
fn kinds(path: &[&str]) -> (NameKind, NameKind) {
    match path {
        ["statuses", _] => (NameKind::Word, NameKind::Free),
        ["values", _] | ["values-if", _, _] => (NameKind::Place, NameKind::Word),
        ["sums", _] => (NameKind::Place, NameKind::Place),
        ["required" | "same"]
        | ["required-if" | "empty-if" | "at", _]
        | ["at", "given", _]
        | [
            "at",
            _,
            "at" | "each" | "path" | "line" | "quote" | "commit",
        ]
        | ["counts", "number" | "items"] => (NameKind::Free, NameKind::Place),
        ["limits" | "part", _] | ["none"] => (NameKind::Free, NameKind::Word),
        _ => (NameKind::Free, NameKind::Free),
    }
}

/// The names in a text of a profile.
fn names(kind: NameKind, text: &str, is_text: bool) -> Vec<String> {
    if kind != NameKind::Place {
        return vec![text.to_owned()];
    }
    let is_own = |(index, step): &(usize, &str)| {
        let is_member = is_text && MEMBERS.contains(step) && (*index > 0 || text.starts_with('/'));
        let is_index = step.bytes().all(|it| it.is_ascii_digit());
        !is_member && !is_index && *step != "*"
    };
    let steps = text.trim_start_matches('/').split('/').enumerate();
    let own = steps.filter(is_own);
    own.map(|it| it.1.replace("~1", "/").replace("~0", "~"))
        .collect()
}

/// A path and a line, as a comment cites them.
fn cite(part: &str) -> Option<(&str, usize)> {
    let (path, line) = part.trim().rsplit_once(':')?;
    Some((
        path.trim_matches(['`', ' ']),
        line.trim_end_matches('`').parse().ok()?,
    ))
}

/// The lines of a cited file. It is opened below the folder of the configuration, or below its own.
fn read(folder: &Path, path: &str) -> Result<Vec<String>, String> {
    let path = Path::new(path);
    let (folder, below) = match (path.is_absolute(), path.parent(), path.file_name()) {
        (true, Some(folder), Some(name)) => (folder, Path::new(name)),
        _ => (folder, path),
    };
    let root = Root::open(folder).map_err(|error| error.to_string())?;
    let bytes = root.read(below, BYTES_AT_MOST + 1);
    let bytes = bytes.map_err(|_| "it is no file below that folder")?;
    if bytes.len() as u64 > BYTES_AT_MOST {
        return Err("it is too large".to_owned());
    }
    let text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8")?;
    Ok(text.lines().map(str::to_owned).collect())
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
        assert_eq!(
            of("Findings/sections/*/labels/severity"),
            ["Findings", "severity"]
        );
        assert_eq!(of("Text"), ["Text"]);
        assert_eq!(
            names(NameKind::Place, "/a~1b/0/text", false),
            ["a/b", "text"]
        );
    }

    #[test]
    fn a_cite_ends_with_a_line() {
        assert_eq!(cite(" a b.md:12"), Some(("a b.md", 12)));
        assert_eq!(cite(" check"), None);
        assert_eq!(cite(" a.md:x"), None);
    }
}
