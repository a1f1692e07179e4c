//! Any number of threads, one order of output.
//!
//! Workers take jobs from the feed in turn, check them side by side, and hand in what came of them.
//! Outcomes are taken in the order of the jobs; one that is early waits, and its worker goes on.
//! Only so many may wait, so that memory does not grow with the input.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::check::job_output::JobOutput;
use crate::check::plan::CheckPlan;
use crate::check::worker::Worker;
use crate::input::Feed;

/// Receives every outcome, in order.
pub(crate) trait Collect: Send {
    /// Takes what came of one job; an error ends the run.
    fn take(&mut self, outcome: &mut JobOutput) -> anyhow::Result<()>;
}

/// As many workers as one reader can feed: to split a stream into lines takes a fourteenth of the
/// time that checking them takes. Each has buffers of its own; more would only take memory.
const THREADS_AT_MOST: usize = 16;

/// Outcomes that wait for their turn, each about as long as what it checked.
const EARLY_AT_MOST: usize = 8;

/// Checks all that `feed` has with `threads` workers, as far as they are of use.
pub(crate) fn run(
    plan: &CheckPlan<'_>,
    feed: &mut Feed<'_>,
    threads: usize,
    collect: &mut dyn Collect,
) -> anyhow::Result<()> {
    if threads <= 1 {
        return run_alone(plan, feed, collect);
    }
    let threads = threads.min(THREADS_AT_MOST);
    let shared = Shared {
        feed: Mutex::new((feed, 0)),
        turn: Mutex::new(Turn::new(collect, threads)),
        handed_in: Condvar::new(),
        is_over: AtomicBool::new(false),
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // A system that gives no more threads has given enough.
            if thread::Builder::new()
                .spawn_scoped(scope, || shared.work(plan))
                .is_err()
            {
                break;
            }
        }
        shared.work(plan);
    });
    let turn = shared
        .turn
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    turn.error.map_or(Ok(()), Err)
}

fn run_alone(
    plan: &CheckPlan<'_>,
    feed: &mut Feed<'_>,
    collect: &mut dyn Collect,
) -> anyhow::Result<()> {
    let mut worker = Worker::default();
    while let Some(job) = feed.next(&mut worker.block)? {
        let mut failure = None;
        worker.work(plan, job, &mut |part| {
            failure = collect.take(part).err();
            failure.is_none()
        });
        failure.map_or(Ok(()), Err)?;
        collect.take(&mut worker.outcome)?;
    }
    Ok(())
}

struct Shared<'s, 'f> {
    /// The feed and the number of the job that it hands out next.
    feed: Mutex<(&'s mut Feed<'f>, u64)>,
    turn: Mutex<Turn<'s>>,
    handed_in: Condvar,
    is_over: AtomicBool,
}

struct Turn<'s> {
    /// The number of the job whose outcome is taken next.
    next: u64,
    /// Outcomes that came before their turn, and how many may.
    early: BTreeMap<u64, JobOutput>,
    early_at_most: usize,
    /// Outcomes that have been taken, to be used again.
    spare: Vec<JobOutput>,
    /// Workers that wait for a change.
    waiting: usize,
    collect: &'s mut dyn Collect,
    error: Option<anyhow::Error>,
}

impl<'s> Turn<'s> {
    fn new(collect: &'s mut dyn Collect, threads: usize) -> Self {
        let early_at_most = threads.min(EARLY_AT_MOST);
        Self {
            next: 0,
            early: BTreeMap::new(),
            early_at_most,
            spare: Vec::new(),
            waiting: 0,
            collect,
            error: None,
        }
    }

    /// Takes the outcome whose turn it is, and all that were waiting for it.
    fn take(&mut self, outcome: &mut JobOutput) -> anyhow::Result<()> {
        self.collect.take(outcome)?;
        self.next += 1;
        while let Some(mut early) = self.early.remove(&self.next) {
            self.collect.take(&mut early)?;
            self.next += 1;
            self.spare.push(early);
        }
        Ok(())
    }

    /// Leaves an outcome that is early, for one to go on with.
    fn leave(&mut self, number: u64, outcome: &mut JobOutput) {
        let spare = self.spare.pop().unwrap_or_default();
        self.early.insert(number, std::mem::replace(outcome, spare));
    }
}

impl Shared<'_, '_> {
    fn work(&self, plan: &CheckPlan<'_>) {
        let mut worker = Worker::default();
        while !self.is_over.load(Ordering::Relaxed) {
            let (number, job) = {
                let mut feed = lock(&self.feed);
                let number = feed.1;
                feed.1 += 1;
                (number, feed.0.next(&mut worker.block))
            };
            let handed_in = match job {
                Ok(None) => return,
                Ok(Some(job)) => {
                    worker.work(plan, job, &mut |part| self.hand_in_part(number, part));
                    self.hand_in(number, Ok(&mut worker.outcome))
                }
                Err(error) => self.hand_in(number, Err(error)),
            };
            if !handed_in {
                return;
            }
        }
    }

    /// Waits for the turn of job `number` and has a part of its outcome taken; the turn stays.
    fn hand_in_part(&self, number: u64, part: &mut JobOutput) -> bool {
        let mut turn = lock(&self.turn);
        while turn.next != number && turn.error.is_none() {
            turn = self.wait(turn);
        }
        if turn.error.is_none() {
            turn.error = turn.collect.take(part).err();
        }
        turn.error.is_none()
    }

    /// Has the outcome of job `number` taken, at once or later. False when the run is over.
    fn hand_in(&self, number: u64, outcome: anyhow::Result<&mut JobOutput>) -> bool {
        let mut turn = lock(&self.turn);
        // An error has no place to wait but here.
        let must_wait =
            |turn: &Turn<'_>| outcome.is_err() || turn.early.len() >= turn.early_at_most;
        while turn.next != number && turn.error.is_none() && must_wait(&turn) {
            turn = self.wait(turn);
        }
        if turn.error.is_none() {
            turn.error = match outcome {
                Ok(outcome) if turn.next == number => turn.take(outcome).err(),
                Ok(outcome) => {
                    turn.leave(number, outcome);
                    None
                }
                Err(error) => Some(error),
            };
        }
        self.is_over
            .fetch_or(turn.error.is_some(), Ordering::Relaxed);
        // `notify_all` is a system call even if no thread waits.
        if turn.waiting > 0 {
            self.handed_in.notify_all();
        }
        turn.error.is_none()
    }

    /// Waits until another outcome has been handed in.
    fn wait<'g, 't>(&self, mut turn: MutexGuard<'g, Turn<'t>>) -> MutexGuard<'g, Turn<'t>> {
        turn.waiting += 1;
        let woken = self.handed_in.wait(turn);
        let mut turn = woken.unwrap_or_else(PoisonError::into_inner);
        turn.waiting -= 1;
        turn
    }
}

/// A worker that panicked ends the process; no other sees what it left.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
