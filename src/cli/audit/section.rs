//! A part of a report, in the same words for every format that people read. All texts are safe to print.

/// A part of a report: a title, a table, and sentences below it.
#[derive(Debug, Default)]
pub(super) struct ReportSection {
    pub(super) title: &'static str,
    /// The heads of the columns. The first column has names, the others have numbers.
    pub(super) columns: Vec<&'static str>,
    pub(super) rows: Vec<Vec<String>>,
    pub(super) notes: Vec<String>,
}
