//! `retval help`.

use std::collections::BTreeMap;

use pulldown_cmark::{Event, Options, Parser, Tag};

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
fn help_without_a_name_lists_commands_and_pages() {
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
fn help_of_a_command_is_its_long_help() {
    for command in ["check", "hook", "help"] {
        assert_eq!(
            help(command),
            text(retval(&[command, "--help"]).stdout),
            "{command}"
        );
    }
}

#[test]
fn help_of_a_page_has_every_heading_and_line_of_code() {
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

/// How often each word stands in a text.
fn count(text: &str, counts: &mut BTreeMap<String, usize>) {
    let words = text.split(|sign: char| !sign.is_alphanumeric());
    for word in words.filter(|word| !word.is_empty()) {
        *counts.entry(word.to_owned()).or_default() += 1;
    }
}

/// What the help says of where a link leads.
fn aim(url: &str) -> String {
    let (path, _) = url.split_once('#').unwrap_or((url, ""));
    match path.strip_suffix(".md") {
        Some(name) => format!("retval help {name}"),
        None if url.contains("://") => url.to_owned(),
        None => String::new(),
    }
}

/// The words of a page as a full reader of Markdown finds them.
fn words_of(source: &str) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    let mut number = None;
    for event in Parser::new_ext(source, Options::ENABLE_TABLES) {
        match event {
            Event::Text(text) | Event::Code(text) => count(&text, &mut counts),
            Event::Start(Tag::Link { dest_url, .. }) => count(&aim(&dest_url), &mut counts),
            Event::Start(Tag::List(first)) => number = first,
            Event::Start(Tag::Item) => {
                count(
                    &number.map_or_else(String::new, |number| number.to_string()),
                    &mut counts,
                );
                number = number.map(|number| number + 1);
            }
            Event::SoftBreak => panic!("a paragraph and an item are one line each: {source}"),
            _ => {}
        }
    }
    counts
}

#[test]
fn help_of_a_page_has_every_word_and_no_markup() {
    for name in page_names() {
        let (expected, shown) = (words_of(&page(&name)), shown(&name));
        let mut found = BTreeMap::new();
        count(&shown, &mut found);
        for word in expected.keys().chain(found.keys()) {
            assert_eq!(found.get(word), expected.get(word), "{name}: {word}");
        }
        assert!(!shown.contains("](") && !shown.contains("```"), "{name}");
    }
}

#[test]
fn help_of_a_page_is_plain_text_of_a_hundred_columns() {
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
fn on_a_terminal_help_fits_the_width_and_headings_are_bold() {
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
fn help_of_a_command_has_colors_where_color_is_wanted() {
    for (variable, colored) in [("CLICOLOR_FORCE", true), ("NO_COLOR", false)] {
        let script = format!("unset NO_COLOR CLICOLOR_FORCE; {variable}=1 retval help check");
        let shown = text(shell(&script, root()).stdout);
        assert_eq!(shown.contains("\u{1b}["), colored, "{variable}: {shown}");
    }
}

#[test]
fn a_command_and_a_page_of_one_name_are_both_printed() {
    let help = help("schema");
    assert!(help.starts_with(&text(retval(&["schema", "--help"]).stdout)));
    assert!(help.contains("\nPrint a profile as JSON Schema\n====="));
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
fn a_name_with_a_remark_has_no_backticks_in_a_table() {
    let output = help("formats");
    let names = output
        .lines()
        .skip_while(|line| !line.starts_with("--format "));
    let names: Vec<_> = names.skip(2).take(2).collect();
    assert!(names[0].starts_with("text (default)  "), "{names:?}");
    assert!(names[1].starts_with("concise         "), "{names:?}");
}
