//! `retval help`.

use crate::{page, page_names, retval, root, shell, text};

/// What is printed for a name, without anything on standard error.
fn help(name: &str) -> String {
    let output = retval(&["help", name]);
    assert_eq!(output.status.code(), Some(0), "{name}");
    assert!(output.stderr.is_empty(), "{name}");
    text(output.stdout)
}

#[test]
fn help_without_a_name_lists_commands_and_pages() {
    let output = retval(&["help"]);
    assert_eq!(output.status.code(), Some(0));
    let list = text(output.stdout);
    for command in ["check", "hook", "help"] {
        assert!(list.contains(&format!("\n  {command} ")), "{command}");
    }
    let (_, pages) = list.split_once("Manual pages").expect("a list");
    let names = pages.lines().skip(1);
    let mut names: Vec<_> = names.filter_map(|line| line.split_whitespace().next()).collect();
    names.sort_unstable();
    assert_eq!(names, page_names());
}

#[test]
fn help_of_a_command_is_its_long_help() {
    for command in ["check", "hook", "help"] {
        assert_eq!(help(command), text(retval(&[command, "--help"]).stdout), "{command}");
    }
}

#[test]
fn help_of_a_page_is_the_page_without_its_comments() {
    for name in page_names() {
        let source = page(&name);
        let lines = source.lines().filter(|line| !line.starts_with("<!--"));
        let expected: String = lines.flat_map(|line| [line, "\n"]).collect();
        assert!(help(&name).ends_with(&expected), "{name}");
    }
}

#[test]
fn help_of_a_command_has_colors_where_color_is_wanted() {
    for (variable, colored) in [("CLICOLOR_FORCE", true), ("NO_COLOR", false)] {
        let script = format!("unset NO_COLOR CLICOLOR_FORCE; {variable}=1 retval help check");
        let shown = text(shell(&script, root()).stdout);
        assert_eq!(shown.contains("\u{1b}["), colored, "{variable}: {shown}");
    }
}

#[test]
fn a_command_and_a_page_of_one_name_are_both_printed() {
    let help = help("audit");
    assert!(help.starts_with(&text(retval(&["audit", "--help"]).stdout)));
    assert!(help.contains("\n# Audit a history\n"));
}

#[test]
fn an_unknown_topic_is_an_error_with_a_suggestion() {
    for (name, advice) in [
        ("hoks", ": did you mean hooks?"),
        ("chek", ": did you mean check?"),
        ("nothing-at-all", ""),
    ] {
        let output = retval(&["help", name]);
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stdout.is_empty());
        assert_eq!(
            text(output.stderr),
            format!(
                "error: no command or manual page is called {name}{advice}\n       `retval help` lists them\n"
            )
        );
    }
}

#[test]
fn help_of_check_has_groups_and_every_variable() {
    let help = help("check");
    let is_head = |line: &&str| line.ends_with(':') && line.starts_with(char::is_uppercase);
    let heads: Vec<_> = help.lines().filter(is_head).collect();
    assert_eq!(
        heads.join(" "),
        "Arguments: Options: Input: Expected: Evidence: Rules: Output: Files: Log: Settings: Examples:"
    );
    let options = help.split("\nOptions:\n").nth(1).expect("options");
    assert!(options.starts_with("  -h, --help  Print help"), "{options}");
    // The table of settings: its first two columns are a setting and its variable.
    let page = page("configuration");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
    // That of the time is for tests.
    let of_check = rows.filter(|row| !row.starts_with("hook.") && !row.starts_with("now`"));
    let variables: Vec<_> = of_check
        .filter_map(|row| row.split('`').find(|word| word.starts_with("RETVAL_")))
        .collect();
    assert!(variables.len() >= 5, "{variables:?}");
    for variable in variables {
        assert!(help.contains(variable), "{variable}");
    }
}

#[test]
fn short_help_fits_a_screen() {
    let help = text(retval(&["check", "-h"]).stdout);
    assert!(help.lines().count() <= 50, "{help}");
    assert!(help.contains("--session") && !help.contains("--fail-fast"));
}
