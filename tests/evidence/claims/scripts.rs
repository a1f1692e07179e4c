//! Runs generated shell scripts, and compares what they did with what evidence says of them: a file that
//! is shown as written must be another one than before, and one of which that is contradicted the same.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::process::Command;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::effects::accounting;
use super::{Session, claiming, stdout};
use crate::common::{SESSION, World, piped, seeds};

/// The files that scripts work on. The first ones are there at the beginning.
const FILES: [&str; 5] = ["a.md", "docs/a.md", "b.log", "new.md", "docs/new.md"];
const COMMITTED: usize = 3;

/// Commands that write, with `F` and `G` for files and `T` for a text that is used once. What follows a
/// line feed is the text of a here-document.
const WRITING: &[&str] = &[
    "echo T > F",
    "echo T >> F",
    "printf '%s\\n' T > F",
    "echo T | tee F",
    "echo T | tee -a F",
    "cat > F <<'EOF'\nT\nEOF",
    "cat >> F <<EOF\nT\nEOF",
    "tee F <<< T",
    "cp F G",
    "mv F G",
    "git mv F G",
    "cp /dev/null F",
    "truncate -s 0 F",
    "dd if=/dev/null of=F status=none",
    "sed -i 's/line/T/' F",
    "sed -i 's/nowhere/T/' F",
    "sed -i '$d' F",
    "patch -p0 <<'EOF'\n--- F\n+++ F\n@@ -1,3 +1,3 @@\n line\n-F\n+T\n end\nEOF",
    "patch -p0 <<'EOF'\n--- F\n+++ G\n@@ -1,3 +1,3 @@\n line\n-F\n+T\n end\nEOF",
    "patch -p1 <<'EOF'\n--- a/F\n+++ b/F\n@@ -1,3 +1,3 @@\n line\n-F\n+F\n end\nEOF",
    "git apply <<'EOF'\n--- a/F\n+++ b/F\n@@ -1,3 +1,3 @@\n line\n-F\n+T\n end\nEOF",
    "git apply <<'EOF'\n--- a/F\n+++ b/G\n@@ -1,3 +1,3 @@\n line\n-F\n+T\n end\nEOF",
    "git apply <<'EOF'\ndiff --git a/F b/F\n--- a/F\n+++ b/F\n@@ -1,3 +1,3 @@\n line\n-F\n+T\n end\nEOF",
];

/// Commands that undo what others wrote.
const UNDOING: &[&str] = &[
    "git checkout -- F",
    "git checkout -q HEAD F",
    "git checkout .",
    "git checkout -q HEAD~1",
    "git checkout -q -b T",
    "git checkout -q -",
    "git restore F",
    "git restore --staged F",
    "git restore --source HEAD~1 -- .",
    "git stash -q",
    "git stash -q -u",
    "git stash push -q -- F",
    "git stash pop -q",
    "git reset -q --hard",
    "git reset -q HEAD F",
    "git clean -fdq",
    "git clean -fq F",
    "git clean -nq",
    "git revert --no-edit HEAD",
    "git diff > ../T; git apply -R ../T",
    "rm F",
    "rm -rf docs",
    "rm -f *.md",
    "rm -f docs/*.log",
    "mv -f docs/*.md ..",
    "name=F; rm -f \"$name\"",
    "find . -name '*.md' -delete",
    "find docs -type f -exec rm {} +",
    "ls *.md | xargs rm",
];

/// Commands that do neither.
const OTHERS: &[&str] = &[
    "ls",
    "false",
    "true",
    "test -s F",
    "grep -q T F",
    "cat F",
    "wc -l F",
    "mkdir -p docs",
    // None leads out of the folder.
    "cd docs",
    "cd ../docs",
    "cd ../scripts",
    "cd nowhere",
    "set -e",
    "set -o pipefail",
    "exit 0",
    "exit 1",
    "exec 2> /dev/null",
    "git add -A",
    "git commit -qam T",
    "git status --short",
];

/// What may stand around a command, which is at `C`.
const AROUND: &[&str] = &[
    "C",
    "( C\n)",
    "{ C\n}",
    "if test -s a.md; then C\nfi",
    "! C",
    "{ C\n} 2> /dev/null",
    "for x in 1 2; do C\ndone",
    "(cd docs && C\n)",
    "C 2>&1",
];

const JOINTS: &[&str] = &["\n", "\n", "\n", " && ", " && ", " && ", " && ", " || ", "; ", " | "];

/// Command lines of some calls, and whether each begins in the folder `docs`.
fn calls() -> impl Strategy<Value = Vec<(String, bool)>> {
    let part = (
        prop_oneof![5 => select(WRITING), 3 => select(UNDOING), 2 => select(OTHERS)],
        select(&FILES[..]),
        select(&FILES[..]),
        prop_oneof![5 => Just(AROUND[0]), 1 => select(AROUND)],
        select(JOINTS),
    );
    let lines = vec(part, 1..4);
    let call = (lines, prop::bool::weighted(0.2));
    vec(call, 1..4).prop_map(|calls| {
        let mut texts = 0;
        let mut line = |parts: Vec<(&str, &str, &str, &str, &str)>| {
            let mut script = String::new();
            let mut waiting = String::new();
            for (command, file, other, around, joint) in parts {
                texts += 1;
                let command =
                    fill(command, &[("F", file), ("G", other), ("T", &format!("text{texts}"))]);
                let (command, document) = command.split_once('\n').unwrap_or((&command, ""));
                let (before, after) = around.split_once('C').expect("a place");
                script += before;
                script += command;
                if after.starts_with('\n') && !document.is_empty() {
                    script.extend(["\n", document]);
                } else if !document.is_empty() {
                    waiting.extend([document, "\n"]);
                }
                script += after;
                // A document begins after the line of its command.
                script += if waiting.is_empty() { joint } else { "\n" };
                script += &std::mem::take(&mut waiting);
            }
            // The other joints need a command after them.
            let is_whole = script.ends_with('\n');
            script + if is_whole { "" } else { "true" }
        };
        let calls = calls.into_iter();
        calls.map(|(parts, is_below)| (line(parts), is_below)).collect()
    })
}

/// A template with these names replaced where they stand alone.
fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::new();
    for part in template.split_inclusive(|letter: char| !letter.is_ascii_alphabetic()) {
        let word = part.trim_end_matches(|letter: char| !letter.is_ascii_alphabetic());
        let value = values.iter().find(|(name, _)| *name == word);
        filled += value.map_or(word, |(_, value)| value);
        filled += &part[word.len()..];
    }
    filled
}

/// Runs a script in a folder. Nothing outside of the world is its home, and it has no terminal to ask.
fn bash(world: &World, folder: &Path, script: &str) -> std::process::Output {
    let mut bash = Command::new("setsid");
    bash.args(["-w", "bash", "-c", script]).current_dir(folder);
    bash.env("HOME", world.path("")).env("GIT_CEILING_DIRECTORIES", world.path(""));
    bash.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_EDITOR", "true");
    for kind in ["AUTHOR", "COMMITTER"] {
        bash.env(format!("GIT_{kind}_NAME"), "a");
        bash.env(format!("GIT_{kind}_EMAIL"), "a@example.org");
    }
    bash.stdin(std::process::Stdio::null()).output().expect("bash runs")
}

/// A repository with two commits.
fn prepare(world: &World) {
    for older in ["older\n", ""] {
        for file in &FILES[..COMMITTED] {
            world.write(&format!("scripts/{file}"), format!("line\n{file}\nend\n{older}"));
        }
        let script = "git init -q; git add -A; git commit -qm first";
        let made = bash(world, &world.path("scripts"), script);
        assert!(made.status.success(), "{made:?}");
    }
}

/// The content of a file, and which file it is since when.
type FileState = (Vec<u8>, (u64, i64, i64));

/// The files that exist.
fn state(world: &World) -> BTreeMap<&'static str, FileState> {
    let found = FILES.iter().filter_map(|file| {
        let path = world.path(&format!("scripts/{file}"));
        let data = fs::metadata(&path).ok()?;
        let place = (data.ino(), data.ctime(), data.ctime_nsec());
        Some((*file, (fs::read(&path).ok()?, place)))
    });
    found.collect()
}

/// What evidence says of each of these files.
fn assessed(world: &World, session: &Session, files: &[&str]) -> Vec<(String, String)> {
    world.write("session.jsonl", &session.lines);
    let mut returned: Value = serde_json::from_str(&claiming("a.md")).expect("a return");
    let artifact = |file: &&str| json!({ "type": "plan", "path": file, "summary": "Plan" });
    returned["artifacts"] = files.iter().map(artifact).collect();
    assert_eq!(returned["metadata"]["session_id"], SESSION);
    let options = "--root scripts --transcript session.jsonl --agent-id a1 --format jsonl";
    let output = piped(world, options, returned.to_string());
    let record: Value = serde_json::from_str(&stdout(&output)).expect("a record");
    let claims = record["evidence"].as_array().expect("claims").iter();
    let claims = claims.filter(|claim| claim["rule"] == "artifact-unwritten");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    claims.map(|claim| (text(&claim["value"]), text(&claim["reason"]))).collect()
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Whether a file with this name is copied or moved away, and a copy of it is copied or moved back.
fn comes_back(calls: &[(String, bool)], name: &str) -> bool {
    let mut copies: Vec<&str> = Vec::new();
    let commands = calls.iter();
    let commands = commands.flat_map(|(script, _)| script.split(|it| "\n;&|(){}".contains(it)));
    for command in commands {
        let words = command.split_whitespace();
        let mut words = words.skip_while(|word| ["!", "then", "do", "git"].contains(word));
        let transfers = words.next().is_some_and(|program| ["cp", "mv"].contains(&program));
        let files: Vec<&str> = words.filter(|word| !word.starts_with('-')).collect();
        let ([source, target, ..], true) = (&files[..], transfers) else {
            continue;
        };
        // A pattern or a folder may stand for any file.
        let is = |path: &str, name: &str| {
            path.contains('*') || path.ends_with("..") || file_name(path) == name
        };
        if copies.iter().any(|copy| is(source, copy)) && is(target, name) {
            return true;
        }
        if is(source, name) || copies.iter().any(|copy| is(source, copy)) {
            copies.push(file_name(target));
        }
    }
    false
}

fn hold(calls: &[(String, bool)]) -> Result<(), TestCaseError> {
    let world = World::new();
    prepare(&world);
    let before = state(&world);
    let session = Session::of_one(|session| {
        calls.iter().fold(session, |session, (script, is_below)| {
            let folder = world.path(if *is_below { "scripts/docs" } else { "scripts" });
            if !folder.is_dir() {
                return session;
            }
            let ran = bash(&world, &folder, script);
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            let account = json!({ "stdout": text(&ran.stdout), "stderr": text(&ran.stderr) });
            let input = json!({ "command": script });
            let cwd = folder.display().to_string();
            accounting(session, &account, |it| {
                it.call_in("a1", &cwd, "Bash", input, ran.status.success())
            })
        })
    });
    let after = state(&world);
    let files: Vec<&str> = after.keys().copied().collect();
    if files.is_empty() {
        return Ok(());
    }
    for (file, (value, reason)) in files.iter().zip(assessed(&world, &session, &files)) {
        let (old, new) = (before.get(file), &after[file]);
        // What comes back may be what was there before, which no command line tells.
        let is_back = || comes_back(calls, file_name(file));
        let is_new = old.is_none_or(|old| old.0 != new.0 || old.1 != new.1 && is_back());
        prop_assert!(value != "shown" || is_new, "{file} is {value}: {reason}");
        let is_same = old == Some(new);
        prop_assert!(value != "contradicted" || is_same, "{file} is {value}: {reason}");
    }
    Ok(())
}

#[test]
fn what_is_shown_was_changed_by_the_script_and_what_is_contradicted_was_not() {
    seeds::hold(8, &calls(), |calls| hold(&calls));
}
