//! The parts of a report in words and numbers, in the same way for every format that people read. All
//! texts are safe to print.

use crate::audit::{
    AuditGroup, AuditReport, ClaimCount, GroupBy, Groups, OutcomeCount, Rate, RunOutcome, SMALL,
};
use crate::text::escape;

use super::callers;
use super::numbers::{count, hours, interval, number, percent, share, thousands};
use super::section::ReportSection;

pub(super) fn sections(report: &AuditReport) -> Vec<ReportSection> {
    if report.runs == 0 {
        return Vec::new();
    }
    let mut sections = vec![coverage(report), outcomes(report), cost(report)];
    sections.extend(held(report));
    sections.extend(callers::fan_in(report));
    sections.push(weight(report));
    sections.push(groups(&report.groups));
    if report.groups.by != GroupBy::Week && !report.weeks.rows.is_empty() {
        sections.push(groups(&report.weeks));
    }
    sections
}

fn coverage(report: &AuditReport) -> ReportSection {
    let coverage = &report.coverage;
    let row = |name: &str, runs: u64| {
        let share = percent(Rate::new(runs, report.runs).share);
        vec![name.to_owned(), number(runs), share]
    };
    let neither = coverage.neither_by.iter();
    let neither = neither.map(|(outcome, runs)| format!("{} {}", number(*runs), outcome.label()));
    let neither: Vec<_> = neither.collect();
    let mut notes = Vec::new();
    if !neither.is_empty() {
        notes.push(format!("Neither: {}.", neither.join(", ")));
    }
    ReportSection {
        title: "Coverage: what is recorded of them",
        columns: vec![
            "record of the agent, client's count of calls",
            "runs",
            "share",
        ],
        rows: vec![
            row("both, with the same number of calls", coverage.equal),
            row("both, with different numbers", coverage.different),
            row("only the count", coverage.count_only),
            row("only the record", coverage.record_only),
            row("neither", coverage.neither),
        ],
        notes,
    }
}

fn outcomes(report: &AuditReport) -> ReportSection {
    let rows = report.outcomes.iter().map(|it| {
        let rate = it.rate;
        let name = it.outcome.label().to_owned();
        vec![
            name,
            number(rate.count),
            percent(rate.share),
            interval(rate),
        ]
    });
    let in_place = |it: &&OutcomeCount| {
        matches!(it.outcome, RunOutcome::Error | RunOutcome::Limit) && it.rate.count > 0
    };
    let (mut failed, mut completed) = (0, 0);
    for it in report.outcomes.iter().filter(in_place) {
        failed += it.rate.count;
        completed += it.called_completed;
    }
    let mut notes = vec![format!(
        "Lost, so that the caller certainly got no answer: {}.",
        share(report.lost)
    )];
    if completed > 0 {
        notes.push(format!(
            "The client called {} of these {} errors and limits completed.",
            number(completed),
            number(failed),
        ));
    }
    let no_end = report.rate(RunOutcome::NoEnd).count;
    if no_end > 0 {
        notes.push("No end recorded says nothing about what came back: it may be in a file that is not here.".to_owned());
    }
    ReportSection {
        title: "Outcome",
        columns: vec!["what came back", "runs", "share", "95 % interval"],
        rows: rows.collect(),
        notes,
    }
}

fn cost(report: &AuditReport) -> ReportSection {
    let rows = report.outcomes.iter().map(|it| {
        vec![
            it.outcome.label().to_owned(),
            thousands(it.tokens, it.tokens_of),
            number(it.tokens_of),
            thousands(it.context_tokens, it.context_tokens_of),
            number(it.context_tokens_of),
            hours(it.seconds, it.seconds_of),
            number(it.seconds_of),
        ]
    });
    ReportSection {
        title: "Cost by outcome",
        columns: vec!["", "tokens", "runs", "context", "runs", "time", "runs"],
        rows: rows.collect(),
        notes: vec![
            "Tokens: of all messages, each once. Context: at the end, by the client. Neither contains the other. Each sum is over the runs in the column after it."
                .to_owned(),
        ],
    }
}

fn held(report: &AuditReport) -> Vec<ReportSection> {
    let returned = report.rate(RunOutcome::Returned).count;
    let covered = report.invalid.of;
    let mut checked = ReportSection {
        title: "Checked with the profile of the agent",
        columns: vec![
            "profile, and rules that refuse returns",
            "returns",
            "invalid",
            "95 % interval",
        ],
        ..ReportSection::default()
    };
    let mut claims = ReportSection {
        title: "Typed claims, by the record of the agent's calls",
        columns: vec![
            "rule that a false claim breaks",
            "shown",
            "contradicted",
            "unknown",
        ],
        ..ReportSection::default()
    };
    for profile in &report.held {
        let rate = profile.invalid;
        let name = escape::truncated(&profile.profile).to_string();
        let refused = format!("{} of {}", number(rate.count), number(rate.of));
        checked
            .rows
            .push(vec![name, refused, percent(rate.share), interval(rate)]);
        for rule in &profile.rules {
            let name = format!("  {}", escape::truncated(&rule.rule));
            let share = percent(Rate::new(rule.returns, rate.of).share);
            checked
                .rows
                .push(vec![name, number(rule.returns), share, String::new()]);
        }
        for (
            rule,
            ClaimCount {
                shown,
                contradicted,
                unknown,
            },
        ) in &profile.claims
        {
            let rule = escape::truncated(rule).to_string();
            claims.rows.push(vec![
                rule,
                number(*shown),
                number(*contradicted),
                number(*unknown),
            ]);
        }
    }
    let others = returned.saturating_sub(covered);
    if others > 0 {
        checked.notes.push(format!(
            "No profile covers the agents of {}: it is only known that these say something.",
            count(others, "return")
        ));
    }
    if covered > 0 {
        checked.notes.push(
            "Files, commits and the clock are not looked at: they are not as they were.".to_owned(),
        );
    }
    let mut sections = vec![checked];
    sections.extend(Some(claims).filter(|it| !it.rows.is_empty()));
    sections
}

fn weight(report: &AuditReport) -> ReportSection {
    let weight = &report.weight;
    let row = |name: &str, sizes: &crate::audit::Sizes| {
        vec![
            name.to_owned(),
            number(sizes.of),
            number(sizes.median),
            number(sizes.p90),
            percent(sizes.largest_tenth),
        ]
    };
    let writes = weight.writes;
    let mut notes = vec![format!(
        "Only tools that cannot write, and a complete record: {}. A false claim of a file can be proved only there.",
        count(weight.only_read, "run")
    )];
    if writes.files > 0 {
        notes.push(format!(
            "Files that file tools wrote: {}; two agents of a session wrote {} of them, {} while both were running.",
            number(writes.files),
            number(writes.by_two_agents),
            number(writes.at_the_same_time),
        ));
        notes.push(format!(
            "Outside the folder of their session: {} of {}, each counted once a run.",
            number(writes.outside),
            count(writes.by_run, "file"),
        ));
    }
    if let Some(it) = writes.uncommitted {
        notes.push(format!(
            "In a repository on this machine: {}. Not in the commit that was checked out when this was read: {} with another content, {} new. Who changed a file last is not known.",
            count(it.of, "file"),
            number(it.changed),
            number(it.untracked),
        ));
    }
    ReportSection {
        title: "Weight",
        columns: vec!["", "runs", "median", "90 % below", "largest tenth"],
        rows: vec![
            row("returns, in characters", &weight.returns),
            row("tool calls in the record", &weight.calls),
        ],
        notes,
    }
}

fn groups(groups: &Groups) -> ReportSection {
    let row = |name: String, group: &AuditGroup| {
        let invalid = match group.invalid.of {
            0 => "-".to_owned(),
            of => format!("{} of {}", number(group.invalid.count), number(of)),
        };
        vec![
            name,
            number(group.runs),
            percent(group.returned.share),
            percent(group.lost.share),
            interval(group.lost),
            percent(group.no_end.share),
            invalid,
        ]
    };
    let name = |group: &AuditGroup| match &group.name {
        Some(name) => escape::truncated(name).to_string(),
        None => "(not recorded)".to_owned(),
    };
    let mut rows: Vec<_> = groups.rows.iter().map(|it| row(name(it), it)).collect();
    if let Some(folded) = &groups.folded {
        let small = number(groups.folded_groups);
        let name = match (rows.is_empty(), groups.folded_groups) {
            (true, _) => format!("all {small}, each < {SMALL}"),
            (false, 1) => format!("1 other, < {SMALL}"),
            (false, _) => format!("{small} others, each < {SMALL}"),
        };
        rows.push(row(name, folded));
    }
    ReportSection {
        title: group_title(groups.by),
        columns: vec![
            "",
            "runs",
            "returned",
            "lost",
            "95 % interval",
            "no end",
            "invalid",
        ],
        rows,
        notes: Vec::new(),
    }
}

/// The title of the section with groups.
pub(super) const fn group_title(by: GroupBy) -> &'static str {
    match by {
        GroupBy::Agent => "By agent",
        GroupBy::Model => "By model",
        GroupBy::Client => "By client",
        GroupBy::Week => "By week",
        GroupBy::Project => "By project",
    }
}
