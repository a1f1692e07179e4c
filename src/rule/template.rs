//! The placeholders in the texts of rules, such as `{path}`.

use crate::text::append::push_str;

const PLACEHOLDERS: [&str; 21] = [
    "agent",
    "code",
    "count",
    "emoji",
    "expected",
    "field",
    "found",
    "key",
    "kind",
    "least",
    "length",
    "limit",
    "most",
    "name",
    "path",
    "relative",
    "status",
    "timestamp",
    "types",
    "what",
    "why",
];

/// The set of these placeholders, of which each is a bit. A name that does not exist does not compile.
pub(crate) const fn placeholders(names: &[&str]) -> u32 {
    let (mut set, mut index) = (0, 0);
    while index < names.len() {
        let mut bit = 0;
        while !is_same(PLACEHOLDERS[bit], names[index]) {
            bit += 1;
            assert!(bit < PLACEHOLDERS.len(), "the placeholder does not exist");
        }
        set |= 1 << bit;
        index += 1;
    }
    set
}

/// The set of the placeholders in a text.
pub(super) const fn placeholders_in(text: &str) -> u32 {
    let (mut set, mut start) = (0, index_of(text, b'{', 0));
    while start < text.len() {
        let end = index_of(text, b'}', start);
        let (name, _) = text.split_at(end);
        let (_, name) = name.split_at(start + 1);
        set |= placeholders(&[name]);
        start = index_of(text, b'{', end);
    }
    set
}

const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut index = 0;
    while index < one.len() && index < other.len() && one[index] == other[index] {
        index += 1;
    }
    index == one.len() && index == other.len()
}

/// The index of the first `wanted` byte at or after `index`, or the length of the text.
const fn index_of(text: &str, wanted: u8, mut index: usize) -> usize {
    let bytes = text.as_bytes();
    while index < bytes.len() && bytes[index] != wanted {
        index += 1;
    }
    index
}

/// Appends a text with the agent's name, if it is known, and with what `write` appends for each other
/// placeholder. A text that goes on behind words begins with a small letter.
pub(crate) fn fill(
    filled: &mut String,
    [words, text]: [&str; 2],
    agent: Option<&str>,
    mut write: impl FnMut(&mut String, &str),
) {
    for (text, is_behind_words) in [(words, false), (text, !words.is_empty())] {
        let mut letters = text.chars();
        if is_behind_words {
            filled.extend(letters.next().map(|first| first.to_ascii_lowercase()));
        }
        let mut rest = letters.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            push_str(filled, before);
            let (placeholder, after) = after.split_once('}').unwrap_or((after, ""));
            rest = after;
            match (placeholder, agent) {
                ("agent", Some(name)) => push_str(filled, name),
                ("agent", None) => {
                    push_str(filled, "the subagent");
                    // Avoids "the subagent subagent".
                    rest = rest.strip_prefix(" subagent").unwrap_or(rest);
                }
                _ => write(filled, placeholder),
            }
        }
        push_str(filled, rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(text: &str, agent: Option<&str>) -> String {
        let mut filled = String::new();
        fill(&mut filled, ["", text], agent, String::push_str);
        filled
    }

    #[test]
    fn a_set_has_a_bit_for_each_placeholder() {
        assert_eq!(placeholders(&PLACEHOLDERS), (1 << PLACEHOLDERS.len()) - 1);
        assert_eq!(placeholders(&["agent", "count"]), 0b101);
        assert_eq!(
            placeholders_in("{path} and {why}, {path}"),
            placeholders(&["why", "path"])
        );
        assert_eq!(placeholders_in("nothing"), 0);
    }

    #[test]
    fn values_are_filled_in_wherever_they_stand() {
        assert_eq!(
            filled("{path} and {why}, {path}", None),
            "path and why, path"
        );
        assert_eq!(filled("", None), "");
    }

    #[test]
    fn an_agent_without_a_name_is_called_the_subagent() {
        const FIX: &str = "Fix {agent} subagent: {agent}";
        assert_eq!(filled(FIX, Some("a")), "Fix a subagent: a");
        assert_eq!(filled(FIX, None), "Fix the subagent: the subagent");
    }

    #[test]
    #[should_panic(expected = "does not exist")]
    fn a_text_with_an_unknown_placeholder_is_refused() {
        placeholders_in("{nobody}");
    }
}
