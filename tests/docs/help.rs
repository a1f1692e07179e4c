//! `retval help`.

use crate::{page, page_names, retval, root, shell, text};

/// What is printed for a name, without anything on standard error.
fn help(name: &str) -> String {
    let output = retval(&["help", name]);
    assert_eq!(output.status.code(), Some(0), "{name}");
    assert!(output.stderr.is_empty(), "{name}");
    text(output.stdout)
}

/// The page in the help of its name, below the help of a command that has the same name.
fn shown(name: &str) -> String {
    let help = help(name);
    let page = page(name);
    let title = page.lines().next().expect("a title");
    let title = title.trim_start_matches("# ");
    let start = help.find(&format!("{title}\n===")).expect("a title");
    help[start..].to_owned()
}

#[test]
fn without_a_name_it_lists_commands_and_pages() {
    let output = retval(&["help"]);
    assert_eq!(output.status.code(), Some(0));
    let list = text(output.stdout);
    for command in ["check", "hook", "help"] {
        assert!(list.contains(&format!("\n  {command} ")), "{command}");
    }
    let (_, pages) = list.split_once("Manual pages").expect("a list");
    let names = pages.lines().skip(1);
    let mut names: Vec<_> = names
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    names.sort_unstable();
    assert_eq!(names, page_names());
}

#[test]
fn of_a_command_it_prints_the_long_help() {
    for command in ["check", "hook", "help"] {
        assert_eq!(
            help(command),
            text(retval(&[command, "--help"]).stdout),
            "{command}"
        );
    }
}

#[test]
fn of_a_page_it_prints_every_heading_and_every_line_of_code() {
    for name in page_names() {
        let shown = shown(&name);
        let mut in_code = false;
        for line in page(&name).lines() {
            if line.starts_with("```") {
                in_code = !in_code;
            } else if in_code {
                let line = format!("    {line}");
                assert!(shown.contains(line.trim_end()), "{name}: {line}");
            } else if line.starts_with('#') {
                let title = line.trim_start_matches('#').trim();
                assert!(shown.contains(&format!("{title}\n")), "{name}: {title}");
            }
        }
    }
}

#[test]
fn of_a_page_it_prints_every_word() {
    for name in page_names() {
        let shown = shown(&name);
        let source = page(&name);
        let words = source.split(|sign: char| !sign.is_alphanumeric());
        let marks = ["rules", "settings", "profiles", "agents"];
        let links = ["md", "fixtures", "https", "org", "com", "rs"];
        for word in words.filter(|word| !links.contains(word) && !marks.contains(word)) {
            if !shown.contains(word) {
                let languages = [
                    "sh", "console", "bash", "yaml", "toml", "json", "python", "make",
                ];
                let is_anchor =
                    source.contains(&format!("-{word}")) || source.contains(&format!("#{word}"));
                assert!(languages.contains(&word) || is_anchor, "{name}: {word}");
            }
        }
    }
}

#[test]
fn of_a_page_it_prints_plain_text_of_a_hundred_columns() {
    for name in page_names() {
        for line in shown(&name).lines() {
            assert!(!line.contains('\u{1b}'), "{name}: {line}");
            assert!(!line.ends_with(' '), "{name}: {line}");
            let is_code = line.starts_with("    ");
            assert!(is_code || line.chars().count() <= 100, "{name}: {line}");
        }
    }
}

#[test]
fn on_a_terminal_it_fits_the_width_and_headings_are_bold() {
    let script = "script -qec 'stty cols 60; TERM=xterm retval help checking' /dev/null </dev/null";
    let shown = text(shell(&format!("unset NO_COLOR; {script}"), root()).stdout);
    assert!(
        shown.starts_with("\u{1b}[1mCheck one return\u{1b}[0m\r\n"),
        "{shown}"
    );
    for line in shown.lines().filter(|line| !line.starts_with("    ")) {
        assert!(line.trim_end().chars().count() <= 60, "{line}");
    }
}

#[test]
fn a_command_and_a_page_of_one_name_are_both_printed() {
    let help = help("schema");
    assert!(help.starts_with(&text(retval(&["schema", "--help"]).stdout)));
    assert!(help.contains("\nPrint a profile as JSON Schema\n====="));
}

#[test]
fn a_name_of_nothing_is_an_error_with_a_suggestion() {
    for (name, advice) in [
        ("hoks", ": did it mean hooks?"),
        ("chek", ": did it mean check?"),
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
