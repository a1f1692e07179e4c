//! How the values of a text are read where agents write them in their own ways: an honest agent is not
//! accused, and what is claimed is not passed over.

use crate::common::{World, feed, stderr, stdout};

const REPORT: &str = r#"[profiles.own]
form = "text"
at.status = "Status"
at.artifacts = "Files"
statuses = { DONE = "success", BLOCKED = "ask" }
required-if = { DONE = ["Summary"] }
empty-if = { DONE = ["Blockers"] }
"#;

/// What `check` prints for a text, without the place.
fn check(world: &World, text: &str) -> Vec<String> {
    let mut retval = world.retval();
    retval.args("check --root project --config own.toml --profile own --format concise".split(' '));
    let output = feed(&mut retval, text);
    assert_eq!(stderr(&output), "");
    let lines = stdout(&output);
    let lines = lines.lines().filter_map(|line| line.split_once(": "));
    lines.map(|(_, finding)| finding.to_owned()).collect()
}

fn world() -> World {
    let world = World::new();
    world.write("own.toml", REPORT);
    world
}

const MISSING: &str = "error[artifact-not-found] Artifact does not exist: docs/ghost.md";

/// The start of a warning about a path that is not looked up.
const NOTHING: &str = "error[artifact-none] Agent returned 'DONE' status but created no artifacts \
    (the return names no file that can be checked)";
const UNREADABLE: &str = "warning[claim-unreadable] Cannot read which file is meant: ";

const UNCLEAR: &str = "is not there, and what is said of it cannot be read";

#[test]
fn files_are_found_however_they_are_listed() {
    let world = world();
    for files in [
        "Files:\n- Changed: docs/tides.md\n- Changed: `docs/tides.md`",
        "Files: [\"docs/tides.md\", docs/tides.md]",
        "Files: [\n  \"docs/tides.md\",\n  \"docs/tides.md\"\n]",
        "**Files:**\n\ndocs/tides.md",
        "Files:\n\n    docs/tides.md",
        "Files:\n- docs/tides.md\n\n1. Tests: run them",
        "## Files\n\n- docs/tides.md\n\nNext steps:\n\n1. Deploy\n2. Announce",
        "## Files\n\n- docs/tides.md\n\n### Deleted\n\n- docs/ghost.md",
        "## Files\n\n- docs/tides.md\n\n`docs/tides.md` has a new table.",
        "## Files\n\n- docs/tides.md\n\n**Backend:**\n- docs/tides.md",
        "## Files\n\n- docs/tides.md\n\nTests: 14/14",
        "Files: docs/tides.md#heights",
        "Files: docs/tides.md\u{200b}",
        "Files: **docs/tides.md** -- new",
    ] {
        let text = format!("Status: DONE\nSummary: The tides are in.\n\n{files}\n");
        assert_eq!(check(&world, &text), [""; 0], "{text}");
    }
}

#[test]
fn a_file_that_is_not_there_is_not_passed_over() {
    let world = world();
    for files in [
        "Files: [\"docs/tides.md\", \"docs/ghost.md\"]",
        "**Files:**\n\ndocs/ghost.md",
        "## Files\n\n- docs/tides.md\n- `docs/ghost.md`",
    ] {
        let text = format!("Status: DONE\nSummary: The tides are in.\n\n{files}\n");
        assert_eq!(check(&world, &text), [MISSING], "{text}");
    }
}

/// What else is said of a file is not read. It may say why the file is not there.
#[test]
fn a_missing_file_of_which_more_is_said_is_told() {
    let world = world();
    for (files, shown, why) in [
        ("- docs/tides.md\n- Changed: docs/ghost.md", "Changed: docs/ghost.md", UNCLEAR),
        ("- docs/tides.md\n- docs/ghost.md (new)", "docs/ghost.md (new)", UNCLEAR),
        ("- docs/tides.md\n\n**Backend:**\n- docs/ghost.md", "docs/ghost.md", UNCLEAR),
        ("- docs/tides.md\n\nRemoved files:\n- docs/ghost.md", "docs/ghost.md", UNCLEAR),
        ("- docs/old.md (moved to docs/ghost.md)", "docs/old.md (moved to docs/ghost.md)", UNCLEAR),
        (
            "- Renamed `docs/old.md` → `docs/ghost.md`",
            "Renamed `docs/old.md` → `docs/ghost.md`",
            "names several files",
        ),
    ] {
        let text = format!("Status: DONE\nSummary: The tides are in.\n\n## Files\n\n{files}\n");
        // A remark is no way around the check: one file that is there must remain.
        let mut expected = vec![format!("{UNREADABLE}{shown} ({why})")];
        if !files.contains("- docs/tides.md\n") {
            expected.push(NOTHING.to_owned());
        }
        assert_eq!(check(&world, &text), expected, "{text}");
    }
}

#[test]
fn what_cannot_be_looked_up_is_told() {
    let world = world();
    for (files, why) in
        [("...", "is a placeholder"), ("`docs/` (2 files)", "is not a regular file")]
    {
        let text = format!("Status: DONE\nSummary: The tides are in.\nFiles: {files}\n");
        assert_eq!(
            check(&world, &text),
            [format!("{UNREADABLE}{files} ({why})"), NOTHING.to_owned()]
        );
    }
}

#[test]
fn a_path_in_json_is_a_text() {
    let world = World::new();
    world.write("own.toml", "[profiles.own]\nat.artifacts = \"/files\"\n");
    for (files, warned) in [
        (r#"["docs/tides.md"]"#, &[][..]),
        (r#"{"deleted": ["docs/ghost.md"]}"#, &["docs/ghost.md (is a member of an object)"]),
        (
            r#"[{"path": "docs/tides.md", "change": "new"}]"#,
            &["docs/tides.md (is a member of an object)", "new (is a member of an object)"],
        ),
        (
            r#"["docs/tides.md (new)", 1]"#,
            &["docs/tides.md (new) (has a remark behind it)", "1 (is a number)"],
        ),
    ] {
        let warned: Vec<_> = warned.iter().map(|it| format!("{UNREADABLE}{it}")).collect();
        assert_eq!(check(&world, &format!("{{\"files\": {files}}}")), warned);
    }
}

#[test]
fn what_says_nothing_is_nothing() {
    let world = world();
    let check = |blockers: &str| {
        let files = "Files: docs/tides.md";
        let text = format!("Status: DONE\nSummary: The tides are in.\n{files}\n\n{blockers}\n");
        check(&world, &text)
    };
    for nothing in [
        "- Critical: none\n- High: none",
        "| Level | Count |\n|---|---|\n| High | 0 |",
        "None.\n\n**Evidence:**\n\n| Check | Result |\n|---|---|\n| tests | ok |",
    ] {
        assert_eq!(check(&format!("## Blockers\n\n{nothing}")), [""; 0], "{nothing}");
    }
    for blockers in [
        "**Blockers:**\n\nThe key is missing.",
        "## Blockers\n\n- Critical: the key\n- High: none",
        "## Blockers\n\nNone.\n\n- The key is missing",
        "## Blockers\n\n- No key\n- No lock",
        "## Blockers\n\nThere are no blockers.",
    ] {
        let expected = "error[field-not-empty] Field must be empty with status DONE: Blockers";
        assert_eq!(check(blockers), [expected], "{blockers}");
    }
}

#[test]
fn a_status_that_is_struck_out_is_none() {
    let world = world();
    let found = check(&world, "Status: ~~DONE~~\n");
    assert!(found[0].starts_with("error[status-unknown]"), "{found:?}");
}

#[test]
fn thoughts_before_a_text_are_none_of_it() {
    let world = world();
    let text = "<think>\nStatus: BLOCKED\n</think>\nStatus: DONE\nSummary: The tides are in.\nFiles: docs/tides.md\n";
    assert_eq!(check(&world, text), [""; 0]);
}

#[test]
fn a_standard_that_contradicts_itself_is_refused() {
    let form = "[profiles.own]\nform = \"text\"\n";
    for (keys, message) in [
        (
            "at.status = { at = \"Status\", default = \"DONEX\" }\nstatuses = { DONE = \"success\" }"
                .to_owned(),
            "`status`: `DONEX` is none of the statuses",
        ),
        ("values = { A = [] }".to_owned(), "`values`: a list must not be empty"),
        ("same = [[\"A\"]]".to_owned(), "`same`: needs two fields"),
        ("sums = { A = [] }".to_owned(), "`sums`: a list must not be empty"),
        ("at.tests = []".to_owned(), "`tests`: needs a field"),
        (
            "part = { fence = \"a b\" }".to_owned(),
            "`part`: a fence has a single word",
        ),
        ("part = { fence = [] }".to_owned(), "`part`: a fence has a single word"),
        (
            "part = { tag = \"<result>\" }".to_owned(),
            "a tag has a name without white space, `<`, `>` and `/`",
        ),
    ] {
        let error = retval::Config::parse(&format!("{form}{keys}")).expect_err("a mistake");
        let error = error.to_string();
        assert!(error.ends_with(message), "{error}");
    }
}

#[test]
fn a_default_that_is_no_status_is_pointed_at() {
    let text = "[profiles.own]\nform = \"text\"\nat.status = { at = \"Status\", default = \"DONEX\" }\nstatuses = { DONE = \"success\" }\n";
    let error = retval::Config::parse(text).expect_err("a mistake");
    assert!(error.to_string().starts_with("3:13: "), "{error}");
}

/// What is held to a value that has no place would pass for ever.
/// A line of prose before a result of a protocol does not make it the output of a client.
#[test]
fn prose_before_a_task_is_prose() {
    let world = World::new();
    let task = world.path("standards/a2a-task/pass/completed.json");
    let task = std::fs::read_to_string(task).expect("a task");
    let mut retval = world.retval();
    retval.args("check --root project --profile task --format concise --config".split(' '));
    retval.arg("standards/a2a-task/retval.toml");
    let output = feed(&mut retval, format!("Here is the task:\n\n{task}"));
    assert!(stdout(&output).contains("prose around the JSON"), "{}", stdout(&output));
}
