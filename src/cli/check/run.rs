//! The loop of a run: any number of threads, one order of output.
//!
//! Workers take jobs from the feed in turn, files or lines, check them in parallel, and hand over the results,
//! which are collected in the order of the jobs. A result that is ready too soon is queued, and its worker
//! takes the next job. The queue is bounded, so memory does not grow with the input.

use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::check::ReturnFile;
use crate::cli::check::CheckPlan;
use crate::cli::check::args::{Filter, LineContent};
use crate::cli::check::outputs::{JobOutput, RunCollector};
use crate::cli::check::text_line::StreamText;
use crate::cli::input::{Feed, InputEntry, Job, Opener, Origin, shown_name};
use crate::cli::settings::overrides::ProfileChoice;
use crate::document::Form;
use crate::profile::RETURN;
use crate::report::Source;
use crate::text::{Base, is_blank};
use crate::{Checker, Profile, Root};

/// As many workers as one reader can feed: to split a stream into lines takes a fourteenth of the
/// time that checking them takes. Each has buffers of its own; more would only take memory.
const THREADS_AT_MOST: usize = 16;

/// The most results in the queue, each about as long as its input.
const QUEUED_AT_MOST: usize = 8;

/// Checks all that the feed has with `threads` workers, as far as they are of use.
pub(super) fn run<'p>(
    plan: &'p CheckPlan<'p>,
    feed: &mut Feed<'p>,
    threads: usize,
    collector: &mut RunCollector<'p>,
) {
    let threads = threads.min(THREADS_AT_MOST);
    let shared = Shared {
        plan,
        feed: Mutex::new((feed, 0)),
        turn: Mutex::new(Turn {
            next: 0,
            queue: BTreeMap::new(),
            queued_at_most: threads.min(QUEUED_AT_MOST),
            waiting: 0,
            collector,
        }),
        changed: Condvar::new(),
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            let work = || Worker::new(&shared).work();
            // A system that gives no more threads has given enough.
            if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        Worker::new(&shared).work();
    });
}

/// What the workers share.
struct Shared<'s, 'p> {
    plan: &'p CheckPlan<'p>,
    /// The feed and the number of the job that it hands out next.
    feed: Mutex<(&'s mut Feed<'p>, u64)>,
    turn: Mutex<Turn<'s, 'p>>,
    changed: Condvar,
}

/// Whose turn it is to be collected. Every job below `next` has been collected as a whole, and every
/// number in the queue is above `next`.
struct Turn<'s, 'p> {
    /// The number of the job that is collected next.
    next: u64,
    /// Results that were ready too soon. Never more than `queued_at_most`.
    queue: BTreeMap<u64, JobOutput>,
    queued_at_most: usize,
    /// How many workers wait for a change.
    waiting: usize,
    collector: &'s mut RunCollector<'p>,
}

impl Turn<'_, '_> {
    /// Collects the last part of the result whose turn it is, and the results in the queue that follow it.
    fn take_last(&mut self, output: &mut JobOutput) {
        self.collector.take(output);
        self.next += 1;
        while let Some(mut queued) = self.queue.remove(&self.next) {
            self.collector.take(&mut queued);
            self.next += 1;
        }
    }
}

/// The checkers of a worker: one for each combination of a profile and the indexes of overrides, built when it is
/// first needed. They are few, because most sources have the same settings.
#[derive(Default)]
struct KnownCheckers<'p>(Vec<(&'p Profile, Vec<usize>, Rc<Checker<'p>>)>);

impl<'p> KnownCheckers<'p> {
    /// The checker for the return in a file, or on standard input.
    fn of(&mut self, plan: &'p CheckPlan<'p>, path: Option<&Path>) -> Rc<Checker<'p>> {
        let overrides = path.map_or_else(Vec::new, |path| plan.overrides.matching(path));
        let choice = plan.overrides.profile(&overrides).unwrap_or(plan.profile);
        let profile = match choice {
            ProfileChoice::Is(profile) => profile,
            ProfileChoice::ByName => path.map_or(&RETURN, |path| plan.profile_of(path)),
        };
        let mut known = self.0.iter();
        if let Some(known) = known.find(|it| std::ptr::eq(it.0, profile) && it.1 == overrides) {
            return Rc::clone(&known.2);
        }
        let own = plan.overrides.merged(&overrides);
        let mut checker = (plan.checker).checker_of(plan.settings, profile, plan.root, &own);
        checker.expected.is_one_of_many = plan.many;
        let mut others = plan.settings.profiles().filter(|it| it.form != Form::Json);
        let is_open = matches!(choice, ProfileChoice::ByName) && profile.id == RETURN.id;
        let only = others.next().filter(|_| is_open && others.next().is_none());
        checker.expected.other_profile = only.map(|it| &*it.id);
        let checker = Rc::new(checker);
        self.0.push((profile, overrides, Rc::clone(&checker)));
        checker
    }
}

/// A worker and its buffers, which are reused for each job.
struct Worker<'w, 's, 'p> {
    shared: &'w Shared<'s, 'p>,
    plan: &'p CheckPlan<'p>,
    checkers: KnownCheckers<'p>,
    /// The number of its job.
    number: u64,
    /// The lines of a block.
    block: Vec<u8>,
    /// The last root that a line has named.
    root: Option<(String, Root)>,
    opener: Opener,
    bytes: Vec<u8>,
    output: JobOutput,
}

/// A stream, and how its lines are checked.
struct CheckedStream<'s> {
    name: &'s str,
    path: &'s Path,
    checker: &'s Checker<'s>,
    /// The most bytes of a line.
    most: usize,
}

impl<'w, 's, 'p> Worker<'w, 's, 'p> {
    fn new(shared: &'w Shared<'s, 'p>) -> Self {
        Self {
            shared,
            plan: shared.plan,
            checkers: KnownCheckers::default(),
            number: 0,
            block: Vec::new(),
            root: None,
            opener: Opener::default(),
            bytes: Vec::new(),
            output: JobOutput::default(),
        }
    }

    /// Does jobs until there are no more.
    fn work(mut self) {
        loop {
            let job = {
                let mut feed = lock(&self.shared.feed);
                self.number = feed.1;
                feed.1 += 1;
                feed.0.next(&mut self.block)
            };
            self.output.clear(self.plan);
            match job {
                None => return,
                Some(Job::Files(entries)) => self.files(entries),
                Some(Job::Lines { source, base }) => self.lines(&source, base),
                Some(Job::Oversized { source, base }) => {
                    let name = source.name();
                    let line = Source::new(&name).at_line(base.line);
                    let checker = self.checkers.of(self.plan, source.file());
                    let (place, report) = ((source.path(), &line), checker.refuse_size(base));
                    self.output.checked(self.plan, place, None, report);
                }
            }
            self.hand_over();
        }
    }

    /// Hands over the last part of a result, to be collected now or later.
    fn hand_over(&mut self) {
        let must_wait = |turn: &Turn<'_, '_>| turn.queue.len() >= turn.queued_at_most;
        let mut turn = self.shared.wait(self.number, must_wait);
        if turn.next == self.number {
            turn.take_last(&mut self.output);
        } else {
            let output = std::mem::take(&mut self.output);
            turn.queue.insert(self.number, output);
        }
        // `notify_all` is a system call even if no thread waits.
        if turn.waiting > 0 {
            self.shared.changed.notify_all();
        }
    }

    /// Hands over what there is of a result if that is much. The turn stays.
    fn hand_over_part(&mut self) {
        if self.output.is_part() {
            let mut turn = self.shared.wait(self.number, |_| true);
            turn.collector.take(&mut self.output);
            self.output.clear(self.plan);
        }
    }

    fn files(&mut self, entries: Vec<InputEntry>) {
        for entry in entries {
            match entry {
                InputEntry::Return(origin) => self.file(&origin),
                InputEntry::Unreadable { name, error } => {
                    self.output.unread(self.plan, &Source::new(&name), error);
                }
            }
            self.hand_over_part();
        }
    }

    fn file(&mut self, origin: &Origin) {
        let plan = self.plan;
        self.bytes.clear();
        let (most, name) = (plan.options.checker.max_bytes, origin.name());
        let read = (self.opener).read(origin, most, &mut self.bytes);
        let source = Source::new(&name);
        match read {
            Ok(written) => {
                let (bytes, file) = (&*self.bytes, ReturnFile::new(origin.file(), written));
                let checker = self.checkers.of(plan, origin.file());
                let report = checker.check_part(bytes, Base::default(), file);
                let place = (origin.path(), &source.with_bytes(bytes, 0));
                self.output.checked(plan, place, Some(bytes), report);
            }
            Err(error) => {
                self.output.unread(plan, &source, error);
            }
        }
    }

    /// Checks the lines of a block.
    fn lines(&mut self, origin: &Origin, base: Base) {
        let most = usize::try_from(self.plan.options.line_bytes());
        let stream = CheckedStream {
            name: &origin.name(),
            path: origin.path(),
            checker: &self.checkers.of(self.plan, origin.file()),
            most: most.unwrap_or(usize::MAX),
        };
        let block = std::mem::take(&mut self.block);
        let mut at = base;
        for line in block.split_inclusive(|byte| *byte == b'\n') {
            self.line(&stream, at, line);
            self.hand_over_part();
            at.line += 1;
            at.offset += line.len();
        }
        self.block = block;
    }

    /// Checks a line, which is not blank or too long to be looked at.
    fn line(&mut self, stream: &CheckedStream<'_>, at: Base, line: &[u8]) {
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        let source = Source::new(stream.name).at_line(at.line);
        // A line that is too long is reported even if it is blank, and the filter never prints it:
        // if it had arrived more slowly, it would have been skipped while reading.
        if text.len() > stream.most {
            let report = stream.checker.refuse_size(at);
            let place = (stream.path, &source);
            self.output.checked(self.plan, place, None, report);
            return;
        }
        if text.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r')) {
            return;
        }
        let is_valid = if self.plan.options.args.lines == Some(LineContent::Texts) {
            self.text(stream, source, text)
        } else {
            let report = stream.checker.check_part(text, at, ReturnFile::default());
            let place = (stream.path, &source.with_bytes(text, at.offset));
            Some(self.output.checked(self.plan, place, Some(text), report))
        };
        let is_wanted = |which| is_valid == Some(which == Filter::Valid);
        if self.plan.options.args.filter.is_some_and(is_wanted) {
            self.output.passed.extend_from_slice(line);
        }
    }

    /// Checks the return that a line holds as a text. Returns whether it is valid, or None if the line
    /// cannot be checked.
    fn text(
        &mut self,
        stream: &CheckedStream<'_>,
        source: Source<'_>,
        line: &[u8],
    ) -> Option<bool> {
        let (plan, output) = (self.plan, &mut self.output);
        let number = source.line.unwrap_or_default();
        let cannot_check = |error: anyhow::Error| {
            let name = shown_name(stream.path);
            error.context(format!("cannot check line {number} of {name}"))
        };
        let read = match StreamText::read(line) {
            Ok(read) => read,
            Err(error) => return output.unread(plan, &source, cannot_check(error)),
        };
        let source = source.with_text(said(read.id.as_ref()));
        let root = match own_root(plan, &mut self.root, said(read.root.as_ref())) {
            Ok(root) => root,
            Err(error) => return output.unread(plan, &source, cannot_check(error)),
        };
        let [session, agent] = [&read.session, &read.agent].map(|it| said(it.as_ref()));
        let checker = stream.checker.expecting(session, agent, root);
        let text = &*read.text;
        let report = checker.check_part(text, Base::default(), ReturnFile::default());
        let place = (stream.path, &source.with_bytes(text, 0));
        Some(output.checked(plan, place, Some(text), report))
    }
}

impl<'s, 'p> Shared<'s, 'p> {
    /// Waits for the turn of a job, as long as it must.
    fn wait(
        &self,
        number: u64,
        must_wait: impl Fn(&Turn<'_, '_>) -> bool,
    ) -> MutexGuard<'_, Turn<'s, 'p>> {
        let mut turn = lock(&self.turn);
        while turn.next != number && must_wait(&turn) {
            turn.waiting += 1;
            turn = (self.changed.wait(turn)).unwrap_or_else(PoisonError::into_inner);
            turn.waiting -= 1;
        }
        turn
    }
}

/// A worker that panicked ends the process; no other sees what it left.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A member of a line. One that is blank says nothing.
fn said(member: Option<&String>) -> Option<&str> {
    member.map(String::as_str).filter(|it| !is_blank(it))
}

/// The root that a line names, which stays open for the next lines. None if it names none.
fn own_root<'r>(
    plan: &CheckPlan<'_>,
    open: &'r mut Option<(String, Root)>,
    name: Option<&str>,
) -> anyhow::Result<Option<&'r Root>> {
    let Some(name) = name else { return Ok(None) };
    if open.as_ref().is_none_or(|(opened, _)| opened != name) {
        *open = Some((name.to_owned(), plan.open_root(Path::new(name))?));
    }
    Ok(open.as_ref().map(|(_, root)| root))
}
