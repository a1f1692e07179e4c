//! The README: short, and the first thing to try.

use crate::{README, blocks, page_names, read};

#[test]
fn the_readme_is_short() {
    let bytes = read(README).len();
    assert!(bytes <= 10_000, "{bytes} bytes");
}

#[test]
fn a_fresh_clone_needs_two_commands() {
    let scripts = blocks(README, "sh");
    let commands: Vec<_> = scripts[0].lines().collect();
    let [run, test] = commands.as_slice() else {
        panic!("{commands:?}");
    };
    // The main job, as the session above it shows it.
    let (_, arguments) = run
        .split_once("cargo run --quiet --release -- ")
        .expect("the program");
    let shown = format!("$ retval {arguments}");
    assert!(read(README).contains(&shown), "{shown}");
    assert_eq!(*test, "cargo test");
}

#[test]
fn the_readme_links_every_page() {
    let readme = read(README);
    for name in page_names() {
        let link = format!("[{name}](src/bin/retval/manual/{name}.md)");
        assert!(readme.contains(&link), "{name}");
    }
}
