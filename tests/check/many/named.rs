//! Which files are checked: globs of the configuration, files that a tool names, empty lists.

use assert_cmd::assert::OutputAssertExt as _;

use super::{blocked, records};
use crate::common::{World, piped, run, stderr, stdout};

const NOTHING: &str = "warning: no files to check\n";

/// A folder with a configuration, two folders of returns, and one for archived ones.
fn project() -> World {
    let world = World::new();
    world.write("p/retval.toml", "exclude = [\"specs/old\", \"draft.json\"]\n");
    for path in ["specs/old/a.json", "specs/new/a.json", "specs/new/draft.json"] {
        world.write(&format!("p/{path}"), blocked(1));
    }
    world
}

/// The sources that `retval check` reads in a folder below the project.
fn checked(world: &World, folder: &str, options: &str) -> Vec<String> {
    let mut retval = world.retval();
    retval.current_dir(world.path("p").join(folder));
    retval.args(["check", "--format", "jsonl"]);
    let output = run(retval.args(options.split_whitespace()));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let records = records(&output);
    let sources = records.iter().map(|it| it["source"].as_str());
    sources.map(|it| it.expect("a source").to_owned()).collect()
}

#[test]
fn globs_of_the_configuration_are_relative_to_its_folder() {
    let world = project();
    for (folder, options, sources) in [
        (".", ".", &["./specs/new/a.json"][..]),
        (".", "specs", &["specs/new/a.json"]),
        ("specs", ".", &["./new/a.json"]),
        ("specs/new", "..", &["../new/a.json"]),
        // Globs of the command line replace them, and stay relative to the folder that is walked.
        (".", "specs --exclude new", &["specs/old/a.json"]),
        (
            ".",
            "specs --exclude specs/old --exclude draft.json",
            &["specs/new/a.json", "specs/old/a.json"],
        ),
    ] {
        assert_eq!(checked(&world, folder, options), sources, "{folder}: {options}");
    }
    world.write("p/retval.toml", "include = [\"specs/old/*.json\"]\n");
    for (folder, options) in [(".", "specs"), ("specs", "."), ("specs/new", "..")] {
        assert_eq!(checked(&world, folder, options).len(), 1, "{folder}: {options}");
    }
    let absolute = world.path("p").display().to_string();
    assert_eq!(checked(&world, "", &absolute).len(), 1);
}

#[test]
fn what_is_excluded_is_not_checked_if_it_is_named_and_each_is_told() {
    let world = project();
    let said = |folder: &str, options: &str| {
        let mut retval = world.retval();
        retval.current_dir(world.path("p").join(folder));
        retval.args(["check", "--format", "jsonl"]);
        let output = run(retval.args(options.split_whitespace()));
        assert_eq!(output.status.code(), Some(0), "{options}");
        let records = records(&output);
        let sources = records.iter().map(|it| it["source"].as_str().expect("a source"));
        (sources.collect::<Vec<_>>().join(" "), stderr(&output))
    };
    let all = "specs/old/a.json specs/new/a.json specs/new/draft.json";
    let kept = "specs/new/a.json".to_owned();
    let told = "note: specs/old/a.json is excluded\nnote: specs/new/draft.json is excluded\n";
    assert_eq!(said(".", all), (kept.clone(), told.to_owned()));
    world.write("p/list", all.replace(' ', "\n"));
    assert_eq!(said(".", "--files-from list"), (kept, told.to_owned()));
    let (sources, told) = said("specs/new", "../old/a.json ../new/a.json ../old");
    assert_eq!(sources, "../new/a.json");
    assert_eq!(told, "note: ../old/a.json is excluded\nnote: ../old is excluded\n");
    let own = "--exclude specs/new specs/new/a.json specs/old/a.json";
    assert_eq!(said(".", own).0, "specs/old/a.json");
    // Files that are named need not be included.
    let included = "--no-config --include a.json specs/new/draft.json";
    assert_eq!(said(".", included), ("specs/new/draft.json".to_owned(), String::new()));
    // A file that is not there is still told.
    let gone = world.check("gone.json");
    gone.assert().code(2);
}

#[test]
fn an_empty_list_is_a_warning() {
    let world = project();
    world.write("none", "\n\n");
    for (options, told) in [
        ("--files-from none", ""),
        ("--files-from /dev/null", ""),
        (
            "--exclude p p/specs/new/a.json p/specs",
            "note: p/specs/new/a.json is excluded\nnote: p/specs is excluded\n",
        ),
    ] {
        let none = "0 returns: 0 valid, 0 invalid (0 warnings)\n";
        let told = format!("{told}{NOTHING}");
        let output = piped(&world, options, "not read");
        assert_eq!(stdout(&output), none, "{options}");
        output.assert().code(0).stderr(told.clone());
        let output = world.check(&format!("--format jsonl {options}"));
        output.assert().code(0).stdout("").stderr(told);
    }
    let one = world.check("--exclude p p/specs/new/a.json");
    let told = format!("note: p/specs/new/a.json is excluded\n{NOTHING}");
    one.assert().code(0).stdout("").stderr(told);
    let output = piped(&world, "--files-from -", "");
    output.assert().code(0).stderr(NOTHING);
}

#[test]
fn the_hooks_of_pre_commit_run_one_process_that_prints_a_line_for_each_error() {
    let hooks =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/.pre-commit-hooks.yaml"));
    let hooks = hooks.expect("the hooks");
    let count =
        |line: &str| hooks.lines().filter(|it| it.trim_start_matches("- ").trim() == line).count();
    for line in ["entry: retval check", "args: [--format, concise, -q]", "require_serial: true"] {
        assert_eq!(count(line), 2, "{line}");
    }
    let world = project();
    world.write("bad.json", "x");
    let output = world.check("--format concise -q bad.json");
    let expected = "bad.json:1:1: error[json-syntax] ";
    assert!(stdout(&output).starts_with(expected), "{}", stdout(&output));
    output.assert().code(1).stderr("");
}
