//! `retval instruct`: an agent that follows the instruction passes the checks.

use std::fs;

use crate::common::{World, piped, run, stderr, stdout};
use assert_cmd::assert::OutputAssertExt as _;
use predicates::str::contains;
use retval::PROFILES;
use serde_json::{Value, json};

/// The agents of the profile `handoff`.
const AGENTS: [&str; 7] = [
    "developer",
    "senior_software_engineer",
    "qa_expert",
    "tech_lead",
    "project_manager",
    "investigator",
    "requirements_engineer",
];

fn instruct(world: &World, options: &str) -> String {
    let output =
        world.retval().arg("instruct").args(options.split_whitespace()).output().expect("it runs");
    assert_eq!(output.status.code(), Some(0), "{options}");
    stdout(&output)
}

/// The filled-in return between the first line that opens it and the one that closes it.
fn skeleton(text: &str) -> &str {
    let start = text.find("\n{\n").expect("a skeleton") + 1;
    let end = text.find("\n}\n").expect("a skeleton") + 2;
    &text[start..end]
}

/// The example with texts of the agent's own.
fn filled(skeleton: &str) -> String {
    let own = [
        ("What was done. What the result is.", "Read the tables. All of them agree."),
        ("path/of/the/file.md", "tides.md"),
        ("What the file contains", "The tables of the year"),
    ];
    own.into_iter().fold(skeleton.to_owned(), |text, (sample, own)| text.replace(sample, own))
}

#[test]
fn the_example_passes_once_it_is_filled_in_and_never_word_for_word() {
    let world = World::new();
    fs::create_dir_all(world.path("project/path/of/the")).expect("folders");
    fs::write(world.path("project/path/of/the/file.md"), "text").expect("a file");
    fs::write(world.path("project/tides.md"), "text").expect("a file");
    for profile in PROFILES {
        let agents = match &*profile.id {
            "compact" | "handoff" => AGENTS.to_vec(),
            _ => vec!["planner", "a \"b\""],
        };
        for agent in agents {
            let id = &*profile.id;
            let mut retval = world.retval();
            let output = retval
                .args([
                    "instruct",
                    "--profile",
                    id,
                    "--session",
                    "s 1",
                    "--agent",
                    agent,
                    "--delegation-path",
                    &format!("orchestrator,{agent}"),
                ])
                .output();
            let text = stdout(&output.expect("it runs"));
            let skeleton = skeleton(&text);
            let filled = filled(skeleton);
            world.write("skeleton.json", skeleton);
            world.write("filled.json", &filled);
            let document: serde_json::Value = serde_json::from_str(skeleton).expect("JSON");
            let details = document["artifacts"].as_object();
            for path in details.into_iter().flat_map(|files| files.values()) {
                let path = world.path(&format!("project/{}", path.as_str().expect("a path")));
                fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
                fs::write(path, "text").expect("a file");
            }
            let check = |name| {
                let output = world
                    .retval()
                    .args(["check", name, "--profile", id, "--agent", agent])
                    .args(["--session", "s 1", "--root", "project", "--strict"])
                    .args(["--format", "concise"])
                    .output();
                let output = output.expect("it runs");
                (output.status.code(), stdout(&output))
            };
            let (code, found) = check("filled.json");
            assert_eq!(code, Some(0), "{id} {agent}: {text}{found}");
            let (code, found) = check("skeleton.json");
            // The example of a compact return is all that an agent has to return.
            let is_whole = filled == skeleton;
            assert_eq!(is_whole, id == "compact", "{skeleton}");
            assert_eq!(code, Some(i32::from(!is_whole)), "{id} {agent}: {found}");
            let mut errors = found.lines().filter(|line| line.contains(": error["));
            assert!(errors.all(|line| line.contains("error[return-echo]")), "{found}");
        }
    }
}

#[test]
fn an_agent_is_told_its_own_words_and_which_handoffs_to_read_and_write() {
    let world = World::new();
    let compact = |agent: &str| {
        instruct(&world, &format!("--profile compact --session s --group g --agent {agent}"))
    };
    let handoff = |agent: &str| format!("bazinga/artifacts/s/g/handoffs/handoff_{agent}.json");
    for (agent, reads, writes) in [
        ("developer", vec![], true),
        ("qa_expert", vec!["developer", "senior_software_engineer"], true),
        ("tech_lead", vec!["qa_expert", "developer", "senior_software_engineer"], true),
        ("project_manager", vec!["tech_lead"], false),
    ] {
        let text = compact(agent);
        for other in AGENTS {
            let is_named = reads.contains(&other) || (other == agent && writes);
            assert_eq!(text.contains(&handoff(other)), is_named, "{agent}: {text}");
        }
    }
    assert!(!compact("tech_lead").contains("READY_FOR_QA"));
}

#[test]
fn the_compact_instruction_names_the_required_handoff_members() {
    let world = World::new();
    let text = instruct(&world, "--profile compact --agent qa_expert --session s --group g");
    assert!(text.contains("with at least from_agent, status, summary: "), "{text}");
}

#[test]
fn a_status_word_with_several_meanings_is_described_as_it_is_checked() {
    let world = World::new();
    let text = instruct(&world, "--profile handoff --agent somebody");
    let line = text.lines().find(|line| line.contains("status on success"));
    let (success, other) = line.and_then(|line| line.split_once("; otherwise: ")).expect("words");
    assert!(success.contains("ROOT_CAUSE_FOUND") && !other.contains("ROOT_CAUSE_FOUND"));
    let known = instruct(&world, "--profile handoff --agent senior_software_engineer");
    assert!(known.contains("otherwise: BLOCKED") && !known.contains("empty: ROOT_CAUSE_FOUND"));
}

#[test]
fn the_session_is_escaped_in_errors_and_the_command_line_is_checked() {
    let world = World::new();
    let mut retval = world.retval();
    let output = retval
        .args(["instruct", "--session", "s\u{1b}\n::error::", "--agent", "a\u{202e}"])
        .output()
        .expect("it runs");
    let text = stdout(&output);
    assert!(
        text.chars()
            .all(|character| character == '\n' || !crate::common::hostile::is_hidden(character)),
        "{text}"
    );
    assert!(
        text.contains(r#""session_id": "s\u001b\n::error::""#) && !text.contains("\n::"),
        "{text}"
    );
    let output =
        world.retval().args(["instruct", "--profile", "retrun"]).output().expect("it runs");
    output.assert().code(2).stderr(contains("did you mean `return`?"));
    piped(&world, "--profile auto", "{}").assert().code(1);
}

#[test]
fn the_instruction_has_the_given_delegation_and_invents_none() {
    let world = World::new();
    let metadata = |text: &str| {
        let skeleton: Value = serde_json::from_str(skeleton(text)).expect("JSON");
        skeleton["metadata"].clone()
    };
    let given = "--delegation-path orchestrator,implement,developer";
    for profile in ["return", "return-v1", "return-meta"] {
        let text = instruct(&world, &format!("--profile {profile} {given}"));
        let metadata = metadata(&text);
        let path = json!(["orchestrator", "implement", "developer"]);
        assert_eq!(metadata["delegation_path"], path, "{profile}");
        assert_eq!(metadata["delegation_depth"], 2, "{profile}");
        let line = "- metadata.delegation_path is orchestrator, implement, developer, exactly.\n";
        assert!(text.contains(line), "{text}");
        assert!(text.contains("- metadata.delegation_depth is 2, exactly.\n"));
    }
    let text = instruct(&world, "--agent planner");
    let metadata = metadata(&text);
    let path = json!(["the delegation path of this task"]);
    assert_eq!(metadata["delegation_path"], path);
    let depth = "the delegation depth of this task, a number";
    assert_eq!(metadata["delegation_depth"], depth);
    assert!(text.contains("as your task gives them"), "{text}");
    assert!(!instruct(&world, "--profile return-v1").contains("delegation_depth:"));
    assert!(!instruct(&world, &format!("--profile compact {given}")).contains("implement"));
}

/// Members that only the handoffs of some agents have, and a member of each agent's own.
const MEMBERS: [(&str, [&str; 3]); 3] = [
    ("developer", ["\"tests\"", "\"branch\"", "\"concerns\""]),
    ("qa_expert", ["\"tests_run\"", "\"total_tests\"", "\"quality_assessment\""]),
    ("tech_lead", ["\"decision\"", "\"code_quality_score\"", "\"required_changes\""]),
];

#[test]
fn the_form_of_a_handoff_has_the_members_of_its_agent_and_no_others() {
    let world = World::new();
    for (agent, own) in MEMBERS {
        let form = instruct(&world, &format!("--profile handoff --agent {agent}"));
        let output = world
            .retval()
            .args(["schema", "--profile", "handoff", "--agent", agent])
            .output()
            .expect("it runs");
        for text in [skeleton(&form), &stdout(&output)] {
            for (other, members) in MEMBERS {
                for member in members {
                    assert_eq!(text.contains(member), other == agent, "{agent} {member}: {text}");
                }
            }
            for member in ["to_agent", "timestamp", "session_id", "group_id"] {
                assert!(text.contains(&format!("\"{member}\"")), "{agent} {member}: {text}");
            }
        }
        let compact = instruct(&world, &format!("--profile compact --agent {agent}"));
        for name in own {
            assert!(compact.contains(name.trim_matches('"')), "{agent} {name}: {compact}");
        }
    }
}

#[test]
fn members_of_an_optional_object_are_required_only_with_it() {
    let world = World::new();
    let members = "metadata.session_id, metadata.agent_type, metadata.delegation_depth, metadata.delegation_path";
    world.write(
        "retval.toml",
        "[profiles.brief]\nextends = \"return\"\noptional = [\"metadata\", \"artifacts\"]\n",
    );
    let lines = |options: &str| {
        let mut retval = world.retval();
        retval.args(["instruct", "--profile", "brief"]);
        let output = retval.args(options.split_whitespace()).output();
        let text = stdout(&output.expect("it runs"));
        let lines = text.lines().filter(|line| line.starts_with("- Required"));
        let lines: Vec<_> = lines.map(str::to_owned).collect();
        (lines, text.contains("\"session_id\": \"s\""))
    };
    let (without, _) = lines("");
    let all = "- Required: status, summary.".to_owned();
    let within = format!("- Required in what is there: artifacts[].path, {members}.");
    assert_eq!(without, [all, within]);
    // A session that the caller expects must be there.
    let (with, is_shown) = lines("--session s");
    let all = format!("- Required: status, summary, metadata, {members}.");
    assert_eq!(with, [all, "- Required in what is there: artifacts[].path.".to_owned()]);
    assert!(is_shown);
}

/// As the block of the document Subagent return format.
#[test]
fn the_instruction_has_the_whole_form_of_the_document() {
    let world = World::new();
    let heading = "CRITICAL RETURN FORMAT REQUIREMENT:\n";
    for profile in ["return", "return-v1", "return-meta"] {
        let text = instruct(&world, &format!("--profile {profile}"));
        assert!(text.starts_with(heading), "{text}");
        let form: Value = serde_json::from_str(skeleton(&text)).expect("JSON");
        assert!(form["metadata"]["duration_seconds"].is_number(), "{text}");
        assert_eq!(form["errors"], json!([]), "{text}");
        assert!(form["next_steps"].is_string(), "{text}");
        let is_file = profile == "return-meta";
        let refusal = "Plain text is refused with the error \"Return is not valid JSON\".";
        assert_eq!(text.contains(refusal), !is_file, "{text}");
    }
    let output = piped(&world, "--format feedback", "All done.");
    assert!(stdout(&output).contains("1. Return is not valid JSON: it is plain text."));
    // The last try of a hook must not ask for what the form has no place for.
    let form = instruct(&world, "--profile compact --agent tech_lead");
    assert!(form.contains(heading) && !skeleton(&form).contains("next_steps"));
}

#[test]
fn the_example_is_of_the_agents_own_kind() {
    let world = World::new();
    for (profile, agent, kind, status) in [
        ("return", "researcher", "report", "completed"),
        ("return", "planner", "plan", "completed"),
        ("return", "lean-implementation-agent", "implementation", "completed"),
        ("return", "documentation-writer", "documentation", "completed"),
        ("return", "somebody", "report", "completed"),
        ("return-v1", "researcher", "research", "completed"),
        ("return-v1", "tester", "test", "completed"),
        ("return-meta", "lean-research-agent", "report", "researched"),
        ("return-meta", "planner-agent", "plan", "planned"),
        ("return-meta", "implementer", "implementation", "implemented"),
    ] {
        let text = instruct(&world, &format!("--profile {profile} --agent {agent}"));
        let form: Value = serde_json::from_str(skeleton(&text)).expect("JSON");
        assert_eq!(form["artifacts"][0]["type"], kind, "{profile} {agent}");
        assert_eq!(form["status"], status, "{profile} {agent}");
        let has_data = form["completion_data"]["completion_summary"].is_string();
        assert_eq!(has_data, status == "implemented", "{profile} {agent}");
    }
}

#[test]
fn an_agent_is_told_what_handoffs_hold_and_the_forms_of_its_own() {
    let world = World::new();
    let decision = "decision: one of APPROVED, CHANGES_REQUESTED; the same as the status";
    let suites =
        "tests_run: {\"integration\": {\"passed\": 1, \"failed\": 0, \"duration\": \"30s\"}}";
    let reads = "It says what that agent did, the files that it changed, results of tests, concerns and the branch. \
                 Do not go on without reading it.\n";
    for (agent, has) in [
        ("developer", [false, false, false]),
        ("qa_expert", [false, true, true]),
        ("tech_lead", [true, false, true]),
        ("project_manager", [false, false, true]),
    ] {
        let text = instruct(&world, &format!("--profile compact --agent {agent}"));
        for (line, has) in [decision, suites, reads].into_iter().zip(has) {
            assert_eq!(text.contains(line), has, "{agent}: {text}");
        }
    }
}

#[test]
fn an_example_that_someone_wrote_is_in_a_fence() {
    let world = World::new();
    world.write(
        "retval.toml",
        "\
[profiles.text]
form = \"text\"
at.status = \"Status\"
statuses = { DONE = \"success\", BLOCKED = \"other\" }
example = \"text.md\"
[profiles.json]
at.status = \"/status\"
statuses = { done = \"success\" }
example = \"a.json\"
[profiles.part]
form = \"yaml\"
part = { fence = \"report\" }
at.status = \"/status\"
statuses = { done = \"success\" }
example = \"part.md\"
",
    );
    let text = "Status: DONE\n\n```sh\njust check\n```\n";
    world.write("text.md", text);
    world.write("a.json", "{\"status\": \"done\"}\n");
    world.write("part.md", "Done.\n\n```report\nstatus: done\n```\n");
    let told = |profile: &str| {
        let output = run(world.retval().args(["instruct", "--profile", profile]));
        assert_eq!(stderr(&output), "");
        let told = stdout(&output);
        let end = told.find("\n- ").expect("its requirements");
        told[..end].to_owned()
    };
    assert_eq!(
        told("text"),
        format!(
            "RETURN FORMAT\nYour final report must have this form, without the fence around it:\n\n````\n{text}````\n"
        )
    );
    assert_eq!(
        told("json"),
        "RETURN FORMAT\nYour whole final report must be JSON of this form, and nothing else: no plain text, no Markdown, \
         no text or fence around it, no comments.\n\n```json\n{\"status\": \"done\"}\n```\n"
    );
    // The marks of a part are around it.
    assert_eq!(
        told("part"),
        "RETURN FORMAT\nYour final report must have this in it, once:\n\nDone.\n\n```report\nstatus: done\n```\n"
    );
    // An agent may return the fence, too.
    let fenced = format!("````\n{}````\n", text.replace("just", "make"));
    let check = |options: &str| {
        let output = piped(&world, options, &fenced);
        (output.status.code(), stdout(&output))
    };
    let (code, said) = check("--profile text -q");
    assert_eq!(code, Some(1));
    assert_eq!(
        said,
        "\
[FAIL] Missing required field: Status
Recommendation: Fix the subagent to include all required fields
       return nothing around it, or accept it with --extract
       at -:1:1
       rule: field-missing
"
    );
    assert_eq!(check("--profile text -q --extract"), (Some(0), String::new()));
}
