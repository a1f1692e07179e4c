//! The tables that name formats, profiles, sources and dependencies are complete.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use retval::{Format, PROFILES, RULES};

use crate::{CONTRIBUTING, MANUAL, README, page, read, retval, text};

/// The pages in reading order, with their titles.
pub(crate) fn pages() -> String {
    let mut table = "| page | content |\n|---|---|\n".to_owned();
    let help = text(retval(&["help"]).stdout);
    let (_, list) = help.split_once("Manual pages").expect("a list");
    for line in list.lines().skip(1) {
        let (name, title) = line.trim().split_once("  ").expect("two columns");
        let _ = writeln!(table, "| [{name}]({MANUAL}/{name}.md) | {} |", title.trim());
    }
    table
}

/// What stands in the first column of a table, without the signs of code.
fn first_column(document: &str, head: &str) -> Vec<String> {
    let (_, table) = document.split_once(head).expect("a table");
    let rows = table.lines().skip(2).map_while(|row| row.strip_prefix("| "));
    let cells = rows.filter_map(|row| Some(row.split_once(" |")?.0.to_owned()));
    cells.collect()
}

#[test]
fn every_format_is_described() {
    let described = first_column(&page("formats"), "| `--format` |");
    let names = described.iter().map(|cell| cell.split('`').nth(1));
    let names: Vec<_> = names.map(|name| name.expect("a name")).collect();
    assert_eq!(names, Format::ALL.map(Format::as_str));
    for name in names {
        assert!(read(README).contains(&format!("`{name}`")), "{name}");
    }
}

#[test]
fn every_profile_is_named_in_the_readme() {
    let named = first_column(&read(README), "| profile |");
    assert_eq!(named, PROFILES.map(|profile| format!("`{}`", profile.id)));
}

#[test]
fn every_key_of_a_profile_is_described() {
    let schema = text(retval(&["schema", "--target", "config"]).stdout);
    let schema: serde_json::Value = serde_json::from_str(&schema).expect("JSON");
    let both = &schema["properties"]["profiles"]["additionalProperties"]["anyOf"];
    let page = page("profiles");
    let mut found = 0;
    for profile in [&both[0], &both[1]] {
        let all = &profile["properties"];
        let agent = &all["agents"]["additionalProperties"]["properties"];
        let inner = [agent, &all["limits"]["properties"], &all["at"]["properties"]];
        let keys = inner.into_iter().chain([all]);
        for (key, _) in keys.filter_map(|it| it.as_object()).flatten() {
            found += 1;
            let is_named = ["`", "`at."].map(|start| format!("{start}{key}"));
            assert!(is_named.iter().any(|it| page.contains(it)), "{key}");
        }
    }
    assert!(found > 60, "{found}");
}

/// The document of a source such as `Subagent return format 1.0, summary`.
fn document(source: &'static str) -> &'static str {
    source.split_once(", ").map_or(source, |(name, _)| name)
}

#[test]
fn every_source_has_its_title() {
    let titles = first_column(&page("conformance"), "| short name |");
    let of_rules = RULES.iter().flat_map(|rule| rule.source().split("; "));
    let of_profiles = PROFILES.iter().flat_map(|profile| profile.sources.split(", "));
    let named: BTreeSet<_> = of_rules.chain(of_profiles).map(document).collect();
    assert_eq!(named, titles.iter().map(String::as_str).collect());
}

#[test]
fn every_dependency_has_its_reason() {
    let page = read(CONTRIBUTING);
    let (_, reasons) = page.split_once("## Dependencies").expect("a section");
    let mut in_dependencies = false;
    for line in read("Cargo.toml").lines() {
        if line.starts_with('[') {
            in_dependencies = line.contains("dependencies]");
        } else if let (true, Some((name, _))) = (in_dependencies, line.split_once(" = ")) {
            assert!(reasons.contains(name), "{name} has no reason");
        }
    }
}

#[test]
fn every_reason_names_a_dependency() {
    let manifest = read("Cargo.toml");
    for crates in first_column(&read(CONTRIBUTING), "| crate |") {
        for name in crates.split(", ") {
            assert!(manifest.contains(&format!("\n{name} = ")), "{name}");
        }
    }
}
