//! Whoever follows the instruction passes the checks.

use std::fs;
use std::path::{Path, PathBuf};

use crate::check::Checker;
use crate::config::Config;
use crate::instruction::Instruction;
use crate::profile::{Need, PROFILES, Profile};
use crate::root::Root;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// Checks that the example of an instruction, filled in, keeps its standard.
fn assert_example_is_kept(profile: &Profile) {
    let root = Root::open(fixtures().join("project")).expect("a folder");
    let example = Instruction::new(profile).skeleton();
    let filled = example.replace("path/of/the/file.md", "docs/tides.md");
    let filled = filled.replace("...", "14 of 14 pass.");
    let filled = filled.replace("What was done. What the result is.", "All tests pass.");
    let filled = filled.replace("the session id of this task", "c7");
    // A standard without places takes any text.
    let filled = if filled.is_empty() {
        "All tests pass."
    } else {
        &filled
    };
    let report = Checker::new(profile, &root).check(filled).into_owned();
    assert!(report.is_valid(), "{example}\n{report}");
}

#[test]
fn the_example_of_an_instruction_keeps_its_standard() {
    for entry in fs::read_dir(fixtures().join("standards"))
        .expect("a folder")
        .flatten()
    {
        let Ok(text) = fs::read_to_string(entry.path().join("retval.toml")) else {
            continue;
        };
        let config = Config::parse_in(&text, &entry.path()).expect("a configuration");
        // An example of its own was held to the standard when the configuration was read.
        if !text.contains("\nexample =") {
            assert_example_is_kept(&config.profiles[0].profile);
        }
    }
}

#[test]
fn a_name_that_is_no_label_is_a_heading_in_the_example() {
    let root = Root::open(fixtures().join("project")).expect("a folder");
    for name in [
        "What's Done Well",
        "C++",
        "Next steps?",
        "A.B",
        "Risk #1",
        "Cost ($)",
    ] {
        let config = Config::parse(&format!(
            "[profiles.own]\nform = \"text\"\nat.status = \"Status\"\n\
             statuses = {{ DONE = \"success\" }}\nrequired = [\"{name}\", \"Tests\"]"
        ));
        let profile = &config.expect("a configuration").profiles[0].profile;
        let example = Instruction::new(profile).skeleton();
        assert!(example.contains(&format!("## {name}\n")), "{example}");
        let checker = Checker::new(profile, &root);
        let filled = example.replace("...", "14 of 14 pass.");
        let report = checker.check(&filled).into_owned();
        assert!(report.is_valid(), "{example}\n{report}");
        let report = checker.check("Status: DONE\nTests: pass\n").into_owned();
        let fix = format!("add a heading `## {name}`");
        assert_eq!(report.findings[0].suggestion(), Some(&*fix));
    }
}

#[test]
fn the_example_of_a_standard_without_places_is_no_empty_form() {
    let told = |text: &str| {
        let config = Config::parse(&format!("[profiles.own]\n{text}")).expect("a configuration");
        let told = Instruction::new(&config.profiles[0].profile).to_string();
        let end = told.find("\nWhat you return").expect("its end");
        told[..end].to_owned()
    };
    assert_eq!(
        told("form = \"text\""),
        "RETURN FORMAT\nYour final report is a text of your own words.\n"
    );
    assert_eq!(
        told("form = \"text\"\npart = { between = [\"<<A\", \"A>>\"] }"),
        "RETURN FORMAT\nYour final report must have this in it, once:\n\n<<A\n...\nA>>\n"
    );
    assert!(told("form = \"json\"").ends_with("no comments.\n\n{}\n"));
    // Names are compared without the mark that makes an emoji colourful.
    assert!(told("form = \"text\"\nrequired = [\"🛡\u{fe0f} Guard\"]").contains("\n🛡 Guard: ...\n"));
}

#[test]
fn the_example_shows_tables_and_headings_as_they_are_written() {
    let config = Config::parse(
        r#"
[profiles.own]
form = "text"
at.status = "STEPS/build"
at.artifacts = "/sections/Report/table/*/File"
at.cites = "Notes"
required = [
  "STEPS/*", "Faults/sections/*/labels/severity", "Proof/table/*/Check", "Proof/table/*/Result", "Notes/list/*",
]
statuses = { pass = "success", "*" = "other" }
"#,
    )
    .expect("a configuration");
    let profile = &config.profiles[0].profile;
    assert_example_is_kept(profile);
    let told = Instruction::new(profile).to_string();
    let end = told.find("\n\nWhat you return").expect("its end");
    assert_eq!(
        &told[..end],
        "\
RETURN FORMAT
Your final report must have this form:

STEPS:
  build: pass

## Report

| File |
| --- |
| `path/of/the/file.md` |

## Faults

### One

severity: ...

## Proof

| Check | Result |
| --- | --- |
| ... | ... |

## Notes

- ...

- `STEPS/build` is one of pass, or another word.
- With pass: `/sections/Report/table/*/File` names files that you wrote, relative to the project root. They exist and have content.
- `Notes` cites lines of files as `path:line`; what you quote stands there."
    );
}

#[test]
fn an_example_shows_places_where_it_cannot_show_the_form() {
    for (standard, example) in [
        (
            "at.status = 'Result/labels/Verdict'",
            "## Result\n\nVerdict: DONE",
        ),
        (
            "at.status = { at = 'Result', match = '(?<value>[A-Z]+)' }\n\
             at.artifacts = { at = 'Result', match = 'in (?<value>.+)' }",
            "Result: DONE",
        ),
        (
            "at.status = 'Status'\npart.between = ['<<<RESULT', '</end>']",
            "<<<RESULT\nStatus: DONE\n</end>",
        ),
        ("at.status = '/blocks/0/text'", "At `/blocks/0/text`: DONE"),
        (
            "at.status = '/tags/r/tags/z/text'\nat.artifacts = '/tags/r/tags/files/list'",
            "<r>\n<z>DONE</z>\n<files>\n- path/of/the/file.md\n</files>\n</r>",
        ),
    ] {
        let head = "[profiles.own]\nform = 'text'\nstatuses = { DONE = 'success' }\n";
        let config = Config::parse(&format!("{head}{standard}")).expect("a configuration");
        let instruction = Instruction::new(&config.profiles[0].profile);
        assert_eq!(instruction.skeleton(), example);
    }
}

#[test]
fn every_name_of_the_profile_is_in_the_instruction() {
    for profile in PROFILES {
        let text = Instruction::new(profile).to_string();
        let statuses = profile.statuses_of(None).map(|status| &status.word);
        for word in statuses
            .chain(profile.artifact_types.iter())
            .chain(profile.error_types.iter())
        {
            assert!(text.contains(&**word), "{}: {word}", profile.id);
        }
        for field in profile.fields_with(Need::Required) {
            assert!(text.contains(field), "{}: {field}", profile.id);
        }
        assert!(text.contains("validated before anyone acts on it"));
    }
}
