//! Messages and recommendations with their `{words}` filled in.

use std::fmt::{Display, Write as _};

/// Whom recommendations address when nobody knows the agent's name.
const NOBODY: &str = "the subagent";

/// A template that names no agent.
pub(crate) fn to_nobody(template: &str) -> String {
    template
        .replace("{agent} subagent", NOBODY)
        .replace("{agent}", NOBODY)
}

/// A template with its `{words}` replaced.
pub(crate) fn fill(template: &str, words: &[(&str, &dyn Display)]) -> String {
    let mut text = String::with_capacity(template.len() + 32);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let Some((name, after)) = after.split_once('}') else {
            text.push('{');
            rest = after;
            continue;
        };
        match words.iter().find(|(word, _)| *word == name) {
            Some((_, value)) => {
                let _ = write!(text, "{value}");
            }
            None => {
                let _ = write!(text, "{{{name}}}");
            }
        }
        rest = after;
    }
    text.push_str(rest);
    text
}
