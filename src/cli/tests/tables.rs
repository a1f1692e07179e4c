//! The tables of the README and the manual that are made from the library are current.
//!
//! `UPDATE=1 cargo test --lib tables` writes them again. Read the diff afterwards.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::check::rules::{RULES, Rule, Step};
use crate::config::SETTINGS;
use crate::profile::{Action, HANDOFF, Meaning, Need, PROFILES, Profile};

/// What is generated, by the name in its marks.
fn tables() -> Vec<(&'static str, String)> {
    vec![
        ("profiles", profiles()),
        ("agents", agents()),
        ("members", members()),
        ("chain", chain()),
        ("actions", actions()),
        ("rules", rules()),
        ("settings", settings()),
    ]
}

/// The README and the pages of the manual.
fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = fs::read_dir(root.join("src/manual")).expect("the manual");
    let pages = pages.map(|page| page.expect("a page").path());
    pages.chain([root.join("README.md")]).collect()
}

#[test]
fn tables_in_documents_are_those_of_the_library() {
    let tables = tables();
    let mut held = Vec::new();
    for document in documents() {
        let found = fs::read_to_string(&document).expect("a document");
        let mut expected = found.clone();
        for (name, table) in &tables {
            let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
            let parts = expected
                .split_once(&open)
                .and_then(|(before, rest)| Some((before, rest.split_once(&close)?.1)));
            if let Some((before, after)) = parts {
                expected = format!("{before}{open}\n{table}\n{close}{after}");
                held.push(*name);
            }
        }
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&document, expected).expect("a document");
            continue;
        }
        let name = document.display();
        for (number, (found, expected)) in found.lines().zip(expected.lines()).enumerate() {
            assert_eq!(found, expected, "{name}:{}", number + 1);
        }
        assert_eq!(found, expected, "{name}");
    }
    // Each stands in one document.
    let mut names: Vec<_> = tables.iter().map(|(name, _)| *name).collect();
    held.sort_unstable();
    names.sort_unstable();
    assert_eq!(held, names);
}

fn rules_in(step: Step) -> impl Iterator<Item = &'static Rule> {
    RULES.into_iter().filter(move |rule| rule.step == step)
}

/// Each rule with its default level and the first sentence of its explanation.
fn rules() -> String {
    let texts = Step::ALL.map(|step| {
        let (number, title) = (step.number(), step.title());
        let head = "| rule | level | meaning |\n|---|---|---|\n";
        rules_in(step).fold(format!("## Step {number}: {title}\n\n{head}"), |text, rule| {
            let explanation = rule.explanation();
            let end = explanation.find(". ").map_or(explanation.len(), |at| at + 1);
            let (id, level, meaning) = (rule.id, rule.level.as_str(), &explanation[..end]);
            text + &format!("| `{id}` | {level} | {meaning} |\n")
        })
    });
    texts.join("\n")
}

fn profiles() -> String {
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
    let chosen =
        profile.statuses.iter().filter(|status| (status.meaning == Meaning::Success) == success);
    let words: Vec<_> = chosen.map(|status| format!("`{}`", status.word)).collect();
    if words.is_empty() {
        return "the agent's".to_owned();
    }
    words.join(" ")
}

fn settings() -> String {
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

/// The status words of each agent, and what follows them: the agent that continues, or else an action.
fn agents() -> String {
    let mut table = "| agent | success | other statuses |\n|---|---|---|\n".to_owned();
    for agent in HANDOFF.agents.iter() {
        let words = |success: bool| {
            let all = agent.statuses.iter();
            let chosen = all.filter(|it| (it.meaning == Meaning::Success) == success);
            let words = chosen.map(|status| {
                let next = match status.next.first() {
                    Some(agent) => agent.clone().into_owned(),
                    None => format!("*{}*", status.action().as_str()),
                };
                format!("`{}` → {next}", status.word)
            });
            words.collect::<Vec<_>>().join("; ")
        };
        let _ = writeln!(table, "| {} | {} | {} |", agent.name, words(true), words(false));
    }
    table
}

/// The members that only the handoffs of some agents have.
fn members() -> String {
    let mut rows: Vec<(String, String)> = Vec::new();
    for agent in HANDOFF.agents.iter() {
        let members = |need| {
            let fields = HANDOFF.fields.iter();
            let own = fields.filter(|it| it.need == need && it.agents.contains(&agent.name));
            let names: Vec<_> = own.map(|field| format!("`{}`", field.path)).collect();
            names.join(" ")
        };
        let own = format!("{} | {}", members(Need::Recommended), members(Need::Optional));
        match rows.iter_mut().find(|(_, known)| *known == own) {
            Some((agents, _)) => agents.extend([", ", &*agent.name]),
            None if own == " | " => {}
            None => rows.push((agent.name.clone().into_owned(), own)),
        }
    }
    let mut table = "| agents | should have | may have |\n|---|---|---|\n".to_owned();
    for (agents, own) in rows {
        let _ = writeln!(table, "| {agents} | {own} |");
    }
    table
}

/// The statuses before each action, in the profiles without agents.
fn actions() -> String {
    let profiles = PROFILES.into_iter().filter(|profile| profile.agents.is_empty());
    let words = |profile: &Profile, action| {
        let statuses = profile.statuses_of(None);
        let words = statuses.filter(|status| status.action() == action);
        let words: Vec<_> = words.map(|status| format!("`{}`", status.word)).collect();
        words.join(" ")
    };
    let has_words = |action: &Action| profiles.clone().any(|it| !words(it, *action).is_empty());
    let actions: Vec<_> = Action::ALL.into_iter().filter(has_words).collect();
    let heads: Vec<_> = actions.iter().map(|action| format!("`{}`", action.as_str())).collect();
    let (heads, rulers) = (heads.join(" | "), "---|".repeat(actions.len()));
    let mut table = format!("| profile | {heads} |\n|---|{rulers}\n");
    for profile in profiles.clone() {
        let cells: Vec<_> = actions.iter().map(|action| words(profile, *action)).collect();
        let _ = writeln!(table, "| `{}` | {} |", profile.id, cells.join(" | "));
    }
    table
}

/// What each agent reads.
fn chain() -> String {
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
