//! Whoever follows the instruction passes the checks.

use std::fs;
use std::path::{Path, PathBuf};

use crate::check::Checker;
use crate::config::Config;
use crate::instruct::Instruction;
use crate::instruct::view::{ValueView, What};
use crate::profile::{HANDOFF, Need, PROFILES, Profile};
use crate::root::Root;
use serde_json::{Value, json};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// The first profile of a configuration.
fn profile(config: &str) -> Profile {
    let config = Config::parse(config).expect("a configuration");
    Profile::clone(&config.profiles[0].profile)
}

/// An example with texts of the agent's own.
fn filled(example: &str) -> String {
    let own = [
        ("path/of/the/file.md", "docs/tides.md"),
        ("...", "14 of 14 pass."),
        ("What was done. What the result is.", "All tests pass. Nothing is left."),
        ("What the file contains", "The tides of a year"),
        ("the session id of this task", "c7"),
        ("your-agent-name", "planner"),
    ];
    own.into_iter().fold(example.to_owned(), |text, (sample, own)| text.replace(sample, own))
}

/// Checks that what an instruction shows passes once it is filled in, and that it has no pointer, no
/// expression, and nothing that stands for every item.
fn hold(profile: &Profile) {
    let root = Root::open(fixtures().join("project")).expect("a folder");
    let instruction = Instruction::new(profile);
    let told = instruction.text().expect("an instruction");
    for sign in ["`/", "*", "(?"] {
        assert!(!told.contains(sign), "{sign}: {told}");
    }
    let example = instruction.example().expect("an example");
    // A standard without places takes any text.
    let text = match &*example {
        "" => "All tests pass.".to_owned(),
        example => filled(example),
    };
    let report = Checker::new(profile, &root).check(&text);
    assert!(report.is_valid(), "{example}\n{report}");
}

#[test]
fn the_example_of_each_agent_passes_with_each_of_its_statuses() {
    for profile in PROFILES {
        let agents = profile.agents.iter().map(|agent| Some(&*agent.name));
        for agent in agents.chain([None, Some("planner")]) {
            let folder = tempfile::tempdir().expect("a folder");
            let path = ["orchestrator".to_owned(), agent.unwrap_or("x").to_owned()];
            let instruction =
                Instruction { agent, delegation_path: &path, ..Instruction::new(profile) };
            let example = filled(&instruction.example().expect("an example"));
            let mut document: Value = serde_json::from_str(&example).expect("JSON");
            let files = document["artifacts"].as_object().cloned();
            let files = files.into_iter().flatten();
            for path in files.map(|(_, path)| path).chain([json!("docs/tides.md")]) {
                let path = folder.path().join(path.as_str().expect("a path"));
                fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
                fs::write(path, "text").expect("a file");
            }
            let root = Root::open(folder.path()).expect("a folder");
            // The example of an unknown agent names one.
            let named = document["from_agent"].as_str().map(str::to_owned);
            for status in profile.statuses_of(agent.or(named.as_deref())) {
                document["status"] = json!(status.word);
                if HANDOFF.decisions.contains(&status.word) && document["decision"].is_string() {
                    document["decision"] = json!(status.word);
                }
                let checker = Checker::new(profile, &root).agent(agent);
                let report = checker.check(&document.to_string());
                assert!(report.is_valid(), "{document}\n{report}");
            }
        }
    }
}

#[test]
fn the_example_of_a_standard_passes() {
    let mut refused = Vec::new();
    for entry in fs::read_dir(fixtures().join("standards")).expect("a folder").flatten() {
        let Ok(text) = fs::read_to_string(entry.path().join("retval.toml")) else {
            continue;
        };
        let config = Config::parse_in(&text, &entry.path()).expect("a configuration");
        let profile = &config.profiles[0].profile;
        // An example of its own was held to the standard when the configuration was read.
        if text.contains("\nexample =") {
            Instruction::new(profile).text().expect("an instruction");
        } else if Instruction::new(profile).text().is_ok() {
            hold(profile);
        } else {
            refused.push(entry.file_name());
        }
    }
    refused.sort();
    assert_eq!(refused, ["front-matter", "markdown-review"]);
    let status = "at.status = \"/state/word\"\nstatuses = { ok = \"success\", no = \"other\" }\n";
    for standard in [
        &format!(
            "form = \"yaml\"\n{status}at.artifacts = \"/files/*\"\nrequired = [\"/list/0/a\"]"
        ),
        &format!("{status}at.summary = \"/says\"\nempty-if = {{ ok = [\"/faults\"] }}"),
        &format!(
            "{status}values = {{ \"/level\" = [\"high\", \"low\"] }}\nrequired = [\"/level\", \"/a/*\"]"
        ),
        "form = \"text\"\nat.status = { at = 'Blockers', match = '(?<value>none|some)' }\n\
         statuses = { none = \"success\", some = \"other\" }",
        "form = \"text\"\npart = { tag = \"result\", last = true }\nat.agent = \"Agent\"\nlimits.lines = 3",
    ] {
        hold(&profile(&format!("[profiles.own]\n{standard}")));
    }
}

#[test]
fn a_standard_that_says_too_little_needs_an_example() {
    let status = "form = \"text\"\nstatuses = { DONE = \"success\" }\n";
    for (standard, why) in [
        (
            "at.status = { at = '/first', match = '^(?<value>[A-Z]+)\\|' }",
            "none is the name of a label or a heading",
        ),
        (
            "at.status = { at = 'Result', match = '(?<value>[A-Z]+)' }\n\
             at.artifacts = { at = 'Result', match = 'in (?<value>.+)' }",
            "Agent returned 'DONE' status but created no artifacts",
        ),
        ("at.status = '/first'", "none is the name of a label or a heading"),
        (
            "at.status = 'Status'\nrequired = ['Notes/list/*']",
            "Missing required field: each item of the list of `Notes`",
        ),
        (
            "at.status = 'Status'\nrequired = ['Tests']\nlimits.lines = 1",
            "Return is too long: 2 lines (limit 1)",
        ),
    ] {
        let profile = profile(&format!("[profiles.own]\n{status}{standard}"));
        let refused = Instruction::new(&profile).text().expect_err("a refusal");
        assert_eq!(
            refused.to_string(),
            format!(
                "the profile own needs an `example`, a file with a valid return: none can be made from its fields ({why})"
            )
        );
    }
}

#[test]
fn a_name_that_is_no_label_is_a_heading_in_the_example() {
    let root = Root::open(fixtures().join("project")).expect("a folder");
    for name in ["What's Done Well", "C++", "Next steps?", "A.B", "Risk #1", "Cost ($)"] {
        let profile = profile(&format!(
            "[profiles.own]\nform = \"text\"\nat.status = \"Status\"\n\
             statuses = {{ DONE = \"success\" }}\nrequired = [\"{name}\", \"Tests\"]"
        ));
        hold(&profile);
        let example = Instruction::new(&profile).example().expect("an example");
        assert!(example.contains(&format!("## {name}\n")), "{example}");
        let checker = Checker::new(&profile, &root);
        let report = checker.check("Status: DONE\nTests: pass\n");
        let fix = format!("add a heading `## {name}`");
        assert_eq!(report.findings[0].suggestion.as_deref(), Some(&*fix));
    }
}

#[test]
fn the_example_of_a_standard_without_places_is_no_empty_form() {
    let told = |text: &str| {
        let profile = profile(&format!("[profiles.own]\n{text}"));
        let told = Instruction::new(&profile).text().expect("an instruction");
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

/// The paths of the members in a value, each of which is described.
fn described(node: &ValueView<'_>, found: &mut Vec<String>) {
    match &node.what {
        What::List(inner) | What::Map(inner) => described(inner, found),
        What::Record(members) => {
            for (_, member) in members {
                assert!(member.about.is_some_and(|it| it.len() > 5), "{}", member.path);
                found.push(member.path.clone());
                described(member, found);
            }
        }
        What::Leaf(_) => {}
    }
}

#[test]
fn every_field_of_a_built_in_profile_is_described() {
    for profile in PROFILES {
        let mut paths = Vec::new();
        let instruction = Instruction::new(profile);
        described(&instruction.view(false), &mut paths);
        for field in profile.fields.iter() {
            assert!(paths.iter().any(|it| *it == field.path), "{}", field.path);
        }
        let has_suites = paths.iter().any(|it| it == "tests_run.*.duration");
        assert_eq!(has_suites, profile.id == "handoff");
    }
}

#[test]
fn every_name_of_the_profile_is_in_the_instruction() {
    for profile in PROFILES {
        let text = Instruction::new(profile).text().expect("an instruction");
        let statuses = profile.statuses_of(None).map(|status| &status.word);
        for word in statuses.chain(profile.artifact_types.iter()).chain(profile.error_types.iter())
        {
            assert!(text.contains(&**word), "{}: {word}", profile.id);
        }
        for field in profile.fields_with(Need::Required) {
            assert!(text.contains(field), "{}: {field}", profile.id);
        }
        assert!(text.contains("validated before anyone acts on it"));
    }
}
