//! Standards of one's own: contracts of the kinds that people use, each with returns that keep it and
//! returns that break it.
//!
//! `fixtures/standards/NAME` has the standard in `retval.toml`, and returns in `pass` and `fail`.
//! `NAME.expected` has what `check` prints for a failing return, which `UPDATE=1 cargo test` writes.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{World, fixtures, run, stderr, stdout};

const STANDARDS: &str = "standards";

/// The folders of the standards.
fn standards() -> Vec<PathBuf> {
    let folder = fs::read_dir(fixtures().join(STANDARDS)).expect("a folder");
    let mut folders: Vec<_> = folder.flatten().map(|entry| entry.path()).collect();
    folders.retain(|path| path.is_dir());
    folders.sort();
    folders
}

/// The returns of one side.
fn returns(standard: &Path, side: &str) -> Vec<PathBuf> {
    let folder = fs::read_dir(standard.join(side)).expect("a folder");
    let mut returns: Vec<_> = folder.flatten().map(|entry| entry.path()).collect();
    returns.retain(|path| path.extension().is_some_and(|it| it != "expected"));
    returns.sort();
    assert!(!returns.is_empty(), "{}", standard.display());
    returns
}

/// What `check` prints for a return, and its exit code.
fn check(world: &World, path: &Path) -> (String, Option<i32>) {
    let fixture = path.strip_prefix(fixtures()).expect("a fixture");
    let folder = fixture.ancestors().nth(2).expect("a folder");
    let config = folder.join("retval.toml");
    let text = fs::read_to_string(world.path("").join(&config)).expect("a configuration");
    let (_, name) = text.split_once("[profiles.").expect("a profile");
    let (name, _) = name.split_once(']').expect("a name");
    let output = run(world
        .retval()
        .args(["check", "--root", "project", "--profile", name, "--config"])
        .arg(&config)
        .arg(fixture));
    assert_eq!(stderr(&output), "", "{}", path.display());
    (stdout(&output), output.status.code())
}

#[test]
fn returns_that_keep_their_standard_are_valid() {
    let world = World::with("standards");
    assert_eq!(standards().len(), 11);
    for standard in standards() {
        for path in returns(&standard, "pass") {
            let (text, code) = check(&world, &path);
            let is_clean = !text.contains("[WARN]") && code == Some(0);
            assert!(is_clean, "{}: {text}", path.display());
        }
    }
}

#[test]
fn returns_that_break_their_standard_are_reported() {
    let world = World::with("standards");
    for standard in standards() {
        for path in returns(&standard, "fail") {
            let (text, code) = check(&world, &path);
            assert_eq!(code, Some(1), "{}: {text}", path.display());
            let expected = path.with_extension("expected");
            if std::env::var_os("UPDATE").is_some() {
                fs::write(&expected, &text).expect("an expectation");
            }
            let expected = fs::read_to_string(&expected).unwrap_or_default();
            assert_eq!(text, expected, "{}", path.display());
        }
    }
}
