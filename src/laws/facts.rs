//! The whole content of a report, in a form that can be compared.

use std::fmt::Write as _;

use crate::Finding;
use crate::Report;
use crate::text::Base;

/// The whole content.
pub(crate) fn of(report: &Report) -> String {
    let mut text = about(report);
    for finding in &report.findings {
        text += &of_finding(finding);
    }
    text
}

/// Everything except the findings.
fn about(report: &Report) -> String {
    let counts = report.counts.iter();
    let counts = counts.map(|it| (it.rule.id, it.level, it.findings));
    let mut text = format!("{:?}\n", counts.collect::<Vec<_>>());
    let Report { profile, returned, claims_success, session, subagent, .. } = report;
    let _ = writeln!(text, "{profile:?} {returned:?} {claims_success}");
    let _ = writeln!(text, "{session:?} {subagent:?}");
    let (characters, measured) = (report.summary_characters, report.measured);
    let _ = writeln!(text, "{characters:?} {measured:?} {:?}", report.steps);
    let (failures, warnings) = (report.failures, report.warnings);
    let (accepted, claimed) = (report.accepted.len(), report.claimed);
    let _ = writeln!(text, "{failures} {warnings} {accepted} {claimed}");
    let _ = writeln!(text, "{:?}", report.artifacts);
    text
}

fn of_finding(finding: &Finding) -> String {
    let place = (finding.position, finding.end);
    format!("{} {place:?}\n", without_place(finding))
}

/// A finding without its position.
pub(crate) fn without_place(finding: &Finding) -> String {
    let (id, level) = (finding.rule.id, finding.level);
    let texts = (&finding.head, &finding.notes, &finding.help);
    let (pointer, length) = (finding.pointer.as_deref(), finding.length());
    format!("{id} {level:?} {texts:?} {pointer:?} {length}")
}

/// The same report with its positions moved to a return at `base` in a larger file.
pub(crate) fn moved(report: &Report, base: Base) -> Report {
    let mut moved = report.clone();
    for finding in &mut moved.findings {
        for place in [&mut finding.position, &mut finding.end] {
            place.line += base.line - 1;
            place.offset += base.offset;
        }
    }
    moved
}
