//! The kernel and the walk in userspace agree on every path.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::{finds, roots};
use crate::root::Found;

/// Paths that go up, leave the root, come back, loop and lead nowhere, in every order.
#[test]
fn kernel_and_userspace_lookups_agree() {
    let folder = tempfile::tempdir().expect("a folder");
    let above = folder.path().canonicalize().expect("it is there");
    let root = above.join("root");
    fs::create_dir_all(root.join("in/side")).expect("folders");
    for file in ["root/full.md", "root/in/full.md", "full.md"] {
        fs::write(above.join(file), file).expect("a file");
    }
    symlink(root.join("full.md"), above.join("back")).expect("a link");
    for (link, target) in [
        ("up", ".."),
        ("in/up", ".."),
        ("in/far", "../.."),
        ("side", "in/side"),
        ("gone", "nowhere"),
        ("round", "round"),
        ("slash", "in/"),
        ("dots", "./in/../in/."),
    ] {
        symlink(target, root.join(link)).expect("a link");
    }
    for (link, target) in [
        ("whole", root.clone()),
        ("whole-in", root.join("in")),
        ("whole-side", root.join("in/side")),
        ("whole-gone", root.join("nowhere")),
        ("whole-up", root.join("in/../..")),
        ("out", above.clone()),
        ("out-gone", above.join("nowhere")),
    ] {
        symlink(target, root.join(link)).expect("a link");
    }
    let parts = [
        "",
        ".",
        "..",
        "in",
        "side",
        "full.md",
        "up",
        "far",
        "gone",
        "nowhere",
        "round",
        "slash",
        "dots",
        "whole",
        "whole-in",
        "whole-side",
        "whole-gone",
        "whole-up",
        "out",
        "out-gone",
        "back",
        "root",
    ];
    let roots = roots(&root);
    for first in &parts[1..] {
        for second in parts {
            for third in parts {
                let path = [*first, second, third].join("/");
                let found = roots.iter().map(|root| root.stat(Path::new(&path), false));
                let mut found: Vec<_> = found.collect();
                found.dedup();
                assert_eq!(found.len(), 1, "{path}: {found:?}");
            }
        }
    }
}

/// The kernel follows the links in `/proc` to the files themselves, not by the text of the links.
#[test]
fn magic_links_lead_outside() {
    let process = Path::new("/proc/self");
    for path in ["exe", "cwd", "cwd/src", "root", "root/etc/passwd"] {
        finds(process, path, Found::Outside);
    }
}
