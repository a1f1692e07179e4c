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

/// Most bytes of files that are read for one return.
const READ_AT_MOST: u64 = 256 << 20;

/// Most bytes that are searched for the quotes of one return.
const SEARCHED_AT_MOST: u64 = 1 << 30;

/// Most cites of one return that are looked up. Real returns have a hundredth of this.
pub(crate) const CITES_AT_MOST: usize = 10_000;

const TOO_MUCH: &str = "the return cites too much to look at all of it";
const NO_FILE: &str = "there is no such file here";
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

/// What the file says of a cite.
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
            Cow::Owned(mut text) => {
                text.truncate(end);
                Cow::Owned(text)
            }
        };
        Self {
            path,
            lines,
            quote: None,
            doubt: None,
        }
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
            return below
                .and_then(|it| it.to_str().map(str::to_owned))
                .into_iter()
                .collect();
        }
        let name = root.name().unwrap_or_default();
        let shorter = [name, "a", "b"].into_iter().filter_map(|folder| {
            let rest = path.strip_prefix(folder)?.strip_prefix('/')?;
            (!folder.is_empty() && !rest.starts_with('/')).then_some(rest)
        });
        std::iter::once(path)
            .chain(shorter)
            .map(str::to_owned)
            .collect()
    }
}

/// The places of a cite in its file, and what the file says of it there.
impl AssessedCite {
    fn of(cite: &Cite<'_>, found: &Assessment) -> Self {
        let has_lines = cite.lines.is_some() || cite.quote.is_none();
        Self {
            lines: has_lines.then(|| found.clone()),
            quote: cite.quote.as_ref().map(|_| found.clone()),
        }
    }

    /// Of several files that may be meant, one that shows a claim counts, and all must contradict it.
    fn merge(&mut self, other: Self) {
        for (own, other) in [
            (&mut self.lines, other.lines),
            (&mut self.quote, other.quote),
        ] {
            let rank = |it: &Assessment| match it.value {
                EvidenceValue::Shown => 0,
                EvidenceValue::Unknown => 1,
                EvidenceValue::Contradicted => 2,
            };
            let is_better = match (&*own, &other) {
                (Some(own), Some(other)) => rank(other) < rank(own),
                (own, _) => own.is_none(),
            };
            if is_better {
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
        assessed.push(AssessedCite::default());
        if index >= CITES_AT_MOST {
            let gap = Assessment::unknown(TOO_MUCH);
            assessed[index].merge(AssessedCite::of(cite, &gap));
            continue;
        }
        let candidates = cite.candidates(root);
        let mut is_there = false;
        for path in &candidates {
            let stat = || root.stat(Path::new(path), false);
            let found = *stats.entry(path.clone()).or_insert_with(stat);
            if matches!(found, Found::File { .. } | Found::Empty) {
                files.entry(path.clone()).or_default().push(index);
                is_there = true;
            }
        }
        if !is_there {
            let is_outside = candidates.iter().any(|path| stats[path] == Found::Outside);
            let gap = match candidates.is_empty() || is_outside {
                true => "the path leads out of the root",
                false if cite.path.contains(char::is_whitespace) => {
                    "it is not clear which file is meant"
                }
                false => NO_FILE,
            };
            assessed[index].merge(AssessedCite::of(cite, &Assessment::unknown(gap)));
        }
    }
    let mut reader = CiteReader {
        root,
        #[cfg(feature = "git")]
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
            let found = match &file {
                Ok(file) => reader.compare(file, &path, cite),
                Err(gap) => AssessedCite::of(cite, &Assessment::unknown(*gap)),
            };
            assessed[index].merge(found);
        }
    }
    assessed
}

/// Reads files, as long as a return may have them read.
struct CiteReader<'r> {
    root: &'r Root,
    #[cfg(feature = "git")]
    subject: Option<&'r Subject<'r>>,
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

impl CiteReader<'_> {
    fn open(&mut self, path: &str) -> Result<ReadFile, &'static str> {
        if self.read >= READ_AT_MOST {
            return Err(TOO_MUCH);
        }
        let path = Path::new(path);
        let bytes = self.root.read(path, BYTES_AT_MOST);
        let bytes = bytes.map_err(|_| NO_FILE)?;
        let length = bytes.len() as u64;
        self.read = self.read.saturating_add(length);
        if length > BYTES_AT_MOST {
            return Err("the file is larger than 16 MiB");
        }
        if memchr::memchr(0, &bytes).is_some() {
            return Err("it is not a text");
        }
        let may_be_newer = |start: TrustedStart| start.may_precede(self.root.times(path));
        let is_changed = self.start.is_some_and(may_be_newer);
        let tree = self
            .has_other_tree
            .then_some("the agent worked in another working tree");
        Ok(ReadFile::of(bytes, tree.or(is_changed.then_some(CHANGED))))
    }

    /// The most lines that a file had before the agent started. None if that is not known.
    #[cfg(feature = "git")]
    fn lines_before(&self, path: &str) -> Option<u64> {
        let bytes = self.subject?.content_at_base(Path::new(path))?;
        Some(ReadFile::of(bytes, None).lines_at_most())
    }

    fn compare(&mut self, file: &ReadFile, path: &str, cite: &Cite<'_>) -> AssessedCite {
        let place = cite.quote.as_ref().map(|quote| {
            self.searched = self.searched.saturating_add(file.text.bytes().len() as u64);
            if self.searched > SEARCHED_AT_MOST {
                return Err(TOO_MUCH);
            }
            file.text.find(quote, cite.lines)
        });
        let quote = place.map(|place| match place {
            Ok(Some(QuotePlace::Near)) => Assessment::shown("the quote is there"),
            Ok(Some(QuotePlace::At(line))) => {
                Assessment::shown(format!("the quote is in line {line}"))
            }
            Ok(None) => match file.other.or(cite.doubt) {
                Some(gap) => Assessment::unknown(gap),
                None => Assessment::contradicted("the file does not contain the quote"),
            },
            Err(gap) => Assessment::unknown(gap),
        });
        // The quote tells better than the number what is meant.
        let by_quote = quote.as_ref().filter(|it| it.value == EvidenceValue::Shown);
        let lines = match (cite.lines, by_quote) {
            (None, _) if cite.quote.is_some() => None,
            (_, None) if let Some(doubt) = cite.doubt => Some(Assessment::unknown(doubt)),
            (None, _) => Some(Assessment::shown("the file is there")),
            (Some([_, last]), by_quote) => Some(match by_quote {
                Some(quote) if last > file.lines => quote.clone(),
                _ => {
                    let lines = cite.lines.unwrap_or_default();
                    #[cfg(feature = "git")]
                    let before = || self.lines_before(path);
                    #[cfg(not(feature = "git"))]
                    let before = || None;
                    file.has_lines(lines, path, before)
                }
            }),
        };
        AssessedCite { lines, quote }
    }
}

impl ReadFile {
    fn of(bytes: Vec<u8>, other: Option<&'static str>) -> Self {
        let ends = memchr::memchr_iter(b'\n', &bytes).count() as u64;
        let is_open = bytes.last().is_some_and(|last| *last != b'\n');
        Self {
            text: SearchedText::new(bytes),
            lines: ends + u64::from(is_open),
            other,
        }
    }

    /// The most lines that a program counts in it: some end lines at other characters, too, and some count
    /// the empty line at the end.
    fn lines_at_most(&self) -> u64 {
        let bytes = self.text.bytes();
        let single = |byte: &&u8| matches!(byte, b'\r' | 0x0b | 0x0c | 0x1c..=0x1e);
        let singles = bytes.iter().filter(single).count();
        let pairs = memchr::memmem::find_iter(bytes, "\r\n").count();
        let wide = ["\u{85}", "\u{2028}", "\u{2029}"];
        let wide = wide.map(|end| memchr::memmem::find_iter(bytes, end).count());
        let others = singles - pairs + wide.iter().sum::<usize>();
        let ends_line = u64::from(bytes.last() == Some(&b'\n'));
        self.lines + ends_line + others as u64
    }

    /// Whether it has lines. `before` tells how many it had before it was changed.
    fn has_lines(
        &self,
        [first, last]: LineRange,
        path: &str,
        before: impl FnOnce() -> Option<u64>,
    ) -> Assessment {
        if first == 0 {
            Assessment::unknown("lines count from 1")
        } else if last <= self.lines {
            Assessment::shown("the file has the line")
        } else if Path::new(path).extension().is_some_and(|it| it == "ipynb") {
            Assessment::unknown("programs number the lines of such files differently")
        } else if last <= self.lines_at_most() {
            Assessment::unknown("only the empty line after the last one has this number")
        } else if let Some(gap) = self.other
            && !(gap == CHANGED && before().is_some_and(|lines| lines < last))
        {
            Assessment::unknown(gap)
        } else {
            let lines = usize::try_from(self.lines).unwrap_or(usize::MAX);
            Assessment::contradicted(format!("the file has {}", count(lines, "line")))
        }
    }
}
