//! The tables that are generated from the library are current.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use retval::internal::config::SETTINGS;
use retval::internal::format::Format;
use retval::profile::{Action, HANDOFF, Meaning, Need, PROFILES, Profile};
use retval::rules::{RULES, Rule, Step};

use crate::{CONTRIBUTING, MANUAL, README, page, page_names, read, retval, text, whole_of};

/// The ids of the rules of each step, with links to their descriptions.
pub(crate) fn rules() -> String {
    let mut text = "| step | rules |\n|---|---|\n".to_owned();
    for step in Step::ALL {
        let (number, title) = (step.number(), step.title());
        let anchor = title.to_lowercase().replace(' ', "-");
        let ids: Vec<_> = rules_in(step)
            .map(|rule| format!("`{}`", rule.id))
            .collect();
        let link = format!("[{number}: {title}](#step-{number}-{anchor})");
        let _ = writeln!(text, "| {link} | {} |", ids.join(" "));
    }
    text
}

fn rules_in(step: Step) -> impl Iterator<Item = &'static Rule> {
    RULES.into_iter().filter(move |rule| rule.step == step)
}

/// What the rules mean, and who asks for them.
pub(crate) fn rules_of_steps() -> String {
    let texts = Step::ALL.map(|step| {
        let (number, title) = (step.number(), step.title());
        let head = "| rule | level | meaning and source |\n|---|---|---|\n";
        rules_in(step).fold(
            format!("## Step {number}: {title}\n\n{head}"),
            |text, rule| {
                let (id, level, source) = (rule.id, rule.level.as_str(), rule.source);
                let (meaning, profiles) = (rule.explanation, profiles_of(rule));
                text + &format!(
                    "| `{id}` | {level} | {meaning} *Source: {source}. {profiles}.* |\n"
                )
            },
        )
    });
    texts.join("\n")
}

/// The profiles that have a rule.
fn profiles_of(rule: &Rule) -> String {
    let having = PROFILES
        .into_iter()
        .filter(|profile| profile.has_rule(rule));
    let names: Vec<_> = having.map(|profile| format!("`{}`", profile.id)).collect();
    match names.len() {
        count if count == PROFILES.len() => "All profiles".to_owned(),
        0 => "Standards of your own".to_owned(),
        1 => format!("Profile: {}", names[0]),
        _ => format!("Profiles: {}", names.join(", ")),
    }
}

pub(crate) fn profiles() -> String {
    let columns = "profile | document | source | success: artifacts must exist | other statuses";
    let mut table = format!("| {columns} |\n|---|---|---|---|---|\n");
    for profile in PROFILES {
        let _ = writeln!(
            table,
            "| `{}` | {} | {} | {} | {} |",
            profile.id,
            profile.document,
            profile.sources,
            statuses(profile, true),
            statuses(profile, false)
        );
    }
    table
}

fn statuses(profile: &Profile, success: bool) -> String {
    let chosen = profile
        .statuses
        .iter()
        .filter(|status| (status.meaning == Meaning::Success) == success);
    let words: Vec<_> = chosen.map(|status| format!("`{}`", status.word)).collect();
    if words.is_empty() {
        return "the agent's".to_owned();
    }
    words.join(" ")
}

pub(crate) fn settings() -> String {
    let mut table = "| setting | environment | default | meaning |\n|---|---|---|---|\n".to_owned();
    let code = |text: &str| match text {
        "" => String::new(),
        text => format!("`{text}`"),
    };
    for setting in &SETTINGS {
        let _ = writeln!(
            table,
            "| `{}` | {} | {} | {} |",
            setting.name,
            code(setting.variable.unwrap_or_default()),
            code(setting.default),
            setting.about
        );
    }
    table
}

/// The status words of each agent, and what follows them.
pub(crate) fn agents() -> String {
    let mut table = "| agent | status | next | who continues |\n|---|---|---|---|\n".to_owned();
    for agent in HANDOFF.agents.iter() {
        for status in agent.statuses.iter() {
            let word = match status.meaning {
                Meaning::Success => format!("**`{}`**", status.word),
                _ => format!("`{}`", status.word),
            };
            let next = match status.action() {
                Action::Resume | Action::Retry => "the same agent".to_owned(),
                Action::Open => "open: the protocol does not say".to_owned(),
                Action::End => "nobody: the work is complete".to_owned(),
                _ => status.next.join(" or "),
            };
            let (agent, action) = (&agent.name, status.action().as_str());
            let _ = writeln!(table, "| {agent} | {word} | `{action}` | {next} |");
        }
    }
    table
}

/// The members that only the handoffs of some agents have.
pub(crate) fn members() -> String {
    let mut table = "| agent | should have | may have |\n|---|---|---|\n".to_owned();
    for agent in HANDOFF.agents.iter() {
        let members = |need| {
            let fields = HANDOFF.fields.iter();
            let own = fields.filter(|it| it.need == need && it.agents.contains(&agent.name));
            let names: Vec<_> = own.map(|field| format!("`{}`", field.path)).collect();
            names.join(" ")
        };
        let (asked, allowed) = (members(Need::Recommended), members(Need::Optional));
        if !(asked.is_empty() && allowed.is_empty()) {
            let _ = writeln!(table, "| {} | {asked} | {allowed} |", agent.name);
        }
    }
    table
}

pub(crate) fn actions() -> String {
    let mut table = "| profile | next | after |\n|---|---|---|\n".to_owned();
    let profiles = PROFILES
        .into_iter()
        .filter(|profile| profile.agents.is_empty());
    for profile in profiles {
        let name = &profile.id;
        for action in Action::ALL {
            let statuses = profile.statuses_of(None);
            let mut words: Vec<String> = Vec::new();
            for status in statuses.filter(|status| status.action() == action) {
                let word = format!("`{}`", status.word);
                if !words.contains(&word) {
                    words.push(word);
                }
            }
            if !words.is_empty() {
                let _ = writeln!(
                    table,
                    "| `{name}` | `{}` | {} |",
                    action.as_str(),
                    words.join(" ")
                );
            }
        }
    }
    table
}

/// What each agent reads.
pub(crate) fn chain() -> String {
    let mut table = "| agent | reads the handoff of |\n|---|---|\n".to_owned();
    for agent in HANDOFF.agents.iter() {
        let reads = [&agent.reads_from, &agent.reads_otherwise].map(|agents| agents.join(" or "));
        let reads = reads.join("; if there is none, ");
        let reads = reads.trim_end_matches("; if there is none, ");
        if !reads.is_empty() {
            let _ = writeln!(table, "| {} | {reads} |", agent.name);
        }
    }
    table
}

/// The pages in reading order, with their titles. A part of a page has no row.
pub(crate) fn pages() -> String {
    let mut table = "| page | content |\n|---|---|\n".to_owned();
    let names = page_names();
    let help = text(retval(&["help"]).stdout);
    let (_, list) = help.split_once("Manual pages").expect("a list");
    for line in list.lines().skip(1) {
        let (name, title) = line.trim().split_once("  ").expect("two columns");
        if whole_of(name, &names).is_some() {
            continue;
        }
        let _ = writeln!(table, "| [{name}]({MANUAL}/{name}.md) | {} |", title.trim());
    }
    table
}

/// What stands in the first column of a table, without the signs of code.
fn first_column(document: &str, head: &str) -> Vec<String> {
    let (_, table) = document.split_once(head).expect("a table");
    let rows = table
        .lines()
        .skip(2)
        .map_while(|row| row.strip_prefix("| "));
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

/// The document of a source such as `Subagent return format 1.0, summary`.
fn document(source: &'static str) -> &'static str {
    source.split_once(", ").map_or(source, |(name, _)| name)
}

#[test]
fn every_source_has_its_title() {
    let titles = first_column(&page("conformance"), "| short name |");
    let of_rules = RULES.iter().flat_map(|rule| rule.source.split("; "));
    let of_profiles = PROFILES
        .iter()
        .flat_map(|profile| profile.sources.split(", "));
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
