//! The library alone: what `default-features = false` leaves.

use std::collections::BTreeSet;
use std::process::Command;

/// The packages of a normal build for this system, the project itself left out.
fn dependencies(options: &[&str]) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args([
            "tree",
            "--offline",
            "--locked",
            "--edges",
            "normal",
            "--prefix",
            "none",
        ])
        .args(["--format", "{p}"])
        .args(options)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let names = text.lines().filter_map(|line| line.split(' ').next());
    names
        .filter(|name| !name.is_empty() && *name != env!("CARGO_PKG_NAME"))
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_library_alone_needs_nothing_of_the_command() {
    let library = dependencies(&["--no-default-features"]);
    for of_the_command in [
        "anstyle-query",
        "anyhow",
        "clap",
        "clap_builder",
        "clap_complete",
        "clap_complete_nushell",
        "indicatif",
        "pulldown-cmark",
        "tempfile",
        "walkdir",
    ] {
        assert!(!library.contains(of_the_command), "{of_the_command}");
    }
    // A number that grows is a decision: every package is code that users of the library compile.
    let most = 33;
    assert!(
        library.len() <= most,
        "{} of {most}: {library:?}",
        library.len()
    );
    assert!(library.is_subset(&dependencies(&[])));
}
