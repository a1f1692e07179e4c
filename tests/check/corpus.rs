//! Checks every fixture and compares the findings with the expected ones.
//!
//! `fixtures/rules/RULE/fail` has returns that fail the rule, and `pass` has returns that pass it.
//! `NAME.options` has the options of the check, and `NAME.expected` all findings of a failing return.
//! `UPDATE=1 cargo test` writes the expected findings again. Read the diff afterwards.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{World, fixtures, piped, run, stdout};
use retval::{PROFILES, RULES};
use serde_json::Value;
use walkdir::WalkDir;

/// When the agents of the fixtures are at work.
const NOW: &str = "2026-01-28T12:00:00Z";

/// Whether a file with this extension is a return, and not what belongs to one.
fn is_return(extension: &OsStr) -> bool {
    ["json", "md", "yaml"].iter().any(|it| extension == *it)
}

/// The returns in a folder of fixtures, relative to all fixtures, sorted.
fn returns(folder: &str) -> Vec<PathBuf> {
    let files = WalkDir::new(fixtures().join(folder)).sort_by_file_name().into_iter().flatten();
    let returns = files
        .map(walkdir::DirEntry::into_path)
        .filter(|path| path.extension().is_some_and(is_return));
    returns.map(|path| path.strip_prefix(fixtures()).expect("below").to_owned()).collect()
}

/// The command that checks a fixture, which is made ready for it.
fn command(world: &World, fixture: &Path, options: &str) -> Command {
    if options.contains("--rev") {
        world.commit_project();
    }
    world.provide_all(options);
    let path = world.path("").join(fixture);
    let text = fs::read(&path).expect("a fixture");
    let project = world.path("project").display().to_string();
    if let Ok(text) = String::from_utf8(text) {
        fs::write(&path, text.replace("{root}", &project)).expect("a file");
    }
    let is_locked = fixture.starts_with("rules/artifact-unreadable");
    let mut retval = if is_locked { world.retval_as_nobody() } else { world.retval() };
    retval
        .args(["check", "--root", "project"])
        .env("RETVAL_NOW", NOW)
        .args(options.split_whitespace())
        .arg(fixture);
    retval
}

fn check(world: &World, fixture: &Path, options: &str) -> Value {
    let output = run(command(world, fixture, options).args(["--format", "jsonl"]));
    let line = stdout(&output);
    let record: Value = serde_json::from_str(&line)
        .unwrap_or_else(|error| panic!("{}: {error}: {line}", fixture.display()));
    let expected = i32::from(record["valid"] != true);
    assert_eq!(output.status.code(), Some(expected), "{}", fixture.display());
    record
}

fn options(fixture: &Path) -> String {
    fs::read_to_string(fixtures().join(fixture).with_extension("options")).unwrap_or_default()
}

fn rules_of(record: &Value) -> Vec<&str> {
    record["findings"]
        .as_array()
        .expect("findings")
        .iter()
        .filter_map(|finding| finding["rule"].as_str())
        .collect()
}

/// Findings as lines, with the world's own place taken out.
fn lines(record: &Value, world: &World) -> String {
    let findings = record["findings"].as_array().expect("findings").iter();
    let line = |finding: &Value| {
        let text = |key: &str| finding[key].as_str().unwrap_or("-").to_owned();
        let (rule, level, message, pointer) =
            (text("rule"), text("level"), text("message"), text("pointer"));
        format!("{}:{} {level} {rule} {pointer} {message}\n", finding["line"], finding["column"])
    };
    let text: String = findings.map(line).collect();
    text.replace(&world.path("project").display().to_string(), "{root}")
}

#[test]
fn every_rule_has_a_return_that_breaks_it_and_one_that_keeps_it() {
    for rule in RULES {
        for side in ["pass", "fail"] {
            assert!(
                !returns(&format!("rules/{}/{side}", rule.id)).is_empty(),
                "{}/{side}",
                rule.id
            );
        }
    }
    for folder in fs::read_dir(fixtures().join("rules")).expect("a folder").flatten() {
        let name = folder.file_name().into_string().expect("UTF-8");
        assert!(RULES.iter().any(|rule| rule.id == name), "no rule is called {name}");
    }
}

#[test]
fn returns_that_keep_a_rule_are_not_reported_for_it() {
    let world = World::with("rules");
    for rule in RULES {
        for fixture in returns(&format!("rules/{}/pass", rule.id)) {
            let record = check(&world, &fixture, &options(&fixture));
            assert!(!rules_of(&record).contains(&rule.id), "{}: {record}", fixture.display());
            assert_eq!(record["valid"], true, "{}: {record}", fixture.display());
        }
    }
}

#[test]
fn returns_that_break_a_rule_are_reported_as_expected() {
    let world = World::with("rules");
    for rule in RULES {
        for fixture in returns(&format!("rules/{}/fail", rule.id)) {
            let record = check(&world, &fixture, &options(&fixture));
            assert!(rules_of(&record).contains(&rule.id), "{}: {record}", fixture.display());
            let expected = fixtures().join(&fixture).with_extension("expected");
            let found = lines(&record, &world);
            if std::env::var_os("UPDATE").is_some() {
                fs::write(&expected, &found).expect("an expectation");
            }
            assert_eq!(
                found,
                fs::read_to_string(&expected).unwrap_or_default(),
                "{}",
                fixture.display()
            );
        }
    }
}

/// Placeholders are filled in, and not with nothing.
#[test]
fn no_feedback_has_a_hole() {
    let world = World::with("rules");
    let mut points = 0;
    for rule in RULES {
        for fixture in returns(&format!("rules/{}/fail", rule.id)) {
            let mut check = command(&world, &fixture, &options(&fixture));
            let feedback = stdout(&run(check.args(["--strict", "--format", "feedback"])));
            let is_point = |line: &&str| {
                line.split_once(". ").is_some_and(|(number, _)| number.parse::<u8>().is_ok())
            };
            for point in feedback.lines().filter(is_point) {
                points += 1;
                // Names of placeholders have small letters; escapes have hexadecimal digits.
                let mut braces = point.split('{').skip(1).filter_map(|it| it.split_once('}'));
                let is_name = |it: &str| {
                    ["name", "what", "why", "path", "found", "status", "agent", "field"]
                        .contains(&it)
                };
                let has_hole = braces.any(|(inside, _)| is_name(inside))
                    || ["  ", ": (", ": . ", ": ;", ": )", "()", " ,", "Your .", "Write ."]
                        .iter()
                        .any(|it| point.contains(it));
                assert!(!has_hole, "{}: {point}", fixture.display());
            }
        }
    }
    assert!(points > RULES.len(), "{points}");
    // What is empty is shown as such.
    let empty = r#"{"status": "", "summary": " ", "artifacts": [{"path": "", "type": ""}], "metadata": {"session_id": "",
        "agent_type": "", "delegation_depth": 1, "delegation_path": ["", ""]}, "errors": [{"type": "", "code": ""}], "": 1, "": 2}"#;
    for profile in PROFILES {
        let options = format!(
            "--profile {} --agent planner --session s --strict --format feedback",
            profile.id
        );
        let feedback = stdout(&piped(&world, &options, empty));
        let points = feedback.split("The form is:").next().unwrap_or_default();
        assert!(points.contains("Duplicate key: \"\""), "{points}");
        for hole in ["  ", ": (", ": )", "Got: ;", " ,"] {
            assert!(!points.contains(hole), "{hole:?} in {points}");
        }
    }
}

#[test]
fn the_command_finds_nothing_in_profile_fixtures() {
    let world = World::with("rules");
    for profile in PROFILES {
        let fixtures = returns(&format!("profiles/{}", profile.id));
        assert!(!fixtures.is_empty(), "{}", profile.id);
        for fixture in fixtures {
            let record = check(&world, &fixture, &format!("--profile {}", profile.id));
            let is_early = record["status"] == "in_progress";
            let expected: &[&str] = if is_early { &["still-in-progress"] } else { &[] };
            assert_eq!(rules_of(&record), expected, "{}: {record}", fixture.display());
        }
    }
}

#[test]
fn the_file_name_chooses_the_profile() {
    let world = World::with("rules");
    for (fixture, profile) in [
        ("profiles/return/completed-plan.json", "return"),
        ("profiles/return-meta/planned/specs/12_tide_tables/.return-meta.json", "return-meta"),
        ("profiles/handoff/handoff_developer.json", "handoff"),
    ] {
        let record = check(&world, Path::new(fixture), "");
        assert_eq!(
            (&record["profile"], &record["valid"]),
            (&profile.into(), &true.into()),
            "{fixture}"
        );
    }
}

#[test]
fn every_warning_fails_under_strict() {
    let world = World::with("rules");
    for rule in RULES {
        for fixture in returns(&format!("rules/{}/fail", rule.id)) {
            let record = check(&world, &fixture, &format!("--strict {}", options(&fixture)));
            assert_eq!(record["valid"], false, "{}", fixture.display());
            let levels = record["findings"]
                .as_array()
                .expect("findings")
                .iter()
                .map(|finding| &finding["level"]);
            assert!(
                levels.clone().all(|level| level == "error"),
                "{}: {record}",
                fixture.display()
            );
        }
    }
}

#[test]
fn spans_are_in_the_file_and_cover_the_value_of_the_pointer() {
    let world = World::with("rules");
    for rule in RULES {
        for fixture in returns(&format!("rules/{}/fail", rule.id)) {
            let record = check(&world, &fixture, &options(&fixture));
            let bytes = fs::read(world.path("").join(&fixture)).expect("a fixture");
            for finding in record["findings"].as_array().expect("findings") {
                let number = |key: &str| {
                    usize::try_from(finding[key].as_u64().expect("a number")).expect("small")
                };
                let (start, end) = (number("offset"), number("offset") + number("length"));
                assert!(end <= bytes.len(), "{}: {finding}", fixture.display());
                let Ok(text) = std::str::from_utf8(&bytes) else {
                    continue;
                };
                let before = text.get(..start).expect("a character boundary");
                assert_eq!(
                    number("line"),
                    before.matches('\n').count() + 1,
                    "{}: {finding}",
                    fixture.display()
                );
                let column = before.rsplit('\n').next().expect("a line").chars().count() + 1;
                assert_eq!(number("column"), column, "{}: {finding}", fixture.display());
                // In an envelope, the pointer leads into the return, and the span is all of it.
                if record.get("envelope").is_none() {
                    points_at(finding, &text[start..end], text);
                }
            }
        }
    }
}

/// A pointer leads to the value, or to the key, that the span covers.
fn points_at(finding: &Value, span: &str, text: &str) {
    let (Some(pointer), Ok(document)) =
        (finding["pointer"].as_str(), serde_json::from_str::<Value>(text))
    else {
        return;
    };
    let value = document.pointer(pointer);
    let covered: Value =
        serde_json::from_str(span).unwrap_or_else(|_| panic!("{finding} covers {span}"));
    let key = pointer.rsplit('/').next().expect("a key").replace("~1", "/").replace("~0", "~");
    assert!(value == Some(&covered) || covered == key, "{finding} covers {span}");
}
