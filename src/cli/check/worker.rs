//! A worker: checks a batch of files or a block of lines at a time.

use std::path::Path;
use std::time::SystemTime;

use crate::check::ReturnFile;
use crate::format::Source;
use crate::text::Base;
use crate::{Checker, Report, Root};

use crate::cli::check::args::Filter;
use crate::cli::check::plan::CheckPlan;
use crate::cli::check::results::{Flush, JobOutput};
use crate::cli::check::stream_text::StreamText;
use crate::cli::input::{InputEntry, Job, Opener, Origin, shown_name};

/// A worker and its buffers, which are reused for each job.
#[derive(Default)]
pub(crate) struct Worker {
    /// The lines of a block.
    pub(crate) block: Vec<u8>,
    /// The last root that a line has named.
    root: Option<(String, Root)>,
    opener: Opener,
    bytes: Vec<u8>,
    /// Whether the job has more than one file. Their reports then reuse memory.
    has_several: bool,
    pub(crate) output: JobOutput,
}

impl Worker {
    /// Does one job. The last part of its output stays in `output` until the next job.
    pub(crate) fn work(&mut self, plan: &CheckPlan<'_>, job: Job, flush: &mut Flush<'_>) {
        self.output.clear(plan);
        match job {
            Job::Files(entries) => {
                self.has_several = entries.len() > 1;
                for entry in entries {
                    if !self.entry(plan, entry, flush) {
                        return;
                    }
                }
            }
            Job::Lines { source, base } => {
                self.lines(plan, &source, base, flush);
            }
            Job::Oversized { source, base } => {
                let name = source.name();
                let source_line = Source::new(&name).at_line(base.line);
                let mut report = plan.checker(&source).refuse_size(base);
                self.output
                    .checked(plan, (source.path(), &source_line), None, &mut report);
            }
        }
    }

    /// Checks an entry. Returns false if the run is over.
    fn entry(&mut self, plan: &CheckPlan<'_>, entry: InputEntry, flush: &mut Flush<'_>) -> bool {
        match entry {
            InputEntry::Return(origin) => self.file(plan, &origin, flush),
            InputEntry::Unreadable { name, error } => {
                self.output.unread(plan, &Source::new(&name), error);
                self.output.flush_part(plan, flush)
            }
        }
    }

    /// Checks a return. Returns false if the run is over.
    fn file(&mut self, plan: &CheckPlan<'_>, origin: &Origin, flush: &mut Flush<'_>) -> bool {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.clear();
        let most = plan.options.checker.max_bytes;
        let read = self.opener.read(origin, most, plan.targets, &mut bytes);
        plan.clock.tick();
        match read {
            Ok(written) => self.returned(plan, origin, &bytes, written),
            Err(error) => {
                let name = origin.name();
                self.output.unread(plan, &Source::new(&name), error);
            }
        }
        self.bytes = bytes;
        self.output.flush_part(plan, flush)
    }

    fn returned(
        &mut self,
        plan: &CheckPlan<'_>,
        origin: &Origin,
        bytes: &[u8],
        written: Option<SystemTime>,
    ) {
        let name = origin.name();
        let file = ReturnFile::new(origin.file(), written);
        let checker = plan.checker(origin);
        let mut report = checker.check_part(bytes, Base::default(), file);
        let source = Source::new(&name).with_bytes(bytes, 0);
        self.output
            .checked(plan, (origin.path(), &source), Some(bytes), &mut report);
    }

    fn lines(&mut self, plan: &CheckPlan<'_>, origin: &Origin, base: Base, flush: &mut Flush<'_>) {
        let name = origin.name();
        let stream = CheckedStream {
            name: &name,
            path: origin.path(),
            checker: plan.checker(origin),
            most: usize::try_from(plan.options.line_bytes()).unwrap_or(usize::MAX),
        };
        let block = std::mem::take(&mut self.block);
        let mut at = base;
        let mut rest = &block[..];
        while !rest.is_empty() {
            let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
            let (line, later) = rest.split_at(end);
            self.line(plan, &stream, at, line);
            if !self.output.flush_part(plan, flush) {
                break;
            }
            at = Base {
                line: at.line + 1,
                offset: at.offset + end,
            };
            rest = later;
        }
        self.block = block;
    }

    /// Checks a line, which is not blank or too long to be looked at.
    fn line(&mut self, plan: &CheckPlan<'_>, stream: &CheckedStream<'_>, at: Base, line: &[u8]) {
        let text = without_end(line);
        // A line that is too long is reported even if it is blank, and the filter never prints it:
        // if it had arrived more slowly, it would have been skipped while reading.
        let is_too_long = text.len() > stream.most;
        if !is_too_long && is_blank(text) {
            return;
        }
        let source = Source::new(stream.name).at_line(at.line);
        let is_valid = if is_too_long {
            let report = stream.checker.refuse_size(at);
            Some(reported(
                &mut self.output,
                plan,
                (stream, &source),
                None,
                report,
            ))
        } else if plan.options.has_texts() {
            self.text(plan, stream, source, text)
        } else {
            let source = source.with_bytes(text, at.offset);
            let report = stream.checker.check_part(text, at, ReturnFile::default());
            let place = (stream, &source);
            Some(reported(&mut self.output, plan, place, Some(text), report))
        };
        let is_wanted = |which| is_valid == Some(which == Filter::Valid);
        if !is_too_long && plan.options.filter.is_some_and(is_wanted) {
            self.output.passed.extend_from_slice(line);
        }
    }

    /// Checks the return that a line holds as a text. Returns whether it is valid, or None if the line
    /// cannot be checked.
    fn text(
        &mut self,
        plan: &CheckPlan<'_>,
        stream: &CheckedStream<'_>,
        source: Source<'_>,
        line: &[u8],
    ) -> Option<bool> {
        let output = &mut self.output;
        let cannot_check = |source: &Source<'_>, error: anyhow::Error| {
            let (line, name) = (source.line.unwrap_or_default(), shown_name(stream.path));
            error.context(format!("cannot check line {line} of {name}"))
        };
        let read = match StreamText::read(line) {
            Ok(read) => read,
            Err(error) => {
                return output.unread(plan, &source, cannot_check(&source, error.into()));
            }
        };
        let source = source.with_text(read.id.as_deref());
        let root = match own_root(plan, &mut self.root, read.root.as_deref()) {
            Ok(root) => root,
            Err(error) => return output.unread(plan, &source, cannot_check(&source, error)),
        };
        let [session, agent] = [&read.session, &read.agent].map(Option::as_deref);
        let checker = stream.checker.expecting(session, agent, root);
        let text = &*read.text;
        let report = checker.check_part(text, Base::default(), ReturnFile::default());
        let source = source.with_bytes(text, 0);
        Some(reported(
            output,
            plan,
            (stream, &source),
            Some(text),
            report,
        ))
    }
}

/// Adds a report to the output. Returns whether the return is valid.
fn reported(
    output: &mut JobOutput,
    plan: &CheckPlan<'_>,
    (stream, source): (&CheckedStream<'_>, &Source<'_>),
    returned: Option<&[u8]>,
    mut report: Report<'_>,
) -> bool {
    output.checked(plan, (stream.path, source), returned, &mut report);
    report.is_valid()
}

/// The root that a line names, which stays open for the next lines. None if it names none.
fn own_root<'r>(
    plan: &CheckPlan<'_>,
    open: &'r mut Option<(String, Root)>,
    name: Option<&str>,
) -> anyhow::Result<Option<&'r Root>> {
    let Some(name) = name else { return Ok(None) };
    if open.as_ref().is_none_or(|(opened, _)| opened != name) {
        *open = Some((name.to_owned(), plan.roots.open(Path::new(name))?));
    }
    Ok(open.as_ref().map(|(_, root)| root))
}

/// A stream, and how its lines are checked.
struct CheckedStream<'s> {
    name: &'s str,
    path: &'s Path,
    checker: &'s Checker<'s>,
    /// The most bytes of a line.
    most: usize,
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
}

fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}
