//! `--fail-above` and `--compare`: the exit code of a weekly job.

use std::fs;

use super::made::{Agent, Session};
use super::{audit, report};
use crate::common::{World, stderr};

/// Writes a history with this many runs, of which some are lost.
fn history(world: &World, name: &str, runs: usize, lost: usize) -> std::path::PathBuf {
    let folder = world.path(name);
    let mut session = Session::new(&folder, name, "/home/ana/tides", 2);
    for at in 0..runs {
        let answer = if at < lost { "" } else { "The plan is ready." };
        session.call(&Agent::new(&format!("a{at}"), "planner", answer));
    }
    session.write();
    folder
}

#[test]
fn a_limit_is_compared_with_the_upper_bound_of_the_interval() {
    let world = World::new();
    let small = history(&world, "small", 5, 0);
    let large = history(&world, "large", 50, 0);
    for (folder, limits, code) in [
        (&small, "lost=5%", 1),
        (&large, "lost=5%", 1),
        (&large, "lost=8%", 0),
        (&large, "empty=8%,error=8%", 0),
        (&large, "empty=8%,error=2%", 1),
        // No profile covers a return, so nothing is known of their share.
        (&large, "invalid=5%", 0),
    ] {
        let output = audit(&world, &[folder], &format!("--fail-above {limits}"));
        assert_eq!(
            output.status.code(),
            Some(code),
            "{limits}: {}",
            stderr(&output)
        );
    }
    let output = audit(&world, &[&large], "--fail-above lost=5%");
    assert_eq!(
        stderr(&output),
        "note: lost may be above 5.0 %: 0 of 50, at most 7.1 % with 95 % confidence\n"
    );
}

/// Writes the history of a week in which agents of each of two types ran 60 times, and this many were lost.
fn two_types(world: &World, name: &str, lost: [usize; 2]) -> std::path::PathBuf {
    let folder = world.path(name);
    let mut session = Session::new(&folder, name, "/home/ana/tides", 2);
    for (kind, lost) in ["planner", "scout\u{1b}[2J"].into_iter().zip(lost) {
        for at in 0..60 {
            let answer = if at < lost { "" } else { "The plan is ready." };
            session.call(&Agent::new(&format!("{kind}{at}"), kind, answer));
        }
    }
    session.write();
    folder
}

#[test]
fn groups_that_both_reports_have_are_compared() {
    let world = World::new();
    let before = two_types(&world, "before", [20, 4]);
    fs::write(
        world.path("earlier.json"),
        report(&world, &before, "--format json"),
    )
    .expect("a file");
    let now = two_types(&world, "now", [4, 20]);
    let output = audit(&world, &[&now], "--compare earlier.json");
    assert_eq!(output.status.code(), Some(1));
    // As many as before are lost in all.
    assert_eq!(
        stderr(&output),
        "note: lost of the agent planner got better: 20 of 60, 33.3 % (22.7 to 45.9 %) before, 4 of 60, 6.7 % (2.6 to 15.9 %) now\n\
         note: lost of the agent scout\\u{1b}[2J got worse: 4 of 60, 6.7 % (2.6 to 15.9 %) before, 20 of 60, 33.3 % (22.7 to 45.9 %) now\n"
    );
    // Groups are compared with 99 %: 6 of 60 and 17 of 60 differ by 95 % alone.
    let chance = two_types(&world, "chance", [17, 7]);
    let six = two_types(&world, "six", [6, 18]);
    fs::write(
        world.path("earlier.json"),
        report(&world, &six, "--format json"),
    )
    .expect("a file");
    for options in [
        "--compare earlier.json",
        "--by model --compare earlier.json",
    ] {
        let output = audit(&world, &[&chance], options);
        assert_eq!(
            stderr(&output),
            "note: nothing changed by more than chance\n"
        );
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn what_got_worse_by_more_than_chance_is_said() {
    let world = World::new();
    let before = history(&world, "before", 50, 2);
    let earlier = world.path("earlier.json");
    fs::write(&earlier, report(&world, &before, "--format json")).expect("a file");
    for (name, lost, code) in [("chance", 4, 0), ("worse", 20, 1)] {
        let now = history(&world, name, 50, lost);
        let output = audit(&world, &[&now], "--compare earlier.json");
        assert_eq!(
            output.status.code(),
            Some(code),
            "{name}: {}",
            stderr(&output)
        );
    }
    let worse = audit(&world, &[&world.path("worse")], "--compare earlier.json");
    let worse = stderr(&worse);
    assert!(worse.contains("note: lost got worse: 2 of 50, 4.0 % (1.1 to 13.5 %) before, 20 of 50, 40.0 % (27.6 to 53.8 %) now\n"), "{worse}");
    assert!(
        worse.contains("note: returned got worse: 48 of 50"),
        "{worse}"
    );
    // The other way round it is better, which fails nothing.
    let later = world.path("earlier.json");
    fs::write(
        &later,
        report(&world, &world.path("worse"), "--format json"),
    )
    .expect("a file");
    let output = audit(&world, &[&before], "--compare earlier.json");
    assert_eq!(output.status.code(), Some(0));
    assert!(stderr(&output).contains("note: lost got better: "));
    fs::write(&later, "{\"version\": 1}").expect("a file");
    let output = audit(&world, &[&before], "--compare earlier.json");
    assert_eq!(output.status.code(), Some(2));
    let error = stderr(&output);
    assert!(
        error.contains("earlier.json is not a report of `retval audit --format json`"),
        "{error}"
    );
}
