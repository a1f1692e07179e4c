//! The cost of resolving a path, in system calls. Unlike times, their number is the same in every run.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::root::Found;
use crate::root::walk::{self, CALLS, below};

/// A root with nested folders inside and outside, and links to both.
fn laid_out(base: &Path, levels: usize) -> PathBuf {
    let base = base.join(levels.to_string());
    let root = base.join("root");
    let down = "x/".repeat(levels);
    fs::create_dir_all(root.join(&down)).expect("folders");
    fs::create_dir_all(base.join("away").join(&down)).expect("folders");
    symlink(base.join("away").join(&down), root.join("away")).expect("a link");
    symlink(&down, root.join("down")).expect("a link");
    symlink("root", base.join("alias")).expect("a link");
    for hop in 0..40 {
        let target = match hop {
            0 => "x/../".repeat(levels / 8) + "x",
            _ => "x/../".repeat(levels / 8) + &format!("hop{}", hop - 1),
        };
        symlink(target, root.join(format!("hop{hop}"))).expect("a link");
    }
    root.canonicalize().expect("it is there")
}

fn resolve(root: &Path, relative: &Path) -> Result<PathBuf, Found> {
    walk::resolve(root, None, relative)
}

fn calls<T>(act: impl FnOnce() -> T) -> (usize, T) {
    let before = CALLS.get();
    let done = act();
    (CALLS.get() - before, done)
}

/// Returns each kind of path with the number of system calls for it.
fn counted(root: &Path, levels: usize) -> Vec<(&'static str, usize)> {
    let base = root.parent().expect("a folder");
    let down = "x/".repeat(levels);
    let below = |path: &Path, found: Option<&Path>| {
        let (calls, below) = calls(|| below(root, path));
        assert_eq!(below.as_deref(), found, "{}", path.display());
        calls
    };
    let way = |path: &str, found: Result<&Path, Found>| {
        let (calls, way) = calls(|| resolve(root, Path::new(path)));
        assert_eq!(way.as_deref().map_err(|found| *found), found, "{path}");
        calls
    };
    let down = Path::new(&down);
    vec![
        ("outside", below(&base.join("away").join(down), None)),
        ("nowhere", below(&Path::new("/nowhere").join(down), None)),
        ("inside", below(&base.join("alias").join(down), Some(down))),
        ("link to outside", way("away", Err(Found::Outside))),
        ("link down", way("down/..", Ok(down.parent().expect("above")))),
        ("hops", way("hop38", Ok(Path::new("x")))),
    ]
}

#[test]
fn no_step_is_looked_up_twice() {
    let folder = tempfile::tempdir().expect("a folder");
    let [few, many] = [96, 192].map(|levels| counted(&laid_out(folder.path(), levels), levels));
    for ((name, once), (_, twice)) in few.into_iter().zip(many) {
        assert!(twice <= 2 * once + 16, "{name}: {once}, {twice}");
        assert!(twice <= 5_000, "{name}: {twice}");
    }
}

#[test]
fn links_add_no_more_steps_than_a_path_has() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = laid_out(folder.path(), 480);
    // Links of 121 steps each.
    let found = |path: &str| resolve(&root, Path::new(path));
    assert_eq!(found("hop15"), Ok(PathBuf::from("x")));
    assert_eq!(found("hop16"), Err(Found::Unreadable));
}
