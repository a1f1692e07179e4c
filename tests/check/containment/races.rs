//! Files that are replaced by symlinks while they are looked up.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::symlink;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use serde_json::Value;

use super::{claiming, world};
use crate::common::World;

/// The number of claims in the race, and how many more there are if it was not close enough until
/// then. Each is spelled otherwise, for what was found is not looked for again.
const CLAIMS: usize = 4_096;
const CLAIMS_AT_MOST: usize = 1 << 20;

/// `folder`, slashes that say a number, `name`.
fn spelled(folder: &str, number: usize, name: &str) -> String {
    let part = |bit: usize| if number >> bit & 1 == 1 { "/./" } else { "//" };
    folder.to_owned() + &(0..20).map(part).collect::<String>() + name
}

/// Swaps a folder and a file for links to what is outside, and back.
fn swap(world: &World) {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    for (one, other) in [("race", "race-link"), ("file.pem", "file-link")] {
        let [one, other] = [one, other].map(|name| world.path("project").join(name));
        renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).expect("they are swapped");
    }
}

/// How many claims there were of each state and size, checked while their files are swapped, and how
/// many were written.
fn raced(world: &World) -> (BTreeMap<(String, Option<u64>), usize>, usize) {
    let mut retval = world.retval();
    retval.args("check --lines --format jsonl --root project -j 1".split(' '));
    let child = retval.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = child.expect("it runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let answers = BufReader::new(child.stdout.take().expect("a pipe"));
    let (is_over, swaps) = (&AtomicBool::new(false), &AtomicUsize::new(0));
    let mut seen = BTreeMap::new();
    let written = thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                swap(world);
                swaps.fetch_add(1, Ordering::Relaxed);
            }
        });
        let writing = scope.spawn(move || {
            let mut written = 0;
            for number in 0..CLAIMS_AT_MOST {
                if is_over.load(Ordering::Relaxed) {
                    break;
                }
                for (folder, name) in [("race", "key.pem"), (".", "file.pem")] {
                    let claim = claiming(&spelled(folder, number, name));
                    writeln!(stdin, "{claim}").expect("it reads");
                    written += 1;
                }
            }
            written
        });
        for (number, line) in answers.lines().map_while(Result::ok).enumerate() {
            let record: Value = serde_json::from_str(&line).unwrap_or_default();
            let artifact = &record["artifacts"][0];
            let state = artifact["state"].as_str().unwrap_or_default().to_owned();
            *seen.entry((state, artifact["bytes"].as_u64())).or_default() += 1;
            let sides: BTreeSet<_> = seen.keys().map(|(state, _)| state == "ok").collect();
            let is_close = sides.len() == 2 && swaps.load(Ordering::Relaxed) > 500;
            if number >= CLAIMS && is_close {
                is_over.store(true, Ordering::Relaxed);
            }
        }
        is_over.store(true, Ordering::Relaxed);
        writing.join().expect("no panic")
    });
    child.wait().expect("it ends");
    (seen, written)
}

#[test]
fn a_path_swapped_for_a_link_never_shows_outside_files() {
    let world = world();
    world.write("project/race/key.pem", "inner");
    world.write("project/file.pem", "inner");
    symlink("../secret", world.path("project/race-link")).expect("a link");
    symlink("../secret/key.pem", world.path("project/file-link")).expect("a link");
    let (seen, written) = raced(&world);
    assert_eq!(seen.values().sum::<usize>(), written, "{seen:?}");
    let mut sides = BTreeSet::new();
    for (state, bytes) in seen.keys() {
        // Not readable: it was swapped each time that it was asked for.
        let is_inside = !matches!(state.as_str(), "outside-root" | "unreadable");
        assert!(!is_inside || (state == "ok" && *bytes == Some(5)), "{seen:?}");
        sides.insert(is_inside);
    }
    assert_eq!(sides.len(), 2, "{seen:?}");
}
