//! A text that a simple regular expression matches.

/// A text that an expression matches, in which its group `value` is `sample`. None if the expression has
/// more than anchors, plain characters and that group.
pub(super) fn matching(expression: &str, sample: &str) -> Option<String> {
    let mut text = String::new();
    let mut rest = expression;
    while let Some(next) = rest.chars().next() {
        rest = if let Some(group) = rest
            .strip_prefix("(?<value>")
            .or(rest.strip_prefix("(?P<value>"))
        {
            text.push_str(sample);
            &group[closing(group)? + 1..]
        } else if let Some(anchored) = rest.strip_prefix("\\b") {
            anchored
        } else if let Some(escaped) = rest.strip_prefix('\\') {
            let escaped_character = escaped.chars().next().filter(char::is_ascii_punctuation)?;
            text.push(escaped_character);
            &escaped[1..]
        } else if matches!(next, '^' | '$') {
            &rest[1..]
        } else if matches!(
            next,
            '(' | ')' | '[' | ']' | '{' | '}' | '*' | '+' | '?' | '|' | '.'
        ) {
            return None;
        } else {
            text.push(next);
            &rest[next.len_utf8()..]
        };
    }
    Some(text)
}

/// The offset of the parenthesis that closes a group.
fn closing(group: &str) -> Option<usize> {
    let (mut depth, mut is_escaped, mut is_class) = (0_usize, false, false);
    for (at, character) in group.char_indices() {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '[' => is_class = true,
            ']' => is_class = false,
            '(' if !is_class => depth += 1,
            ')' if !is_class && depth == 0 => return Some(at),
            ')' if !is_class => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::matching;

    #[test]
    fn a_simple_expression_is_filled_in() {
        for (expression, text) in [
            (r"^(?<value>[A-Z_]+)\|", Some("X|")),
            (r"\|(?<value>.+)$", Some("|X")),
            (r"^VERDICT: (?<value>(PASS|FAIL)[)])$", Some("VERDICT: X")),
            (r"^RIG: (?<value>A|B)\b", Some("RIG: X")),
            (r"^v?(?<value>.+)", None),
        ] {
            assert_eq!(matching(expression, "X").as_deref(), text, "{expression}");
        }
    }
}
