//! Generated cases that can be reproduced: the same seeds in every run, or the requested one.

use std::panic::{AssertUnwindSafe, catch_unwind};

use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestCaseResult, TestRunner};

/// The default seeds.
const SEEDS: [u64; 4] = [1, 2, 3, 4];

/// Checks a law with `cases` generated cases for each seed. The failure message says how to
/// reproduce it. A case that broke a law becomes a test, or a seed in `fuzz/seeds`.
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
        // Generating a case can panic, too, and proptest does not catch that.
        let held = catch_unwind(AssertUnwindSafe(|| runner.run(strategy, &law)));
        let why = match held {
            Ok(Ok(())) => continue,
            Ok(Err(error)) => error.to_string(),
            Err(_) => "no case could be made".to_owned(),
        };
        panic!("{why}\nrepeat with PROPTEST_RNG_SEED={rng_seed}");
    }
}
