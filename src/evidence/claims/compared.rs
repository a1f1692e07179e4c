//! Whether values of a return agree with each other, as its standard says.

use crate::evidence::claim_reason::{ValueCheck, ValueGap};
use crate::evidence::reason::{EvidenceReason, Uncertainty};
use crate::evidence::value::Assessment;

/// Numbers that differ by no more are equal.
const TOLERANCE: f64 = 1e-9;

pub(crate) fn differ(one: f64, other: f64) -> bool {
    (one - other).abs() > TOLERANCE
}

/// Whether two values are the same. None if there is only one.
pub(crate) fn same(is_same: Option<bool>) -> Assessment {
    match is_same {
        Some(true) => shown(ValueCheck::Same),
        Some(false) => contradicted(ValueCheck::Different),
        None => unknown(ValueGap::OnlyOne),
    }
}

/// Whether a total is the sum of its parts.
pub(crate) fn sum(total: Option<f64>, sum: Option<f64>) -> Assessment {
    match (total, sum) {
        (None, _) => unknown(ValueGap::NoNumber),
        (_, None) => unknown(ValueGap::NoPart),
        (Some(total), Some(sum)) if differ(total, sum) => contradicted(ValueCheck::OtherSum),
        _ => shown(ValueCheck::Sum),
    }
}

/// Whether a number is that of the things that it counts, which can be counted in two ways.
pub(crate) fn count(number: Option<f64>, counted: Option<[usize; 2]>) -> Assessment {
    let (number, counted) = match (number, counted) {
        (None, _) => return unknown(ValueGap::NoNumber),
        (_, None) => return unknown(ValueGap::NothingToCount),
        (Some(number), Some(counted)) => (number, counted),
    };
    #[allow(clippy::cast_precision_loss, reason = "no return has 2^52 items")]
    let is_right = |counted: usize| !differ(number, counted as f64);
    if counted.into_iter().any(is_right) {
        shown(ValueCheck::Count)
    } else {
        contradicted(ValueCheck::OtherCount(counted[1]))
    }
}

fn shown(check: ValueCheck) -> Assessment {
    Assessment::shown(EvidenceReason::Value(check))
}

fn contradicted(check: ValueCheck) -> Assessment {
    Assessment::contradicted(EvidenceReason::Value(check))
}

fn unknown(gap: ValueGap) -> Assessment {
    Assessment::unknown(Uncertainty::Value(gap))
}
