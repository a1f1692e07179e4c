//! Removes what a harness writes around and into the result of an agent.

use crate::harness::Harness;

/// The beginning of the note that Claude Code puts before a result that it has changed.
const NOTE: &str = "[harness: ";

/// The result as the agent wrote it.
pub(super) fn unframed(harness: Harness, text: &str) -> String {
    match harness {
        Harness::Gemini => without_head(text).to_owned(),
        Harness::ClaudeCode => without_notes(text),
        _ => text.to_owned(),
    }
}

/// Removes the first lines of Gemini CLI, which say how the agent ended.
fn without_head(text: &str) -> &str {
    let head = text.strip_prefix("Subagent '");
    let result = head.and_then(|rest| rest.split_once("\nResult:\n"));
    result.map_or(text, |(_, result)| result)
}

/// Removes the notes of Claude Code, and its changes: it writes `<\` for `<` in tags that look like its
/// own, and says so in a note.
fn without_notes(text: &str) -> String {
    let mut rest = text;
    while let Some(note) = rest.strip_prefix(NOTE) {
        let Some((_, after)) = note.split_once("]\n") else {
            break;
        };
        rest = after;
    }
    if rest.len() == text.len() {
        return text.to_owned();
    }
    let mut parts = rest.split("<\\");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_tag = part.starts_with(|first: char| first == '/' || first.is_ascii_alphabetic());
        text += if is_tag { "<" } else { "<\\" };
        text += part;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_words_of_the_harness_are_taken_off() {
        let note =
            "[harness: subagent output matched instruction-shaped pattern(s): x. (`<` → `<\\`)]\n";
        for (harness, text, own) in [
            (
                Harness::Gemini,
                "Subagent 'a' finished.\nTermination Reason: GOAL\nResult:\n{}",
                "{}",
            ),
            (
                Harness::Gemini,
                "{\"x\":\"\\nResult:\\n\"}",
                "{\"x\":\"\\nResult:\\n\"}",
            ),
            (
                Harness::ClaudeCode,
                &format!("{note}<\\b>x<\\/b> <\\\""),
                "<b>x</b> <\\\"",
            ),
            (Harness::ClaudeCode, "<\\b>", "<\\b>"),
            (Harness::ClaudeCode, "[harness: no end", "[harness: no end"),
            (Harness::Codex, note, note),
        ] {
            assert_eq!(unframed(harness, text), own, "{text}");
        }
    }
}
