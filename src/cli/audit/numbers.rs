//! Numbers, shares and sizes as people read them.

use crate::audit::Rate;

/// A number with a unit, in the plural if it is not 1.
pub(super) fn count(number: u64, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {what}{plural}", self::number(number))
}

/// A number with commas.
pub(super) fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// A rate as a text: how many of how many, the share and its interval.
pub(super) fn share(rate: Rate) -> String {
    let (count, of) = (number(rate.count), number(rate.of));
    format!(
        "{count} of {of}, {} ({})",
        percent(rate.share),
        interval(rate)
    )
}

pub(super) fn interval(rate: Rate) -> String {
    match rate.of {
        0 => "-".to_owned(),
        _ => format!("{:.1} to {:.1} %", rate.low * 100.0, rate.high * 100.0),
    }
}

/// A sum with a unit. `-` if it is a sum of nothing.
pub(super) fn thousands(sum: u64, of: u64) -> String {
    match sum {
        _ if of == 0 => "-".to_owned(),
        0..10_000 => number(sum),
        10_000..1_000_000 => format!("{} k", number(sum / 1_000)),
        _ => format!(
            "{}.{} M",
            number(sum / 1_000_000),
            sum % 1_000_000 / 100_000
        ),
    }
}

pub(super) fn hours(seconds: u64, of: u64) -> String {
    match seconds {
        _ if of == 0 => "-".to_owned(),
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min", seconds / 60),
        _ => format!("{}.{} h", number(seconds / 3_600), seconds % 3_600 / 360),
    }
}

pub(super) fn bytes(bytes: u64) -> String {
    match bytes {
        0..1_000 => count(bytes, "byte"),
        1_000..1_000_000 => format!("{} kB", bytes / 1_000),
        1_000_000..1_000_000_000 => format!("{} MB", bytes / 1_000_000),
        _ => format!(
            "{}.{} GB",
            bytes / 1_000_000_000,
            bytes % 1_000_000_000 / 100_000_000
        ),
    }
}
