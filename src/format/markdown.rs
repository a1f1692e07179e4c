//! `markdown`: findings under the names of their returns, for the summary of a CI job or a comment.
//!
//! All text that a return can influence is inside a code span. There, nothing is a link, a mention, an
//! image or HTML.

use std::fmt::Write as _;

use crate::check::explain::NotChecked;
use crate::check::finding::Finding;
use crate::check::report::Report;
use crate::format::{Checked, Detail, Reporter, RuleUrl, RunSummary, Source, common};

/// Markdown as GitHub and GitLab read it.
#[derive(Debug, Clone)]
pub(super) struct Markdown {
    /// Whether warnings and the reasons for rules are written, too.
    pub(super) detail: Detail,
    /// The address of each rule's explanation.
    pub(super) rule_url: Option<RuleUrl>,
}

impl Reporter for Markdown {
    fn report(&self, source: &Source<'_>, checked: Checked<'_>, out: &mut Vec<u8>) {
        let list = match checked {
            Checked::Report(report) => self.list(report),
            Checked::Unreadable(why) => {
                format!("- **error** `{}`: {}\n", NotChecked::ID, code(why))
            }
        };
        if !list.is_empty() {
            let name = code(&common::name(source));
            out.extend_from_slice(format!("**{name}**\n\n{list}\n").as_bytes());
        }
    }

    fn finish(&self, end: &RunSummary<'_>, out: &mut Vec<u8>) {
        let totals = common::totals(end.totals);
        out.extend_from_slice(format!("**{}**\n", totals.trim_end()).as_bytes());
    }
}

impl Markdown {
    fn list(&self, report: &Report<'_>) -> String {
        let (findings, omitted) = common::shown(report, self.detail);
        let mut list = String::new();
        for finding in findings {
            self.item(finding, &mut list);
        }
        if let Some(omitted) = omitted {
            let _ = writeln!(list, "- {omitted}");
        }
        list
    }

    fn rule(&self, id: &str) -> String {
        match &self.rule_url {
            // An address contains no brackets, so it cannot end the link early.
            Some(url) => format!("[`{id}`](<{}>)", url.of(id)),
            None => format!("`{id}`"),
        }
    }

    fn item(&self, finding: &Finding, list: &mut String) {
        let (level, rule) = (finding.level.as_str(), self.rule(finding.rule.id));
        let (line, column) = (finding.position.line, finding.position.column);
        let message = code(&finding.message());
        let _ = writeln!(
            list,
            "- **{level}** {rule} at {line}:{column}: {message}\n  - {}",
            code(finding.help())
        );
        if self.detail == Detail::Verbose {
            let (why, source) = (finding.rule.explanation(), finding.rule.source);
            let _ = writeln!(list, "  - {}", code(&format!("{why} ({source})")));
        }
    }
}

/// Returns a text of one line as a code span. The span is enclosed by more backticks than the text has
/// in a row.
fn code(text: &str) -> String {
    let runs = text.split(|character| character != '`').map(str::len);
    let ticks = "`".repeat(runs.max().unwrap_or(0) + 1);
    // Markdown drops one space at each end if both ends have one.
    let space = if text.is_empty() || text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) {
        " "
    } else {
        ""
    };
    format!("{ticks}{space}{text}{space}{ticks}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_its_code_span() {
        for (text, span) in [
            ("a", "`a`"),
            ("`", "`` ` ``"),
            ("a``b`", "``` a``b` ```"),
            ("", "`  `"),
        ] {
            assert_eq!(code(text), span);
        }
    }
}
