//! Whether files have the lines and texts that a return cites.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use crate::document::BYTES_AT_MOST;
use crate::evidence::assessment::{Assessment, EvidenceValue};
use crate::evidence::claims::quote::{QuotePlace, SearchedText};
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
pub(crate) const NO_FILE: &str = "there is no such file here";
const CHANGED: &str = "the file was changed since the agent started";

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

    /// The paths that it may mean, below the root: as written, without the folder of the root in front,
    /// and without the `a/` or `b/` of a diff.
    fn candidates(&self, root: &Root) -> Vec<String> {
        let mut path = &*self.path;
        while let Some(rest) = path.strip_prefix("./") {
            path = rest.trim_start_matches('/');
        }
        if path.starts_with('/') {
            let below = root.below(Path::new(path));
            let below = below.and_then(|it| it.to_str().map(str::to_owned));
            return below.into_iter().collect();
        }
        let name = root.name().unwrap_or_default();
        let shorter = [name, "a", "b"].into_iter().filter_map(|folder| {
            let rest = path.strip_prefix(folder)?.strip_prefix('/')?;
            (!folder.is_empty() && !rest.starts_with('/')).then_some(rest)
        });
        let paths = [path].into_iter().chain(shorter);
        paths.map(str::to_owned).collect()
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

impl AssessedCite {
    /// Of several files that may be meant, one that shows a claim counts, and all must contradict it.
    fn merge(&mut self, other: Self) {
        let rank = |it: &Option<Assessment>| match it.as_ref().map(|it| it.value) {
            Some(EvidenceValue::Shown) => 0,
            Some(EvidenceValue::Unknown) => 1,
            Some(EvidenceValue::Contradicted) => 2,
            None => 3,
        };
        for (own, other) in [(&mut self.lines, other.lines), (&mut self.quote, other.quote)] {
            if rank(&other) < rank(own) {
                *own = other;
            }
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
    let mut stats: BTreeMap<String, Found> = BTreeMap::new();
    for (index, cite) in cites.iter().enumerate() {
        let is_looked_up = index < CITES_AT_MOST;
        let candidates = is_looked_up.then(|| cite.candidates(root));
        let candidates = candidates.unwrap_or_default();
        let mut gap = match cite.path.contains(char::is_whitespace) {
            _ if !is_looked_up => Some(TOO_MUCH),
            _ if candidates.is_empty() => Some("the path leads out of the root"),
            true => Some("it is not clear which file is meant"),
            false => Some(NO_FILE),
        };
        let mut is_there = false;
        for path in candidates {
            let stat = || root.stat(Path::new(&path), false);
            match *stats.entry(path.clone()).or_insert_with(stat) {
                Found::File { .. } | Found::Empty => {
                    files.entry(path).or_default().push(index);
                    is_there = true;
                }
                Found::Outside => gap = Some("the path leads out of the root"),
                _ => {}
            }
        }
        let gap = gap.filter(|_| !is_there).map(Assessment::unknown);
        assessed.push(gap.map_or_else(AssessedCite::default, |gap| cite.is(&gap)));
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
            assessed[index].merge(match &file {
                Ok(file) => reader.compare(file, &path, cite),
                Err(gap) => cite.is(&Assessment::unknown(*gap)),
            });
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

    /// The most lines that a file had before the agent started. None if that is not known.
    fn lines_before(&self, path: &str) -> Option<u64> {
        let (repository, base) = self.subject?.base.as_ref()?.as_ref().ok()?;
        let bytes = repository.content(base, Path::new(path)).ok()??;
        Some(ReadFile::of(bytes, None).lines_at_most())
    }

    fn compare(&mut self, file: &ReadFile, path: &str, cite: &Cite<'_>) -> AssessedCite {
        let quote = cite.quote.as_ref().map(|quote| {
            self.searched = self.searched.saturating_add(file.text.bytes().len() as u64);
            if self.searched > SEARCHED_AT_MOST {
                return Assessment::unknown(TOO_MUCH);
            }
            match (file.text.find(quote, cite.lines), file.other.or(cite.doubt)) {
                (Ok(Some(QuotePlace::Near)), _) => Assessment::shown("the quote is there"),
                (Ok(Some(QuotePlace::At(line))), _) => {
                    Assessment::shown(format!("the quote is in line {line}"))
                }
                (Ok(None), None) => Assessment::contradicted("the file does not contain the quote"),
                (Ok(None), Some(gap)) | (Err(gap), _) => Assessment::unknown(gap),
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
        // The lines that it had before it was changed are not there either.
        let had_fewer = || self.lines_before(path).is_some_and(|lines| lines < last);
        if first == 0 {
            Assessment::unknown("lines count from 1")
        } else if last <= file.lines {
            Assessment::shown("the file has the line")
        } else if Path::new(path).extension().is_some_and(|it| it == "ipynb") {
            Assessment::unknown("programs number the lines of such files differently")
        } else if last <= file.lines_at_most() {
            Assessment::unknown("only the empty line after the last one has this number")
        } else if let Some(gap) = file.other
            && !(gap == CHANGED && had_fewer())
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
