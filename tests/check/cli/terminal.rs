//! Terminals, colors and excerpts.

use std::process::Stdio;

use assert_cmd::assert::OutputAssertExt as _;

use super::PLAN;
use crate::common::terminal::shown;
use crate::common::{World, piped, stderr, stdout};

#[test]
fn help_is_short_with_h_and_colored_where_color_is_allowed() {
    let world = World::new();
    let help = |variable: Option<(&str, &str)>, options: &str| {
        let mut retval = world.retval();
        retval.envs(variable).arg("check").args(options.split(' '));
        stdout(&crate::common::run(&mut retval))
    };
    let (short, long) = (help(None, "-h"), help(None, "--help"));
    assert!(short.lines().count() < long.lines().count());
    assert!(long.contains("Examples:\n") && !short.contains("Examples:\n"));
    let is_colored = |text: String| text.contains("\u{1b}[");
    let force = Some(("CLICOLOR_FORCE", "1"));
    assert!(!is_colored(short) && is_colored(help(force, "-h")));
    assert!(!is_colored(help(Some(("NO_COLOR", "1")), "--help")));
}

/// What `retval check` shows on a terminal of so many columns, without colours.
fn on_terminal(world: &World, columns: u16, options: &str) -> String {
    let mut command = world.retval();
    command.arg("check").args(options.split_whitespace());
    shown(command, columns)
}

#[test]
fn lines_that_the_filter_lets_through_control_no_terminal() {
    let world = World::new();
    let valid = "{\"status\": \"BLOCKED\", \"x\": \"\u{9b}2J\u{202e}\"}\n";
    world.write("in.ndjson", format!("{valid}\u{1b}[2J\n\u{1b}]0;title\u{7}"));
    for filter in ["valid", "invalid"] {
        let options = format!("in.ndjson --profile compact --filter {filter}");
        let (shown, piped) = (on_terminal(&world, 80, &options), stdout(&world.check(&options)));
        let is_raw = |text: &str| text.contains(['\u{1b}', '\u{9b}', '\u{7}', '\u{202e}']);
        assert!(shown.contains("2J") && is_raw(&piped) && !is_raw(&shown), "{shown:?}");
        assert_eq!(shown.lines().count(), piped.lines().count());
    }
}

#[test]
fn a_terminal_shows_failures_alone_and_their_places() {
    let world = World::new();
    let options = format!(
        "{PLAN} rules/status-unknown/fail rules/json-syntax/fail/empty.json --root project"
    );
    let piped = stdout(&world.check(&options));
    assert!(piped.contains("[PASS]") && !piped.contains(" | "), "{piped}");
    let text = on_terminal(&world, 60, &options);
    let expected = "\
== rules/status-unknown/fail/done.json
[FAIL] Invalid status: done
Valid statuses: completed, partial, failed, blocked
Recommendation: Fix planner subagent to use valid status enum
       at rules/status-unknown/fail/done.json:2:13 (/status)
       2 |   \"status\": \"done\",
         |             ^^^^^^
       rule: status-unknown

";
    assert!(text.contains(expected), "{text}");
    assert!(!text.contains("[PASS]") && !text.contains("[SKIP]"), "{text}");
}

#[test]
fn a_terminal_names_the_root_once_for_each_return_that_lacks_a_file() {
    let world = World::new();
    let phantom = "rules/artifact-not-found/fail";
    world.path(phantom);
    let options = format!("{phantom} rules/status-unknown/fail --root project");
    let text = on_terminal(&world, 80, &options);
    let missing = text.matches("[FAIL] Artifact does not exist: ").count();
    assert!(missing > 0, "{text}");
    assert!(text.contains("\nRoot: project\n\n== "), "{text}");
    assert!(text.matches("\nRoot: ").count() <= missing, "{text}");
    let quiet = stdout(&world.check(&format!("{options} -q")));
    assert!(!quiet.contains("Root: "), "{quiet}");
}

#[test]
fn excerpts_of_hostile_lines_are_short_and_aligned() {
    let world = World::new();
    let long = "x".repeat(16 << 20);
    let text =
        format!("{{\"a\": \"{long}\", \"status\": \"表\u{202e}\tdone\u{7f}\", \"b\": \"{long}\"}}");
    world.write("long.json", text.replace('\t', "  "));
    let output = world.check("long.json --max-bytes 64MiB -v");
    let text = stdout(&output);
    let excerpt: Vec<_> = text.lines().filter(|line| line.contains(" | ")).collect();
    let line = excerpt.iter().position(|line| line.contains("done")).expect("a line");
    let (shown, marks) = (excerpt[line], excerpt[line + 1]);
    assert!(shown.contains("\"status\": \"表\\u{202e}  done\\u{7f}\", \"b\": \"xxx"), "{shown}");
    assert!(shown.contains(" | …") && shown.ends_with('…'), "{shown}");
    // A wide character takes two columns.
    let (before, _) = shown.split_once("\"表").expect("the value");
    let (ahead, _) = marks.split_once('^').expect("a mark");
    assert_eq!(ahead.chars().count(), before.chars().count());
    assert_eq!(marks.matches('^').count(), "\"ww\\u{202e}  done\\u{7f}\"".len());
    assert!(
        (text.lines().filter(|line| !line.contains(" why: ")))
            .all(|line| line.chars().count() <= 250),
        "{text}"
    );
}

#[test]
fn a_terminal_is_no_input() {
    let world = World::new();
    // `script` runs a command line in a terminal of its own. It reads the path of the binary from a
    // variable: a path can have spaces and quotes.
    let output = std::process::Command::new("script")
        .args(["--quiet", "--return", "--command"])
        .args(["\"$RETVAL\" check", "/dev/null"])
        .env("SHELL", "/bin/sh")
        .env("RETVAL", world.retval().get_program())
        .current_dir(world.path(""))
        .stdin(Stdio::null())
        .output()
        .expect("script is there");
    let expected = "\
\u{1b}[1m\u{1b}[31merror:\u{1b}[0m standard input is a terminal: name a file, as in `retval check return.json`,\r
       or pipe a return in, as in `some-agent | retval check`\r
";
    assert_eq!(stdout(&output), expected);
    output.assert().code(2);
}

#[test]
fn colours_appear_only_if_wanted() {
    let world = World::new();
    let colored = |variable: Option<&str>, options: &str| {
        let mut retval = world.retval();
        retval.envs(variable.map(|name| (name, "1")));
        let output = retval
            .args(["check", PLAN, "--root", "project"])
            .args(options.split_whitespace())
            .output()
            .expect("it runs");
        stdout(&output).contains('\u{1b}')
    };
    assert!(!colored(None, ""), "not in a pipe");
    assert!(colored(None, "--color always"));
    assert!(colored(Some("CLICOLOR_FORCE"), ""));
    assert!(!colored(Some("CLICOLOR_FORCE"), "--color never"));
    assert!(colored(Some("NO_COLOR"), "--color always"));
}

#[test]
fn hostile_text_reaches_no_terminal() {
    let world = World::new();
    let hostile =
        "\u{1b}[31m\u{9b}\u{202e}\u{2028}\u{200b}\u{e0041}\r\n::error::x ##[set-env]\u{7f}";
    let quoted = serde_json::to_string(hostile).expect("JSON");
    let text = format!(
        r#"{{"status": {quoted}, "summary": "x", {quoted}: 1, {quoted}: 2, "artifacts": [{{"path": {quoted}, "type": {quoted}}}],
           "metadata": {{"session_id": {quoted}, "agent_type": {quoted}, "delegation_depth": 1, "delegation_path": [{quoted}, {quoted}]}}}}"#
    );
    let claiming = text.replacen(&quoted, "\"completed\"", 1);
    world.write("evil/\u{1b}[31m\n::error::.json", &text);
    for output in [
        piped(&world, "--session s --rule field-unknown=warning -v", &text),
        piped(&world, "--session s", &claiming),
        piped(&world, "--format json", &text),
        piped(&world, "--format jsonl", &claiming),
        piped(&world, "", hostile),
        world
            .retval()
            .args(["check", "evil/\u{1b}[31m\n::error::.json", PLAN])
            .output()
            .expect("it runs"),
        world.retval().args(["check", &format!("--{hostile}")]).output().expect("it runs"),
        world.retval().args(["check", "--profile", hostile]).output().expect("it runs"),
        world.retval().args(["check", hostile]).output().expect("it runs"),
        world.retval().args([hostile]).output().expect("it runs"),
        world
            .retval()
            .args(["check", "--field", hostile, "--root", hostile])
            .output()
            .expect("it runs"),
    ] {
        for text in [stdout(&output), stderr(&output)] {
            let raw = text.chars().find(|character| {
                *character != '\n' && crate::common::hostile::is_hidden(*character)
            });
            assert_eq!(raw, None, "{text}");
            assert!(!text.lines().any(|line| line.trim_start().starts_with("::")), "{text}");
            assert!(!text.contains("##[") || text.starts_with('{'), "{text}");
        }
    }
    let output = piped(&world, "--format jsonl", &text);
    let record: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("a record");
    assert_eq!(record["session_id"], hostile, "a machine gets the value itself");
}

#[test]
fn a_variable_forces_color_and_no_color_wins() {
    let world = World::new();
    let colored = |variables: &[(&str, &str)]| {
        let mut retval = world.retval();
        retval.envs(variables.iter().copied());
        retval.args(["check", "--root", "project", PLAN, "gone.json"]);
        let output = crate::common::run(&mut retval);
        let error = stderr(&output);
        let told = "cannot read gone.json: No such file or directory (os error 2)\n";
        let is_red = error == format!("\u{1b}[1m\u{1b}[31merror:\u{1b}[0m {told}");
        assert!(is_red || error == format!("error: {told}"), "{error:?}");
        (stdout(&output).contains("\u{1b}["), is_red)
    };
    for name in ["FORCE_COLOR", "CLICOLOR_FORCE"] {
        assert_eq!(colored(&[(name, "1")]), (true, true), "{name}");
        for off in ["", "0"] {
            assert_eq!(colored(&[(name, off)]), (false, false), "{name}={off}");
        }
        assert_eq!(colored(&[(name, "1"), ("NO_COLOR", "1")]), (false, false));
    }
}

#[test]
fn a_page_of_the_manual_is_laid_out_on_a_terminal() {
    let world = World::new();
    let help = |page: &str| {
        let mut retval = world.retval();
        retval.arg("help").args((!page.is_empty()).then_some(page));
        retval
    };
    let list = stdout(&crate::common::run(&mut help("")));
    let (_, pages) = list.split_once("Manual pages").expect("a list");
    let names = pages.lines().skip(1);
    let names: Vec<_> = names.filter_map(|it| it.split_whitespace().next()).collect();
    assert!(names.contains(&"hooks"), "{names:?}");
    for (name, columns) in names.iter().flat_map(|name| [(name, 50), (name, 80), (name, 200)]) {
        let page = stdout(&crate::common::run(&mut help(name)));
        let page = format!("\n{page}");
        let (_, page) = page.split_once("\n# ").expect("a title");
        let (title, _) = page.split_once('\n').expect("a title");
        let all = shown(help(name), columns);
        // It may take two lines.
        let at = all.find(title.get(..20).unwrap_or(title));
        let at = at.expect("the title");
        for line in all[at..].lines() {
            // Code is as it is in the page.
            let is_code = page.contains(line.trim()) && line.starts_with("      ");
            let is_wide = line.chars().count() > usize::from(columns.min(80));
            let is_word = !line.trim().trim_start_matches("- ").contains(' ');
            assert!(is_code || is_word || !is_wide, "{name}, {columns}: {line}");
            let has_mark = ["`", "](", "|--"].iter().any(|mark| line.contains(mark));
            assert!(is_code || !has_mark, "{name}, {columns}: {line}");
        }
    }
}
