//! How large returns are, and what runs wrote.

use std::collections::HashMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::audit::rate::to_float;
use crate::audit::schema::described;
use crate::audit::{AuditedRun, RunOutcome, Uncommitted};

described! {
    #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
    /// How large returns are, and what runs wrote.
    pub struct AuditWeight {
        /// Returns, in characters.
        pub returns: Sizes,
        /// Returns by their length.
        pub histogram: Vec<LengthClass>,
        /// Tool calls of runs with a record of their own.
        pub calls: Sizes,
        /// What file tools wrote.
        pub writes: Writes,
        /// Runs with a complete record that used only tools that cannot write. Only there can a false claim of
        /// a file be proved.
        pub only_read: u64,
    }
}

described! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    /// Returns of about one length.
    pub struct LengthClass {
        /// The most characters. None for returns that are longer than all other classes.
        pub at_most: Option<u64>,
        /// The returns that are in no shorter class.
        pub returns: u64,
    }
}

/// The bounds of the classes, in characters.
const LENGTHS: [u64; 7] = [100, 300, 1_000, 3_000, 10_000, 30_000, 100_000];

described! {
    #[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
    /// The sizes of a number of things.
    pub struct Sizes {
        /// How many.
        pub of: u64,
        /// The median.
        pub median: u64,
        /// Nine of ten are at most as large.
        pub p90: u64,
        /// The share that the largest tenth has of the sum.
        pub largest_tenth: f64,
    }
}

described! {
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
    /// What file tools wrote, as far as runs have records of their own.
    pub struct Writes {
        /// Files, each counted once in a session.
        pub files: u64,
        /// Files that two agents of a session wrote.
        pub by_two_agents: u64,
        /// Files that two agents of a session wrote while both were running.
        pub at_the_same_time: u64,
        /// Files outside the folder of their session, of `files` counted once a run.
        pub outside: u64,
        /// Files with an absolute path on this system, counted once a run.
        pub by_run: u64,
        /// What of them is not committed when the report is made. None if none of them can be compared.
        pub uncommitted: Option<Uncommitted>,
    }
}

impl Sizes {
    fn new(mut sizes: Vec<u64>) -> Self {
        sizes.sort_unstable();
        let of = sizes.len();
        let at = |tenths: usize| sizes.get((of * tenths).div_ceil(10).max(1) - 1).copied();
        let largest = &sizes[of - of.div_ceil(10)..];
        let (largest, all): (u64, u64) = (largest.iter().sum(), sizes.iter().sum());
        let share = if all == 0 {
            0.0
        } else {
            to_float(largest) / to_float(all)
        };
        Self {
            of: of as u64,
            median: at(5).unwrap_or_default(),
            p90: at(9).unwrap_or_default(),
            largest_tenth: (share * 10_000.0).round() / 10_000.0,
        }
    }
}

impl AuditWeight {
    pub(super) fn new(runs: &[AuditedRun]) -> Self {
        let returned = runs
            .iter()
            .filter(|run| run.outcome == RunOutcome::Returned);
        let returns = returned.filter_map(|run| Some(run.returned?.characters));
        let returns: Vec<u64> = returns.collect();
        let recorded = runs.iter().filter(|run| run.is_recorded);
        Self {
            histogram: histogram(&returns),
            returns: Sizes::new(returns),
            calls: Sizes::new(recorded.map(|run| run.calls).collect()),
            writes: Writes::new(runs),
            only_read: runs.iter().filter(|run| run.only_read).count() as u64,
        }
    }
}

fn histogram(lengths: &[u64]) -> Vec<LengthClass> {
    let mut counts = [0; LENGTHS.len() + 1];
    for length in lengths {
        counts[LENGTHS.partition_point(|most| most < length)] += 1;
    }
    let bounds = LENGTHS.into_iter().map(Some).chain([None]);
    let classes = bounds.zip(counts);
    let classes = classes.map(|(at_most, returns)| LengthClass { at_most, returns });
    classes.collect()
}

impl Writes {
    fn new(runs: &[AuditedRun]) -> Self {
        let mut writers: HashMap<_, Vec<&AuditedRun>> = HashMap::new();
        for run in runs {
            for file in &run.written {
                let place = (run.client, &run.session, file);
                writers.entry(place).or_default().push(run);
            }
        }
        let count = |is: &dyn Fn(&[&AuditedRun]) -> bool| {
            writers.values().filter(|runs| is(runs)).count() as u64
        };
        Self {
            files: writers.len() as u64,
            by_two_agents: count(&|runs| runs.len() > 1),
            at_the_same_time: count(&|runs| has_overlap(runs)),
            outside: runs.iter().map(|run| run.written_outside).sum(),
            by_run: runs.iter().map(placed).sum(),
            uncommitted: None,
        }
    }
}

/// Files of which it can be told whether they are outside a folder. The paths of another system cannot be read.
fn placed(run: &AuditedRun) -> u64 {
    let paths = run.written.iter();
    paths
        .filter(|path| Path::new(&***path).is_absolute())
        .count() as u64
}

/// Whether two of the runs were running at the same time. `runs` are in the order in which they began.
fn has_overlap(runs: &[&AuditedRun]) -> bool {
    runs.windows(2).any(|pair| {
        let times = pair[0].ended.zip(pair[1].started);
        times.is_some_and(|(ended, started)| started < ended)
    })
}
