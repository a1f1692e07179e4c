//! The package: its content without default features, and the agreement of all package manifests.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// The packages of a normal build for this system, the project itself left out.
fn dependencies(options: &[&str]) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--locked", "--edges", "normal", "--prefix", "none"])
        .args(["--format", "{p}"])
        .args(options)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let names = text.lines().filter_map(|line| line.split(' ').next());
    names
        .filter(|name| !name.is_empty() && *name != env!("CARGO_PKG_NAME"))
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_library_alone_needs_nothing_of_the_command() {
    let library = dependencies(&["--no-default-features"]);
    for of_the_command in
        ["anstyle-query", "anyhow", "clap", "clap_builder", "clap_complete", "tempfile", "walkdir"]
    {
        assert!(!library.contains(of_the_command), "{of_the_command}");
    }
    // A number that grows is a decision: every package is code that users of the library compile.
    // Reading YAML needs two of them: granit-parser, arraydeque.
    // An expression of a configuration needs one more, regex.
    let most = 44;
    assert!(library.len() <= most, "{} of {most}: {library:?}", library.len());
    assert!(library.is_subset(&dependencies(&[])));
}

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(path).expect("a file")
}

/// What follows a text on its line, wherever it stands.
fn after(document: &str, text: &str) -> Vec<String> {
    let lines = document.lines();
    let found = lines.filter_map(|line| Some(line.split_once(text)?.1.to_owned()));
    found.collect()
}

#[test]
fn every_package_has_the_version_of_the_crate() {
    let npm: Value =
        serde_json::from_str(&read(".dist/npm/retval/package.json")).expect("a manifest");
    assert_eq!(npm["version"], env!("CARGO_PKG_VERSION"));
    let wheel = concat!("[retval-cli==", env!("CARGO_PKG_VERSION"), "]");
    assert!(read("src/manual/ci.md").contains(wheel), "{wheel}");
    let platforms = npm["optionalDependencies"].as_object().expect("packages");
    assert_eq!(platforms.len(), 5);
    for (name, version) in platforms {
        assert_eq!(version, env!("CARGO_PKG_VERSION"), "{name}");
    }
    // The wheel takes its version from the crate.
    let pip = read(".dist/python/pyproject.toml");
    assert_eq!(after(&pip, "dynamic = "), ["[\"version\"]"]);
    assert!(!pip.contains("\nversion ="));
}

#[test]
fn every_system_of_a_release_has_its_package_and_its_row_in_the_manual() {
    let targets = after(&read(".github/workflows/release.yml"), "{ target: ");
    let targets = targets.iter().map(|rest| rest.split(',').next().unwrap_or_default());
    let page = read("src/manual/start.md");
    let npm = read(".dist/npm/retval/package.json");
    for target in targets.clone() {
        assert!(page.contains(&format!("`{target}`")), "{target}");
        let [processor, _, system] = target.splitn(4, '-').take(3).collect::<Vec<_>>()[..] else {
            panic!("{target}");
        };
        let processor = processor.replace("x86_64", "x64").replace("aarch64", "arm64");
        let system = system.replace("windows", "win32");
        assert!(npm.contains(&format!("\"retval-{system}-{processor}\"")), "{target}");
    }
    assert_eq!(targets.count(), 5);
}

#[test]
fn the_oldest_rust_is_the_same_everywhere() {
    let oldest = env!("CARGO_PKG_RUST_VERSION");
    for (file, before, count) in [
        (".github/workflows/ci.yml", "RUSTUP_TOOLCHAIN: ", 2),
        (".github/workflows/release.yml", "RUSTUP_TOOLCHAIN: ", 1),
        (".github/workflows/ci.yml", "rustup toolchain install ", 2),
        (".github/workflows/release.yml", "rustup toolchain install ", 1),
        (".pre-commit-hooks.yaml", "which needs Rust ", 1),
        (".dist/npm/retval/README.md", "needs Rust ", 1),
        (".dist/python/README.md", "needs Rust ", 1),
        ("README.md", "(Rust ", 1),
        ("src/manual/start.md", "Rust 1", 1),
    ] {
        let named = after(&read(file), before);
        assert_eq!(named.len(), count, "{file}");
        for rest in named {
            let rest = rest.trim_start_matches('"');
            let rest = if before == "Rust 1" { format!("1{rest}") } else { rest.to_owned() };
            assert!(rest.starts_with(oldest), "{file}: {before}{rest}");
        }
    }
}

#[test]
fn the_package_has_every_fixture_that_is_part_of_the_program() {
    let manifest = read("Cargo.toml");
    let (_, included) = manifest.split_once("\ninclude = [").expect("a list");
    let (included, _) = included.split_once(']').expect("an end");
    let included: Vec<_> = included.split('"').skip(1).step_by(2).collect();
    let sources = walkdir::WalkDir::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let mut found = 0;
    for source in sources {
        let source = source.expect("a file").into_path();
        if source.extension().is_none_or(|it| it != "rs") {
            continue;
        }
        let text = std::fs::read_to_string(&source).expect("a file");
        let paths = text.split('"').filter(|part| part.starts_with("../"));
        for path in paths.filter_map(|part| Some(part.split_once("fixtures/")?.1)) {
            found += 1;
            let path = format!("/fixtures/{path}");
            let is_in = |kept: &&str| Path::new(&path).starts_with(kept);
            assert!(included.iter().any(is_in), "{}: {path}", source.display());
        }
    }
    assert!(found >= 5, "{found}");
}
