//! A written baseline can be read again, and errors are safe to print.

use crate::Checker;
use crate::log::baseline::{apply, parse, stale, updated};
use crate::profile::RETURN;
use crate::report::Source;

use super::{clean, root};

/// `bytes` are a baseline.
pub(crate) fn hold(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let baseline = match parse(text) {
        Ok(baseline) => baseline,
        Err(error) => return clean::line(&error),
    };
    let source = Source::new(text).at_line(1);
    let mut report = Checker::new(&RETURN, root()).check(text);
    let found = apply(&baseline, &source, &mut report, &[]);
    let written = updated(baseline, &found, |_| false);
    clean::text(&written);
    let again = parse(&written).expect("a baseline, again");
    let mut report = Checker::new(&RETURN, root()).check(text);
    let found = apply(&again, &source, &mut report, &[]);
    assert!(report.failures == 0 && report.findings.is_empty());
    assert_eq!(stale(&again, &found, |_| false), 0);
    assert_eq!(updated(again, &found, |_| false), written);
}
