//! Whether a value says that there is nothing.

use crate::profile::standard::paths::before_remark;
use crate::profile::standard::words::plain;

/// Whether a value is a word for nothing, such as "none", in any case.
pub(crate) fn is_none(value: &str, own: &[String]) -> bool {
    const NONE: [&str; 8] = ["none", "n/a", "nothing", "no", "-", "–", "—", "empty"];
    let value = bare(value);
    let is = |word: &str| word.eq_ignore_ascii_case(value);
    value.is_empty() || NONE.iter().copied().any(is) || own.iter().any(|word| is(word))
}

/// Whether a value, behind its label or before its remark, is such a word or 0.
pub(crate) fn counts_none(value: &str, own: &[String]) -> bool {
    let rest = value.rsplit_once(": ").map_or(value, |(_, rest)| rest);
    let is_zero = |it: &str| {
        ["0", "zero"]
            .iter()
            .any(|zero| zero.eq_ignore_ascii_case(it))
    };
    let mut parts = [rest, before_remark(value)].into_iter();
    parts.any(|it| is_zero(plain(it)) || is_none(it, own))
}

/// A plain text without one pair of brackets around it.
fn bare(text: &str) -> &str {
    let text = plain(text);
    let pairs = [('(', ')'), ('[', ']'), ('{', '}')].into_iter();
    let mut inside = pairs.filter_map(|(start, end)| text.strip_prefix(start)?.strip_suffix(end));
    inside.next().map_or(text, plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_nothing_are_known_in_any_case() {
        for value in [
            "None", "N/A", "nothing.", " – ", "", "**none**", "(none)", "[None]", "[]", "{}", "无",
            "(empty)",
        ] {
            assert!(is_none(value, &["无".to_owned()]), "{value}");
        }
        for value in ["none of the tests", "No issues found.", "I found none", "0"] {
            assert!(!is_none(value, &[]), "{value}");
        }
        for value in [
            "none",
            "High: none",
            "Zero.",
            "High: 0",
            "None — all is well",
        ] {
            assert!(counts_none(value, &[]), "{value}");
        }
        assert!(!counts_none("High: the key", &[]));
    }
}
