//! Baselines: one that is written can be read again, and errors are safe to print.

use std::collections::BTreeMap;

use retval::baseline::{Baseline, BaselineKey};
use retval::format::Source;

use super::clean;

/// `bytes` are a baseline.
pub(crate) fn hold(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let baseline = match Baseline::parse(text) {
        Ok(baseline) => baseline,
        Err(error) => return clean::line(&error.to_string()),
    };
    let found = BTreeMap::from([(
        BaselineKey::new(&Source::new(text).at_line(1), "json-syntax"),
        1,
    )]);
    let written = baseline.updated(&found, |_| false);
    clean::text(&written);
    let again = Baseline::parse(&written).expect("a baseline, again");
    assert_eq!(again.updated(&found, |_| false), written);
    assert!(again.stale(|_| false).is_empty());
}
