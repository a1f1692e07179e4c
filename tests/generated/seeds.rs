//! Generated cases that can be repeated: the same seeds in every run, or the one that is asked for.

use std::panic::{AssertUnwindSafe, catch_unwind};

use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestCaseResult, TestRunner};

/// The seeds of every run.
const SEEDS: [u64; 4] = [1, 2, 3, 4];

/// Holds a law to so many generated cases of each seed. A failure ends with how to repeat it; a case
/// that broke a law becomes a test, or a seed under `fuzz/seeds`.
pub(crate) fn hold<S: Strategy>(
    cases: u32,
    strategy: &S,
    law: impl Fn(S::Value) -> TestCaseResult,
) {
    // Proptest itself reads PROPTEST_RNG_SEED.
    let asked = ProptestConfig::default().rng_seed;
    let seeds = match asked {
        RngSeed::Random => SEEDS.map(RngSeed::Fixed).to_vec(),
        RngSeed::Fixed(_) => vec![asked],
    };
    for rng_seed in seeds {
        let mut runner = TestRunner::new(ProptestConfig {
            cases,
            failure_persistence: None,
            rng_seed,
            ..ProptestConfig::default()
        });
        // What makes the cases can panic as well, which proptest lets through.
        let held = catch_unwind(AssertUnwindSafe(|| runner.run(strategy, &law)));
        let why = match held {
            Ok(Ok(())) => continue,
            Ok(Err(error)) => error.to_string(),
            Err(_) => "no case could be made".to_owned(),
        };
        panic!("{why}\nrepeat with PROPTEST_RNG_SEED={rng_seed}");
    }
}
