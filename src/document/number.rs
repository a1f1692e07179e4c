//! Numbers as JSON and YAML write them.

use serde_json::Number;

/// The number that a text is in JSON or by the core schema. One that no `f64` holds is the largest of its sign.
pub(crate) fn number(text: &str) -> Option<Number> {
    if let Ok(number) = text.parse() {
        return Some(number);
    }
    for (prefix, radix) in [("0x", 16), ("0o", 8)] {
        let digits = text.strip_prefix(prefix);
        let is_plain = |digits: &&str| digits.starts_with(|it: char| it.is_digit(radix));
        if let Some(digits) = digits.filter(is_plain)
            && let Ok(value) = u64::from_str_radix(digits, radix)
        {
            return Some(value.into());
        }
    }
    let decimal = decimal(text)?;
    let sign = if text.starts_with('-') { -1.0 } else { 1.0 };
    let largest = || Number::from_f64(sign * f64::MAX);
    decimal.parse().ok().or_else(largest)
}

/// A decimal number of the core schema, as JSON writes it: `+1`, `01`, `.5` and `1.` are not JSON.
fn decimal(text: &str) -> Option<String> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
        Some(at) => (&unsigned[..at], Some(&unsigned[at + 1..])),
        None => (unsigned, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let has_digits = !(whole.is_empty() && fraction.is_empty());
    let is_exponent = exponent.is_none_or(|text| {
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        !digits.is_empty() && are_digits(digits)
    });
    if !(has_digits && are_digits(whole) && are_digits(fraction) && is_exponent) {
        return None;
    }
    let sign = if text.starts_with('-') { "-" } else { "" };
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        whole => whole,
    };
    let mut number = format!("{sign}{whole}");
    if !fraction.is_empty() {
        number.push('.');
        number.push_str(fraction);
    }
    if let Some(exponent) = exponent {
        number.push('e');
        number.push_str(exponent);
    }
    Some(number)
}
