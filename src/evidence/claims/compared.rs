//! Whether values of a return agree with each other, as its standard says.

use crate::evidence::assessment::Assessment;

/// Numbers that differ by no more are equal.
const TOLERANCE: f64 = 1e-9;

pub(crate) fn differ(one: f64, other: f64) -> bool {
    (one - other).abs() > TOLERANCE
}

/// Whether two values are the same. None if there is only one.
pub(crate) fn same(is_same: Option<bool>) -> Assessment {
    match is_same {
        Some(true) => Assessment::shown("the values are the same"),
        Some(false) => Assessment::contradicted("the values differ"),
        None => Assessment::unknown("the value is there only once"),
    }
}

/// Whether a total is the sum of its parts.
pub(crate) fn sum(total: Option<f64>, sum: Option<f64>) -> Assessment {
    match (total, sum) {
        (None, _) => Assessment::unknown("it is no number"),
        (_, None) => Assessment::unknown("a part is missing or no number"),
        (Some(total), Some(sum)) if differ(total, sum) => {
            Assessment::contradicted("the parts add up to another number")
        }
        _ => Assessment::shown("the parts add up to it"),
    }
}

/// That a list may have more or less than what is counted.
pub(crate) fn open() -> Assessment {
    Assessment::unknown("what stands there may be more than what is counted")
}

/// Whether a number is that of the things that it counts, which can be counted in two ways.
pub(crate) fn count(number: Option<f64>, counted: Option<[usize; 2]>) -> Assessment {
    let (number, counted) = match (number, counted) {
        (None, _) => return Assessment::unknown("it is no number"),
        (_, None) => return Assessment::unknown("what it counts is not there"),
        (Some(number), Some(counted)) => (number, counted),
    };
    #[allow(clippy::cast_precision_loss, reason = "no return has 2^52 items")]
    let is_right = |counted: usize| !differ(number, counted as f64);
    if counted.into_iter().any(is_right) {
        Assessment::shown("there are as many")
    } else {
        Assessment::contradicted(format!("there are {}", counted[1]))
    }
}
