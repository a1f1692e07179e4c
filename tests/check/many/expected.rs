//! `--expect`: as many returns as agents were called.

use super::blocked;
use crate::common::{World, piped, stderr, stdout};

#[test]
fn another_number_of_returns_fails_whatever_is_in_them() {
    let world = World::new();
    let returns = [blocked(1), blocked(2)].join("\n");
    for (options, code, error) in [
        ("--expect 2", 0, ""),
        ("--expect 3", 1, "error: 2 returns were found, and 3 expected (--expect)\n"),
        ("--expect 1", 1, "error: 2 returns were found, and 1 expected (--expect)\n"),
        ("--expect 3 --exit-zero", 0, "error: 2 returns were found, and 3 expected (--expect)\n"),
        ("--expect 3 --format json", 1, "error: 2 returns were found, and 3 expected (--expect)\n"),
    ] {
        let output = piped(&world, &format!("--lines {options}"), &returns);
        assert_eq!((output.status.code(), &*stderr(&output)), (Some(code), error), "{options}");
        assert!(stdout(&output).contains('2'), "{options}");
    }
    // What is invalid or cannot be read counts as a return: it is reported as it is.
    let output = world.check("profiles/return missing.json --expect 4");
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(!stderr(&output).contains("expected ("), "{}", stderr(&output));
}
