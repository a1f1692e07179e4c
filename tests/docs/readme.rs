//! The README is short, and its first commands work.

use std::fs;
use std::process::Command;

use crate::{README, blocks, page_names, read, retval, text};

#[test]
fn the_readme_is_short() {
    let bytes = read(README).len();
    assert!(bytes <= 10_000, "{bytes} bytes");
}

#[test]
fn a_fresh_clone_needs_two_commands() {
    let scripts = blocks(README, "sh");
    let commands: Vec<_> = scripts[0].lines().collect();
    assert_eq!(commands, ["cargo run -- demo", "cargo test"]);
}

#[test]
fn the_readme_links_every_page() {
    for name in page_names() {
        let link = format!("(src/manual/{name}.md)");
        assert!(read(README).contains(&link), "{name}");
    }
}

/// The demonstration, with its temporary folders below `place`.
fn demo(place: &str) -> (Option<i32>, String) {
    let mut demo = Command::new(env!("CARGO_BIN_EXE_retval"));
    demo.arg("demo").env("TMPDIR", place).env("CLICOLOR_FORCE", "1").env_remove("NO_COLOR");
    let output = demo.output().expect("it runs");
    let shown = [output.stdout, output.stderr].concat();
    (output.status.code(), text(shown))
}

#[test]
fn the_demo_leaves_nothing_and_names_commands_that_exist() {
    let folder = tempfile::tempdir().expect("a folder");
    let (code, first) = demo(folder.path().to_str().expect("UTF-8"));
    assert_eq!(code, Some(0));
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
    let shown = text(retval(&["demo"]).stdout);
    assert_eq!(first, shown);
    assert!(shown.lines().count() <= 25, "{shown}");
    let commands = shown.lines().filter_map(|line| {
        let line = line.trim_start().trim_start_matches("$ ");
        let arguments = line.strip_prefix("retval ")?;
        Some(arguments.split([' ', '>']).take_while(|it| !it.is_empty()))
    });
    let commands: Vec<Vec<_>> = commands.map(Iterator::collect).collect();
    assert_eq!(commands.len(), 6, "{commands:?}");
    for command in commands {
        let help = retval(&[command.as_slice(), &["--help"]].concat());
        assert_eq!(help.status.code(), Some(0), "{command:?}");
    }
    let (code, shown) = demo("/no/such/folder");
    assert_eq!(code, Some(2));
    assert!(shown.contains("error:\u{1b}[0m cannot use a temporary folder: "), "{shown}");
}
