//! `retval init`: what it proposes, and that it never harms a file.
//!
//! `UPDATE=1 cargo test --test check -- init` writes the expected proposals again. Read the diff
//! afterwards.

use std::fs;

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
    let output = run(world
        .retval()
        .args(["config", "--config", "proposed/retval.toml"]));
    assert_eq!(
        (stderr(&output).as_str(), output.status.code()),
        ("", Some(0)),
        "{text}"
    );
}

#[test]
fn definitions_become_the_expected_proposals() {
    let world = World::with("init");
    for (arguments, expected) in [
        (
            "init --from init/definitions --output -",
            "init/definitions.toml",
        ),
        ("init --from init/returns --output -", "init/returns.toml"),
    ] {
        let proposed = printed(&world, arguments);
        assert_is_configuration(&world, &proposed);
        let file = fixtures().join(expected);
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&file, &proposed).expect("a file");
        }
        let expected = fs::read_to_string(&file).unwrap_or_default();
        assert_eq!(
            proposed, expected,
            "UPDATE=1 cargo test --test check -- init"
        );
    }
}

#[test]
fn every_proposed_line_names_a_line_of_its_definition() {
    let world = World::with("init");
    let proposed = printed(&world, "init --from init/definitions --output -");
    let is_line = |line: &&str| line.contains(" = ") || line.starts_with("  \"");
    for line in proposed
        .lines()
        .filter(is_line)
        .filter(|it| !it.ends_with("= ["))
    {
        let (_, source) = line.rsplit_once(" # ").expect(line);
        let source = source.split(',').next().expect(line);
        let (path, number) = source.rsplit_once(':').unwrap_or((source, "1"));
        let text = fs::read_to_string(world.path(path)).expect(path);
        let number: usize = number.parse().expect(line);
        assert!((1..=text.lines().count()).contains(&number), "{line}");
    }
}

#[test]
fn a_return_is_checked_with_its_proposal() {
    let world = World::with("init");
    let proposed = printed(&world, "init --from init/definitions/labels.md --output -");
    world.write("proposed/retval.toml", proposed);
    let check = |text: &str| {
        let file = world.write("proposed/labels.txt", text);
        let mut retval = world.retval();
        retval.args([
            "check",
            "--config",
            "proposed/retval.toml",
            "--profile",
            "labels",
        ]);
        run(retval.arg(file)).status.code()
    };
    assert_eq!(
        check("Status: DONE\nFiles changed: none\nTests: 3/3\n"),
        Some(0)
    );
    assert_eq!(
        check("Status: FINE\nFiles changed: none\nTests: 3/3\n"),
        Some(1)
    );
    assert_eq!(check("Status: DONE\nFiles changed: none\n"), Some(1));
}

#[test]
fn past_returns_say_how_often_each_line_is_kept() {
    let world = World::with("init");
    world.write(
        "past/a.txt",
        "Status: DONE\nFiles changed: none\nTests: 1/1\n",
    );
    world.write("past/b.txt", "Status: HALTED\nTests: 1/1\n");
    let arguments = "init --from init/definitions/labels.md --try past --output -";
    let proposed = printed(&world, arguments);
    let kept: Vec<_> = proposed
        .lines()
        .filter_map(|it| it.split_once(", kept by "))
        .collect();
    let source = "init/definitions/labels.md";
    let expected = [
        (format!("at.status = \"Status\" # {source}:10"), "1 of 2"),
        (
            format!("at.artifacts = \"Files changed\" # {source}:11"),
            "1 of 2",
        ),
        (format!("  \"Files changed\", # {source}:11"), "1 of 2"),
        (format!("  \"Tests\", # {source}:12"), "2 of 2"),
        (format!("limits.lines = 15 # {source}:16"), "2 of 2"),
    ];
    let expected: Vec<_> = expected.iter().map(|it| (it.0.as_str(), it.1)).collect();
    assert_eq!(kept, expected);
    assert_is_configuration(&world, &proposed);
}

#[test]
fn of_transcripts_only_the_returns_of_the_same_agent_count() {
    let world = World::with("init");
    let run = |agent: &str, text: &str| {
        let first = json!({"type": "user", "sessionId": "s", "agentId": agent, "isSidechain": true,
            "message": {"content": "Go."}});
        let last = json!({"type": "assistant", "sessionId": "s", "agentId": agent, "isSidechain": true,
            "message": {"id": "m", "stop_reason": "end_turn", "content": [{"type": "text", "text": text}]}});
        world.write(
            &format!("past/agent-{agent}.jsonl"),
            format!("{first}\n{last}\n"),
        );
        world.write(
            &format!("past/agent-{agent}.meta.json"),
            format!(r#"{{"agentType": "{agent}"}}"#),
        );
    };
    run("labels", "Status: DONE\nFiles changed: none\nTests: 1/1\n");
    run("other", "All done.\n");
    let arguments = "init --from init/definitions/labels.md --try past --output -";
    let proposed = printed(&world, arguments);
    assert!(
        proposed
            .contains("at.status = \"Status\" # init/definitions/labels.md:10, kept by 1 of 1\n"),
        "{proposed}"
    );
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
fn no_file_is_replaced() {
    let world = World::with("init");
    for name in ["retval.toml", "other.toml"] {
        world.write(name, "strict = true\n");
        let said = refused(
            &world,
            &format!("init --from init/definitions --output {name}"),
        );
        assert!(
            said.contains(&format!("{name} exists, and is not replaced")),
            "{said}"
        );
        let kept = fs::read_to_string(world.path(name)).expect("a file");
        assert_eq!(kept, "strict = true\n");
    }
    std::os::unix::fs::symlink("nowhere", world.path("link.toml")).expect("a link");
    refused(&world, "init --output link.toml");
    assert!(!world.path("nowhere").exists());
}

#[test]
fn it_writes_a_file_and_says_what_is_in_it() {
    let world = World::with("init");
    let said = printed(&world, "init --from init/definitions/labels.md");
    assert_eq!(said, "Wrote retval.toml with 1 profile; 0 left out\n");
    let written = fs::read_to_string(world.path("retval.toml")).expect("a file");
    assert!(written.contains("[profiles.labels]\n"));
}

#[test]
fn what_has_neither_definitions_nor_returns_is_refused() {
    let world = World::with("init");
    fs::create_dir(world.path("empty")).expect("a folder");
    let said = refused(&world, "init --from empty");
    assert!(
        said.starts_with("error: empty: no agent definitions and no returns"),
        "{said}"
    );
    assert!(refused(&world, "init --from missing").contains("cannot read missing"));
    assert!(!world.path("retval.toml").exists());
}

#[test]
fn a_closed_pipe_is_no_error() {
    let world = World::with("init");
    let mut retval = world.retval();
    retval.args(["init", "--from", "init/definitions", "--output", "-"]);
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let output = retval.stdout(writer).output().expect("it runs");
    assert_eq!(
        (stderr(&output).as_str(), output.status.code()),
        ("", Some(0))
    );
}

#[test]
fn hostile_definitions_are_said_and_passed_over() {
    let world = World::with("init");
    let front = "---\nname: a\ndescription: b\n---\n";
    world.write(
        "agents/large.md",
        format!("{front}{}", "x".repeat(16 << 20)),
    );
    world.write("agents/bytes.md", b"---\nname: \xff\n---\n");
    world.write(
        "agents/open.md",
        format!("{front}## Output\n```\nStatus: A | B\n"),
    );
    world.write(
        "agents/yaml.md",
        "---\nname: y: z\ndescription: \"<e>\nno: [\n---\n## Output\n```\nStatus: OK / BAD\n```\n",
    );
    world.write("agents/names.md", "---\nname: \"[*]\"\ndescription: b\n---\n## Output\n```\nStatus: OK | `\"\\#]\n\"Quo\u{7f}te\": [x]\n```\n");
    world.write("agents/broken.toml", "prompt = \"");
    world.write(
        "agents/fences.md",
        format!("{front}## Output\n{}", "```markdown\n".repeat(20_000)),
    );
    world.write(
        "agents/heads.md",
        format!("{front}{}", "## Output\n".repeat(20_000)),
    );
    world.write(
        "agents/tags.md",
        format!("{front}{}", "<output>\n".repeat(2_000)),
    );
    let labels: Vec<_> = (0..1_000).map(|it| format!("L{it}x: [x]\n")).collect();
    let labels = labels.concat();
    world.write(
        "agents/labels.md",
        format!("{front}## Output format\n```\n{labels}```\n"),
    );
    let words: Vec<_> = (0..1_000).map(|it| format!("W{it}")).collect();
    let words = words.join("|");
    world.write(
        "agents/words.md",
        format!("---\nname: words\ndescription: b\n---\n## Output format\n```\nStatus: [{words}]\nLog: [x]\n```\n"),
    );
    let proposed = printed(&world, "init --from agents --output -");
    assert!(
        proposed.contains("# agents/bytes.md: is not UTF-8: no profile\n"),
        "{proposed}"
    );
    assert!(
        proposed.contains("# agents/large.md: is too large: no profile\n"),
        "{proposed}"
    );
    for name in ["heads", "tags"] {
        let said = format!("# agents/{name}.md: does not say what to return: no profile\n");
        assert!(proposed.contains(&said), "{proposed}");
    }
    let said = "# agents/labels.md:5: no name was found that every return has\n";
    assert!(proposed.contains(said), "{proposed}");
    assert!(
        proposed.contains("# agents/words.md:7: no words were found for `Status`\n"),
        "{proposed}"
    );
    assert!(proposed.contains("[profiles.a]\n"), "{proposed}");
    assert!(proposed.contains("[profiles.y--z]\n"), "{proposed}");
    assert_is_configuration(&world, &proposed);
}
