//! JSON text on one line.

use std::borrow::Cow;

/// The text without white space between its tokens, if it has line breaks or tabs there. The text must be
/// JSON.
pub(crate) fn compact(json: &str) -> Cow<'_, str> {
    if !json.contains(['\n', '\r', '\t']) {
        return Cow::Borrowed(json);
    }
    let (mut is_inside, mut is_escaped) = (false, false);
    let is_kept = |character: &char| {
        let character = *character;
        let is_quote = character == '"' && !is_escaped;
        is_escaped = character == '\\' && !is_escaped;
        is_inside ^= is_quote;
        is_inside || !character.is_ascii_whitespace()
    };
    Cow::Owned(json.chars().filter(is_kept).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_white_space_between_tokens_is_left_out() {
        let text = "{\n\t\"a \\\" b\": [ 1,\r\n 2.0 ],\n  \"c\\\\\": \" \"\n}\n";
        assert_eq!(compact(text), r#"{"a \" b":[1,2.0],"c\\":" "}"#);
        assert_eq!(compact("{ \"a\": 1 }"), "{ \"a\": 1 }");
    }
}
