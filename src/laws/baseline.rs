//! A written baseline can be read again, and errors are safe to print.

use crate::Checker;
use crate::log::baseline::{Baseline, FoundCounts, count};
use crate::profile::RETURN;
use crate::report::Source;

use super::{clean, root};

/// `bytes` are a baseline.
pub(crate) fn hold(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let baseline = match Baseline::parse(text) {
        Ok(baseline) => baseline,
        Err(error) => return clean::line(&error),
    };
    let mut found = FoundCounts::new();
    let source = Source::new(text).at_line(1);
    count(
        &source,
        &Checker::new(&RETURN, root()).check(text),
        &mut found,
    );
    let written = baseline.updated(&baseline, &found, |_| false);
    clean::text(&written);
    let again = Baseline::parse(&written).expect("a baseline, again");
    assert_eq!(again.updated(&again, &found, |_| false), written);
    let mut report = Checker::new(&RETURN, root()).check(text);
    again.apply(&source, &mut report, &[]);
    assert!(report.is_valid() && report.findings.is_empty());
    assert!(again.stale(|_| false).is_empty());
}
