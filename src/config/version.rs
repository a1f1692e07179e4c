//! `required-version`: the versions of retval that a configuration is written for.

use crate::config::item::{ReadError, TomlItem};
use crate::text::escape;

/// The key.
pub(super) const KEY: &str = "required-version";

const OWN: &str = env!("CARGO_PKG_VERSION");

/// Whether a version meets the one that is asked for.
type Meets = fn(&[u64], &[u64]) -> bool;

/// The operators, longer ones first.
const OPERATORS: [(&str, Meets); 6] = [
    (">=", |own, asked| own >= asked),
    ("<=", |own, asked| own <= asked),
    ("==", |own, asked| own == asked),
    ("=", |own, asked| own == asked),
    (">", |own, asked| own > asked),
    ("<", |own, asked| own < asked),
];

/// Reads the versions that are asked for. Fails unless this is one of them.
pub(super) fn read(item: &TomlItem<'_>) -> Result<String, ReadError> {
    let text: String = item.read()?;
    let shown = escape::truncated(&text);
    match is_met(&text, OWN) {
        Some(true) => Ok(text),
        Some(false) => Err(item.error(format!(
            "this configuration needs retval {shown}, and this is retval {OWN}: install another version"
        ))),
        None => Err(item.error(format!(
            "`{KEY}`: `{shown}` is no requirement; write \">=0.1\" or \">=0.1, <0.3\", with one of >= > <= < ="
        ))),
    }
}

/// Whether a version meets all requirements, which commas divide. None if one cannot be read.
fn is_met(requirements: &str, own: &str) -> Option<bool> {
    let own = numbers(own)?;
    requirements.split(',').try_fold(true, |all, part| {
        let part = part.trim();
        let (rest, compare) = OPERATORS
            .iter()
            .find_map(|(operator, compare)| Some((part.strip_prefix(operator)?, compare)))?;
        let asked = numbers(rest.trim())?;
        // What it leaves open, as the last number in `=0.1`, may be any.
        let own = own.get(..asked.len())?;
        Some(all && compare(own, &asked))
    })
}

/// One to three numbers with dots between them.
fn numbers(text: &str) -> Option<Vec<u64>> {
    let is_plain = |part: &str| !part.is_empty() && part.bytes().all(|it| it.is_ascii_digit());
    let number = |part: &str| part.parse().ok().filter(|_| is_plain(part));
    text.split('.').map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::is_met;

    #[test]
    fn a_version_is_compared_as_far_as_the_requirement_goes() {
        for (requirement, met) in [
            (">=0.1", true),
            (">= 1.2.3", true),
            (">=1.2.4", false),
            (">=1.10", false),
            (">1.2", false),
            (">1.1.9", true),
            ("<=1.2", true),
            ("<1.2", false),
            ("<2", true),
            ("=1.2", true),
            ("==1.2.3", true),
            ("=1.2.2", false),
            (">=1.0, <1.2", false),
            (">=1.0,<1.3", true),
        ] {
            assert_eq!(is_met(requirement, "1.2.3"), Some(met), "{requirement}");
        }
        for text in [
            "",
            "1.2",
            "~1.2",
            "^1",
            ">=",
            ">=1.",
            ">=1.x",
            ">=+1",
            ">=1.2.3.4",
            ">=1,",
            ">>1",
            "=>1",
            ">=v1",
            ">=-1",
            ">=99999999999999999999",
        ] {
            assert_eq!(is_met(text, "1.2.3"), None, "{text}");
        }
    }
}
