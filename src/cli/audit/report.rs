//! The parts of a report in words and numbers, in the same way for the text and the page, and the text for a
//! terminal. All texts are safe to print.

use std::fmt::Write as _;

use anstyle::Style;
use unicode_width::UnicodeWidthStr as _;

use crate::audit::{AuditReport, Rate, RunOutcome};
use crate::text::escape;

/// A part of a report: a title, a table, and sentences below it.
pub(super) struct ReportSection {
    pub(super) title: &'static str,
    /// The heads of the columns, divided by `|`. The first column has names, the others have numbers.
    pub(super) columns: &'static str,
    pub(super) rows: Vec<Vec<String>>,
    pub(super) notes: Vec<String>,
}

impl ReportSection {
    fn new<const N: usize>(
        title: &'static str,
        columns: &'static str,
        rows: impl IntoIterator<Item = [String; N]>,
    ) -> Self {
        Self { title, columns, rows: rows.into_iter().map(Vec::from).collect(), notes: Vec::new() }
    }

    fn note(mut self, note: Option<String>) -> Self {
        self.notes.extend(note);
        self
    }
}

/// What the whole report is about, in sentences: what was read, and what was left out.
pub(super) fn head(report: &AuditReport) -> Vec<String> {
    let sources = &report.sources;
    let clients = match sources.clients.len() {
        0 => "no client".to_owned(),
        _ => escape::list(&sources.clients),
    };
    let days = [&report.first, &report.last].map(|time| Some(time.as_ref()?.get(..10)?.to_owned()));
    let period = match days {
        [Some(first), Some(last)] if first == last => format!(", of {first}"),
        [Some(first), Some(last)] => format!(", {first} to {last}"),
        _ => String::new(),
    };
    let mut lines = vec![format!(
        "{} in {} of {clients} ({}){period}",
        count(report.runs, "delegation"),
        count(sources.transcripts, "transcript"),
        scaled(sources.bytes, &[(1, "bytes"), (1_000, "kB"), (1_000_000, "MB")]),
    )];
    let mut say = |is_said: bool, line: String| lines.extend(is_said.then_some(line));
    say(
        sources.records > report.runs + sources.left_out,
        format!(
            "{} describe these {} (duplicates merged).",
            count(sources.records, "record"),
            count(report.runs, "run"),
        ),
    );
    for (number, what, of) in [
        (sources.of_client, "agent", "that the client started for itself"),
        (sources.left_out, "run", "that the options leave out"),
        (sources.unread, "file", "that could not be read"),
        (sources.other_files, "file", "of no known client"),
    ] {
        say(number > 0, format!("Not counted: {} {of}.", count(number, what)));
    }
    lines
}

pub(super) fn outcomes(report: &AuditReport) -> ReportSection {
    let rows = report.outcomes.iter().map(|it| {
        let (name, rate) = (it.outcome.label().to_owned(), it.rate);
        [name, number(rate.count), percent(rate.share)]
    });
    let lost = format!("Lost (the caller got no answer): {}.", share(report.lost));
    let unknown =
        "No end recorded says nothing about what came back: it may be in a file that is not here.";
    let is_unknown = report.count(RunOutcome::NoEnd) > 0;
    let columns = "what came back|runs|share";
    ReportSection::new("Outcome", columns, rows)
        .note(Some(lost))
        .note(is_unknown.then(|| unknown.to_owned()))
}

pub(super) fn cost(report: &AuditReport) -> ReportSection {
    let sum = |sum: u64, of: u64, units: &[(u64, &str)]| match of {
        0 => "-".to_owned(),
        _ => scaled(sum, units),
    };
    let tokens: &[_] = &[(1, ""), (1_000, "k"), (1_000_000, "M")];
    let times: &[_] = &[(1, "s"), (60, "min"), (3_600, "h")];
    let rows = report.outcomes.iter().map(|it| {
        [
            it.outcome.label().to_owned(),
            sum(it.tokens, it.tokens_of, tokens),
            number(it.tokens_of),
            sum(it.seconds, it.seconds_of, times),
            number(it.seconds_of),
        ]
    });
    let note =
        "Tokens: of all messages, each once. Each sum is over the runs in the column after it.";
    let columns = "|tokens|runs|time|runs";
    ReportSection::new("Cost by outcome", columns, rows).note(Some(note.to_owned()))
}

/// What was checked with profiles.
pub(super) fn held(report: &AuditReport) -> ReportSection {
    let mut checked = Vec::new();
    for profile in &report.held {
        let rate = profile.invalid;
        checked.push([
            escape::truncated(&profile.profile).to_string(),
            format!("{} of {}", number(rate.count), number(rate.of)),
            percent(rate.share),
        ]);
        checked.extend(profile.rules.iter().map(|rule| {
            let share = percent(Rate::new(rule.returns, rate.of).share);
            let (name, returns) = (format!("  {}", rule.rule), number(rule.returns));
            [name, returns, share]
        }));
    }
    let covered = report.invalid.of;
    let others = report.count(RunOutcome::Returned).saturating_sub(covered);
    let uncovered = format!(
        "No profile covers the agents of {}: it is only known that these say something.",
        count(others, "return")
    );
    let present = "Files, commits and the clock are not looked at: they are not as they were.";
    let columns = "profile, and rules that refuse returns|returns|invalid";
    ReportSection::new("Checked with the profile of the agent", columns, checked)
        .note((others > 0).then_some(uncovered))
        .note((covered > 0).then(|| present.to_owned()))
}

pub(super) fn agents(report: &AuditReport) -> ReportSection {
    let rows = report.agents.iter().map(|group| {
        let invalid = match group.invalid.of {
            0 => "-".to_owned(),
            of => format!("{} of {}", number(group.invalid.count), number(of)),
        };
        [
            recorded(group.name.as_deref()),
            number(group.runs),
            percent(group.returned.share),
            percent(group.lost.share),
            percent(group.no_end.share),
            invalid,
        ]
    });
    let columns = "|runs|returned|lost|no end|invalid";
    ReportSection::new("By agent", columns, rows)
}

/// A text of a transcript, if it has one.
pub(super) fn recorded(text: Option<&str>) -> String {
    text.map_or_else(|| "(not recorded)".to_owned(), |text| escape::truncated(text).to_string())
}

/// A number with a unit, in the plural if it is not 1.
fn count(number: u64, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {what}{plural}", self::number(number))
}

/// A number with commas.
pub(super) fn number(number: u64) -> String {
    match number {
        0..1_000 => number.to_string(),
        _ => format!("{},{:03}", self::number(number / 1_000), number % 1_000),
    }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// How many of how many, and the share.
pub(super) fn share(rate: Rate) -> String {
    format!("{} of {}, {}", number(rate.count), number(rate.of), percent(rate.share))
}

/// A sum in the largest of these units of which it has ten, else in the first.
fn scaled(sum: u64, units: &[(u64, &str)]) -> String {
    let mut larger = units.iter().rev();
    let (size, unit) = larger.find(|(size, _)| sum >= size * 10).unwrap_or(&units[0]);
    format!("{} {unit}", number(sum / size)).trim_end().to_owned()
}

/// The report as text.
pub(super) fn text(report: &AuditReport, is_colored: bool) -> String {
    let pick = |style: Style| if is_colored { style } else { Style::new() };
    let (strong, faint) = (pick(Style::new().bold()), pick(Style::new().dimmed()));
    let mut text = String::new();
    for (at, line) in head(report).iter().enumerate() {
        let style = if at == 0 { strong } else { Style::new() };
        let _ = writeln!(text, "{style}{line}{style:#}");
    }
    let sections = [outcomes(report), cost(report), held(report), agents(report)];
    for section in sections.iter().filter(|_| report.runs > 0) {
        let _ = writeln!(text, "\n{strong}{}{strong:#}", section.title);
        if !section.rows.is_empty() {
            table(section, faint, &mut text);
        }
        for note in &section.notes {
            let _ = writeln!(text, "  {note}");
        }
    }
    text
}

/// Writes the rows of a table: the first column to the left, the others to the right.
fn table(section: &ReportSection, faint: Style, text: &mut String) {
    let heads: Vec<String> = section.columns.split('|').map(str::to_owned).collect();
    let rows = || std::iter::once(&heads).chain(&section.rows);
    let width = |at: usize| rows().map(|row| row[at].width()).max().unwrap_or_default();
    let widths: Vec<usize> = (0..heads.len()).map(width).collect();
    for (at, row) in rows().enumerate() {
        let mut line = format!("  {}{}", row[0], " ".repeat(widths[0] - row[0].width()));
        for (cell, width) in row.iter().zip(&widths).skip(1) {
            line.push_str(&" ".repeat(2 + width - cell.width()));
            line.push_str(cell);
        }
        let style = if at == 0 { faint } else { Style::new() };
        let _ = writeln!(text, "{style}{line}{style:#}");
    }
}
