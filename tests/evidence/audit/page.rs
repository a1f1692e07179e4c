//! `--html`: one page that loads nothing, runs nothing, and shows hostile names as text.

use std::collections::BTreeSet;
use std::fs;

use super::made::{Agent, Session};
use super::report;
use crate::common::xml::XmlDocument;
use crate::common::{World, fixtures};

/// The page of a history.
fn page(world: &World, folder: &std::path::Path, options: &str) -> String {
    report(world, folder, &format!("--html page.html {options}"));
    fs::read_to_string(world.path("page.html")).expect("a page")
}

#[test]
fn a_page_loads_nothing_and_runs_nothing() {
    let world = World::new();
    let page = page(&world, &fixtures().join("transcripts"), "");
    assert!(page.contains("content=\"default-src 'none'; style-src 'unsafe-inline';"), "{page}");
    for loads in [
        "<script", "src=", "href=", "@import", "http:", "https:", " on", "<iframe", "<link", "url(",
    ] {
        let found = page.match_indices(loads).map(|(at, _)| &page[at..(at + 20).min(page.len())]);
        let found: Vec<_> = found.filter(|it| loads != " on" || it.contains('=')).collect();
        assert_eq!(found, [""; 0], "{loads}");
    }
}

/// The texts between these tags.
fn texts<'p>(page: &'p str, open: &str, close: &str) -> Vec<&'p str> {
    let parts = page.split(open).skip(1);
    parts.filter_map(|part| Some(part.split_once(close)?.0)).collect()
}

#[test]
fn a_page_says_what_made_it_and_then_what_was_lost() {
    let world = World::new();
    let history = world.path("history");
    let mut session = Session::new(&history, "s1", "/project", 2);
    session.call(&Agent::new("a1", "planner", "The plan is ready."));
    session.call(&Agent::new("a2", "scout", ""));
    session.call(&Agent {
        total_tokens: 0,
        ..Agent::new("a3", "planner", "API Error: 529 overloaded")
    });
    session.write();
    let page = page(&world, &history, "--agents=* --project /project");
    let body = page.split_once("<main>\n").expect("a page").1;
    let lines: Vec<_> = body.lines().take(2).collect();
    assert_eq!(lines[0], "<h1>retval audit</h1>");
    let made = format!("<p>Made by retval {} on 20", env!("CARGO_PKG_VERSION"));
    assert!(lines[1].starts_with(&made), "{}", lines[1]);
    assert!(
        lines[1].ends_with(
            " UTC: <code>retval audit …/history --html page.html --agents=* --project …/project</code></p>"
        ),
        "{}",
        lines[1]
    );
    let rows: Vec<_> = texts(&page, "<tr><th scope=\"row\">", "</tr>");
    let lost = [
        "planner</th><td>s1</td><td>2026-11-02 10:01 UTC</td><td>error in place of a return</td>",
        "scout</th><td>s1</td><td>2026-11-02 10:01 UTC</td><td>ended without a text</td>",
    ];
    assert_eq!(rows[..2], lost);
    assert!(page.contains("got no answer: 2 of 3, 66.7 %.</p>"), "{page}");
}

#[test]
fn a_page_has_each_part_of_the_report() {
    let world = World::new();
    let folder = fixtures().join("transcripts");
    let page = page(&world, &folder, "");
    assert_eq!(texts(&page, "<h2>", "</h2>"), ["Lost", "Outcome", "By agent", "Cost by outcome"]);
    assert_eq!(
        texts(&page, "<summary>", "</summary>"),
        [
            "Checked with the profile of the agent",
            "What was read, and what is not counted",
            "Method and limits",
        ]
    );
    let text = report(&world, &folder, "");
    for title in texts(&page, "<h2>", "</h2>").into_iter().skip(1) {
        assert!(text.lines().any(|line| line == title), "{title}");
    }
}

#[test]
fn the_first_20_lost_runs_are_open() {
    let world = World::new();
    let history = world.path("history");
    let mut session = Session::new(&history, "s1", "/project", 2);
    for at in 0..28 {
        session.call(&Agent::new(&format!("a{at}"), &format!("scout-{at}"), ""));
    }
    session.write();
    let page = page(&world, &history, "");
    let (open, folded) = page.split_once("<summary>8 before these</summary>").expect("a fold");
    assert_eq!(open.matches("<td>ended without a text</td>").count(), 20);
    assert_eq!(folded.matches("<td>ended without a text</td>").count(), 8);
}

#[test]
fn hostile_names_are_text() {
    let world = World::new();
    let history = world.path("history");
    let name = "</th><script>alert(1)</script>\"'&\u{202e}\u{1b}[31m";
    let mut session = Session::new(&history, "s\"><b>1", &format!("/home/ana/{name}"), 2);
    for at in 0..20 {
        let answer = if at == 0 { "" } else { "Nothing to see." };
        session.call(&Agent::new(&format!("a{at}"), name, answer));
    }
    fs::create_dir_all(&history).expect("a folder");
    fs::write(history.join("s.jsonl"), session.text()).expect("a file");
    let page = page(&world, &history, "");
    assert!(!page.contains("<script") && !page.contains("<b>"), "{page}");
    let is_clean = |it: char| it == '\n' || !it.is_control() && it != '\u{202e}';
    assert!(page.chars().all(is_clean));
    // Every tag that is opened is closed, so nothing of a name has become one.
    let xml = XmlDocument::read(page.strip_prefix("<!DOCTYPE html>\n").expect("a page"));
    let names: BTreeSet<_> = xml.elements.iter().map(|it| &*it.name).collect();
    let own = "body code details div h1 h2 head html li main meta p style summary table tbody td th \
               thead title tr ul";
    assert_eq!(names, own.split_whitespace().collect());
    assert!(xml.text.contains("script>"), "{}", xml.text);
}
