//! The part of a report about callers of several agents.

use crate::audit::{AuditReport, Parent};
use crate::text::escape;

use super::numbers::{count, number};
use super::section::ReportSection;

pub(super) fn fan_in(report: &AuditReport) -> Option<ReportSection> {
    let fan_in = &report.fan_in;
    if fan_in.of_several == 0 {
        return None;
    }
    let rows = fan_in.listed.iter().map(|it: &Parent| {
        let session = it.session.as_deref().unwrap_or("-");
        let session: String = session.chars().take(8).collect();
        let agent = it.agent.as_deref().map_or_else(String::new, |agent| {
            let agent: String = agent.chars().take(8).collect();
            format!(", agent {}", escape::full(&agent))
        });
        let name = format!("{}{agent}", escape::full(&session));
        vec![
            name,
            number(it.dispatched),
            number(it.returned),
            number(it.usable),
            number(it.identical),
            number(it.asked_again),
            places(&it.brought_nothing),
        ]
    });
    Some(ReportSection {
        title: "Fan-in: what callers of several agents got back",
        columns: vec![
            "session",
            "called",
            "returned",
            "usable",
            "same",
            "asked again",
            "nothing from",
        ],
        rows: rows.collect(),
        notes: vec![format!(
            "{} of {} got fewer usable returns than they called agents; listed are at most 10 that got nothing from some. Agents are numbered as they were called. Same: the text of an earlier return.",
            number(fan_in.incomplete),
            count(fan_in.of_several, "caller"),
        )],
    })
}

/// The first of the places, and how many there are.
fn places(places: &[u64]) -> String {
    const SHOWN: usize = 3;
    let first = places.iter().take(SHOWN).map(u64::to_string);
    let first = first.collect::<Vec<_>>().join(", ");
    match places.len().checked_sub(SHOWN) {
        Some(more @ 1..) => format!("{first} +{more}"),
        _ => first,
    }
}
