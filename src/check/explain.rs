//! Explanations of rules, and examples that break and keep them. Their texts are in `rules.md`, which says
//! how it is written.

use std::collections::HashMap;
use std::fmt::{self, Display, Formatter};
use std::sync::LazyLock;

use serde::Serialize;

use crate::check::rules::{ARTIFACT_TYPE, ERROR_TYPE, Level, RULES, Rule, Step};
use crate::document::json::read;
use crate::profile::{PROFILES, Profile};

const TEXTS: &str = include_str!("rules.md");

/// Before each section of a rule.
const HEADING: &str = "\n## ";

/// Before and behind each example and each profile.
const FENCE: &str = "~~~";

/// The section of each rule, by its id.
static SECTIONS: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let sections = TEXTS.split(HEADING).skip(1);
    let sections = sections.filter_map(|section| section.split_once("\n\n"));
    sections.collect()
});

impl Rule {
    /// What it means and why it matters.
    #[must_use]
    pub fn explanation(&self) -> &'static str {
        self.section().0
    }

    /// A return that fails, and one that passes.
    pub(crate) fn examples(&self) -> [Example; 2] {
        let mut parts = self.section().1.split(FENCE);
        let kind = parts.next().unwrap_or_default().trim_end();
        let mut blocks = parts.step_by(2);
        [(); 2].map(|()| Example::new(kind, blocks.next().unwrap_or_default()))
    }

    /// Its explanation, and what stands below it.
    fn section(&self) -> (&'static str, &'static str) {
        let section = SECTIONS.get(self.id).copied().unwrap_or_default();
        section.split_once("\n\nExamples: ").unwrap_or_default()
    }
}

/// A complete return that is an example of a rule, and how it is checked.
#[derive(Debug, Serialize)]
pub(crate) struct Example {
    /// The profile that it is checked against.
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
        Self {
            profile,
            config,
            options,
            text,
            shown,
        }
    }
}

/// The configuration with this name.
fn config(name: &str) -> &'static str {
    let named = |block: &'static str| {
        let named = block.strip_prefix("toml ")?.strip_prefix(name)?;
        named.strip_prefix('\n')
    };
    TEXTS.split(FENCE).find_map(named).unwrap_or_default()
}

/// A valid return with these members. Its artifacts exist in the project of the fixtures.
fn completed(profile: &str, own: &str) -> String {
    let valid = match profile {
        "return-v1" => include_str!("../../fixtures/profiles/return-v1/task-executor.json"),
        "return-meta" => {
            include_str!(
                "../../fixtures/profiles/return-meta/implemented/specs/12_tide_tables/.return-meta.json"
            )
        }
        "handoff" => include_str!("../../fixtures/profiles/handoff/handoff_developer.json"),
        _ => include_str!("../../fixtures/profiles/return/completed-plan.json"),
    };
    let object = format!("{{{own}}}");
    let own = members(&object);
    let is_replaced = |key: &str| own.iter().any(|(name, _)| name == key);
    let rest = members(valid).into_iter();
    let rest = rest.filter(|(key, _)| !is_replaced(key));
    let members: Vec<_> = (own.iter().cloned())
        .chain(rest)
        .map(|(key, value)| format!("\"{key}\": {value}"))
        .collect();
    format!("{{{}}}", members.join(", "))
}

/// The members of an object, as they are written.
fn members(object: &str) -> Vec<(String, &str)> {
    let Ok(tree) = read(object) else {
        return Vec::new();
    };
    let members = tree.root().members().map(|it| {
        let at = it.place().unwrap_or_default();
        (it.key().to_owned(), &object[at.start..at.end])
    });
    members.collect()
}

/// One rule, displayed as a page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Explanation<'e> {
    /// The rule.
    pub rule: &'e Rule,
    /// The longest line of prose, in characters.
    pub width: usize,
}

impl Display for Explanation<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let Self { rule, width } = *self;
        filled(out, width, "", &format!("{}: {}", rule.id, rule.title()))?;
        writeln!(out)?;
        filled(out, width, "", rule.explanation())?;
        let step = rule.step;
        writeln!(out, "\nStep:       {} ({})", step.number(), step.title())?;
        filled(out, width, "Source:     ", rule.source)?;
        filled(out, width, "To fix:     ", &rule.recommendation())?;
        for (title, level) in [
            ("Error in:   ", Level::Error),
            ("Warning in: ", Level::Warning),
            ("Off in:     ", Level::Off),
        ] {
            let profiles = PROFILES
                .iter()
                .filter(|profile| profile.applicable_level(rule) == Some(level));
            let names: Vec<_> = profiles.map(|profile| &*profile.id).collect();
            if !names.is_empty() {
                writeln!(out, "{title}{}", names.join(", "))?;
            }
        }
        if rule.is_of_own_profiles() {
            let level = rule.level.as_str();
            writeln!(out, "In a standard of your own: {level}")?;
        }
        types(out, rule)?;
        levels(out, self.width, rule)?;
        let [fails, passes] = rule.examples();
        if !fails.config.is_empty() {
            writeln!(out, "\nThe profile of the examples (retval.toml):")?;
            indented(out, fails.config)?;
        }
        example(out, width, "Failing example", &fails)?;
        example(out, width, "Passing example", &passes)
    }
}

/// The pseudo rule for a source that could not be read, displayed as a page. Reports show its id where
/// the id of a rule would be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NotChecked {
    /// The longest line of prose, in characters.
    pub width: usize,
}

impl NotChecked {
    /// The id that reports show.
    pub(crate) const ID: &str = "not-checked";
    pub(crate) const TITLE: &str = "Not checked";
    pub(crate) const MEANING: &str = "The source could not be read, so no rule was checked.";
    pub(crate) const ADVICE: &str =
        "A source that cannot be read does not pass. Check that the file exists and is readable.";
}

impl Display for NotChecked {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        writeln!(out, "{}: {}\n", Self::ID, Self::TITLE)?;
        let meaning = format!("{} {}", Self::MEANING, Self::ADVICE);
        filled(out, self.width, "", &meaning)?;
        writeln!(out)?;
        filled(
            out,
            self.width,
            "",
            "This is no rule: it has no level and cannot be turned off. Reports show it where the \
             id of a rule stands. The exit code is 2.",
        )
    }
}

/// Before the lines of an example.
const INDENT: &str = "    ";

/// Writes the types that a rule about types allows, for each profile that lists some.
fn types(out: &mut Formatter<'_>, rule: &Rule) -> fmt::Result {
    let mut title = "Types:";
    for profile in &PROFILES {
        let allowed = match rule.id {
            id if id == ARTIFACT_TYPE.id => &profile.artifact_types,
            id if id == ERROR_TYPE.id => &profile.error_types,
            _ => return Ok(()),
        };
        if !allowed.is_empty() {
            writeln!(out, "{title:12}{} ({})", allowed.join(", "), profile.id)?;
            title = "";
        }
    }
    Ok(())
}

fn example(out: &mut Formatter<'_>, width: usize, title: &str, example: &Example) -> fmt::Result {
    let command = command_line(example);
    writeln!(out, "\n{title} ({command}):")?;
    let mut lines = example.shown.lines();
    lines.try_for_each(|line| {
        // A line of JSON stays JSON if it is broken after its commas.
        let is_json = line.starts_with(['"', '{', '[']);
        wrapped(out, width, INDENT, line.split(after_commas(is_json)))
    })
}

/// Whether a space stands after a comma between values. Takes one character of a line after the other.
fn after_commas(is_json: bool) -> impl FnMut(char) -> bool {
    let (mut is_text, mut last) = (false, ' ');
    move |character| {
        is_text ^= character == '"' && last != '\\';
        let is_between = character == ' ' && last == ',' && !is_text;
        last = character;
        is_json && is_between
    }
}

fn indented(out: &mut Formatter<'_>, text: &str) -> fmt::Result {
    let mut lines = text.lines();
    lines.try_for_each(|line| writeln!(out, "{INDENT}{line}"))
}

fn command_line(example: &Example) -> String {
    let is_variable = |word: &&str| word.starts_with("RETVAL_");
    let words = example.options.split_whitespace();
    let (variables, options): (Vec<_>, Vec<_>) = words.partition(is_variable);
    let profile = Some(["--profile", example.profile]).filter(|it| it[1] != PROFILES[0].id);
    let command = variables.into_iter().chain(["retval", "check"]);
    let words = command.chain(profile.into_iter().flatten()).chain(options);
    words.collect::<Vec<_>>().join(" ")
}

/// How to set another level.
fn levels(out: &mut Formatter<'_>, width: usize, rule: &Rule) -> fmt::Result {
    let id = rule.id;
    if rule.is_indispensable() {
        return writeln!(
            out,
            "Level:      always an error, no other rule can be checked without it"
        );
    }
    let other = if rule.level == Level::Error {
        Level::Warning
    } else {
        Level::Error
    };
    let other = other.as_str();
    let change = format!("--rule {id}=off or ={other}, or in retval.toml:");
    filled(out, width, "To change:  ", &change)?;
    indented(out, &format!("[rules]\n{id} = \"off\""))
}

/// Writes prose after a label, wrapped between words. Lines after the first are as far to the right.
fn filled(out: &mut Formatter<'_>, width: usize, label: &str, text: &str) -> fmt::Result {
    wrapped(out, width, label, text.split(' '))
}

fn wrapped<'w>(
    out: &mut Formatter<'_>,
    width: usize,
    label: &str,
    words: impl Iterator<Item = &'w str>,
) -> fmt::Result {
    write!(out, "{label}")?;
    let start = label.len();
    let mut column = start;
    for word in words {
        let length = word.chars().count();
        if column > start && column + 1 + length > width {
            write!(out, "\n{:start$}", "")?;
            column = start;
        } else if column > start {
            write!(out, " ")?;
            column += 1;
        }
        write!(out, "{word}")?;
        column += length;
    }
    writeln!(out)
}

/// Every rule with its step and level, displayed as a table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Overview;

impl Display for Overview {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let width = RULES.iter().map(|rule| rule.id.len()).max().unwrap_or(0);
        for step in Step::ALL {
            writeln!(out, "{}. {}", step.number(), step.title())?;
            for rule in RULES.iter().filter(|rule| rule.step == step) {
                let (id, level) = (rule.id, rule.level.as_str());
                writeln!(out, "   {id:width$}  {level:7}  {}", rule.title())?;
            }
        }
        writeln!(
            out,
            "\nA profile can set another level. `retval explain RULE` shows the levels of each profile."
        )
    }
}

/// A rule as data, for editors and documentation.
#[derive(Debug, Serialize)]
pub(crate) struct RuleRecord {
    /// Its id.
    pub rule: &'static str,
    /// Its step.
    pub step: Step,
    /// Its level in a profile that sets no other.
    pub level: Level,
    /// Its level in each profile that has it.
    pub levels: Vec<ProfileLevel>,
    /// The message of its findings, with variable parts in capitals.
    pub message: String,
    /// The recommendation of its findings.
    pub help: String,
    /// What it means and why it matters.
    pub explanation: &'static str,
    /// The documents, and their sections, that require it.
    pub source: &'static str,
    /// A return that fails.
    pub fails: Example,
    /// A return that passes.
    pub passes: Example,
}

/// The level of a rule in one profile.
#[derive(Debug, Serialize)]
pub(crate) struct ProfileLevel {
    /// The profile.
    pub profile: &'static str,
    /// The level.
    pub level: Level,
}

impl RuleRecord {
    /// Returns the record of a rule.
    pub(crate) fn of(rule: &Rule) -> Self {
        let level_in = |profile: &&'static Profile| {
            profile.applicable_level(rule).map(|level| ProfileLevel {
                profile: &profile.id,
                level,
            })
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
            source: rule.source,
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
            let (explanation, examples) = rule.section();
            assert!(!explanation.contains('\n'), "{}", rule.id);
            let (examples, _) = examples.split_once("\n# ").unwrap_or((examples, ""));
            let blocks: Vec<_> = examples.split(FENCE).skip(1).step_by(2).collect();
            let sides: Vec<_> = (blocks.iter())
                .filter_map(|it| it.split([' ', '\n']).next())
                .collect();
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
