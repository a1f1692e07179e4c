//! The cost of resolving a path is bounded, whatever is on the disk.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::roots;
use crate::root::Found;

#[test]
fn links_add_no_more_steps_than_a_path_has() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("x")).expect("a folder");
    // Links of 121 steps each.
    for hop in 0..40 {
        let target = match hop {
            0 => "x/../".repeat(60) + "x",
            _ => "x/../".repeat(60) + &format!("hop{}", hop - 1),
        };
        symlink(target, folder.path().join(format!("hop{hop}"))).expect("a link");
    }
    for root in roots(folder.path()) {
        let found = |path: &str| root.resolve(Path::new(path));
        assert_eq!(found("hop15"), Ok(PathBuf::from("x")));
        assert_eq!(found("hop16"), Err(Found::Unreadable));
    }
}
