//! Completions and manual pages list all commands, options and names.

use std::process::{Command, Output};

use crate::common::{World, run, stdout};
use assert_cmd::assert::OutputAssertExt as _;
use predicates::str::contains;

fn retval(world: &World, options: &[&str]) -> Output {
    run(world.retval().args(options))
}

/// What bash offers for the last word of a command line.
fn offered(world: &World, words: &[&str]) -> Vec<String> {
    let script = stdout(&retval(world, &["completions", "bash"]));
    let last = words[words.len() - 1];
    let before = words[words.len() - 2];
    let words: Vec<_> = words.iter().map(|word| format!("'{word}'")).collect();
    let script = format!(
        "{script}\nCOMP_WORDS=({})\nCOMP_CWORD={}\n_retval retval '{last}' '{before}'\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n",
        words.join(" "),
        words.len() - 1
    );
    let output = Command::new("bash").args(["-c", &script]).output().expect("bash runs");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    stdout(&output).lines().map(str::to_owned).collect()
}

#[test]
fn bash_offers_commands_options_profiles_rules_and_formats() {
    let world = World::new();
    for (words, expected) in [
        (&["retval", "expl"][..], &["explain"][..]),
        (&["retval", "check", "--update"], &["--update-baseline"]),
        (&["retval", "check", "--profile", "return-"], &["return-v1", "return-meta"]),
        (
            &["retval", "check", "--rule", "artifact-not-"],
            &["artifact-not-found", "artifact-not-a-file", "artifact-not-relative"],
        ),
        (&["retval", "explain", "handoff-inv"], &["handoff-invalid"]),
        (&["retval", "help", "confi"], &["configuration"]),
        (&["retval", "check", "--format", "sa"], &["sarif"]),
        (&["retval", "hook", "--print-config", "cl"], &["claude-code"]),
    ] {
        assert_eq!(offered(&world, words), expected, "{words:?}");
    }
}

#[test]
fn every_shell_has_its_script() {
    let world = World::new();
    for (shell, mark) in [
        ("bash", "complete -F _retval"),
        ("zsh", "#compdef retval"),
        ("fish", "complete -c retval"),
        ("powershell", "Register-ArgumentCompleter"),
        ("elvish", "edit:completion:arg-completer[retval]"),
    ] {
        let output = retval(&world, &["completions", shell]);
        output.assert().code(0).stdout(contains(mark)).stdout(contains("update-baseline"));
    }
    retval(&world, &["completions", "cmd"]).assert().code(2).stderr(contains("bash"));
}

#[test]
fn an_unknown_page_is_an_error() {
    let world = World::new();
    let slip = retval(&world, &["man", "chekc"]);
    slip.assert().code(2).stdout("").stderr(contains("called chekc: did you mean check?"));
    world.write("file", "");
    let nowhere = retval(&world, &["man", "--to", "file"]);
    nowhere.assert().code(2).stderr(contains("cannot write file/man1/retval.1: Not a directory"));
}
