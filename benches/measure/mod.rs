//! Runs contestants in turn, so that a slowdown of the machine affects all of them. Reports the median
//! time, and the shortest, which is least affected by other processes.
#![allow(dead_code, reason = "each benchmark uses its part")]

// System calls, page faults and processor time can only be counted on Linux.
#[cfg(target_os = "linux")]
pub(crate) mod traced;

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The contestants, and how many times each runs.
pub(crate) struct Contest<'w> {
    rounds: usize,
    entries: Vec<(String, Box<dyn FnMut() + 'w>)>,
}

/// A contestant's name and times.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) median: Duration,
    pub(crate) shortest: Duration,
    /// The median processor time of the programs that it started.
    pub(crate) processor: Duration,
}

impl<'w> Contest<'w> {
    pub(crate) fn new(rounds: usize) -> Self {
        Self { rounds, entries: Vec::new() }
    }

    pub(crate) fn enter_work(&mut self, name: &str, work: impl FnMut() + 'w) {
        self.entries.push((name.to_owned(), Box::new(work)));
    }

    pub(crate) fn enter(&mut self, name: &str, mut command: Command) {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        self.enter_work(name, move || {
            command.status().expect("it runs");
        });
    }

    /// Adds a command that reads a file on standard input.
    pub(crate) fn enter_fed(&mut self, name: &str, mut command: Command, input: &Path) {
        let input: PathBuf = input.to_owned();
        command.stdout(Stdio::null()).stderr(Stdio::null());
        self.enter_work(name, move || {
            command.stdin(File::open(&input).expect("an input"));
            command.status().expect("it runs");
        });
    }

    pub(crate) fn enter_if_installed(&mut self, name: &str, command: Command) {
        let mut probe = Command::new(command.get_program());
        if probe.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok() {
            self.enter(name, command);
        }
    }

    /// Runs a warm-up round and then the others. The contestants run in turn.
    pub(crate) fn run(mut self) -> Vec<Row> {
        let mut times = vec![Vec::with_capacity(self.rounds); self.entries.len()];
        let mut processor = times.clone();
        for round in 0..=self.rounds {
            for (index, (_, work)) in self.entries.iter_mut().enumerate() {
                let (start, before) = (Instant::now(), processor_time());
                work();
                if round > 0 {
                    times[index].push(start.elapsed());
                    processor[index].push(processor_time().saturating_sub(before));
                }
            }
        }
        let names = self.entries.into_iter().map(|(name, _)| name);
        names
            .zip(times.into_iter().zip(processor))
            .map(|(name, (mut times, mut processor))| {
                times.sort_unstable();
                processor.sort_unstable();
                Row {
                    name,
                    median: times[times.len() / 2],
                    shortest: times[0],
                    processor: processor[processor.len() / 2],
                }
            })
            .collect()
    }
}

/// The processor time of all child processes that have ended, in user mode and in the kernel.
#[cfg(target_os = "linux")]
fn processor_time() -> Duration {
    use nix::sys::resource::{UsageWho, getrusage};
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("the system counts it");
    let times = [usage.user_time(), usage.system_time()];
    times.into_iter().map(duration).sum()
}

#[cfg(not(target_os = "linux"))]
fn processor_time() -> Duration {
    Duration::ZERO
}

/// The number of page faults of a run that needed no disk access.
#[cfg(target_os = "linux")]
pub(crate) fn page_faults(command: &Command) -> i64 {
    use nix::sys::resource::{UsageWho, getrusage};
    let faults = || {
        let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("the system counts it");
        usage.minor_page_faults()
    };
    let before = faults();
    let mut again = Command::new(command.get_program());
    again.args(command.get_args()).stdout(Stdio::null());
    again.status().expect("it runs");
    faults() - before
}

/// The number of instructions of a run, counted by callgrind. None if it is not installed.
#[cfg(target_os = "linux")]
pub(crate) fn instructions(command: &Command) -> Option<String> {
    let mut counted = Command::new("valgrind");
    counted
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(command.get_program())
        .args(command.get_args())
        .env_remove("LD_LIBRARY_PATH");
    let output = counted.output().ok()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let (_, count) = text.split_once("Collected : ")?;
    count.lines().next().map(str::to_owned)
}

#[cfg(target_os = "linux")]
fn duration(time: nix::sys::time::TimeVal) -> Duration {
    let microseconds = time.tv_sec() * 1_000_000 + time.tv_usec();
    Duration::from_micros(u64::try_from(microseconds).expect("time goes on"))
}

/// Prints one line.
pub(crate) fn print_line(text: &str) {
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}

/// Prints medians of time and processor time, and shortest times, each also as a multiple of the
/// first row.
pub(crate) fn print_table(title: &str, rows: &[Row]) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "\n{title}");
    for row in rows {
        let ratio = |of: fn(&Row) -> Duration| of(row).as_secs_f64() / of(&rows[0]).as_secs_f64();
        let (median, shortest) = (ratio(|row| row.median), ratio(|row| row.shortest));
        let processor = ratio(|row| row.processor);
        let _ = writeln!(
            out,
            "  {:<38} {:>10.1?} x {median:<6.2} {:>10.1?} x {shortest:<6.2} processor {:>10.1?} x {processor:.2}",
            row.name, row.median, row.shortest, row.processor
        );
    }
}
