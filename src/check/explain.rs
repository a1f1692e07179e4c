//! Explanations of rules.

use std::fmt::{self, Display, Formatter};

use serde::Serialize;

use crate::check::rules::{ARTIFACT_TYPE, ERROR_TYPE, Example, Level, RULES, Rule, Side, Step};
use crate::profile::{PROFILES, Profile};

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
        filled(out, width, "", rule.explanation)?;
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
        if rule.is_of_standards() {
            let level = rule.level.as_str();
            writeln!(out, "In a standard of your own: {level}")?;
        }
        types(out, rule)?;
        levels(out, self.width, rule)?;
        let example = &rule.example;
        if !example.config.is_empty() {
            writeln!(out, "\nThe profile of the examples (retval.toml):")?;
            indented(out, example.config)?;
        }
        side(out, width, ("Failing example", example), &example.fails)?;
        side(out, width, ("Passing example", example), &example.passes)
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

fn side(
    out: &mut Formatter<'_>,
    width: usize,
    (title, example): (&str, &Example),
    side: &Side,
) -> fmt::Result {
    let command = command_line(example, side);
    writeln!(out, "\n{title} ({command}):")?;
    let mut lines = side.text.lines();
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

fn command_line(example: &Example, side: &Side) -> String {
    let is_variable = |word: &&str| word.starts_with("RETVAL_");
    let words = side.options.split_whitespace();
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
    pub fails: ExampleCase,
    /// A return that passes.
    pub passes: ExampleCase,
}

/// The level of a rule in one profile.
#[derive(Debug, Serialize)]
pub(crate) struct ProfileLevel {
    /// The profile.
    pub profile: &'static str,
    /// The level.
    pub level: Level,
}

/// A complete return and how it is checked.
#[derive(Debug, Serialize)]
pub(crate) struct ExampleCase {
    /// The profile that it is checked against.
    pub profile: &'static str,
    /// The configuration with the profile, if it is a standard of one's own.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub config: &'static str,
    /// Variables, other options and the path of the return, as in a shell.
    pub options: &'static str,
    /// The return. `{root}` is a placeholder for the path of the root.
    pub text: String,
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
        let case = |side: &Side| ExampleCase {
            profile: rule.example.profile,
            config: rule.example.config,
            options: side.options,
            text: rule.example.whole(side),
        };
        Self {
            rule: rule.id,
            step: rule.step,
            level: rule.level,
            levels: PROFILES.iter().filter_map(level_in).collect(),
            message: rule.title(),
            help: rule.recommendation(),
            explanation: rule.explanation,
            source: rule.source,
            fails: case(&rule.example.fails),
            passes: case(&rule.example.passes),
        }
    }
}
