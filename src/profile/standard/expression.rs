//! Regular expressions of a configuration.

use regex::Regex;

/// The group whose text counts.
const GROUP: &str = "value";

/// The most bytes that a compiled expression may have.
const BYTES_AT_MOST: usize = 256 * 1024;

/// A regular expression with a group `value`, which takes linear time. Compiled once.
#[derive(Debug, Clone)]
pub(crate) struct Expression(Regex);

impl Expression {
    /// Compiles an expression.
    pub(crate) fn new(text: &str) -> Result<Self, String> {
        let built = regex::RegexBuilder::new(text)
            .size_limit(BYTES_AT_MOST)
            .build();
        let regex = built.map_err(|error| {
            let text = error.to_string();
            let last = text.lines().last().unwrap_or_default();
            last.trim_start_matches("error: ").to_owned()
        })?;
        if !regex.capture_names().flatten().any(|name| name == GROUP) {
            return Err(format!("it has no group named `{GROUP}`"));
        }
        Ok(Self(regex))
    }

    /// As the configuration writes it.
    pub(crate) fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The bytes of a text that its group takes. None if the text does not match.
    pub(crate) fn find(&self, text: &str) -> Option<std::ops::Range<usize>> {
        Some(self.0.captures(text)?.name(GROUP)?.range())
    }
}

impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_str() == other.0.as_str()
    }
}

impl Eq for Expression {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_takes_its_group() {
        let expression = Expression::new(r"^(?<value>[A-Z_]+)\|").expect("valid");
        assert_eq!(expression.find("DONE|a.md"), Some(0..4));
        assert_eq!(expression.find("done|a.md"), None);
    }

    #[test]
    fn a_wrong_expression_is_told() {
        let error = |text| Expression::new(text).expect_err("an error");
        assert_eq!(error("(?<value>a"), "unclosed group");
        assert_eq!(error("a"), "it has no group named `value`");
        assert!(error("(?<value>(a{1000}){1000})").contains("size limit"));
    }
}
