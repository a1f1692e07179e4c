//! `retval hook install`, `uninstall` and `status`: they edit the clients' own settings files.

mod events;
mod folders;
mod mistyped;
mod opencode;
mod options;

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::common::{World, run, stderr, stdout};

/// Each client with its file in a project, below the home, and its program.
const CLIENTS: [(&str, &str, &str, &str); 5] = [
    ("claude-code", ".claude/settings.json", ".claude/settings.json", "claude"),
    ("codex", ".codex/hooks.json", ".codex/hooks.json", "codex"),
    ("copilot", ".github/hooks/retval.json", ".copilot/hooks/retval.json", "copilot"),
    ("gemini", ".gemini/settings.json", ".gemini/settings.json", "gemini"),
    ("cursor", ".cursor/hooks.json", ".cursor/hooks.json", "cursor-agent"),
];

const SETTINGS: &str = ".claude/settings.json";

/// A project below a home, with retval and the clients on the `PATH`.
fn world() -> World {
    let world = World::new();
    fs::create_dir_all(world.path("home/repo/.git")).expect("folders");
    fs::create_dir_all(world.path("home/repo/inner")).expect("folders");
    world
}

fn in_repo(world: &World, below: &str) -> PathBuf {
    world.path("home/repo").join(below)
}

fn hook(world: &World, line: &str) -> Output {
    hook_with(world, line, &[])
}

fn hook_with(world: &World, line: &str, variables: &[(&str, &str)]) -> Output {
    let binary = Path::new(assert_cmd::cargo::cargo_bin!("retval"));
    let folders = [world.path("bin"), binary.parent().expect("a folder").to_owned()];
    let system = std::env::var_os("PATH").expect("a path");
    // The events depend on the version of Claude Code, so it must not be one of this machine.
    let system = std::env::split_paths(&system).filter(|folder| !folder.join("claude").exists());
    let folders = folders.into_iter().chain(system);
    let mut command = world.retval();
    command
        .arg("hook")
        .args(line.split_whitespace())
        .current_dir(in_repo(world, "inner"))
        .env("HOME", world.path("home"))
        .envs(variables.iter().copied())
        .env("PATH", std::env::join_paths(folders).expect("a path"));
    run(&mut command)
}

/// The output of a call that succeeds, with the folders shortened.
fn said(world: &World, line: &str) -> String {
    let output = hook(world, line);
    assert_eq!((stderr(&output).as_str(), output.status.code()), ("", Some(0)));
    let said = stdout(&output);
    said.replace(&world.path("home").display().to_string(), "~")
}

fn refused(world: &World, line: &str) -> String {
    let output = hook(world, line);
    assert_eq!((stdout(&output).as_str(), output.status.code()), ("", Some(2)));
    stderr(&output).replace(&world.path("home").display().to_string(), "~")
}

#[test]
fn the_hook_is_put_into_each_clients_file_and_taken_out_again() {
    let world = world();
    let options = "--agents research* --retries 2";
    for (client, in_project, in_home, _) in CLIENTS {
        let printed = said(&world, &format!("--print-config {client} {options}"));
        for (option, base, file) in [("", "home/repo", in_project), ("--user", "home", in_home)] {
            let path = world.path(base).join(file);
            let new = said(&world, &format!("install {client} {option} {options}"));
            assert!(new.contains(&format!("{file}: created with the hook\n")), "{new}");
            assert!(
                new.contains("command  retval hook --profile any --agents 'research*' --retries 2")
            );
            let text = fs::read_to_string(&path).expect("a file");
            assert_eq!(text.trim_end(), printed.trim_end());
            let gone = said(&world, &format!("uninstall {client} {option}"));
            assert!(gone.contains("deleted"), "{gone}");
            assert!(!path.exists());
        }
    }
    let left = fs::read_dir(in_repo(&world, "")).expect("a folder").count();
    assert_eq!(left, 2, "the folders that were made are gone");
}

#[test]
fn install_prints_its_changes() {
    let world = world();
    world.write("home/repo/.claude/settings.json", "{\n\t\"model\": \"x\"\n}\n");
    assert_eq!(
        said(&world, "install claude-code --observe"),
        "~/repo/.claude/settings.json: wrote the hook\n  \
         events   SubagentStart, SessionStart, PreToolUse, SubagentStop, PostToolUse, UserPromptSubmit, PostToolUseFailure, Stop, StopFailure\n  \
         command  retval hook --profile any --observe\n  \
         next     update Claude Code if it is older than 2.1.78, which ignores a file with StopFailure\n"
    );
    let again = said(&world, "install --observe claude-code");
    assert!(again.contains("the hook is installed already, nothing was changed\n"));
    let other = said(&world, "install claude-code --profile any");
    assert!(other.contains(": wrote the hook\n"), "{other}");
    assert_eq!(
        said(&world, "uninstall claude-code --user"),
        "~/.claude/settings.json: the hook is not installed here, nothing was changed\n"
    );
    assert_eq!(
        said(&world, "uninstall claude-code"),
        "~/repo/.claude/settings.json: took the hook out\n"
    );
    let text = fs::read_to_string(in_repo(&world, SETTINGS)).expect("a file");
    assert_eq!(text, "{\n\t\"model\": \"x\"\n}\n");
}

#[test]
fn settings_that_cannot_be_edited_are_left_unchanged() {
    let world = world();
    let path = in_repo(&world, SETTINGS);
    for (bytes, why) in [
        (&b"{\"a\": 1,}"[..], "line 1 column 9"),
        (b"{} // mine\n", "not valid JSON"),
        (b"\xff\xfe{\0}\0", "not UTF-8 at byte 0"),
    ] {
        world.write("home/repo/.claude/settings.json", bytes);
        for line in ["install claude-code", "uninstall claude-code"] {
            let error = refused(&world, line);
            assert!(error.starts_with("error: ~/repo/.claude/settings.json: "), "{error}");
            assert!(error.contains(why) && error.contains("nothing was changed"), "{error}");
        }
        assert_eq!(fs::read(&path).expect("a file"), bytes);
    }
    world.write("home/repo/.claude/settings.json", "{}");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).expect("rights");
    assert!(refused(&world, "install claude-code").contains("read-only"));
    assert_eq!(fs::read(&path).expect("a file"), b"{}");
    for line in [
        "install claude-code --agents [",
        "install claude-code --profile nope",
        "--print-config claude-code --agents [",
    ] {
        assert!(refused(&world, line).starts_with("error: "), "{line}");
    }
}

#[test]
fn several_of_our_handlers_go_and_those_of_others_stay() {
    let world = world();
    let theirs = |command: &str| format!(r#"{{ "type": "command", "command": "{command}" }}"#);
    let of_event = |one: &str, item: &str| {
        let (first, second) = (theirs("first"), theirs("second"));
        format!(
            "{{\r\n  \"hooks\": {{\r\n    \"SubagentStop\": [\r\n      {{ \"matcher\": \"x\", \"hooks\": [{first}{one}] }},\r\n\
             {item}      {{ \"hooks\": [{second}] }}\r\n    ]\r\n  }},\r\n  \"b\":   2\r\n}}\r\n"
        )
    };
    let ours = theirs("retval hook --observe");
    let split = theirs("retval hook");
    let item = format!("      {{ \"hooks\": [{split}, {ours}] }},\r\n");
    world.write("home/repo/.claude/settings.json", of_event(&format!(", {ours}"), &item));
    let status = stdout(&hook(&world, "status claude-code"));
    assert!(
        status.contains("command  retval hook\n")
            && status.contains("command  retval hook --observe\n")
            && status.contains("more than one command runs"),
        "{status}"
    );
    said(&world, "uninstall");
    let text = fs::read_to_string(in_repo(&world, SETTINGS)).expect("a file");
    assert_eq!(text, of_event("", ""));
    let alone = format!(
        r#"{{"hooks": {{"SubagentStop": [{{"hooks": [{ours}]}}, {{"hooks": [{split}, {ours}]}}]}}}}"#
    );
    world.write("home/repo/.claude/settings.json", alone);
    let gone = said(&world, "uninstall");
    assert!(gone.contains("deleted"), "{gone}");
}

#[test]
fn settings_that_cannot_be_read_are_named_when_the_hook_is_taken_out() {
    let world = world();
    said(&world, "install cursor");
    let broken = "{\"hooks\": {";
    world.write("home/repo/.claude/settings.json", broken);
    let output = hook(&world, "uninstall");
    assert_eq!(output.status.code(), Some(2));
    let error = stderr(&output);
    assert!(error.contains("/repo/.claude/settings.json: it is not valid JSON"), "{error}");
    let gone = stdout(&output);
    assert!(gone.contains(".cursor/hooks.json: deleted"), "{gone}");
    let text = fs::read_to_string(in_repo(&world, SETTINGS)).expect("a file");
    assert_eq!(text, broken);
}

#[test]
fn a_symlink_is_kept_and_its_target_is_changed() {
    let world = world();
    fs::create_dir_all(in_repo(&world, ".claude")).expect("a folder");
    let link = in_repo(&world, SETTINGS);
    let shared = world.write("home/repo/shared.json", "{}");
    fs::set_permissions(&shared, fs::Permissions::from_mode(0o640)).expect("rights");
    symlink("../shared.json", &link).expect("a link");
    said(&world, "install claude-code");
    assert!(link.is_symlink());
    assert!(fs::read_to_string(&shared).expect("a file").contains("retval hook"));
    assert_eq!(fs::metadata(&shared).expect("a file").permissions().mode() & 0o777, 0o640);
    said(&world, "uninstall claude-code");
    assert_eq!(fs::read_to_string(&shared).expect("a file"), "{}\n");
    // The settings of a project change nothing outside of it; those of a user may be anywhere.
    let outside = world.write("home/dots/settings.json", "{}");
    fs::remove_file(&link).expect("a link");
    symlink(&outside, &link).expect("a link");
    assert!(refused(&world, "install claude-code").contains("leads out of the project, to ~/dots"));
    assert_eq!(fs::read_to_string(&outside).expect("a file"), "{}");
    fs::create_dir_all(world.path("home/.claude")).expect("a folder");
    symlink(&outside, world.path("home/.claude/settings.json")).expect("a link");
    said(&world, "install claude-code --user");
    assert!(fs::read_to_string(&outside).expect("a file").contains("retval hook"));
}

#[test]
fn the_status_lists_installed_hooks_and_tries_them() {
    let world = world();
    for (client, ..) in CLIENTS {
        let output = hook(&world, &format!("install {client} --agents research*"));
        assert_eq!(output.status.code(), Some(0));
        let notes = stderr(&output).lines().count();
        let expected = ["copilot", "gemini", "cursor"].iter().position(|it| *it == client);
        assert_eq!(notes, expected.map_or(0, |at| 1 + at / 2), "{client}");
    }
    let output = hook(&world, "status");
    let home = world.path("home").display().to_string();
    let notes = stderr(&output).replace(&home, "~");
    assert_eq!(
        notes,
        "note: Copilot CLI and VS Code run the hook twice for each agent, from ~/repo/.claude/settings.json and \
         ~/repo/.github/hooks/retval.json: where you use it, uninstall one\n\
         note: Cursor, if it includes configurations of other tools, runs the hook twice for each agent, from \
         ~/repo/.claude/settings.json and ~/repo/.cursor/hooks.json: where you use it, uninstall one\n"
    );
    let status = stdout(&output).replace(&home, "~");
    assert_eq!(status.matches("    answers  yes\n").count(), 5, "{status}");
    let expected = "codex\n  \
        project  installed in ~/repo/.codex/hooks.json\n    \
        events   SubagentStart, SubagentStop, PostToolUse, Stop\n    \
        command  retval hook --profile any --agents 'research*'\n    \
        answers  yes\n  \
        user     not installed in ~/.codex/hooks.json\n";
    assert!(status.contains(expected), "{status}");
    assert!(!world.path("run").exists() && !in_repo(&world, "errors.json").exists());
}

#[test]
fn the_status_fails_if_the_hook_does_not_answer_and_runs_no_command() {
    let world = world();
    for (command, answer) in [
        ("retval hook --bogus", "no: error: unexpected argument '--bogus' found"),
        ("retval hook ; touch PWNED", "no: error: unexpected argument ';' found"),
        ("retval hook uninstall codex", "no: error: unexpected argument 'uninstall' found"),
        ("retval hook --config gone.toml", "gone.toml"),
        ("./retval hook $(touch PWNED)", "no: error: "),
        ("retval hook --session $(touch)", "yes"),
    ] {
        let file = r#"{"hooks": {"SubagentStop": [{"hooks": [{"command": "COMMAND"}]}]}}"#;
        world.write("home/repo/.claude/settings.json", file.replace("COMMAND", command));
        let output = hook(&world, "status claude-code");
        let text = stdout(&output);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(
            text.contains("    missing  SubagentStart, SessionStart, PreToolUse, PostToolUse"),
            "{text}"
        );
        let line = text.lines().find(|line| line.contains("answers  "));
        assert!(line.is_some_and(|line| line.contains(answer)), "{text}");
        assert!(!in_repo(&world, "PWNED").exists());
    }
    world.write("home/repo/.claude/settings.json", "{");
    let output = hook(&world, "status claude-code");
    assert_eq!(output.status.code(), Some(2));
    let text = stdout(&output);
    assert!(text.contains("project  unreadable: "), "{text}");
    assert!(!text.contains("nothing was changed"), "{text}");
}

#[test]
fn without_a_name_the_clients_of_the_project_get_the_hook() {
    let world = world();
    let none = refused(&world, "install");
    assert_eq!(
        none,
        "error: no client has a folder or file of its own in ~/repo: name one, as in `retval hook install claude-code`\n"
    );
    for mark in [".claude", ".gemini", ".github/hooks", ".github/workflows"] {
        fs::create_dir_all(in_repo(&world, mark)).expect("a folder");
    }
    let installed = said(&world, "install");
    let files: Vec<_> = installed.lines().filter(|line| !line.starts_with(' ')).collect();
    assert_eq!(
        files,
        [
            "~/repo/.claude/settings.json: created with the hook",
            "copilot: it runs the hook of claude-code, too",
            "~/repo/.gemini/settings.json: created with the hook",
        ]
    );
    world.script("bin/codex", "#!/bin/sh\n");
    let installed = said(&world, "install --all");
    let created = ".codex/hooks.json: created with the hook\n";
    assert!(installed.contains(created), "{installed}");
    let already = installed.matches("is installed already").count();
    assert_eq!(already, 2, "{installed}");
    // What cannot be edited keeps none of the others from it.
    world.write("home/repo/.claude/settings.json", "{");
    let output = hook(&world, "install --observe");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains(".claude/settings.json: it is not valid JSON"));
    assert!(stdout(&output).contains(".gemini/settings.json: wrote the hook"));
    fs::remove_file(in_repo(&world, SETTINGS)).expect("a file");
    let gone = said(&world, "uninstall");
    let deleted = ": deleted, it had nothing but the hook\n";
    assert_eq!(gone.matches(deleted).count(), 2, "{gone}");
    assert!(!in_repo(&world, ".codex").exists());
}

// Elsewhere a link needs rights that few users have.
#[cfg(unix)]
#[test]
fn a_link_that_goes_up_behind_a_missing_folder_is_not_followed() {
    let world = world();
    let outside = world.write("home/outside/settings.json", "{}");
    std::fs::create_dir_all(in_repo(&world, ".claude")).expect("a folder");
    let link = in_repo(&world, ".claude/settings.json");
    std::os::unix::fs::symlink("gone/../../../outside/settings.json", link).expect("a link");
    let output = hook(&world, "install claude-code");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(outside).expect("a file"), "{}");
    assert!(!in_repo(&world, ".claude/gone").exists());
}

#[test]
fn the_agents_of_the_project_are_listed_with_their_profiles() {
    let world = world();
    for name in ["planner", "scout", "guest"] {
        let text = format!("---\nname: {name}\ndescription: d\n---\nWork.\n");
        world.write(&format!("home/repo/.claude/agents/{name}.md"), text);
    }
    let tables = "[hook.agents.\"plan*\"]\nprofile = \"return-v1\"\n[hook.agents.guest]\nhold = false\n\
                  [hook.agents.Explore]\n";
    world.write("home/repo/retval.toml", tables);
    let expected = "\
  agents
    guest    not checked
    planner  instructed      return-v1 by [hook.agents.\"plan*\"]
    scout    not instructed  any by --profile
    any: asked again if the message is no answer (empty or cut, for example), or is JSON (whole, or its only
      code fence) that claims missing files; prose is not checked
    to give all a profile: retval hook install claude-code --profile PROFILE
    to give one a profile, in retval.toml:
      [hook.agents.NAME]
      profile = \"PROFILE\"
";
    let installed = said(&world, "install claude-code");
    assert!(installed.contains(expected), "{installed}");
    let status = said(&world, "status claude-code");
    assert!(status.contains("      scout    not instructed  any by --profile\n"), "{status}");
    world.write(
        "home/repo/retval.toml",
        "[profiles.line]\nform = \"text\"\nat.status = { at = \"/last\", match = '^VERDICT: (?<value>.+)' }\n\
         statuses = { PASS = \"success\" }\n[hook.agents.scout]\nprofile = \"line\"\n",
    );
    let status = said(&world, "status claude-code");
    let lines = "scout    not instructed  line by [hook.agents.\"scout\"]\n";
    let why = "the profile line needs an `example`, a file with a valid return: none can be made from its fields (none is the name of a label or a heading)\n";
    assert!(status.contains(lines) && status.contains(why), "{status}");
}

#[test]
fn several_clients_are_edited_at_once() {
    let world = world();
    let installed = said(&world, "install codex gemini");
    assert_eq!(installed.matches("created with the hook").count(), 2);
    let gone = said(&world, "uninstall codex gemini");
    assert_eq!(gone.matches("deleted").count(), 2, "{gone}");
}

#[test]
fn a_hook_whose_program_is_not_there_does_not_answer() {
    let world = world();
    said(&world, "install claude-code");
    for (command, why) in [
        (
            "retval hook",
            "retval is not on PATH: install again with --absolute, which writes its path",
        ),
        ("/gone/retval hook", "/gone/retval does not exist: install again"),
    ] {
        let entry = r#"{"hooks": {"SubagentStop": [{"hooks": [{"command": "COMMAND"}]}]}}"#;
        let entry = entry.replace("COMMAND", command);
        world.write(&format!("home/repo/{SETTINGS}"), entry);
        let mut retval = world.retval();
        retval
            .args(["hook", "status", "claude-code"])
            .current_dir(in_repo(&world, "inner"))
            .env("HOME", world.path("home"))
            .env("PATH", "/nowhere");
        let output = run(&mut retval);
        assert_eq!(output.status.code(), Some(1));
        let said = stdout(&output);
        assert!(said.contains(&format!("    answers  no: {why}\n")), "{said}");
    }
}

#[test]
fn a_profile_without_a_needed_example_is_named_without_agents_too() {
    let world = world();
    world.write(
        "home/repo/retval.toml",
        "[profiles.line]\nform = \"text\"\nat.status = { at = \"/last\", match = '^VERDICT: (?<value>.+)' }\n\
         statuses = { PASS = \"success\" }\n",
    );
    let why = "the profile line needs an `example`, a file with a valid return";
    let installed = said(&world, "install claude-code --profile line");
    assert!(installed.contains(why), "{installed}");
    let status = said(&world, "status claude-code");
    assert!(status.contains(why), "{status}");
    let other = said(&world, "install claude-code --profile return");
    assert!(!other.contains(why), "{other}");
}

#[test]
fn the_path_of_the_program_can_be_written() {
    let world = world();
    let said_first = said(&world, "install claude-code --absolute");
    let program = env!("CARGO_BIN_EXE_retval");
    // A folder whose name has a space needs quotes, any other may stand without.
    let (_, command) = said_first.split_once("  command  ").expect("a command");
    let words = shlex::split(command.lines().next().unwrap_or_default());
    assert_eq!(words.expect("words of a shell"), [program, "hook", "--profile", "any"]);
    let status = said(&world, "status claude-code");
    assert!(status.contains("    answers  yes\n"), "{status}");
    said(&world, "install claude-code");
    let text = fs::read_to_string(in_repo(&world, SETTINGS)).expect("a file");
    assert!(!text.contains(program), "{text}");
}
