//! Tests of the whole table of rules.

mod artifacts;
mod fixtures;
mod help;

use std::collections::HashSet;

use super::*;

#[test]
fn ids_are_unique_kebab_case_and_in_step_order() {
    let ids: HashSet<_> = RULES.iter().map(|rule| rule.id).collect();
    assert_eq!(ids.len(), RULES.len());
    assert!(
        ids.iter().all(|id| { id.bytes().all(|byte| byte == b'-' || byte.is_ascii_lowercase()) })
    );
    for pair in RULES.windows(2) {
        let [one, next] = [pair[0], pair[1]];
        let is_in_order = one.step <= next.step;
        assert!(is_in_order, "RULES lists {} of an earlier step after {}", next.id, one.id);
    }
}

#[test]
fn rule_titles_have_words_in_capitals_for_placeholders() {
    let rule = Rule::named("artifact-not-relative").expect("a rule");
    assert_eq!(rule.title(), "Artifact path is WHAT: PATH");
    assert_eq!(
        rule.recommendation(),
        "Fix the subagent to write the path relative to the project root: RELATIVE"
    );
    let rule = Rule::named("artifact-empty").expect("a rule");
    assert_eq!(rule.recommendation(), "Verify the subagent writes content to artifacts");
}

#[test]
fn rules_that_all_others_depend_on_cannot_be_lowered() {
    let root = crate::Root::open(env!("CARGO_MANIFEST_DIR")).expect("a folder");
    let mut stay = Vec::new();
    for rule in RULES {
        let checker = crate::Checker::new(&crate::profile::RETURN, &root);
        if checker.rule(rule, Level::Off).level(rule) != Level::Off {
            stay.push(rule.id);
        }
    }
    let expected = [
        "json-syntax",
        "json-object",
        "json-limit",
        "return-encoding",
        "part-missing",
        "part-ambiguous",
        "part-not-last",
        "yaml-syntax",
        "yaml-duplicate-key",
    ];
    assert_eq!(stay, expected);
}

#[test]
fn levels_and_steps_have_their_names() {
    for level in Level::ALL {
        assert_eq!(level.as_str().parse(), Ok(level));
    }
    let steps: Vec<_> =
        Step::ALL.iter().map(|step| format!("{} {}", step.number(), step.title())).collect();
    let expected = [
        "1 Valid JSON",
        "2 Required fields",
        "3 Status",
        "4 Session ID",
        "5 Summary length",
        "6 Artifacts",
    ];
    assert_eq!(steps, expected);
}

/// The verbs that advice begins with. A new one is added here if it is a verb.
const VERBS: [&str; 24] = [
    "Add",
    "Address",
    "Change",
    "Count",
    "Create",
    "Describe",
    "Commit",
    "Do",
    "End",
    "Fill",
    "Finish",
    "Include",
    "Keep",
    "List",
    "Measure",
    "Open",
    "Remove",
    "Name",
    "Return",
    "Run",
    "Say",
    "Summarize",
    "Use",
    "Write",
];

/// What only somebody else is told about the agent.
const ABOUT_AGENT: [&str; 9] = [
    "subagent",
    "the agent",
    " it wrote",
    " it returns",
    " its ",
    "itself",
    " and to ",
    " or to ",
    " not to ",
];

#[test]
fn advice_to_the_agent_begins_with_a_verb() {
    for rule in RULES {
        let advice = rule.advice;
        let verb = advice.split(' ').next().unwrap_or_default();
        assert!(VERBS.contains(&verb), "{}: {advice}", rule.id);
    }
}

#[test]
fn an_agent_is_told_nothing_about_itself_in_the_third_person() {
    for rule in RULES {
        let advice = rule.advice;
        let about = ABOUT_AGENT.iter().find(|about| advice.contains(*about));
        assert!(about.is_none(), "{}: {advice}", rule.id);
    }
}

#[test]
fn a_rule_stands_in_front_of_its_check() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/check/rules");
    let mut found = 0;
    let is_of_rules = |entry: &walkdir::DirEntry| entry.file_name() != "tests";
    let entries = walkdir::WalkDir::new(folder).into_iter();
    for entry in entries.filter_entry(is_of_rules).flatten() {
        let Ok(text) = std::fs::read_to_string(entry.path()) else {
            continue;
        };
        for (at, _) in text.match_indices(": Rule =") {
            let (head, after) = text.split_at(at);
            let name = head.rsplit(' ').next().unwrap_or_default();
            let is_checked = after.contains(&format!("&{name}"));
            assert!(is_checked, "{name} in {:?}", entry.path());
            found += 1;
        }
    }
    assert_eq!(found, RULES.len());
}

#[test]
fn every_rule_applies_somewhere_and_says_why() {
    for rule in RULES {
        let mut profiles = crate::profile::PROFILES.iter();
        assert!(
            rule.source() == "The profile itself" || profiles.any(|profile| profile.has_rule(rule)),
            "{}",
            rule.id
        );
        let (title, recommendation) = (rule.title(), rule.recommendation());
        for text in [&title, &recommendation, rule.explanation(), rule.source()] {
            assert!(!text.is_empty(), "{}", rule.id);
        }
    }
}

#[test]
fn a_document_requires_only_what_a_rule_of_its_profile_warns_of() {
    for rule in RULES {
        for section in rule.source().split("; ").filter(|it| it.contains("(required)")) {
            let document = section.split(',').next().unwrap_or_default();
            let warns = crate::profile::PROFILES.iter().any(|profile| {
                rule.is_required_by(document)
                    && profile.sources.split(", ").any(|it| it == document)
                    && profile.applicable_level(rule) == Some(Level::Warning)
            });
            assert!(warns, "{}: {section}", rule.id);
        }
    }
}
