//! The placeholders in the texts of rules, such as `{path}`.

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
            filled.push_str(before);
            let (placeholder, after) = after.split_once('}').unwrap_or((after, ""));
            rest = after;
            match (placeholder, agent) {
                ("agent", Some(name)) => filled.push_str(name),
                ("agent", None) => {
                    filled.push_str("the subagent");
                    // Avoids "the subagent subagent".
                    rest = rest.strip_prefix(" subagent").unwrap_or(rest);
                }
                _ => write(filled, placeholder),
            }
        }
        filled.push_str(rest);
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
}
