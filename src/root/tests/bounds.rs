//! The cost of resolving a path, in system calls. Unlike times, their number is the same in every run.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::root::Found;
use crate::root::userspace::Userspace;
use crate::root::walk::by_folder::CALLS;
use crate::root::walk::cursor::WalkMethod;

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

fn calls<T>(act: impl FnOnce() -> T) -> (usize, T) {
    let before = CALLS.get();
    let done = act();
    (CALLS.get() - before, done)
}

/// Returns each kind of path with the number of system calls for it.
fn counted(root: &Path, levels: usize, method: WalkMethod) -> Vec<(&'static str, usize)> {
    let userspace = Userspace::new(root.to_owned(), method);
    let base = root.parent().expect("a folder");
    let down = "x/".repeat(levels);
    let below = |path: &Path, found: Option<&Path>| {
        let (calls, below) = calls(|| userspace.below(path));
        assert_eq!(below.as_deref(), found, "{}", path.display());
        calls
    };
    let way = |path: &str, found: Result<&Path, Found>| {
        let (calls, way) = calls(|| userspace.resolve(Path::new(path)));
        assert_eq!(way.as_deref().map_err(|found| *found), found, "{path}");
        calls
    };
    let down = Path::new(&down);
    vec![
        ("outside", below(&base.join("away").join(down), None)),
        ("nowhere", below(&Path::new("/nowhere").join(down), None)),
        ("inside", below(&base.join("alias").join(down), Some(down))),
        ("link to outside", way("away", Err(Found::Outside))),
        (
            "link down",
            way("down/..", Ok(down.parent().expect("above"))),
        ),
        ("hops", way("hop38", Ok(Path::new("x")))),
    ]
}

#[test]
fn no_parent_folder_is_looked_up_twice() {
    let folder = tempfile::tempdir().expect("a folder");
    let [few, many] = [96, 192].map(|levels| (laid_out(folder.path(), levels), levels));
    for (method, most) in [(WalkMethod::ByFolder, 150), (WalkMethod::Steps, 5_000)] {
        let [few, many] = [&few, &many].map(|(root, levels)| counted(root, *levels, method));
        for ((name, once), (_, twice)) in few.into_iter().zip(many) {
            assert!(
                twice <= 2 * once + 16,
                "{name}, {method:?}: {once}, {twice}"
            );
            assert!(twice <= most, "{name}, {method:?}: {twice}");
        }
    }
}

#[test]
fn links_add_no_more_steps_than_a_path_has() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = laid_out(folder.path(), 480);
    for method in [WalkMethod::ByFolder, WalkMethod::Steps, WalkMethod::ByPath] {
        let userspace = Userspace::new(root.clone(), method);
        // Links of 121 steps each.
        assert_eq!(
            userspace.resolve(Path::new("hop15")),
            Ok(PathBuf::from("x")),
            "{method:?}"
        );
        assert_eq!(
            userspace.resolve(Path::new("hop16")),
            Err(Found::Unreadable),
            "{method:?}"
        );
    }
}
