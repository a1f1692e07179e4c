//! A worker: checks a batch of files or a block of lines at a time.

use std::time::SystemTime;

use retval::ReturnFile;
use retval::internal::Base;
use retval::internal::format::{Checked, Source};

use crate::check::args::Filter;
use crate::check::job_output::{Flush, JobOutput, PART};
use crate::check::plan::CheckPlan;
use crate::input::{Block, InputEntry, Job, Opener, Origin, ReadReturns};

/// The room for strings with escapes, in bytes. What is left of longer returns is allocated.
const STRINGS: usize = 64 * 1024;

/// A worker and its buffers, which are reused for each job.
#[derive(Default)]
pub(crate) struct Worker {
    pub(crate) block: Block,
    /// Where the strings of a return are copied to that have escapes.
    strings: Vec<u8>,
    opener: Opener,
    read: ReadReturns,
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
                self.has_several = entries.iter().map(InputEntry::count).sum::<usize>() > 1;
                if self.has_several {
                    self.strings.resize(STRINGS, 0);
                }
                for entry in entries {
                    if !self.entry(plan, entry, flush) {
                        return;
                    }
                }
            }
            Job::Lines { source, base } => {
                self.strings.resize(STRINGS, 0);
                self.lines(plan, &source, base, flush);
                // The output of the next block should fit into one part, so that it is written
                // as a whole.
                self.block.fit(self.output.bytes_written(), PART);
            }
            Job::Oversized { source, base } => {
                let name = plan.named(&source);
                let source_line = Source::new(&name).at_line(base.line);
                let mut report = plan.checker(&source).refuse_size(base);
                self.output
                    .checked(plan, (plan.shown(&source), &source_line), None, &mut report);
            }
        }
    }

    /// Checks an entry. Returns false if the run is over.
    fn entry(&mut self, plan: &CheckPlan<'_>, entry: InputEntry, flush: &mut Flush<'_>) -> bool {
        match entry {
            InputEntry::Return(origin) => {
                let mut read = std::mem::take(&mut self.read);
                let goes_on = self.returns(plan, origin, &mut read, flush);
                self.read = read;
                goes_on
            }
            InputEntry::Unreadable { name, error } => {
                self.unread(plan, &name, error);
                self.output.flush_part(plan, flush)
            }
        }
    }

    /// Checks a return and those that follow it in its folder. Returns false if the run is over.
    fn returns(
        &mut self,
        plan: &CheckPlan<'_>,
        mut origin: Origin,
        read: &mut ReadReturns,
        flush: &mut Flush<'_>,
    ) -> bool {
        loop {
            self.opener.ask_for_time(plan.asks_for_time).read_ahead(
                &origin,
                plan.max_bytes,
                plan.targets,
                read,
            );
            plan.clock.tick();
            for next in read.drain() {
                match next {
                    Ok((bytes, written)) => self.returned(plan, &origin, bytes, written),
                    Err(error) => self.unread(plan, &plan.named(&origin), error),
                }
                let goes_on = self.output.flush_part(plan, flush);
                if !goes_on || !origin.advance() {
                    return goes_on;
                }
            }
        }
    }

    fn returned(
        &mut self,
        plan: &CheckPlan<'_>,
        origin: &Origin,
        bytes: &[u8],
        written: Option<SystemTime>,
    ) {
        let name = plan.named(origin);
        let file = ReturnFile::new(plan.path(origin), written);
        let checker = plan.checker(origin);
        let mut report = checker.check_buffered(bytes, Base::default(), file, &mut self.strings);
        let source = Source::new(&name).with_bytes(bytes, 0);
        self.output.checked(
            plan,
            (plan.shown(origin), &source),
            Some(bytes),
            &mut report,
        );
        if self.has_several {
            report.recycle();
        }
    }

    fn unread(&mut self, plan: &CheckPlan<'_>, name: &str, error: anyhow::Error) {
        let checked = format!("{error:#}");
        self.output
            .add(plan, &Source::new(name), Checked::Unreadable(&checked));
        self.output.warnings.push(error);
    }

    fn lines(&mut self, plan: &CheckPlan<'_>, origin: &Origin, base: Base, flush: &mut Flush<'_>) {
        let (name, path) = (plan.named(origin), plan.shown(origin));
        let checker = plan.checker(origin);
        let most = usize::try_from(plan.max_bytes).unwrap_or(usize::MAX);
        let mut at = base;
        let mut rest = self.block.lines();
        while !rest.is_empty() {
            let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
            let (line, later) = rest.split_at(end);
            let text = without_end(line);
            // A line that is too long is reported even if it is blank, and the filter never prints it:
            // if it had arrived more slowly, it would have been skipped while reading.
            let is_too_long = text.len() > most;
            if is_too_long || !is_blank(text) {
                let file = ReturnFile::default();
                let mut report = checker.check_buffered(text, at, file, &mut self.strings);
                let source = Source::new(&name)
                    .at_line(at.line)
                    .with_bytes(text, at.offset);
                self.output
                    .checked(plan, (path, &source), Some(text), &mut report);
                let is_wanted = |which| report.is_valid() == (which == Filter::Valid);
                if !is_too_long && plan.filter.is_some_and(is_wanted) {
                    self.output.passed.extend_from_slice(line);
                }
                report.recycle();
                if !self.output.flush_part(plan, flush) {
                    return;
                }
            }
            at = Base {
                line: at.line + 1,
                offset: at.offset + end,
            };
            rest = later;
        }
    }
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
}

fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}
