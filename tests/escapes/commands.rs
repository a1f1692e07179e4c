//! Runs every command with hostile arguments, environment variables, settings and payloads.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::process::CommandExt as _;

use retval::profile::PROFILES;
use serde_json::{Value, json};

use crate::common::{World, feed, fixtures, stdout};
use crate::{Hostile, arguments, hold_output, packed, short};

/// Command lines; `{}` is replaced by the text.
const LINES: [&str; 63] = [
    "{}",
    "{} check",
    "--{}",
    "help {}",
    "check {}",
    "check ./{}",
    "check --{}",
    "check -{}",
    "check --strict={}",
    "check --profile {}",
    "check --profile=return {} {}",
    "check --session {} --session {}",
    "check --root {}",
    "check --format {}",
    "check --format={}",
    "check --output {}/{}",
    "check --output a --output {}",
    "check --format text --output {} --format json --output {}",
    "check --color {}",
    "check --filter {}",
    "check -j {}",
    "check --max-bytes {}",
    "check --ignore {}",
    "check --warn {}",
    "check --error {}",
    "check --include [{} project",
    "check --exclude {{{} project",
    "check --files-from {}",
    "check --baseline {}",
    "check --baseline {}/{} --update-baseline",
    "check --errors-json {}/{}/x.json",
    "check --config {}",
    "check --quiet --verbose {}",
    "check --session {} --agent {} --group {}",
    "check --profile compact --session {} --agent {} --group {}",
    "instruct {}",
    "instruct --{}",
    "instruct --profile {}",
    "instruct --config {}",
    "man {}",
    "explain {}",
    "explain --format {}",
    "explain --{}",
    "schema {}",
    "schema --{}",
    "schema --target {}",
    "schema --profile {}",
    "schema --session {} --agent {}",
    "schema --profile handoff --agent {}",
    "schema --output {}/{}",
    "config {}",
    "config --{}",
    "config --config {}",
    "convert {} --from return --to return-v1",
    "convert --from {} --to return",
    "convert --from return --to {}",
    "convert --from return --to return-meta --status {}",
    "convert --from return --to return-v1 --duration-seconds {}",
    "convert --from return --to return-v1 --delegation-depth {}",
    "convert --from return --to return-v1 --output {}/{}",
    "hook --{}",
    "hook --harness {}",
    "hook --print-config {}",
];

/// A return to check and to convert.
const RETURN: &str = r#"{"status":"partial","summary":"One. Two.","artifacts":[],"metadata":{"session_id":"s","agent_type":"a","delegation_depth":1,"delegation_path":["orchestrator","a"]}}"#;

fn with(line: &str, text: &OsStr) -> Vec<OsString> {
    let fill = |word: &str| {
        let mut parts = word.split("{}");
        let mut filled = OsString::from(parts.next().unwrap_or_default());
        for part in parts {
            filled.push(text);
            filled.push(part);
        }
        filled
    };
    line.split(' ').map(fill).collect()
}

fn run_lines(lines: &[&str]) {
    let world = World::new();
    for Hostile { name, text, .. } in packed(arguments()) {
        for line in lines {
            let mut retval = world.retval();
            let output = feed(retval.args(with(line, OsStr::new(&text))), RETURN);
            hold_output(&name, line, &output);
            let code = output.status.code();
            assert!(
                code.is_some_and(|code| code <= 2),
                "{line}, {name}: {code:?}"
            );
        }
    }
}

// Split in two, so that both parts run in parallel.
#[test]
fn no_command_echoes_an_argument_unescaped() {
    run_lines(&LINES[..31]);
}

#[test]
fn no_other_command_echoes_an_argument_unescaped() {
    run_lines(&LINES[31..]);
}

#[test]
fn arguments_that_are_no_text_are_refused_and_told_escaped() {
    let world = World::new();
    for raw in [
        b"\xff\x1b[31m".as_slice(),
        b"\x9b2J",
        b"::error::\xe2\x80",
        b"a\n::error::x\xff",
    ] {
        let text = OsString::from_vec(raw.to_vec());
        for line in LINES {
            let output = feed(world.retval().args(with(line, &text)), RETURN);
            hold_output("no UTF-8", line, &output);
            assert!(output.status.code().is_some_and(|code| code <= 2), "{line}");
        }
    }
}

#[test]
fn the_program_name_is_not_shown_unescaped() {
    let world = World::new();
    for Hostile { name, text, .. } in packed(arguments()) {
        for line in [
            "--help",
            "check --help",
            "check --nothing",
            "help hook",
            "--version",
        ] {
            let mut retval = world.retval();
            let output = feed(retval.arg0(&text).args(line.split(' ')), RETURN);
            hold_output(&name, line, &output);
        }
    }
}

#[test]
fn no_variable_is_shown_unescaped() {
    let world = World::new();
    for Hostile { name, text, .. } in packed(arguments()) {
        for variables in [
            vec!["RETVAL_PROFILE"],
            vec!["RETVAL_ROOT"],
            vec!["RETVAL_SESSION", "RETVAL_AGENT"],
        ] {
            for line in [
                "config",
                "check",
                "instruct",
                "hook",
                "schema",
                "convert --from return --to return-v1",
            ] {
                let mut retval = world.retval();
                retval
                    .args(line.split(' '))
                    .envs(variables.iter().map(|it| (it, &text)));
                hold_output(&name, line, &feed(&mut retval, RETURN));
            }
        }
    }
}

/// A TOML string.
fn quoted(text: &str) -> String {
    let escaped = text.chars().map(|it| format!("\\U{:08X}", u32::from(it)));
    format!("\"{}\"", escaped.collect::<String>())
}

/// Configurations with the text in place of a value or a key.
fn configurations(text: &str) -> Vec<String> {
    let text = quoted(text);
    let own = "[profiles.own]\nextends = \"return\"\n";
    vec![
        format!(
            "session = {text}\nagent = {text}\ngroup = {text}\nroot = {text}\ninclude = [{text}]\nexclude = [{text}]\nerrors-json = {text}\nbaseline = {text}\n[hook]\nagents = [{text}]\nreturn-file = {text}\n"
        ),
        format!("profile = {text}\n"),
        format!("format = {text}\n"),
        format!("strict = {text}\n"),
        format!("{text} = 1\n"),
        format!("[rules]\n{text} = \"off\"\n"),
        format!("[rules]\nartifact-type = {text}\n"),
        format!("[hook]\n{text} = 1\n"),
        format!("[profiles.{text}]\nextends = \"return\"\n"),
        format!("[profiles.own]\nextends = {text}\n"),
        format!("{own}{text} = 1\n"),
        format!("{own}limits = {{ {text} = 1 }}\n"),
        format!("{own}failure = {text}\n"),
        format!("{own}required = [{text}]\noptional = [{text}]\n"),
        format!("{own}required = [{text}]\n"),
        format!("{own}handoff-path = {text}\n"),
        format!("{own}files = [{text}]\n"),
        format!("{own}rules = {{ {text} = \"off\" }}\n"),
        format!(
            "profile = \"own\"\n{own}document = {text}\nstatuses = {{ {text} = \"success\", partial = \"off\" }}\nartifact-types = [{text}]\nerror-types = [{text}]\nrequired = [\"metadata.more\"]\n"
        ),
        format!(
            "profile = \"own\"\n[profiles.own]\nextends = \"compact\"\ndocument = {text}\n[profiles.own.agents.{text}]\nstatuses = {{ {text} = \"success\", STUCK = \"other\" }}\nfailure = {text}\nreads-from = [{text}]\n"
        ),
    ]
}

#[test]
fn no_setting_is_shown_unescaped() {
    let world = World::new();
    let commands = [
        "config",
        "check",
        "instruct",
        "schema",
        "schema --target openai-strict",
    ];
    for Hostile { name, text, .. } in packed(short()) {
        for (at, configuration) in configurations(&text).into_iter().enumerate() {
            world.write("retval.toml", &configuration);
            // An invalid configuration is rejected in the same way by every command, so one is
            // enough.
            let held = world.retval().arg("config").output().expect("it runs");
            let is_refused = !held.status.success();
            for line in &commands[..if is_refused { 1 } else { commands.len() }] {
                let mut retval = world.retval();
                let output = feed(retval.args(line.split(' ')), RETURN);
                hold_output(&format!("{name}, {at}"), line, &output);
            }
        }
        // The same as raw bytes, which TOML may not allow.
        world.write("retval.toml", format!("session = \"{text}\"\n{text} = 1"));
        hold_output(
            &name,
            "config",
            &world.retval().arg("config").output().expect("it runs"),
        );
    }
}

#[test]
fn no_schema_or_instruction_shows_its_arguments_unescaped() {
    let world = World::new();
    for Hostile { name, text, .. } in packed(arguments()) {
        for profile in PROFILES {
            let mut retval = world.retval();
            retval.args(["instruct", "--profile", &profile.id]);
            retval.args(["--session", &text, "--agent", &text, "--group", &text]);
            hold_output(&name, &profile.id, &retval.output().expect("it runs"));
        }
        let mut retval = world.retval();
        let output = retval
            .args(["schema", "--session", &text])
            .output()
            .expect("it runs");
        hold_output(&name, "schema", &output);
        if !text.is_empty() {
            let schema: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
            assert!(has_string(&schema, &text), "{name}: {schema}");
        }
    }
}

fn has_string(value: &Value, text: &str) -> bool {
    match value {
        Value::String(own) => own == text,
        Value::Array(items) => items.iter().any(|item| has_string(item, text)),
        Value::Object(members) => members.values().any(|member| has_string(member, text)),
        _ => false,
    }
}

#[test]
fn a_conversion_keeps_every_value_and_escapes_it_in_notes() {
    let world = World::new();
    for Hostile { name, text, .. } in short() {
        let source = json!({
            "status": "partial", "summary": text,
            "artifacts": [{ "path": text, "type": text, "summary": text, text.as_str(): text }],
            "metadata": {
                "session_id": text, "agent_type": text, "delegation_depth": 1,
                "delegation_path": [text, "a"], text.as_str(): text, "duration_seconds": 1,
            },
            "errors": [{ "type": text, "message": text, "recoverable": true, text.as_str(): text }],
            "next_steps": text, text.as_str(): text,
        });
        for (from, to) in [
            ("return", "return-v1"),
            ("return-v1", "return"),
            ("return", "return-meta"),
            ("return-v1", "return-meta"),
        ] {
            let mut retval = world.retval();
            retval.args(["convert", "--from", from, "--to", to, "--status", "partial"]);
            let output = feed(&mut retval, source.to_string());
            hold_output(&name, to, &output);
            if output.status.code() != Some(2) {
                let converted: Value = serde_json::from_slice(&output.stdout).expect("JSON");
                assert!(
                    has_string(&converted["metadata"]["session_id"], &text),
                    "{name}: {converted}"
                );
                assert!(
                    has_string(&converted["artifacts"][0], &text),
                    "{name}: {converted}"
                );
            }
        }
    }
}

/// Copies of a payload. The first has the text in place of all strings that do not identify the
/// event; each of the others has it in place of one string.
fn payloads(payload: &Value, text: &str) -> Vec<Value> {
    let mut everywhere = payload.clone();
    let mut copies = Vec::new();
    for pointer in strings(payload, "") {
        let mut copy = payload.clone();
        *copy.pointer_mut(&pointer).expect("it is there") = text.into();
        copies.push(copy);
        let says_what_it_is = ["event_name", "tool_name", "status", "cwd"];
        if !says_what_it_is.iter().any(|known| pointer.ends_with(known)) {
            *everywhere.pointer_mut(&pointer).expect("it is there") = text.into();
        }
    }
    copies.insert(0, everywhere);
    copies
}

fn strings(value: &Value, at: &str) -> Vec<String> {
    match value {
        Value::String(_) => vec![at.to_owned()],
        Value::Object(members) => {
            let within = members.iter();
            within
                .flat_map(|(key, member)| strings(member, &format!("{at}/{key}")))
                .collect()
        }
        Value::Array(items) => {
            let within = items.iter().enumerate();
            within
                .flat_map(|(index, item)| strings(item, &format!("{at}/{index}")))
                .collect()
        }
        _ => Vec::new(),
    }
}

#[test]
fn no_hook_answer_shows_a_payload_unescaped() {
    let world = World::new();
    fs::create_dir_all(world.path("run")).expect("a folder");
    let corpus = packed(short());
    for entry in fs::read_dir(fixtures().join("hooks"))
        .expect("a folder")
        .flatten()
    {
        let text = fs::read_to_string(entry.path()).expect("a payload");
        let text = text.replace("{cwd}", &world.path("project").display().to_string());
        let payload: Value = serde_json::from_str(&text).expect("JSON");
        for (at, hostile) in corpus.iter().enumerate() {
            // The first text replaces each string in turn; every text replaces all of them at once.
            let most = if at == 0 { usize::MAX } else { 1 };
            for payload in payloads(&payload, &hostile.text).into_iter().take(most) {
                for options in ["--retries 0 --errors-json errors.jsonl", "--fail-closed"] {
                    let mut hook = world.retval();
                    hook.arg("hook")
                        .args(options.split(' '))
                        .env("XDG_RUNTIME_DIR", world.path("run"));
                    let output = feed(&mut hook, payload.to_string());
                    hold_output(&hostile.name, options, &output);
                    assert_eq!(output.status.code(), Some(0));
                    let answer = serde_json::from_slice::<Value>(&output.stdout);
                    assert!(output.stdout.is_empty() || answer.is_ok_and(|it| it.is_object()));
                }
            }
        }
    }
    let log = fs::read(world.path("errors.jsonl")).expect("a log");
    crate::hold("log", "json", &log);
}

#[test]
fn a_payload_that_is_no_json_is_not_quoted() {
    let world = World::new();
    for Hostile { name, text, .. } in packed(short()) {
        for payload in [
            text.clone(),
            format!("{{\"{text}\":1}}"),
            format!("[{text}]"),
        ] {
            let output = feed(world.retval().arg("hook"), payload);
            hold_output(&name, "hook", &output);
            assert_eq!(output.status.code(), Some(0));
        }
    }
}

#[test]
fn a_file_that_is_not_a_log_or_baseline_is_not_quoted_in_errors() {
    let world = World::new();
    for Hostile { name, text, .. } in packed(short()) {
        let string = Value::from(text.as_str());
        for document in [
            string.to_string(),
            json!({ "errors": string }).to_string(),
            json!({ "version": 1, "accepted": [{ "source": string, "rule": string, "count": 1, "reason": string }] }).to_string(),
            json!({ "version": 1, string.as_str().expect("a string"): 1 }).to_string(),
            json!({ "version": string }).to_string(),
            format!("{{\"version\":1,\"accepted\":[{{\"source\":{string},\"rule\":\"json-syntax\",\"count\":1,\"reason\":\"x\"}}]}}"),
        ] {
            world.write("known.json", &document);
            for line in ["check --errors-json known.json", "check --baseline known.json"] {
                let output = feed(world.retval().args(line.split(' ')), "{}");
                hold_output(&name, line, &output);
                assert_ne!(output.status.code(), Some(0));
            }
        }
    }
}
