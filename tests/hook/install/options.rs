//! The options that `install` writes work where the client calls the hook.

use std::path::Path;
use std::process::{Command, Output};

use super::{SETTINGS, hook, in_repo, refused, said, world};
use crate::common::{World, stderr, stdout};

/// Runs a line of Bash in a folder of the repository, with `$R` for retval.
fn bash(world: &World, folder: &str, line: &str) -> Output {
    let binary = Path::new(assert_cmd::cargo::cargo_bin!("retval"));
    let folders = std::env::var("PATH").expect("a path");
    let folders = format!("{}:{folders}", binary.parent().expect("a folder").display());
    let mut bash = Command::new("bash");
    let bash = bash.args(["-c", line]).current_dir(in_repo(world, folder));
    let bash = bash.env("R", binary).env("HOME", world.path("home"));
    let bash = bash.env("XDG_RUNTIME_DIR", world.runtime());
    bash.env("PATH", folders).output().expect("bash runs")
}

fn command(said: &str) -> &str {
    let mut lines = said.lines();
    let command = lines.find_map(|line| line.trim_start().strip_prefix("command  "));
    command.expect("the command is shown")
}

#[test]
fn paths_are_for_the_folder_of_the_project() {
    let world = world();
    world.write("home/repo/inner/d.toml", "session = \"of-inner\"\n");
    let why = "the client calls the hook in the folder of its project: write an absolute path";
    let config = in_repo(&world, "inner/d.toml").display().to_string();
    for line in [
        "install claude-code --config d.toml",
        "--print-config claude-code --root .",
        "install claude-code --user --config d.toml",
    ] {
        assert!(refused(&world, line).contains(why), "{line}");
    }
    for (options, written) in [
        (format!("claude-code --config {config}"), "--config ~/repo/inner/d.toml"),
        ("codex --user --errors-json ./log.json".to_owned(), "--errors-json ./log.json"),
    ] {
        let new = said(&world, &format!("install {options}"));
        assert_eq!(command(&new), format!("retval hook --profile any {written}"));
    }
    let typed = "--errors-json ./log.json --config inner/d.toml";
    let install = format!("\"$R\" hook install claude-code {typed}");
    let new = stdout(&bash(&world, "", &install));
    let written = format!("retval hook --profile any {typed}");
    assert_eq!(command(&new), written);
    let status = said(&world, "status claude-code");
    assert!(status.contains("    answers  yes\n"), "{status}");
    let payload = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/hooks/claude-code-start.json");
    let instructing = written.replace("--profile any", "--profile return");
    let called = bash(&world, "", &format!("{instructing} < \"{payload}\""));
    assert!(stdout(&called).contains("of-inner"), "{}", stdout(&called));
}

#[test]
fn a_configuration_that_does_not_last_is_refused() {
    let world = world();
    let why = "it is not a regular file";
    for command in ["install claude-code", "--print-config claude-code"] {
        for config in ["/dev/null", "<(echo)", "/dev/stdin < /dev/null", ".git"] {
            let line = format!("\"$R\" hook {command} --config {config}");
            let output = bash(&world, "", &line);
            assert_eq!(output.status.code(), Some(2), "{config}");
            assert_eq!(stdout(&output), "");
            assert!(stderr(&output).contains(why), "{}", stderr(&output));
        }
        assert!(!in_repo(&world, SETTINGS).exists());
    }
    // What `install` refuses does not work for `status`.
    let entry = r#"{"hooks": {"SubagentStop": [{"hooks": [{"command": "retval hook --config /dev/null"}]}]}}"#;
    world.write(&format!("home/repo/{SETTINGS}"), entry);
    let output = hook(&world, "status claude-code");
    assert_eq!(output.status.code(), Some(1));
    let said = stdout(&output);
    assert!(said.contains("    answers  no: ") && said.contains(why), "{said}");
}

#[test]
fn a_command_is_shown_as_a_shell_takes_it_and_tried() {
    let world = world();
    for (word, shown) in
        [(r#""it's""#, r"'it'\''s'"), (r"'a\b; $(c) #1'", r"'a\b; $(c) #1'"), (r#"'"'"#, r#"'"'"#)]
    {
        let output = bash(&world, "", &format!("\"$R\" hook install claude-code --session {word}"));
        let shown = format!("retval hook --profile any --session {shown}");
        assert_eq!(command(&stdout(&output)), shown);
        let status = said(&world, "status claude-code");
        assert_eq!(command(&status), shown);
        assert!(status.contains("    answers  yes\n"), "{status}");
    }
}

#[test]
fn a_command_that_hides_something_is_escaped() {
    let world = world();
    for (written, shown) in [
        (r"'a\u001bb'", r"'a\u{1b}b'"),
        ("'a' ##", "'a' #\\u{23}"),
        (r"a\\\\b", r"a\\b"),
        (r#"\"$b\""#, r#""$b""#),
    ] {
        let entry = r#"{"hooks": {"SubagentStop": [{"hooks": [{"command": "retval hook --session WORD"}]}]}}"#;
        world.write(&format!("home/repo/{SETTINGS}"), entry.replace("WORD", written));
        let status = stdout(&hook(&world, "status claude-code"));
        assert_eq!(command(&status), format!("retval hook --session {shown}"));
    }
}

#[test]
fn installed_again_without_options_the_hook_keeps_its_own() {
    for (client, file, end) in [
        ("claude-code", SETTINGS, ""),
        ("codex", ".codex/hooks.json", ""),
        ("copilot", ".github/hooks/retval.json", ""),
        ("gemini", ".gemini/settings.json", " || exit 1"),
        ("cursor", ".cursor/hooks.json", ""),
        ("opencode", ".opencode/plugin/retval.ts", ""),
        ("qwen", ".qwen/settings.json", ""),
    ] {
        let world = world();
        let read = || std::fs::read_to_string(in_repo(&world, file)).expect("a file");
        let first =
            said(&world, &format!("install {client} --profile return --agents it's --tool mcp__*"));
        let before = read();
        let again = said(&world, &format!("install {client}"));
        let (_, rest) = first.split_once("created with the hook\n").expect("a new file");
        let (events, rest) = rest.split_once("  command").expect("a command");
        let (line, rest) = rest.split_once('\n').expect("a line");
        let expected =
            format!("  retval hook --profile return --tool 'mcp__*' --agents 'it'\\''s'{end}");
        assert_eq!(line, expected);
        assert_eq!(
            again,
            format!(
                "~/repo/{file}: the hook is installed already, nothing was changed\n{events}  command{line}\n  \
                 options  kept; options that you give replace all of them\n{rest}"
            )
        );
        assert_eq!(read(), before);
        let other = said(&world, &format!("install {client} --retries 3"));
        assert!(other.starts_with(&format!("~/repo/{file}: wrote the hook\n")), "{other}");
        assert_eq!(command(&other), format!("retval hook --profile any --retries 3{end}"));
        assert!(!other.contains("  options "), "{other}");
    }
}

#[test]
fn a_hook_that_lacks_an_event_is_completed_and_one_that_cannot_be_read_is_replaced() {
    let world = world();
    let file = |command: &str| {
        let entry = r#"{"hooks": {"SubagentStop": [{"hooks": [{"command": "COMMAND"}]}]}}"#;
        world.write(&format!("home/repo/{SETTINGS}"), entry.replace("COMMAND", command));
        said(&world, "install claude-code")
    };
    let renewed = file("retval hook --observe");
    assert!(renewed.starts_with("~/repo/.claude/settings.json: wrote the hook\n"), "{renewed}");
    assert_eq!(command(&renewed), "retval hook --observe");
    let replaced = file("retval hook --bogus");
    assert_eq!(command(&replaced), "retval hook --profile any");
}
