//! Any number of threads, one order of output.
//!
//! Workers take jobs from the feed in turn, check them in parallel, and submit the results. Results are
//! collected in the order of the jobs. A result that is ready too soon is queued, and its worker takes
//! the next job. The queue is bounded, so memory does not grow with the input.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::cli::check::plan::CheckPlan;
use crate::cli::check::results::JobOutput;
use crate::cli::check::worker::Worker;
use crate::cli::input::Feed;

/// Receives every result, in order.
pub(crate) trait Collect: Send {
    /// Takes the result of one job, or a part of it. An error ends the run.
    fn take(&mut self, output: &mut JobOutput) -> anyhow::Result<()>;
}

/// As many workers as one reader can feed: to split a stream into lines takes a fourteenth of the
/// time that checking them takes. Each has buffers of its own; more would only take memory.
const THREADS_AT_MOST: usize = 16;

/// The most results in the queue, each about as long as its input.
const QUEUED_AT_MOST: usize = 8;

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
        changed: Condvar::new(),
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
        collect.take(&mut worker.output)?;
    }
    Ok(())
}

struct Shared<'s, 'f> {
    /// The feed and the number of the job that it hands out next.
    feed: Mutex<(&'s mut Feed<'f>, u64)>,
    turn: Mutex<Turn<'s>>,
    changed: Condvar,
    is_over: AtomicBool,
}

/// Whose turn it is to be collected. Every job below `next` has been collected as a whole, and every
/// number in the queue is above `next`. Once there is an error, nothing is collected any more.
struct Turn<'s> {
    /// The number of the job that is collected next.
    next: u64,
    /// Results that were ready too soon. Never more than `queued_at_most`.
    queue: BTreeMap<u64, JobOutput>,
    queued_at_most: usize,
    /// Results that have been collected. Their buffers are used again.
    spare: Vec<JobOutput>,
    /// How many workers wait for a change.
    waiting: usize,
    collect: &'s mut dyn Collect,
    error: Option<anyhow::Error>,
}

impl<'s> Turn<'s> {
    fn new(collect: &'s mut dyn Collect, threads: usize) -> Self {
        let queued_at_most = threads.min(QUEUED_AT_MOST);
        Self {
            next: 0,
            queue: BTreeMap::new(),
            queued_at_most,
            spare: Vec::new(),
            waiting: 0,
            collect,
            error: None,
        }
    }

    /// Collects the result whose turn it is, and those in the queue that follow it.
    fn take(&mut self, output: &mut JobOutput) -> anyhow::Result<()> {
        self.collect.take(output)?;
        self.next += 1;
        while let Some(mut queued) = self.queue.remove(&self.next) {
            self.collect.take(&mut queued)?;
            self.next += 1;
            self.spare.push(queued);
        }
        Ok(())
    }

    /// Queues a result and leaves its worker an empty one.
    fn enqueue(&mut self, number: u64, output: &mut JobOutput) {
        let spare = self.spare.pop().unwrap_or_default();
        self.queue.insert(number, std::mem::replace(output, spare));
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
            let goes_on = match job {
                Ok(None) => return,
                Ok(Some(job)) => {
                    worker.work(plan, job, &mut |part| self.flush_part(number, part));
                    self.submit(number, Ok(&mut worker.output))
                }
                Err(error) => self.submit(number, Err(error)),
            };
            if !goes_on {
                return;
            }
        }
    }

    /// Waits for the turn of job `number` and has a part of its result collected. The turn stays.
    fn flush_part(&self, number: u64, part: &mut JobOutput) -> bool {
        let mut turn = lock(&self.turn);
        while turn.next != number && turn.error.is_none() {
            turn = self.wait(turn);
        }
        if turn.error.is_none() {
            turn.error = turn.collect.take(part).err();
        }
        turn.error.is_none()
    }

    /// Has the result of job `number` collected, now or later. Returns false if the run is over.
    fn submit(&self, number: u64, output: anyhow::Result<&mut JobOutput>) -> bool {
        let mut turn = lock(&self.turn);
        // Errors are not queued: their worker waits.
        let must_wait =
            |turn: &Turn<'_>| output.is_err() || turn.queue.len() >= turn.queued_at_most;
        while turn.next != number && turn.error.is_none() && must_wait(&turn) {
            turn = self.wait(turn);
        }
        if turn.error.is_none() {
            turn.error = match output {
                Ok(output) if turn.next == number => turn.take(output).err(),
                Ok(output) => {
                    turn.enqueue(number, output);
                    None
                }
                Err(error) => Some(error),
            };
        }
        self.is_over
            .fetch_or(turn.error.is_some(), Ordering::Relaxed);
        // `notify_all` is a system call even if no thread waits.
        if turn.waiting > 0 {
            self.changed.notify_all();
        }
        turn.error.is_none()
    }

    /// Waits until another result has been submitted.
    fn wait<'g, 't>(&self, mut turn: MutexGuard<'g, Turn<'t>>) -> MutexGuard<'g, Turn<'t>> {
        turn.waiting += 1;
        let woken = self.changed.wait(turn);
        let mut turn = woken.unwrap_or_else(PoisonError::into_inner);
        turn.waiting -= 1;
        turn
    }
}

/// A worker that panicked ends the process; no other sees what it left.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
