//! Which files are checked: globs of the configuration, files that a tool names, empty lists.

use assert_cmd::assert::OutputAssertExt as _;

use super::{blocked, records};
use crate::common::{World, piped, run, stderr, stdout};

const NOTHING: &str = "warning: no files to check\n";

/// A folder with a configuration, two folders of returns, and one for archived ones.
fn project() -> World {
    let world = World::new();
    world.write(
        "p/retval.toml",
        "exclude = [\"specs/old\", \"draft.json\"]\n",
    );
    for path in [
        "specs/old/a.json",
        "specs/new/a.json",
        "specs/new/draft.json",
    ] {
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
        // A named folder is walked, but what is excluded in it is not.
        ("specs/new", "../old", &["../old/a.json"]),
        // Globs of the command line replace them, and stay relative to the folder that is walked.
        (".", "specs --exclude new", &["specs/old/a.json"]),
        (
            ".",
            "specs --exclude specs/old --exclude draft.json",
            &["specs/new/a.json", "specs/old/a.json"],
        ),
    ] {
        assert_eq!(
            checked(&world, folder, options),
            sources,
            "{folder}: {options}"
        );
    }
    world.write("p/retval.toml", "include = [\"specs/old/*.json\"]\n");
    for (folder, options) in [(".", "specs"), ("specs", "."), ("specs/new", "..")] {
        assert_eq!(
            checked(&world, folder, options).len(),
            1,
            "{folder}: {options}"
        );
    }
    let absolute = world.path("p").display().to_string();
    assert_eq!(checked(&world, "", &absolute).len(), 1);
}

#[test]
fn globs_hold_for_named_files_if_a_tool_wants_it() {
    let world = project();
    let all = "specs/old/a.json specs/new/a.json specs/new/draft.json";
    assert_eq!(checked(&world, ".", all).len(), 3);
    let kept = ["specs/new/a.json"];
    assert_eq!(
        checked(&world, ".", &format!("--force-exclude {all}")),
        kept
    );
    world.write("p/list", all.replace(' ', "\n"));
    assert_eq!(
        checked(&world, ".", "--force-exclude --files-from list"),
        kept
    );
    let below = "--force-exclude ../old/a.json ../new/a.json ../old";
    assert_eq!(checked(&world, "specs/new", below), ["../new/a.json"]);
    let own = "--force-exclude --exclude specs/new specs/new/a.json specs/old/a.json";
    assert_eq!(checked(&world, ".", own), ["specs/old/a.json"]);
    let included = "--force-exclude --include a.json specs/new/a.json specs/new/draft.json";
    assert_eq!(checked(&world, ".", included), kept);
    // A file that is not there is still told.
    let gone = world.check("--force-exclude gone.json");
    gone.assert().code(2);
}

#[test]
fn an_empty_list_is_a_warning() {
    let world = project();
    world.write("none", "\n\n");
    for options in [
        "--files-from none",
        "--files-from /dev/null",
        "--force-exclude",
        "--force-exclude --exclude p p/specs/new/a.json p/specs",
    ] {
        let none = "0 returns: 0 valid, 0 invalid (0 warnings)\n";
        let output = piped(&world, options, "not read");
        assert_eq!(stdout(&output), none, "{options}");
        output.assert().code(0).stderr(NOTHING);
        let output = world.check(&format!("--format jsonl {options}"));
        output.assert().code(0).stdout("").stderr(NOTHING);
    }
    let output = piped(&world, "--files-from -", "");
    output.assert().code(0).stderr(NOTHING);
    // Standard input that is named is read.
    piped(&world, "--force-exclude -", blocked(1))
        .assert()
        .code(0);
}

#[test]
fn the_hooks_of_pre_commit_run_one_process_that_prints_a_line_for_each_error() {
    let hooks = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/.pre-commit-hooks.yaml"
    ));
    let hooks = hooks.expect("the hooks");
    let count = |line: &str| {
        hooks
            .lines()
            .filter(|it| it.trim_start_matches("- ").trim() == line)
            .count()
    };
    for line in [
        "entry: retval check --force-exclude",
        "args: [--format, concise, -q]",
        "require_serial: true",
    ] {
        assert_eq!(count(line), 2, "{line}");
    }
    let world = project();
    world.write("bad.json", "x");
    let output = world.check("--force-exclude --format concise -q bad.json");
    let expected = "bad.json:1:1: error[json-syntax] ";
    assert!(stdout(&output).starts_with(expected), "{}", stdout(&output));
    output.assert().code(1).stderr("");
}

#[test]
fn the_files_that_would_be_checked_are_listed() {
    let world = project();
    world.write("p/bad\n.json", "x");
    let listed = |options: &str, code: i32, files: &str, errors: &str| {
        let mut retval = world.retval();
        retval.current_dir(world.path("p"));
        retval.args(["check", "--show-files"]);
        let output = run(retval.args(options.split_whitespace()));
        assert_eq!(stdout(&output), files, "{options}");
        output.assert().code(code).stderr(errors.to_owned());
    };
    listed(".", 0, "./bad\\n.json\n./specs/new/a.json\n", "");
    let gone = "error: cannot read gone.json: No such file or directory (os error 2)\n";
    let both = "specs/old/a.json\nspecs/new/a.json\n";
    listed("specs/old/a.json gone.json specs/new", 2, both, gone);
    listed("--force-exclude specs/old", 0, "", NOTHING);
    let log = "--errors-json log.json --save-invalid saved --output report.json .";
    listed(log, 0, "./bad\\n.json\n./specs/new/a.json\n", "");
    assert_eq!(world.path("p").read_dir().expect("a folder").count(), 3);
    let output = run(world
        .retval()
        .args(["check", "--show-files", "project/empty-folder"]));
    output.assert().code(2).stdout("");
}
