//! `retval init`: what it writes and prints, what it verifies, and that it never harms a file.
//!
//! `UPDATE=1 cargo test --test check -- init` writes the expected proposal again. Read the diff
//! afterwards.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use assert_cmd::assert::OutputAssertExt as _;
use serde_json::json;
use toml::Table;

use crate::common::{World, fixtures, run, stderr, stdout};

/// What a command line prints.
fn printed(world: &World, arguments: &str) -> String {
    let output = run(world.retval().args(arguments.split(' ')));
    output.clone().assert().code(0).stderr("");
    stdout(&output)
}

/// What standard error says of a command line that fails.
fn refused(world: &World, arguments: &str) -> String {
    let output = run(world.retval().args(arguments.split(' ')));
    output.clone().assert().code(2).stdout("");
    stderr(&output)
}

/// Checks that a text is a configuration without mistakes.
fn assert_is_configuration(world: &World, text: &str) {
    world.write("proposed/retval.toml", text);
    let output = run(world.retval().args(["config", "--config", "proposed/retval.toml"]));
    assert_eq!((stderr(&output).as_str(), output.status.code()), ("", Some(0)), "{text}");
}

#[test]
fn without_a_source_it_writes_comments_alone() {
    let world = World::with("init");
    assert_eq!(printed(&world, "init"), "Wrote retval.toml\n");
    let written = fs::read_to_string(world.path("retval.toml")).expect("a file");
    assert_eq!(printed(&world, "init --output -"), written);
    assert!(written.parse::<Table>().expect("TOML").is_empty());
    // Each example can be used as it is.
    let examples = written.lines().filter_map(|it| it.strip_prefix("# "));
    let is_setting = |line: &&str| line.starts_with('[') || line.contains(" = ");
    let used: Vec<_> = examples.filter(is_setting).collect();
    assert_is_configuration(&world, &used.join("\n"));
}

#[test]
fn it_says_that_the_project_has_definitions() {
    let world = World::with("init");
    world.write(".claude/agents/a.md", "Say what you did.\n");
    world.write(".codex/agents/b.toml", "prompt = \"Say what you did.\"\n");
    let said = "Wrote retval.toml\nThe project has 2 agent definitions. Give your agent what \
                `retval init --prompt` prints: it writes a profile for each one.\n";
    assert_eq!(printed(&world, "init"), said);
}

#[test]
fn no_file_is_replaced() {
    let world = World::with("init");
    for name in ["retval.toml", "other.toml"] {
        world.write(name, "strict = true\n");
        let said = refused(&world, &format!("init --from init/returns --output {name}"));
        assert!(said.contains(&format!("{name} exists, and is not replaced")), "{said}");
        let kept = fs::read_to_string(world.path(name)).expect("a file");
        assert_eq!(kept, "strict = true\n");
    }
    symlink("nowhere", world.path("link.toml")).expect("a link");
    refused(&world, "init --output link.toml");
    assert!(!world.path("nowhere").exists());
}

#[test]
fn a_closed_pipe_is_no_error() {
    let world = World::with("init");
    for arguments in ["init --output -", "init --prompt init/agents"] {
        let mut retval = world.retval();
        retval.args(arguments.split(' '));
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = retval.stdout(writer).output().expect("it runs");
        assert_eq!((stderr(&output).as_str(), output.status.code()), ("", Some(0)));
    }
}

mod prompt {
    use super::*;

    const DEFINITION: &str = "---\nname: SESAME\ndescription: Opens the SESAME gate.\n---\n\
                              Return:\nSESAME: [x]\n";

    #[test]
    fn it_names_the_definitions_and_copies_nothing_of_them() {
        let world = World::with("init");
        world.write(".claude/agents/gate.md", DEFINITION);
        world.write(".claude/agents/deep/lock.md", DEFINITION);
        world.write(".claude/agents/README.md", DEFINITION);
        world.write(".github/agents/keel.agent.md", DEFINITION);
        world.write("elsewhere/mast.md", DEFINITION);
        world.write("elsewhere/notes.md", "SESAME\n");
        let prompt = printed(&world, "init --prompt");
        let (asset, list) = prompt.split_once("\n## Definitions\n\n").expect("a list");
        assert!(asset.len() <= 6250, "{}", asset.len());
        assert!(!prompt.contains("SESAME"), "{prompt}");
        assert_eq!(
            list,
            "- .claude/agents/deep/lock.md\n- .claude/agents/gate.md\n- .github/agents/keel.agent.md\n"
        );
        let named = printed(&world, "init --prompt elsewhere elsewhere/notes.md");
        let list = "\n## Definitions\n\n- elsewhere/mast.md\n- elsewhere/notes.md\n";
        assert_eq!(named, format!("{asset}{list}"));
    }

    #[test]
    fn the_skill_of_the_plugin_is_the_prompt() {
        let world = World::with("init");
        let prompt = printed(&world, "init --prompt init/agents");
        let (asset, _) = prompt.split_once("\n## Definitions\n").expect("a list");
        let skill = ".claude-plugin/retval/skills/write-profiles/SKILL.md";
        let skill = Path::new(env!("CARGO_MANIFEST_DIR")).join(skill);
        let skill = fs::read_to_string(skill).expect("a skill");
        let (front, body) = skill.split_once("\n---\n\n").expect("front matter");
        assert!(front.starts_with("---\nname: write-profiles\ndescription: "), "{front}");
        assert_eq!(body, asset);
    }

    /// The worked example is right: retval accepts it as it stands in the prompt.
    #[test]
    fn its_example_passes() {
        let world = World::with("init");
        let prompt = printed(&world, "init --prompt init/agents");
        let blocks: Vec<_> = prompt.split("```").collect();
        let numbered = blocks.iter().find_map(|it| it.strip_prefix("\n12  "));
        let shown = numbered.expect("a definition").lines();
        let lines: Vec<_> = shown
            .map(|it| it.trim_start_matches(|it: char| it.is_ascii_digit() || it == ' '))
            .collect();
        world.write(
            ".claude/agents/reviewer.md",
            format!("{}{}\n", "\n".repeat(11), lines.join("\n")),
        );
        let toml = blocks.iter().find_map(|it| it.strip_prefix("toml\n[profiles.reviewer]"));
        world.write("retval.toml", format!("[profiles.reviewer]{}", toml.expect("a profile")));
        world
            .write("retval-examples/reviewer.md", "Verdict: APPROVE\nSummary: The pump is safe.\n");
        world.write(
            "retval-examples/reviewer-wrong.md",
            "Verdict: GOOD\nSummary: The pump is safe.\n",
        );
        assert_eq!(
            printed(&world, "init --verify"),
            "reviewer: catches 3 of 3 mutations\n0 errors, 0 warnings\n"
        );
    }

    #[test]
    fn a_project_without_definitions_is_refused() {
        let world = World::with("init");
        let said = refused(&world, "init --prompt");
        assert!(said.starts_with("error: no agent definitions found: "), "{said}");
        assert!(refused(&world, "init --prompt missing").contains("cannot read missing"));
        assert!(refused(&world, "init --prompt --output x").contains("cannot be used with"));
    }

    #[test]
    fn hostile_definitions_neither_hang_nor_reach_the_terminal() {
        let world = World::with("init");
        let front = "---\nname: a\ndescription: b\n---\n";
        world.write("agents/long.md", format!("{front}{}", "x".repeat(1 << 20)));
        world.write("agents/bytes.md", b"---\nname: \xff\n---\n");
        world.write("agents/\u{1b}[31m\nred.md", front);
        world.write("agents/open.md", "---\nname: x\n");
        world.write("agents/broken.toml", "prompt = \"");
        world.write("secret/key.md", "SESAME");
        symlink("../secret/key.md", world.path("agents/link.md")).expect("a link");
        symlink("../secret", world.path("agents/folder")).expect("a link");
        let made = Command::new("mkfifo").arg(world.path("agents/pipe.md")).status();
        assert!(made.expect("mkfifo runs").success());
        let started = Instant::now();
        let prompt = printed(&world, "init --prompt agents");
        assert!(started.elapsed() < Duration::from_secs(10));
        let (_, list) = prompt.split_once("\n## Definitions\n\n").expect("a list");
        assert_eq!(list, "- agents/\\u{1b}[31m\\nred.md\n- agents/open.md\n");
    }
}

mod verify {
    use super::*;

    const FILE: &str = "init/retval.toml";

    const ALLOWED: &str = "A return that is not caught may pass only if the definition allows it.";

    /// What `--verify` says of the file, and its exit code.
    fn verified(world: &World, more: &str) -> (Option<i32>, String) {
        let arguments = format!("init --verify {FILE}{more}");
        let output = run(world.retval().args(arguments.split(' ')));
        assert_eq!(stderr(&output), "");
        (output.status.code(), stdout(&output))
    }

    /// What it says after this part of the file was replaced.
    fn after(old: &str, new: &str) -> (Option<i32>, String) {
        let world = World::with("init");
        let file = fs::read_to_string(world.path(FILE)).expect("a file");
        assert_eq!(file.matches(old).count(), 1, "{old}");
        world.write(FILE, file.replace(old, new));
        verified(&world, "")
    }

    #[test]
    fn a_right_profile_passes() {
        let world = World::with("init");
        let tally = "reviewer: catches 3 of 4 mutations; not caught: `Notes` left out\n";
        assert_eq!(verified(&world, ""), (Some(0), format!("{tally}0 errors, 0 warnings\n")));
        assert_eq!(
            verified(&world, " --format feedback"),
            (Some(0), format!("{FILE} passes. {ALLOWED}\n{tally}0 errors, 0 warnings\n"))
        );
    }

    #[test]
    fn each_slip_is_told_with_its_line() {
        let line = "agents/reviewer.md";
        for (old, new, told) in [
            ("\"Verdict\" # agents/reviewer.md:9", "\"Verdict\" # agents/reviewer.md:11",
                format!("4: error: `Verdict` is not said at {line}:11: cite the line that says it, or leave it out")),
            ("statuses.REJECT", "statuses.DENY",
                format!("6: error: `DENY` is not said at {line}:9: cite the line that says it, or leave it out")),
            ("statuses.REJECT", "statuses.reject",
                format!("6: error: `reject` is not said at {line}:9: cite the line that says it, or leave it out")),
            ("\"Summary\", # agents/reviewer.md:10", "\"Summary\", # agents/reviewer.md:99",
                format!("8: error: there is no line {line}:99: cite a definition by its path from the folder of this file")),
            ("\"Summary\", # agents/reviewer.md:10", "\"Summary\", # agents/gone.md:10",
                "8: error: there is no line agents/gone.md:10: ".to_owned()),
            ("\"Summary\", # agents/reviewer.md:10", "\"Summary\", # ../rules/x.md:10",
                "8: error: there is no line ../rules/x.md:10: ".to_owned()),
            ("\"Summary\", # agents/reviewer.md:10", "\"Summary\", # check",
                "8: warning: this line cites nothing: end it with `# FILE:LINE` of the definition that says so".to_owned()),
            ("\"Summary\", # agents/reviewer.md:10", "\"Summary\", # agents/reviewer.md:10\n  \"Date\", # agents/reviewer.md:10",
                "11: error: `example`: examples/reviewer.md:1:1: Missing required field: Date".to_owned()),
            ("example = \"examples/reviewer.md\"", "example = \"examples/none.md\"",
                "10: error: `example`: cannot read examples/none.md: it is not a file below the folder of the configuration, of UTF-8 and at most 1 MiB".to_owned()),
            ("\nexample = \"examples/reviewer.md\"", "",
                "2: error: reviewer has no example: add `example = \"FILE\"` with a return that keeps the contract".to_owned()),
            ("\ncounter-example = \"examples/reviewer-wrong.md\"", "",
                "2: warning: reviewer has no counter-example: add `counter-example = \"FILE\"` with a return that breaks the contract".to_owned()),
            ("examples/reviewer-wrong.md", "examples/reviewer.md",
                "11: error: reviewer: the counter-example examples/reviewer.md passes: make the profile refuse it, or write one that breaks the contract".to_owned()),
            ("examples/reviewer-wrong.md", "examples/none.md",
                "11: error: reviewer: cannot read the counter-example examples/none.md: it must be a text file below the folder of this file".to_owned()),
            ("form = \"text\"", "form = \"prose\"",
                "3: error: ".to_owned()),
        ] {
            let (code, said) = after(old, new);
            let expected = format!("{FILE}:{told}");
            assert!(said.lines().any(|it| it.starts_with(&expected)), "{new}\n{expected}\n{said}");
            assert_eq!(code, Some(i32::from(!told.contains(": warning: "))), "{said}");
        }
    }

    #[test]
    fn a_profile_that_checks_nothing_is_refused() {
        let world = World::with("init");
        world.write(FILE, "[profiles.idle]\nform = \"text\" # agents/reviewer.md:7\nexample = \"examples/reviewer.md\"\ncounter-example = \"examples/reviewer-wrong.md\"\n");
        let expected = "\
init/retval.toml:1: error: idle refuses no wrong return: add what the definition demands (`at.status`, `required`), or remove the profile
init/retval.toml:4: error: idle: the counter-example examples/reviewer-wrong.md passes: make the profile refuse it, or write one that breaks the contract
idle: catches 0 of 3 mutations; not caught: `Verdict` left out, `Summary` left out, `Notes` left out
2 errors, 0 warnings
";
        assert_eq!(verified(&world, ""), (Some(1), expected.to_owned()));
        let feedback = "\
Correct init/retval.toml, then run `retval init --verify init/retval.toml --format feedback` again.";
        let feedback = format!("{feedback} {ALLOWED}\n{expected}");
        assert_eq!(verified(&world, " --format feedback"), (Some(1), feedback));
    }

    /// Many warnings do not hide an error that follows.
    #[test]
    fn only_errors_count_against_the_maximum() {
        let world = World::with("init");
        let file = fs::read_to_string(world.path(FILE)).expect("a file");
        let statuses = (0..150).map(|it| format!("statuses.\"X {it}\" = \"other\"\n"));
        let statuses = statuses.collect::<Vec<_>>().concat();
        let slip = "statuses.DENY = \"other\" # agents/reviewer.md:9\n";
        world.write(FILE, file.replacen("example =", &format!("{statuses}{slip}example ="), 1));
        let (code, said) = verified(&world, "");
        assert!(said.contains("`DENY` is not said at"), "{said}");
        assert!(said.ends_with("1 error, 150 warnings\n"), "{said}");
        assert_eq!(code, Some(1));
    }

    #[test]
    fn a_counter_example_that_is_refused_is_enough() {
        let world = World::with("init");
        world.write(FILE, "[profiles.idle]\nform = \"text\" # agents/reviewer.md:7\nrequired-if.REJECT = [\"Reason\"] # agents/reviewer.md:9\nat.status = { at = \"Verdict\", optional = true } # agents/reviewer.md:9\nstatuses = { REJECT = \"other\", \"*\" = \"success\" } # agents/reviewer.md:9\nexample = \"approved\"\ncounter-example = \"rejected\"\n");
        world.write("init/approved", "Verdict: APPROVE\n");
        world.write("init/rejected", "Verdict: REJECT\n");
        let (_, said) = verified(&world, "");
        assert!(!said.contains("refuses no wrong return"), "{said}");
        let tally = "idle: catches 0 of 1 mutations; not caught: `Verdict` left out\n";
        assert!(said.contains(tally), "{said}");
    }

    #[test]
    fn outer_names_are_tried_before_inner_ones() {
        let world = World::with("init");
        let inner: serde_json::Map<_, _> = (0..300)
            .map(|it| (format!("n{it}"), json!("x")))
            .chain([("outcome".to_owned(), json!("low"))])
            .collect();
        let example = json!({"inner": inner, "outcome": "done", "size": "small"});
        world.write("init/wide", example.to_string());
        world.write(FILE, "[profiles.wide]\nform = \"json\"\nat.status = \"/outcome\"\nstatuses.done = \"success\"\nvalues.\"/size\" = [\"small\"]\nrequired = [\"/inner\"]\nexample = \"wide\"\n");
        let (_, said) = verified(&world, "");
        // The word of the status, and two names at the top.
        assert!(said.contains("wide: catches 3 of 201 mutations"), "{said}");
    }

    #[test]
    fn json_and_yaml_are_tried_too() {
        let world = World::with("init");
        let definition = "{\"outcome\": \"done\" | \"blocked\", \"files\": [\"path\"],\n \"findings\": [{\"severity\": \"high|low\"}]}\n";
        world.write("init/agents/worker.md", definition);
        let example = json!({"outcome": "done", "files": ["src/a b.rs", "src/c.rs"], "findings": [{"severity": "low"}]});
        world.write("init/examples/json", example.to_string());
        world.write(
            "init/examples/yaml",
            "outcome: done\nfiles:\n  - src/c.rs\nfindings:\n  - severity: low\n",
        );
        world.write("init/examples/fence", format!("Here it is.\n```json\n{example}\n```\n"));
        let profile = |name: &str, form: &str| {
            format!(
                "[profiles.{name}]
form = \"{form}\" # agents/worker.md:1
at.status = \"/outcome\" # agents/worker.md:1
statuses = {{ done = \"success\", blocked = \"other\" }} # agents/worker.md:1
at.artifacts = \"/files\" # agents/worker.md:1
required = [\"/findings/*/severity\"] # agents/worker.md:2
values.\"/findings/*/severity\" = [\"high\", \"low\"] # agents/worker.md:2
example = \"examples/{name}\"
counter-example = \"examples/reviewer-wrong.md\"
"
            )
        };
        let fenced = profile("fence", "json") + "part.fence = \"json\" # agents/fence.md:1\n";
        world.write("init/agents/fence.md", "A fence with json.\n");
        world.write(FILE, [profile("json", "json"), profile("yaml", "yaml"), fenced].concat());
        let expected = "\
fence: catches 6 of 6 mutations
json: catches 6 of 6 mutations
yaml: catches 6 of 6 mutations
0 errors, 0 warnings
";
        assert_eq!(verified(&world, ""), (Some(0), expected.to_owned()));
    }

    #[test]
    fn what_cannot_be_verified_exits_with_2() {
        let world = World::with("init");
        assert!(refused(&world, "init --verify").contains("cannot read retval.toml"));
        world.write("retval.toml", "strict = true\n");
        assert_eq!(
            refused(&world, "init --verify"),
            "error: retval.toml defines no profiles: there is nothing to verify\n"
        );
        world.write("retval.toml", b"\xff");
        assert!(refused(&world, "init --verify").contains("valid UTF-8"));
        let made = Command::new("mkfifo").arg(world.path("pipe.toml")).status();
        assert!(made.expect("mkfifo runs").success());
        assert!(refused(&world, "init --verify pipe.toml").contains("cannot read pipe.toml"));
    }

    #[test]
    fn hostile_definitions_are_not_read_and_not_printed() {
        let world = World::with("init");
        let agents = |below: &str| world.path(&format!("init/agents/{below}"));
        world.write("init/agents/long.md", "Summary ".repeat(1 << 18));
        world.write("init/agents/bytes.md", b"Summary \xff\n");
        world.write("init/agents/red.md", "Summary\u{1b}[31m\n");
        symlink("../../../outside.md", agents("link.md")).expect("a link");
        let made = Command::new("mkfifo").arg(agents("pipe.md")).status();
        assert!(made.expect("mkfifo runs").success());
        let file = fs::read_to_string(world.path(FILE)).expect("a file");
        for name in ["long", "bytes", "pipe", "link"] {
            world.write(FILE, file.replace("reviewer.md:10", &format!("{name}.md:1")));
            let (code, said) = verified(&world, "");
            let told = format!("{FILE}:8: error: there is no line agents/{name}.md:1: ");
            assert!(said.contains(&told), "{said}");
            assert_eq!(code, Some(1));
        }
        world.write(
            FILE,
            file.replace("reviewer.md:10", "red.md:1").replace("\"Summary\"", "\"Sum\\u001b\""),
        );
        let (_, said) = verified(&world, "");
        assert!(said.contains("`Sum\\u{1b}` is not said at"), "{said}");
        assert!(!said.contains('\u{1b}'), "{said}");
    }
}

mod returns {
    use super::*;

    #[test]
    fn they_become_the_expected_proposal() {
        let world = World::with("init");
        let proposed = printed(&world, "init --from init/returns --output -");
        assert_is_configuration(&world, &proposed);
        let file = fixtures().join("init/returns.toml");
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&file, &proposed).expect("a file");
        }
        let expected = fs::read_to_string(&file).unwrap_or_default();
        assert_eq!(proposed, expected, "UPDATE=1 cargo test --test check -- init");
        assert_eq!(printed(&world, "init --from init/returns"), "Wrote retval.toml\n");
        let written = fs::read_to_string(world.path("retval.toml")).expect("a file");
        assert_eq!(written, expected);
    }

    #[test]
    fn texts_have_labels_and_sections_in_common() {
        let world = World::with("init");
        for (name, verdict, more) in [
            ("a", "DONE", ""),
            ("b", "HALTED", "Notes: none\n"),
            ("c", "DONE", ""),
            ("d", "HALTED", ""),
        ] {
            world.write(
                &format!("labels/{name}.md"),
                format!("# Report\nVerdict: {verdict}\nTests: 1/1\n{more}\n## Next\nRest.\n"),
            );
        }
        let proposed = printed(&world, "init --from labels --output -");
        let (_, profile) = proposed.split_once("\n\n").expect("a header");
        let expected = "\
[profiles.labels]
form = \"text\" # labels: 4 of 4 returns
at.status = \"Verdict\" # labels: 4 of 4 returns
statuses.DONE = \"success\" # labels: 2 of 4 returns
statuses.HALTED = \"other\" # labels: 2 of 4 returns, check
required = [
  \"Tests\", # labels: 4 of 4 returns
  \"Next\", # labels: 4 of 4 returns
]
";
        assert_eq!(profile, expected);
        assert_is_configuration(&world, &proposed);
    }

    /// Each proposed line of `init/returns` that the returns of a folder can break, and how many keep it.
    fn kept(world: &World, tried: &str) -> Vec<String> {
        let arguments = format!("init --from init/returns --try {tried} --output -");
        let proposed = printed(world, &arguments);
        assert_is_configuration(world, &proposed);
        let kept = proposed.lines().filter_map(|it| it.split_once(", kept by "));
        kept.map(|(line, kept)| {
            let (line, _) = line.split_once(" # ").expect("a source");
            format!("{} {kept}", line.trim())
        })
        .collect()
    }

    #[test]
    fn past_returns_say_how_often_each_line_is_kept() {
        let world = World::with("init");
        assert_eq!(
            kept(&world, "init/past"),
            ["at.status = \"/status\" 1 of 2", "\"/notes\", 1 of 2", "\"/gates\", 2 of 2"]
        );
    }

    #[test]
    fn of_transcripts_only_the_returns_of_the_same_agent_count() {
        let world = World::with("init");
        let run = |agent: &str, text: &str| {
            let first = json!({"type": "user", "sessionId": "s", "agentId": agent, "isSidechain": true,
                "message": {"content": "Go."}});
            let last = json!({"type": "assistant", "sessionId": "s", "agentId": agent, "isSidechain": true,
                "message": {"id": "m", "stop_reason": "end_turn", "content": [{"type": "text", "text": text}]}});
            world.write(&format!("past/agent-{agent}.jsonl"), format!("{first}\n{last}\n"));
            world.write(
                &format!("past/agent-{agent}.meta.json"),
                format!(r#"{{"agentType": "{agent}"}}"#),
            );
        };
        run("returns", r#"{"status": "done", "notes": "n", "gates": [1]}"#);
        run("other", "All done.\n");
        assert_eq!(
            kept(&world, "past"),
            ["at.status = \"/status\" 1 of 1", "\"/notes\", 1 of 1", "\"/gates\", 1 of 1"]
        );
    }

    #[test]
    fn what_has_no_returns_is_refused() {
        let world = World::with("init");
        fs::create_dir(world.path("empty")).expect("a folder");
        assert_eq!(refused(&world, "init --from empty"), "error: empty: no returns\n");
        assert!(refused(&world, "init --from missing").contains("cannot read missing"));
        assert!(!world.path("retval.toml").exists());
    }
}
