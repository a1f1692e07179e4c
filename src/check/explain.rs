//! Explanations of rules, and examples that break and keep them. Their texts are in `rules.md`, which says
//! how it is written.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

use serde::Serialize;

use crate::check::rules::{Level, RULES, Rule, Step};
use crate::document::json::read;
use crate::document::tree::Tree;
use crate::profile::{PROFILES, Profile};

const TEXTS: &str = include_str!("rules.md");

/// Before each section of a rule.
const HEADING: &str = "\n## ";

/// Before and behind each example and each profile.
const FENCE: &str = "~~~";

/// What ends the section of a document that requires what the rule checks.
const REQUIRED: &str = " (required)";

/// The source of the rules that only profiles of one's own have.
const OF_OWN_PROFILE: &str = "The profile itself";

static SECTIONS: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let sections = TEXTS.split(HEADING).skip(1);
    let sections = sections.filter_map(|section| section.split_once("\n\n"));
    sections.collect()
});

impl Rule {
    /// What it means and why it matters.
    #[must_use]
    pub fn explanation(&self) -> &'static str {
        let about = self.section().0;
        let meaning = about.split_once("\n\n");
        meaning.map_or(about, |(meaning, _)| meaning)
    }

    /// The documents that ask for it, each with the section, separated by semicolons. `(required)` at the end
    /// of a section says that the document requires it, where the rule is a warning.
    #[must_use]
    pub fn source(&self) -> &'static str {
        let source = self.section().0.split_once("\n\nSource: ");
        source.map_or(OF_OWN_PROFILE, |(_, source)| source.trim_end_matches('.'))
    }

    /// Whether one of these documents requires it. They are separated by commas.
    pub(crate) fn is_required_by(&self, documents: &str) -> bool {
        let requires = |part: &str| {
            let document = part.strip_suffix(REQUIRED)?.split(',').next()?;
            documents.split(", ").find(|it| *it == document)
        };
        let mut parts = self.source().split("; ");
        parts.any(|part| requires(part).is_some())
    }

    pub(crate) fn examples(&self) -> [Example; 2] {
        let mut parts = self.section().1.split(FENCE);
        let kind = parts.next().unwrap_or_default().trim_end();
        let mut blocks = parts.step_by(2);
        [(); 2].map(|()| Example::new(kind, blocks.next().unwrap_or_default()))
    }

    fn section(&self) -> (&'static str, &'static str) {
        let section = SECTIONS.get(self.id).copied().unwrap_or_default();
        section.split_once("\n\nExamples: ").unwrap_or_default()
    }
}

/// A complete return that is an example of a rule, and how it is checked.
#[derive(Debug, Serialize)]
pub(crate) struct Example {
    pub profile: &'static str,
    /// The configuration with the profile, if it is a standard of one's own.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub config: &'static str,
    /// Variables, other options and the path of the return, as in a shell.
    pub options: &'static str,
    /// The return. `{root}` is a placeholder for the path of the root.
    pub text: String,
    /// What a page shows of it: all, or only the members that matter.
    #[serde(skip)]
    shown: String,
}

impl Example {
    fn new(kind: &'static str, block: &'static str) -> Self {
        let (head, text) = block.split_once('\n').unwrap_or_default();
        let (_, options) = head.split_once(' ').unwrap_or_default();
        let shown = text.strip_suffix('\n').unwrap_or(text).replace('␀', "\0");
        let (profile, config, text) = match kind.rsplit_once(' ') {
            Some(("members of", profile)) => (profile, "", completed(profile, &shown)),
            Some((profile, name)) => (profile, config(name), shown.clone()),
            None => (kind, "", shown.clone()),
        };
        Self { profile, config, options, text, shown }
    }

    fn command_line(&self) -> String {
        let is_variable = |word: &&str| word.starts_with("RETVAL_");
        let words = self.options.split_whitespace();
        let (mut command, options): (Vec<_>, Vec<_>) = words.partition(is_variable);
        command.extend(["retval", "check"]);
        if self.profile != PROFILES[0].id {
            command.extend(["--profile", self.profile]);
        }
        command.extend(options);
        command.join(" ")
    }
}

fn config(name: &str) -> &'static str {
    let head = format!("toml {name}\n");
    let config = TEXTS.split(FENCE).find_map(|it| it.strip_prefix(&*head));
    config.unwrap_or_default()
}

/// A valid return with these members. Its artifacts exist in the project of the fixtures.
fn completed(profile: &str, own: &str) -> String {
    let valid = match profile {
        "return-v1" => include_str!("../../fixtures/profiles/return-v1/task-executor.json"),
        "return-meta" => include_str!(concat!(
            "../../fixtures/profiles/return-meta/implemented/specs/",
            "12_tide_tables/.return-meta.json"
        )),
        "handoff" => include_str!("../../fixtures/profiles/handoff/handoff_developer.json"),
        _ => include_str!("../../fixtures/profiles/return/completed-plan.json"),
    };
    let own = format!("{{{own}}}");
    let trees = [&own, valid].map(|text| (text, read(text).unwrap_or_else(|_| Tree::null())));
    let [(_, own_tree), _] = &trees;
    let mut members = Vec::new();
    for (text, tree) in &trees {
        for it in tree.root().members() {
            let (key, at) = (it.key(), it.span_around());
            if std::ptr::eq(tree, own_tree) || own_tree.root().member(key).is_none() {
                members.push(format!("\"{key}\": {}", &text[at.start..at.end]));
            }
        }
    }
    format!("{{{}}}", members.join(", "))
}

/// The page about a rule. `width` is the longest line of prose, in characters.
pub(crate) fn page(rule: &Rule, width: usize) -> String {
    let mut page = filled(width, "", &format!("{}: {}", rule.id, rule.title())) + "\n";
    page += &filled(width, "", rule.explanation());
    let (number, title) = (rule.step.number(), rule.step.title());
    let _ = writeln!(page, "\nStep:       {number} ({title})");
    page += &filled(width, "Source:     ", rule.source());
    page += &filled(width, "To fix:     ", &rule.recommendation());
    for (title, level) in [
        ("Error in:   ", Level::Error),
        ("Warning in: ", Level::Warning),
        ("Off in:     ", Level::Off),
    ] {
        let having = |profile: &&&Profile| profile.applicable_level(rule) == Some(level);
        let names: Vec<_> = PROFILES.iter().filter(having).map(|it| &*it.id).collect();
        if !names.is_empty() {
            let _ = writeln!(page, "{title}{}", names.join(", "));
        }
    }
    if rule.source() == OF_OWN_PROFILE {
        let _ = writeln!(page, "In a profile of your own: {}", rule.level.as_str());
    }
    if rule.is_indispensable() {
        page += "Level:      always an error, no other rule can be checked without it\n";
    } else {
        let (id, is_error) = (rule.id, rule.level == Level::Error);
        let other = if is_error { "warning" } else { "error" };
        let change = format!("--rule {id}=off or ={other}, or in retval.toml:");
        page += &filled(width, "To change:  ", &change);
        page += &indented(&format!("[rules]\n{id} = \"off\""));
    }
    let [fails, passes] = rule.examples();
    if !fails.config.is_empty() {
        page += "\nThe profile of the examples (retval.toml):\n";
        page += &indented(fails.config);
    }
    for (title, example) in [("Failing", fails), ("Passing", passes)] {
        let command = example.command_line();
        // What the example is about may be its place alone.
        if example.shown.is_empty() {
            let _ = writeln!(page, "\n{title} example: {command}");
        } else {
            let _ = writeln!(page, "\n{title} example ({command}):");
            page += &indented(&example.shown);
        }
    }
    page
}

/// The pseudo rule for a source that could not be read. Reports show its id where the id of a rule would be.
pub(crate) struct NotChecked;

impl NotChecked {
    pub(crate) const ID: &str = "not-checked";
    pub(crate) const TITLE: &str = "Not checked";
    pub(crate) const MEANING: &str = "The source could not be read, so no rule was checked.";
    pub(crate) const ADVICE: &str =
        "A source that cannot be read does not pass. Check that the file exists and is readable.";
}

fn indented(text: &str) -> String {
    text.lines().fold(String::new(), |text, line| text + "    " + line + "\n")
}

/// Prose after a label, wrapped between words. Lines after the first are as far to the right.
fn filled(width: usize, label: &str, text: &str) -> String {
    let start = label.len();
    let (mut out, mut column) = (label.to_owned(), start);
    for word in text.split(' ') {
        let length = word.chars().count();
        if column > start && column + 1 + length > width {
            let _ = write!(out, "\n{:start$}", "");
            column = start;
        } else if column > start {
            out.push(' ');
            column += 1;
        }
        out += word;
        column += length;
    }
    out + "\n"
}

/// Every rule with its step and level, as a table.
pub(crate) fn overview() -> String {
    let width = RULES.iter().map(|rule| rule.id.len()).max().unwrap_or(0);
    let mut table = String::new();
    for step in Step::ALL {
        let _ = writeln!(table, "{}. {}", step.number(), step.title());
        for rule in RULES.iter().filter(|rule| rule.step == step) {
            let (id, level) = (rule.id, rule.level.as_str());
            let _ = writeln!(table, "   {id:width$}  {level:7}  {}", rule.title());
        }
    }
    table
        + "\nA profile can set another level. `retval explain RULE` shows the levels of each profile.\n"
}

/// A rule as data, for editors and documentation. The message and the help have their variable parts in capitals.
#[derive(Debug, Serialize)]
pub(crate) struct RuleRecord {
    pub rule: &'static str,
    pub step: Step,
    /// Its level in a profile that sets no other.
    pub level: Level,
    /// Its level in each profile that has it.
    pub levels: Vec<ProfileLevel>,
    pub message: String,
    pub help: String,
    pub explanation: &'static str,
    pub source: &'static str,
    pub fails: Example,
    pub passes: Example,
}

#[derive(Debug, Serialize)]
pub(crate) struct ProfileLevel {
    pub profile: &'static str,
    pub level: Level,
}

impl RuleRecord {
    pub(crate) fn of(rule: &Rule) -> Self {
        let level_in = |it: &&'static Profile| {
            let (profile, level) = (&*it.id, it.applicable_level(rule)?);
            Some(ProfileLevel { profile, level })
        };
        let [fails, passes] = rule.examples();
        Self {
            rule: rule.id,
            step: rule.step,
            level: rule.level,
            levels: PROFILES.iter().filter_map(level_in).collect(),
            message: rule.title(),
            help: rule.recommendation(),
            explanation: rule.explanation(),
            source: rule.source(),
            fails,
            passes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_has_one_section_in_the_order_of_the_table_and_nothing_else_has() {
        let sections = TEXTS.split(HEADING).skip(1);
        let ids: Vec<_> = sections.filter_map(|it| it.lines().next()).collect();
        assert_eq!(ids, RULES.map(|rule| rule.id));
    }

    #[test]
    fn a_section_has_an_example_that_fails_and_one_that_passes() {
        for rule in RULES {
            let (_, examples) = rule.section();
            assert!(!rule.explanation().contains('\n'), "{}", rule.id);
            let (examples, _) = examples.split_once("\n# ").unwrap_or((examples, ""));
            let blocks: Vec<_> = examples.split(FENCE).skip(1).step_by(2).collect();
            let sides: Vec<_> =
                (blocks.iter()).filter_map(|it| it.split([' ', '\n']).next()).collect();
            assert_eq!(sides, ["fails", "passes"], "{}", rule.id);
        }
    }

    #[test]
    fn every_profile_of_the_examples_is_used() {
        let named = TEXTS.split(FENCE).filter(|it| it.starts_with("toml "));
        for named in named {
            let (_, config) = named.split_once('\n').expect("a configuration");
            let mut rules = RULES.iter();
            assert!(rules.any(|rule| rule.examples()[0].config == config));
        }
    }
}
