//! Bars, which patterns tell apart without colour.

use std::fmt::Write as _;

use crate::audit::{AuditGroup, RunOutcome};

use super::markup::html;
use crate::cli::audit::numbers::percent;

/// The patterns of parts that are not returns: lines for what is lost, dots for what is not known.
pub(super) const PATTERNS: &str = r#"<svg class="defs" aria-hidden="true"><defs>
<pattern id="lost" width="8" height="8" patternUnits="userSpaceOnUse"><rect class="ground" width="8" height="8"/><path d="M-2 2L2 -2M0 8L8 0M6 10L10 6"/></pattern>
<pattern id="no-end" width="6" height="6" patternUnits="userSpaceOnUse"><rect class="ground" width="6" height="6"/><circle cx="3" cy="3" r="1.6"/></pattern>
<pattern id="other" width="6" height="6" patternUnits="userSpaceOnUse"><rect class="ground" width="6" height="6"/><path d="M0 3H6"/></pattern>
</defs></svg>
"#;

/// The parts of a bar, by class, with what they are.
const PARTS: [(&str, &str); 4] = [
    ("returned", "returned"),
    ("lost", "lost"),
    ("no-end", "no end recorded"),
    ("other", "fragment or teammate"),
];

/// A bar, with its name before it and a number after it.
pub(super) struct Bar {
    pub(super) name: String,
    /// The class and the share of each part, from 0 to 1.
    pub(super) parts: Vec<(&'static str, f64)>,
    pub(super) says: String,
}

/// The class of the part that an outcome belongs to.
pub(super) fn class(outcome: RunOutcome) -> &'static str {
    match outcome {
        RunOutcome::Returned => "returned",
        RunOutcome::NoEnd => "no-end",
        lost if lost.is_lost() => "lost",
        _ => "other",
    }
}

/// The parts of a group's runs.
pub(super) fn parts(group: &AuditGroup) -> Vec<(&'static str, f64)> {
    let shares = [group.returned, group.lost, group.no_end].map(|rate| rate.share);
    let other = (1.0 - shares.iter().sum::<f64>()).max(0.0);
    let shares = shares.into_iter().chain([other]);
    PARTS.iter().map(|(class, _)| *class).zip(shares).collect()
}

pub(super) fn bars(rows: &[Bar]) -> String {
    let mut markup = "<div class=\"bars\">\n".to_owned();
    for row in rows {
        let label = row.parts.iter().map(|(class, share)| {
            let name = PARTS.iter().find(|(known, _)| known == class);
            format!("{} {}", name.map_or("", |it| it.1), percent(*share))
        });
        let label = label.collect::<Vec<_>>().join(", ");
        let (name, says) = (html(&row.name), html(&row.says));
        let _ = write!(
            markup,
            "<span>{name}</span><svg role=\"img\" aria-label=\"{name}: {label}\">"
        );
        let mut at = 0.0;
        for (class, share) in &row.parts {
            let (from, width) = (at * 100.0, share * 100.0);
            if width > 0.0 {
                let _ = write!(
                    markup,
                    "<rect class=\"{class}\" x=\"{from:.2}%\" width=\"{width:.2}%\" height=\"100%\"/>"
                );
            }
            at += share;
        }
        let _ = writeln!(markup, "</svg><span>{says}</span>");
    }
    markup + "</div>\n"
}

/// What the parts of bars are.
pub(super) fn legend() -> String {
    let mut markup = "<ul class=\"legend\">\n".to_owned();
    for (class, name) in PARTS {
        let _ = writeln!(
            markup,
            "<li><svg aria-hidden=\"true\"><rect class=\"{class}\" width=\"100%\" height=\"100%\"/></svg>{name}</li>"
        );
    }
    markup + "</ul>\n"
}
