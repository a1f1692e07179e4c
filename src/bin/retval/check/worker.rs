//! One job at a time: what a worker makes of a batch of files or a block of lines.

use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use retval::format::{Checked, Reporter, Source, Statistics, Totals};
use retval::profile::RETURN;
use retval::{Base, Checker, Profile, Report};

use super::args::Which;
use crate::check::baseline::{Findings, RunBaseline};
use crate::check::grouping::SourceGroup;
use crate::input::{Block, InputEntry, Job, Opener, Origin};
use crate::output::Targets;
use crate::output::error_log;

/// What every worker uses and none changes.
pub(crate) struct CheckPlan<'b> {
    pub(crate) checkers: Checkers<'b>,
    pub(crate) reporters: Vec<Box<dyn Reporter>>,
    /// Whether any of them groups by source.
    pub(crate) groups: bool,
    pub(crate) filter: Option<Which>,
    pub(crate) statistics: bool,
    /// Whether invalid returns are recorded, and how many have been: each record has its number.
    pub(crate) recorded: Option<AtomicU64>,
    pub(crate) max_bytes: u64,
    /// The files that outputs will replace.
    pub(crate) targets: &'b Targets,
    /// Findings that are known.
    pub(crate) known: Option<RunBaseline>,
}

type Make<'c> = Box<dyn Fn(&'c Profile) -> Checker<'c> + Send + Sync + 'c>;

/// A checker for each profile, made when it is first needed.
pub(crate) struct Checkers<'c> {
    /// The profile of every return, unless each file's name is to choose.
    profile: Option<&'c Profile>,
    make: Make<'c>,
    made: Vec<(&'c Profile, OnceLock<Box<Checker<'c>>>)>,
}

impl<'c> Checkers<'c> {
    pub(crate) fn new(
        profile: Option<&'c Profile>,
        profiles: impl Iterator<Item = &'c Profile>,
        make: Make<'c>,
    ) -> Self {
        let unmade = profiles.map(|profile| (profile, OnceLock::new()));
        Self {
            profile,
            make,
            made: unmade.collect(),
        }
    }

    fn of(&self, path: &Path) -> &Checker<'c> {
        let profile = self.profile.unwrap_or_else(|| self.for_path(path));
        let place = self
            .made
            .iter()
            .position(|(known, _)| std::ptr::eq(*known, profile))
            .unwrap_or(0);
        self.made[place]
            .1
            .get_or_init(|| Box::new((self.make)(profile)))
    }

    /// The profile that a path chooses; a bare name is in the current folder, which counts too.
    fn for_path(&self, path: &Path) -> &'c Profile {
        let absolute = if path.file_name() == Some(path.as_os_str()) {
            std::path::absolute(path).ok()
        } else {
            None
        };
        let path = absolute.as_deref().unwrap_or(path);
        let mut profiles = self.made.iter().map(|(profile, _)| *profile);
        let found = profiles.find(|profile| profile.matches_path(path));
        found.unwrap_or(&RETURN)
    }
}

/// What came of one job: bytes for each output, and counts.
#[derive(Default)]
pub(crate) struct JobOutput {
    /// One text for each reporter.
    pub(crate) texts: Vec<Vec<u8>>,
    /// Which part of the texts is about which source; only if a reporter groups.
    pub(crate) groups: Vec<SourceGroup>,
    /// Lines that the filter lets through.
    pub(crate) passed: Vec<u8>,
    pub(crate) complaints: Vec<anyhow::Error>,
    /// Records of invalid returns for the error log.
    pub(crate) records: Vec<String>,
    pub(crate) totals: Totals,
    pub(crate) statistics: Statistics,
    /// What the baseline is to accept.
    pub(crate) found: Findings,
}

/// Buffers that one worker uses again and again.
#[derive(Default)]
pub(crate) struct Worker {
    pub(crate) block: Block,
    opener: Opener,
    bytes: Vec<u8>,
    pub(crate) outcome: JobOutput,
}

/// Bytes of an outcome that are handed in before the job is done: what a job says can be many
/// times what it read.
const PART: usize = 128 * 1024;

/// Takes a part of a job's outcome; false when the run is over.
pub(crate) type HandIn<'h> = dyn FnMut(&mut JobOutput) -> bool + 'h;

impl Worker {
    /// Does one job; what is left of its outcome stands in `outcome` until the next.
    pub(crate) fn work(&mut self, plan: &CheckPlan<'_>, job: Job, hand_in: &mut HandIn<'_>) {
        self.outcome.clear(plan);
        match job {
            Job::Files(entries) => {
                for entry in entries {
                    self.file(plan, entry);
                    if !self.outcome.hand_in_part(plan, hand_in) {
                        return;
                    }
                }
            }
            Job::Lines { source, base } => self.lines(plan, &source, base, hand_in),
            Job::Oversized { source, base } => {
                let name = source.name();
                let source_line = Source {
                    name: &name,
                    line: Some(base.line),
                };
                let mut report = plan.checkers.of(source.path()).refuse_size(base);
                self.outcome.checked(plan, &source_line, &mut report);
            }
        }
    }

    fn file(&mut self, plan: &CheckPlan<'_>, entry: InputEntry) {
        match entry {
            InputEntry::Return(origin) => self.returned(plan, &origin),
            InputEntry::Unreadable { name, error } => self.unread(plan, &name, error),
        }
    }

    fn returned(&mut self, plan: &CheckPlan<'_>, origin: &Origin) {
        let name = origin.name();
        if let Err(error) = self
            .opener
            .read(origin, plan.max_bytes, plan.targets, &mut self.bytes)
        {
            return self.unread(plan, &name, error);
        }
        let mut report = plan.checkers.of(origin.path()).check(&self.bytes);
        let source = Source {
            name: &name,
            line: None,
        };
        self.outcome.checked(plan, &source, &mut report);
    }

    fn unread(&mut self, plan: &CheckPlan<'_>, name: &str, error: anyhow::Error) {
        let checked = format!("{error:#}");
        self.outcome.add(
            plan,
            &Source { name, line: None },
            Checked::Unreadable(&checked),
        );
        self.outcome.complaints.push(error);
    }

    fn lines(
        &mut self,
        plan: &CheckPlan<'_>,
        origin: &Origin,
        base: Base,
        hand_in: &mut HandIn<'_>,
    ) {
        let name = origin.name();
        let checker = plan.checkers.of(origin.path());
        let most = usize::try_from(plan.max_bytes).unwrap_or(usize::MAX);
        let mut at = base;
        let mut rest = self.block.lines();
        while !rest.is_empty() {
            let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
            let (line, later) = rest.split_at(end);
            let text = without_end(line);
            // A line too long is never passed: had it come in more slowly, it would not be here.
            let is_too_long = text.len() > most;
            if is_too_long || !is_blank(text) {
                let mut report = checker.check_at(text, at);
                let source = Source {
                    name: &name,
                    line: Some(at.line),
                };
                self.outcome.checked(plan, &source, &mut report);
                let is_wanted = |which| report.is_valid() == (which == Which::Valid);
                if !is_too_long && plan.filter.is_some_and(is_wanted) {
                    self.outcome.passed.extend_from_slice(line);
                }
                if !self.outcome.hand_in_part(plan, hand_in) {
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

/// Whether a line has nothing that JSON does not pass over.
fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
}

fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

impl JobOutput {
    fn clear(&mut self, plan: &CheckPlan<'_>) {
        self.texts.resize_with(plan.reporters.len(), Vec::new);
        for bytes in self.texts.iter_mut().chain([&mut self.passed]) {
            bytes.clear();
            // What one hostile return has taken is given back.
            bytes.shrink_to(2 * PART);
        }
        self.groups.clear();
        self.records.clear();
        self.complaints.clear();
        self.totals = Totals::default();
        if plan.statistics {
            self.statistics = Statistics::default();
        }
    }

    fn hand_in_part(&mut self, plan: &CheckPlan<'_>, hand_in: &mut HandIn<'_>) -> bool {
        let texts = self.texts.iter().map(Vec::len).sum::<usize>();
        let records = self.records.iter().map(String::len).sum::<usize>();
        if texts + records + self.passed.len() < PART {
            return true;
        }
        let goes_on = hand_in(self);
        self.clear(plan);
        goes_on
    }

    /// Adds a report without what is known.
    fn checked(&mut self, plan: &CheckPlan<'_>, source: &Source<'_>, report: &mut Report<'_>) {
        if let Some(known) = &plan.known {
            known.apply(source, report, &mut self.found);
        }
        self.add(plan, source, Checked::Report(report));
    }

    fn add(&mut self, plan: &CheckPlan<'_>, source: &Source<'_>, checked: Checked<'_>) {
        self.totals.add(checked);
        if plan.statistics {
            self.statistics.add(checked);
        }
        if let (Some(recorded), Checked::Report(report)) = (&plan.recorded, checked)
            && !report.is_valid()
        {
            let number = recorded.fetch_add(1, Ordering::Relaxed);
            self.records.push(error_log::record(report, source, number));
        }
        for (reporter, text) in plan.reporters.iter().zip(&mut self.texts) {
            let before = text.len();
            let between = if before == 0 { b"" } else { reporter.between() };
            text.extend_from_slice(between);
            let start = text.len();
            reporter.one(source, checked, text);
            if text.len() == start {
                text.truncate(before);
            }
        }
        if plan.groups {
            self.group(source, checked);
        }
    }

    fn group(&mut self, source: &Source<'_>, checked: Checked<'_>) {
        if self
            .groups
            .last()
            .is_none_or(|last| last.source != source.name)
        {
            self.groups.push(SourceGroup {
                source: source.name.to_owned(),
                totals: Totals::default(),
                ends: Vec::new(),
            });
        }
        if let Some(last) = self.groups.last_mut() {
            last.totals.add(checked);
            last.ends.clear();
            last.ends.extend(self.texts.iter().map(Vec::len));
        }
    }
}
