//! Runs contestants in turn, so that a slowdown of the machine affects all of them. Reports
//! medians, and the shortest times, which other processes disturb least.
#![allow(dead_code, reason = "each benchmark uses its part")]

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
}

impl<'w> Contest<'w> {
    pub(crate) fn new(rounds: usize) -> Self {
        Self {
            rounds,
            entries: Vec::new(),
        }
    }

    pub(crate) fn enter_work(&mut self, name: &str, work: impl FnMut() + 'w) {
        self.entries.push((name.to_owned(), Box::new(work)));
    }

    pub(crate) fn enter(&mut self, name: &str, mut command: Command) {
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
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
        if probe
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok()
        {
            self.enter(name, command);
        }
    }

    /// Runs one round that does not count, then the others. Contestants take turns.
    pub(crate) fn run(mut self) -> Vec<Row> {
        let mut times = vec![Vec::with_capacity(self.rounds); self.entries.len()];
        for round in 0..=self.rounds {
            for (index, (_, work)) in self.entries.iter_mut().enumerate() {
                let start = Instant::now();
                work();
                if round > 0 {
                    times[index].push(start.elapsed());
                }
            }
        }
        let names = self.entries.into_iter().map(|(name, _)| name);
        names
            .zip(times)
            .map(|(name, mut times)| {
                times.sort_unstable();
                Row {
                    name,
                    median: times[times.len() / 2],
                    shortest: times[0],
                }
            })
            .collect()
    }
}

/// Prints one line.
pub(crate) fn print_line(text: &str) {
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}

/// Prints medians and shortest times, each also as a multiple of the first row.
pub(crate) fn print_table(title: &str, rows: &[Row]) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "\n{title}");
    for row in rows {
        let ratio = |of: fn(&Row) -> Duration| of(row).as_secs_f64() / of(&rows[0]).as_secs_f64();
        let (median, shortest) = (ratio(|row| row.median), ratio(|row| row.shortest));
        let _ = writeln!(
            out,
            "  {:<34} {:>12.1?}  x {median:<6.2} {:>12.1?}  x {shortest:.2}",
            row.name, row.median, row.shortest
        );
    }
}
