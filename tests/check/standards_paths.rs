//! The files that a line, an item or a row names: each is looked for, or a warning says that it cannot be
//! read.

use crate::common::{World, feed, stderr, stdout};

const REPORT: &str = r#"[profiles.own]
form = "text"
at.status = "Status"
at.artifacts = "Files"
statuses = { DONE = "success" }
"#;

/// The files that `check` reports for a return, by rule.
fn check(standard: &str, text: &str) -> Vec<String> {
    let world = World::new();
    world.write("own.toml", standard);
    let mut retval = world.retval();
    retval.args("check --root project --config own.toml --profile own --format concise".split(' '));
    let output = feed(&mut retval, text);
    assert_eq!(stderr(&output), "");
    let lines = stdout(&output);
    let named = lines.lines().map(|line| {
        let (_, finding) = line.split_once('[').expect("a rule");
        let (rule, message) = finding.split_once("] ").expect("a message");
        match message.rsplit_once(": ") {
            Some((_, path)) if rule == "artifact-not-found" => path.to_owned(),
            _ => rule.to_owned(),
        }
    });
    named.collect()
}

fn files(files: &str) -> Vec<String> {
    check(REPORT, &format!("Status: DONE\nFiles: {files}\n"))
}

const UNREADABLE: &str = "claim-unreadable";

#[test]
fn each_of_several_files_in_a_line_is_looked_for() {
    for line in [
        "[tides](docs/tides.md), [ghost](docs/ghost.md)",
        "[`tides.md`](docs/tides.md), [`ghost.md`](docs/ghost.md)",
        "[tides](docs/tides.md) and docs/ghost.md",
        "docs/tides.md; docs/ghost.md",
        "docs/tides.md + docs/ghost.md",
        "\n| File |\n|---|\n| docs/tides.md<br>docs/ghost.md |",
        "docs/tides.md,\n       docs/ghost.md",
        "docs/ghost.md,\n       docs/tides.md",
        "\n  docs/tides.md\n  docs/ghost.md",
        "\n- docs/tides.md\n  - docs/ghost.md",
    ] {
        assert_eq!(files(line), ["docs/ghost.md"], "{line}");
    }
    for line in [
        "docs/tides.md (new), docs/ghost.md (new)",
        "docs/tides.md (new) and docs/ghost.md",
        "docs/tides.md (1,200 lines), docs/ghost.md",
        "docs/tides.md，docs/ghost.md（新增）",
        "docs/tides.md — new, docs/ghost.md — typo",
        "docs/tides.md: new, docs/ghost.md: typo",
        "docs/tides.md (new): docs/ghost.md",
        "`docs/tides.md` docs/ghost.md",
        "docs/tides.md → docs/ghost.md",
        "docs/tides.md: now like `docs/ghost.md`",
    ] {
        let found = files(line);
        assert_eq!(found[0], UNREADABLE, "{line}");
        assert!(!found.contains(&"docs/ghost.md".to_owned()), "{found:?}");
    }
}

#[test]
fn a_link_encloses_its_text() {
    for item in ["[`tides.md`](docs/tides.md)", "**[`tides.md`](docs/tides.md)**"] {
        assert_eq!(files(&format!("\n- {item}")), [""; 0], "{item}");
        let other = item.replace("docs/tides", "docs/ghost");
        assert_eq!(files(&format!("\n- {other}")), ["docs/ghost.md"], "{other}");
    }
}

#[test]
fn what_is_no_path_is_no_missing_file() {
    for item in [
        "Wired `zod` into docs/tides.md",
        "`A` docs/tides.md",
        "Renamed `foo` to `bar` in docs/tides.md",
        "Bumped `zod` to 3.2",
        "[tides][1]",
        &"[".repeat(300_000),
        &"a/b: ".repeat(60_000),
        "docs/\n  - tides.md\n  - currents.md",
    ] {
        let found = files(&format!("\n- {item}"));
        assert_eq!(found, [UNREADABLE, "artifact-none"], "{item}");
    }
}

/// A file that is there is what the text says, whatever else it says. One that is not there is told, and
/// nothing remains that was created.
#[test]
fn marks_and_remarks_are_no_part_of_a_path() {
    for item in [
        "docs/tides.md（新增）",
        "docs/tides.md：新增",
        "docs/tides.md (new) ✅",
        "docs/tides.md +3 -1",
        "docs/tides.md [new]",
        "docs/tides.md(new)",
        "docs/tides.md[^1]",
        "docs/tides.md → adds heights",
        "[NEW] docs/tides.md",
        "新增：docs/tides.md",
        "Added `foo()` to [tides](docs/tides.md)",
    ] {
        assert_eq!(files(&format!("\n- {item}")), [""; 0], "{item}");
        let other = item.replace("tides", "ghost");
        let found = files(&format!("\n- {other}"));
        assert_eq!(found, [UNREADABLE, "artifact-none"], "{other}");
    }
    assert_eq!(files("docs/High\\_Tides.md"), ["docs/High_Tides.md"]);
}

#[test]
fn the_tag_around_a_return_is_no_file() {
    let standard = format!("{REPORT}part = {{ tag = \"result\" }}\n");
    let text = "<result>\nStatus: DONE\nFiles: docs/tides.md\n</result>\n";
    assert_eq!(check(&standard, text), [""; 0]);
}

#[test]
fn a_file_that_may_be_gone_is_told() {
    for item in [
        "Deleted: docs/ghost.md",
        "docs/ghost.md: removed",
        "docs/ghost.md (removed from the index, kept on disk)",
        "docs/ghost.md (obsolete, deleted)",
        "docs/ghost.md (deleted) (new)",
        "docs/ghost.md (moved to docs/tides.md)",
        "docs/ghosts.md, docs/ghost.md (deleted)",
        "docs/ghost.md (not deleted)",
        "docs/ghost.md (merged)",
        "`docs/ghost.md`（已删除）",
    ] {
        let found = files(&format!("\n- docs/tides.md\n- {item}"));
        assert_eq!(found, [UNREADABLE], "{item}");
    }
}

/// Nobody is accused of a file that a line above it says was deleted, whatever else that line says.
#[test]
fn files_below_a_line_that_says_that_they_are_gone_are_told() {
    for above in [
        "**Deleted**",
        "**Deleted files:**",
        "Removed these two files:",
        "The old files were deleted:",
        "### Removed files",
        "Renamed, so gone:",
    ] {
        let text = format!(
            "Status: DONE\n\n## Files\n\n{above}\n\n- docs/ghost.md\n\n**Created files:**\n\n- docs/tides.md\n"
        );
        assert_eq!(check(REPORT, &text), [UNREADABLE], "{above}");
    }
    let own = format!("{REPORT}gone = [\"gelöscht\"]\n");
    let text = "Status: DONE\n\n## Files\n\nDie alten wurden gelöscht:\n\n- docs/ghost.md\n\nNeu:\n\n- docs/tides.md\n";
    assert_eq!(check(&own, text), [UNREADABLE]);
}

#[test]
fn the_column_of_files_is_taken_from_a_table() {
    for (columns, first) in [
        ("Component | File", "Login"),
        ("Module | File path", "`auth`"),
        ("Type | Path", "A"),
        ("Commit | Files", "abc1234"),
    ] {
        let rows = format!("\n| {columns} |\n|---|---|\n| {first} | docs/tides.md |");
        assert_eq!(files(&rows), [""; 0], "{rows}");
        let other = rows.replace("tides", "ghost");
        assert_eq!(files(&other), [UNREADABLE, "artifact-none"], "{other}");
        let unnamed = rows.replace(columns, "What | Where");
        assert_eq!(files(&unnamed), ["artifact-none"], "{unnamed}");
    }
    let alone = "\n| File |\n|---|\n| docs/tides.md |\n| docs/ghost.md |";
    assert_eq!(files(alone), ["docs/ghost.md"]);
    let total = "\n| File | Change |\n|---|---|\n| docs/tides.md | +3 |\n| **Total** | +3 |";
    assert_eq!(files(total), [""; 0]);
}

#[test]
fn files_may_stand_in_tags_of_their_own() {
    let pointed = REPORT.replace("\"Files\"", "\"/tags/files/tags/file\"");
    for standard in [REPORT, &pointed] {
        let text = "Status: DONE\n<files>\n<file>docs/tides.md</file>\n<file>docs/tides.md</file>\n</files>\n";
        assert_eq!(check(standard, text), [""; 0]);
        let other = text.replacen("tides", "ghost", 1);
        assert_eq!(check(standard, &other), ["docs/ghost.md"]);
    }
}
