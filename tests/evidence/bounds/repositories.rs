//! Repositories whose objects are far larger unpacked than packed.

use std::fs::File;

use super::{RETURN, claim};
use crate::common::{World, run};

#[test]
fn a_repository_with_oversized_objects_leaves_claims_unknown() {
    let world = World::with("rules/artifact-unwritten");
    let tides = world.path("project/docs/tides.md");
    let text = std::fs::read(&tides).expect("a file");
    let large = File::create(&tides).expect("a file");
    large.set_len(64 << 20).expect("space");
    world.commit_project();
    std::fs::write(&tides, text).expect("a file");
    let arguments = format!("check {RETURN} --root project --rev HEAD --format json");
    let output = run(world.retval().args(arguments.split(' ')));
    assert_eq!(
        claim(&output, "artifact-unchanged"),
        "unknown: the file or the history is too large"
    );
}
