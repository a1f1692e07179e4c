//! Whether files have the lines and texts that a return cites.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use crate::document::BYTES_AT_MOST;
use crate::evidence::assessment::Assessment;
use crate::evidence::claims::quote::SearchedText;
use crate::evidence::sources::TrustedStart;
use crate::evidence::subject::Subject;
use crate::profile::paths::{LineRange, split_lines};
use crate::root::{Found, Root};
use crate::text::count;

const READ_AT_MOST: u64 = 256 << 20;
const SEARCHED_AT_MOST: u64 = 1 << 30;

/// Most cites of one return that are looked up. Real returns have a hundredth of this.
pub(crate) const CITES_AT_MOST: usize = 10_000;

const TOO_MUCH: &str = "the return cites too much to look at all of it";
const OUTSIDE: &str = "the path leads out of the root";
const CHANGED: &str = "the file was changed since the agent started";
pub(crate) const NO_FILE: &str = "there is no such file here";

/// Lines of a file that a return cites, and the text that it quotes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Cite<'t> {
    /// The path without the lines, as the return has it.
    pub(crate) path: Cow<'t, str>,
    pub(crate) lines: Option<LineRange>,
    pub(crate) quote: Option<Cow<'t, str>>,
    /// Why it is not certain which lines are meant. Only the quote counts then.
    pub(crate) doubt: Option<&'static str>,
}

#[derive(Debug, Default)]
pub(crate) struct AssessedCite {
    /// Whether it has the lines. If none are cited, whether it is there. None if only a text is quoted.
    pub(crate) lines: Option<Assessment>,
    /// Whether it has the text. None if none is quoted.
    pub(crate) quote: Option<Assessment>,
}

impl<'t> Cite<'t> {
    /// The cite that a text is, such as `src/a.rs:12-20`.
    pub(crate) fn read(text: Cow<'t, str>) -> Self {
        let (path, lines) = split_lines(&text);
        let end = path.len();
        let path = match text {
            Cow::Borrowed(text) => Cow::Borrowed(&text[..end]),
            Cow::Owned(text) => Cow::Owned(text[..end].to_owned()),
        };
        Self { path, lines, quote: None, doubt: None }
    }

    /// The file that it means, below the root: as written, without the folder of the root in front, or without the
    /// `a/` or `b/` of a diff.
    fn file(&self, root: &Root) -> Result<String, &'static str> {
        let mut path = &*self.path;
        while let Some(rest) = path.strip_prefix("./") {
            path = rest.trim_start_matches('/');
        }
        let paths = if path.starts_with('/') {
            let below = root.below(Path::new(path)).ok_or(OUTSIDE)?;
            vec![below.to_str().ok_or(NO_FILE)?.to_owned()]
        } else {
            let name = root.name().unwrap_or_default();
            let folders = [name, "a", "b"].into_iter().filter(|folder| !folder.is_empty());
            let shorter = folders.filter_map(|it| path.strip_prefix(it)?.strip_prefix('/'));
            [path].into_iter().chain(shorter).map(str::to_owned).collect()
        };
        let mut gap = NO_FILE;
        let mut is_file = |path: &String| match root.stat(Path::new(path), false) {
            Found::File { .. } | Found::Empty => true,
            Found::Outside => {
                gap = OUTSIDE;
                false
            }
            _ => false,
        };
        let found: Vec<_> = paths.into_iter().filter(|path| is_file(path)).collect();
        match &found[..] {
            [path] => Ok(path.clone()),
            [] if !self.path.contains(char::is_whitespace) => Err(gap),
            _ => Err("it is not clear which file is meant"),
        }
    }

    /// The same assessment of all that is cited.
    fn is(&self, found: &Assessment) -> AssessedCite {
        let has_lines = self.lines.is_some() || self.quote.is_none();
        AssessedCite {
            lines: has_lines.then(|| found.clone()),
            quote: self.quote.as_ref().map(|_| found.clone()),
        }
    }
}

/// What files say of all cites of a return. Each file is read once, and only below the root.
pub(crate) fn assess(
    root: &Root,
    subject: Option<&Subject<'_>>,
    cites: &[Cite<'_>],
) -> Vec<AssessedCite> {
    let mut assessed: Vec<AssessedCite> = Vec::new();
    let mut files: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, cite) in cites.iter().enumerate() {
        let found = if index < CITES_AT_MOST { cite.file(root) } else { Err(TOO_MUCH) };
        assessed.push(match found {
            Ok(path) => {
                files.entry(path).or_default().push(index);
                AssessedCite::default()
            }
            Err(gap) => cite.is(&Assessment::unknown(gap)),
        });
    }
    let mut reader = CiteReader {
        root,
        subject,
        start: subject.and_then(|subject| subject.start),
        has_other_tree: subject.is_some_and(Subject::is_in_work_tree),
        read: 0,
        searched: 0,
    };
    for (path, indices) in files {
        let file = reader.open(&path);
        for index in indices {
            let cite = &cites[index];
            assessed[index] = match &file {
                Ok(file) => reader.compare(file, &path, cite),
                Err(gap) => cite.is(&Assessment::unknown(*gap)),
            };
        }
    }
    assessed
}

struct CiteReader<'r, 'e> {
    root: &'r Root,
    subject: Option<&'r Subject<'e>>,
    start: Option<TrustedStart>,
    has_other_tree: bool,
    read: u64,
    searched: u64,
}

struct ReadFile {
    text: SearchedText,
    /// Lines as `\n` ends them.
    lines: u64,
    /// Why the agent may have seen another content. None if it has seen this one.
    other: Option<&'static str>,
}

impl CiteReader<'_, '_> {
    fn open(&mut self, path: &str) -> Result<ReadFile, &'static str> {
        if self.read >= READ_AT_MOST {
            return Err(TOO_MUCH);
        }
        let path = Path::new(path);
        let bytes = self.root.read(path, BYTES_AT_MOST).map_err(|_| NO_FILE)?;
        let length = bytes.len() as u64;
        self.read = self.read.saturating_add(length);
        if length > BYTES_AT_MOST {
            return Err("the file is larger than 16 MiB");
        }
        if memchr::memchr(0, &bytes).is_some() {
            return Err("it is not a text");
        }
        let may_be_newer = |start: TrustedStart| start.may_precede(self.root.times(path));
        let other = if self.has_other_tree {
            Some("the agent worked in another working tree")
        } else {
            self.start.is_some_and(may_be_newer).then_some(CHANGED)
        };
        Ok(ReadFile::of(bytes, other))
    }

    /// Whether a file had fewer lines before the agent started. False if that is not known.
    fn had_fewer(&self, path: &str, lines: u64) -> bool {
        let base = self.subject.and_then(|it| it.base.as_ref()?.as_ref().ok());
        let content =
            base.and_then(|(repository, id)| repository.content(id, Path::new(path)).ok()?);
        content.is_some_and(|bytes| ReadFile::of(bytes, None).lines_at_most() < lines)
    }

    fn compare(&mut self, file: &ReadFile, path: &str, cite: &Cite<'_>) -> AssessedCite {
        let quote = cite.quote.as_ref().map(|quote| {
            self.searched = self.searched.saturating_add(file.text.bytes().len() as u64);
            if self.searched > SEARCHED_AT_MOST {
                return Assessment::unknown(TOO_MUCH);
            }
            match (file.text.has(quote), file.other.or(cite.doubt)) {
                (Ok(true), _) => Assessment::shown("the quote is there"),
                (Ok(false), None) => {
                    Assessment::contradicted("the file does not contain the quote")
                }
                (Ok(false), Some(gap)) | (Err(gap), _) => Assessment::unknown(gap),
            }
        });
        // The quote tells better than the number what is meant.
        let by_quote = quote.as_ref().filter(|it| it.is_shown());
        let lines = match (cite.lines, cite.doubt, by_quote) {
            (None, ..) if quote.is_some() => None,
            (_, Some(doubt), None) => Some(Assessment::unknown(doubt)),
            (None, ..) => Some(Assessment::shown("the file is there")),
            (Some([_, last]), _, Some(quote)) if last > file.lines => Some(quote.clone()),
            (Some(lines), ..) => Some(self.has_lines(file, path, lines)),
        };
        AssessedCite { lines, quote }
    }

    fn has_lines(&self, file: &ReadFile, path: &str, [first, last]: LineRange) -> Assessment {
        if first == 0 {
            Assessment::unknown("lines count from 1")
        } else if last <= file.lines {
            Assessment::shown("the file has the line")
        } else if Path::new(path).extension().is_some_and(|it| it == "ipynb") {
            Assessment::unknown("programs number the lines of such files differently")
        } else if last <= file.lines_at_most() {
            Assessment::unknown("only the empty line after the last one has this number")
        } else if let Some(gap) = file.other
            && !(gap == CHANGED && self.had_fewer(path, last))
        {
            Assessment::unknown(gap)
        } else {
            let lines = usize::try_from(file.lines).unwrap_or(usize::MAX);
            Assessment::contradicted(format!("the file has {}", count(lines, "line")))
        }
    }
}

impl ReadFile {
    fn of(bytes: Vec<u8>, other: Option<&'static str>) -> Self {
        let ends = memchr::memchr_iter(b'\n', &bytes).count() as u64;
        let is_open = bytes.last().is_some_and(|last| *last != b'\n');
        let lines = ends + u64::from(is_open);
        let text = SearchedText::new(bytes);
        Self { text, lines, other }
    }

    /// The most lines that a program counts in it, at other characters, too, and with the empty line at the end.
    fn lines_at_most(&self) -> u64 {
        let bytes = self.text.bytes();
        let single = |byte: &&u8| matches!(byte, b'\r' | 0x0b | 0x0c | 0x1c..=0x1e);
        let singles = bytes.iter().filter(single).count();
        let of = |end: &str| memchr::memmem::find_iter(bytes, end).count();
        let others = singles - of("\r\n") + of("\u{85}") + of("\u{2028}") + of("\u{2029}");
        self.lines + u64::from(bytes.last() == Some(&b'\n')) + others as u64
    }
}
