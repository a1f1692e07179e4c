//! Shares of a count, with the interval in which the true share lies.

use serde::{Deserialize, Serialize};

use crate::audit::schema::described;

/// The quantile of the normal distribution for an interval of 95 %.
pub(super) const Z: f64 = 1.959_963_984_540_054;

described! {
    #[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
    /// How many of a number of runs, and the share that is to be expected of further runs.
    pub struct Rate {
        /// How many.
        pub count: u64,
        /// Of how many.
        pub of: u64,
        /// The share, from 0 to 1, rounded to four decimals. 0 of none.
        pub share: f64,
        /// The lower bound of the 95 % interval of the share (Wilson 1927).
        pub low: f64,
        /// The upper bound. 1 of none, because nothing is known then.
        pub high: f64,
    }
}

impl Rate {
    /// The rate of `count` of `of`.
    pub(crate) fn new(count: u64, of: u64) -> Self {
        let share = share(count, of);
        let (low, high) = interval(share, of, Z);
        Self {
            count,
            of,
            share: rounded(share),
            low: rounded(low),
            high: rounded(high),
        }
    }

    /// The interval of the difference `later - self` of two rates for the quantile `z` of the normal
    /// distribution, by the method of Newcombe (1998), which takes the intervals of both.
    pub(super) fn difference_to(self, later: Self, z: f64) -> (f64, f64) {
        let parts = |rate: Self| {
            let share = share(rate.count, rate.of);
            let (low, high) = interval(share, rate.of, z);
            (share, share - low, high - share)
        };
        let (before, before_below, before_above) = parts(self);
        let (now, now_below, now_above) = parts(later);
        let difference = now - before;
        let (below, above) = (now_below.hypot(before_above), now_above.hypot(before_below));
        (difference - below, difference + above)
    }
}

fn share(count: u64, of: u64) -> f64 {
    if of == 0 {
        return 0.0;
    }
    to_float(count) / to_float(of)
}

fn interval(share: f64, of: u64, z: f64) -> (f64, f64) {
    if of == 0 {
        return (0.0, 1.0);
    }
    let (of, squared) = (to_float(of), z * z);
    let middle = share + squared / (2.0 * of);
    let half = z * (share * (1.0 - share) / of + squared / (4.0 * of * of)).sqrt();
    let whole = 1.0 + squared / of;
    (
        ((middle - half) / whole).max(0.0),
        ((middle + half) / whole).min(1.0),
    )
}

fn rounded(share: f64) -> f64 {
    (share * 10_000.0).round() / 10_000.0
}

#[allow(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
pub(super) fn to_float(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of the tables in Newcombe, Statistics in Medicine 17 (1998), methods 3 and 10.
    #[test]
    fn intervals_are_those_of_wilson_and_newcombe() {
        for (count, of, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let rate = Rate::new(count, of);
            assert_eq!((rate.low, rate.high), (low, high), "{count} of {of}");
        }
        let (low, high) = Rate::new(48, 80).difference_to(Rate::new(56, 70), Z);
        assert!((low - 0.0524).abs() < 1e-4 && (high - 0.3339).abs() < 1e-4);
        assert!(Rate::new(0, 0).high > 0.99);
    }
}
