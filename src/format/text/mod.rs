//! `text`: a line for each passed check and, under each finding, recommendation, location and rule.

mod evidence;
mod page;
mod tag;

use crate::format::text::page::TextPage;
use crate::format::text::tag::Tag;
use crate::format::{Checked, Detail, ReportOptions, Reporter, RunSummary, Source, common};

impl Reporter for ReportOptions {
    fn report(&self, source: &Source<'_>, checked: Checked<'_>, out: &mut Vec<u8>) {
        let report = match checked {
            Checked::Report(report) => report,
            Checked::Unreadable(why) => return self.unread(source, why, out),
        };
        if report.findings.is_empty() && self.hides_clean() {
            return;
        }
        if self.detail == Detail::Quiet && report.is_valid() {
            return;
        }
        TextPage::new(self, source, out).write(report);
    }

    fn between(&self) -> &'static [u8] {
        b"\n"
    }

    fn finish(&self, end: &RunSummary<'_>, out: &mut Vec<u8>) {
        if self.many && self.shows_any(end.totals) {
            out.push(b'\n');
        }
        common::finish(end, self.many, out);
    }
}

impl ReportOptions {
    /// Reports a source that could not be read, so that no one takes it for valid.
    fn unread(&self, source: &Source<'_>, why: &str, out: &mut Vec<u8>) {
        if self.many && self.detail != Detail::Quiet {
            let mut page = TextPage::new(self, source, out);
            page.heading();
            page.mark(Tag::Skip, format_args!("Not checked: {why}"));
        }
    }
}
