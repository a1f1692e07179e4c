//! `--html`: one page that loads nothing, runs nothing, and shows hostile names as text.

use std::collections::BTreeSet;
use std::fs;

use super::made::{Agent, Session};
use super::{audit, report};
use crate::common::xml::XmlDocument;
use crate::common::{World, fixtures, stderr};

/// The page of a history.
fn page(world: &World, folder: &std::path::Path, options: &str) -> String {
    report(world, folder, &format!("--html page.html {options}"));
    fs::read_to_string(world.path("page.html")).expect("a page")
}

#[test]
fn a_page_loads_nothing_and_runs_nothing() {
    let world = World::new();
    let page = page(&world, &fixtures().join("transcripts"), "--by model");
    assert!(
        page.contains("content=\"default-src 'none'; style-src 'unsafe-inline';"),
        "{page}"
    );
    for loads in [
        "<script", "src=", "href=", "@import", "http:", "https:", " on", "<iframe", "<link",
    ] {
        let found = page
            .match_indices(loads)
            .map(|(at, _)| &page[at..(at + 20).min(page.len())]);
        let found: Vec<_> = found
            .filter(|it| loads != " on" || it.contains('='))
            .collect();
        assert_eq!(found, [""; 0], "{loads}");
    }
    let addresses = page.matches("url(").count();
    assert_eq!(
        addresses,
        page.matches("url(#").count(),
        "only patterns of the page itself"
    );
}

#[test]
fn a_page_has_each_part_of_the_report() {
    let world = World::new();
    let folder = fixtures().join("transcripts");
    let page = page(&world, &folder, "");
    let text = report(&world, &folder, "");
    let titles: Vec<_> = text
        .lines()
        .filter(|line| page.contains(&format!("<h2>{line}</h2>")))
        .collect();
    assert_eq!(titles.len(), page.matches("<h2>").count() - 1, "{titles:?}");
    assert!(page.contains("<h2>Method and limits</h2>"));
    // A part of a bar is told by its pattern and by its label, not by colour alone.
    assert!(
        page.contains(
            "aria-label=\"all 8, each &lt; 20: returned 74.2 %, lost 19.4 %, no end recorded 6.5 %"
        ),
        "{page}"
    );
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
    for by in ["agent", "project"] {
        let page = page(&world, &history, &format!("--by {by}"));
        assert!(!page.contains("<script") && !page.contains("<b>"), "{page}");
        let is_clean = |it: char| it == '\n' || !it.is_control() && it != '\u{202e}';
        assert!(page.chars().all(is_clean));
        // Every tag that is opened is closed, so nothing of a name has become one.
        let xml = XmlDocument::read(page.strip_prefix("<!DOCTYPE html>\n").expect("a page"));
        let names: BTreeSet<_> = xml.elements.iter().map(|it| &*it.name).collect();
        let own = "body circle dd defs div dl dt h1 h2 head html li main meta p path pattern rect small \
                   span style svg table tbody td th thead title tr ul";
        assert_eq!(names, own.split_whitespace().collect());
        assert!(xml.text.contains("script>"), "{}", xml.text);
    }
}

#[test]
fn the_page_needs_a_file_of_its_own() {
    let world = World::new();
    let folder = fixtures().join("transcripts");
    let output = audit(&world, &[&folder], "--html same.html --output ./same.html");
    assert_eq!(output.status.code(), Some(2));
    let error = stderr(&output);
    assert!(
        error.contains("--output and --html both name ./same.html"),
        "{error}"
    );
}
