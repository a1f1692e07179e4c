//! Step 2: the texts of the return are the agent's own, and say something.

use crate::check::{Collector, Placeholder, values};
use crate::document::Form;
use crate::document::tree::Value;
use crate::profile::sample::is_sample;
use crate::profile::told::told;
use crate::rule::{Rule, Step};
use crate::text::suggest::eq_ignoring_case_and_separators;

/// The longest text that is compared, in bytes.
const LONGEST: usize = 48;

/// What is written in place of a text, in lower case.
const FILLERS: &str = "abc|asdf|dummy|example|fixme|foo|foo bar|foobar|hello world|insert summary here|\
    lorem ipsum|null|placeholder|qwerty|sample|sample text|some text|string|tbd|test|text|todo|undefined|\
    your summary here";

pub(super) static ECHO: Rule = Rule::error(Step::Fields, "return-echo")
    .says("{name} is copied from the instruction: {found}")
    .advises("Write your own {name}");

pub(crate) static FILLER: Rule = Rule::warning(Step::Fields, "return-filler")
    .says("{name} says nothing: {found}")
    .advises("Write {name} so that the caller can use it");

/// Reports a required text that is not the agent's own or says nothing. `name` is the name of its field.
pub(super) fn check(collector: &mut Collector<'_, '_>, name: &str, text: &str, at: Value<'_, '_>) {
    if let Some(rule) = broken_by(name, text) {
        report(collector, rule, text, at);
    }
}

pub(super) fn check_copied(collector: &mut Collector<'_, '_>, text: &str, at: Value<'_, '_>) {
    if is_sample(text) {
        report(collector, &ECHO, text, at);
    }
}

/// Whether a text has a few words in a row. A contract can fix all of a short return, as `DONE: plan.md`: its
/// example is then what an honest agent answers, word for word.
pub(super) fn has_sentence(text: &str) -> bool {
    /// As many words are hardly the same by chance.
    const WORDS: usize = 4;
    let ends = |it: char| !it.is_alphanumeric() && !" ,.-'’`".contains(it);
    let is_word = |it: &&str| it.starts_with(char::is_alphabetic);
    text.split(ends).any(|part| part.split(' ').filter(is_word).count() >= WORDS)
}

/// Whether a text in a field of this name is the agent's own, and says something.
pub(crate) fn is_own(name: &str, text: &str) -> bool {
    broken_by(name, text).is_none()
}

fn broken_by(name: &str, text: &str) -> Option<&'static Rule> {
    let trimmed = text.trim_ascii();
    match text.len() {
        _ if is_sample(trimmed) => Some(&ECHO),
        ..=LONGEST if is_filler(name, trimmed) => Some(&FILLER),
        _ => None,
    }
}

fn report(collector: &mut Collector<'_, '_>, rule: &'static Rule, text: &str, at: Value<'_, '_>) {
    let expected = &collector.context.expected;
    if ![expected.session, expected.agent].contains(&Some(text)) && !collector.count_if_full(rule) {
        let pointer = at.pointer();
        let name = match collector.context.profile.form {
            // As in "your first line".
            Form::Text => told(&pointer.to_string(), Form::Text).replacen("the ", "", 1),
            Form::Json | Form::Yaml => Placeholder::cut(&pointer.dotted()).to_string(),
        };
        let name = if name.is_empty() { "return" } else { &*name }.to_owned();
        let values = values![name = Placeholder::Shown(name), found = text];
        collector.report(rule, at, &values);
    }
}

/// Whether a text says nothing. A short name or path can be right; only a placeholder for it cannot.
fn is_filler(name: &str, text: &str) -> bool {
    match name {
        // Other rules compare them with what there is.
        "path" | "status" | "type" => false,
        "summary" | "completion_summary" | "message" | "recommendation" | "details"
        | "next_steps" | "quality_assessment" => says_nothing(name, text),
        _ if text.starts_with(['<', '{', '$']) && is_placeholder(name, text) => true,
        _ => text == "string" || is_name_of_field(name, text),
    }
}

/// Whether a sentence or two says nothing. "none", "done" and "n/a" are answers.
fn says_nothing(name: &str, text: &str) -> bool {
    let word = text.trim_matches(|it: char| it.is_ascii_punctuation() || it == ' ');
    let mut fillers = FILLERS.split('|');
    let is_one_letter = word.bytes().all(|byte| byte == word.as_bytes()[0]);
    is_one_letter
        || fillers.any(|filler| word.eq_ignore_ascii_case(filler))
        || is_name_of_field(name, word)
        || is_placeholder(name, text)
}

/// Whether a text stands for another one, as `<summary>` and `{{summary}}`. Square brackets may hold a remark.
pub(super) fn is_placeholder(name: &str, text: &str) -> bool {
    let inside = |open, close| text.strip_prefix(open)?.strip_suffix(close);
    let is_name = |text: &str| {
        let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || b" _-.,'".contains(&byte);
        !text.is_empty() && text.bytes().all(is_of_name)
    };
    let mut marks = [("<", ">"), ("{{", "}}"), ("${", "}"), ("{", "}")].into_iter();
    let named = marks.find_map(|(open, close)| inside(open, close));
    named.is_some_and(is_name) || inside("[", "]").is_some_and(|text| is_name_of_field(name, text))
}

fn is_name_of_field(name: &str, text: &str) -> bool {
    /// Bytes for separators that the name lacks.
    const SEPARATORS: usize = 2;
    let first = |text: &str| text.bytes().next().map(|byte| byte.to_ascii_lowercase());
    text.len() <= name.len() + SEPARATORS
        && first(text) == first(name)
        && eq_ignoring_case_and_separators(text, name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_told_from_what_a_contract_can_fix() {
        for text in [
            "Status: DONE\nSummary: The pump is safe.\n",
            "{\"status\":\"ok\",\"why\":\"The retry never waits.\"}",
        ] {
            assert!(has_sentence(text), "{text}");
        }
        for text in [
            "PLAN WRITTEN docs/plan.md",
            "Tests: 12 passed, 0 failed, 1 skipped\nConcerns: none\n",
            "{\"verdict\": \"APPROVE\", \"confidence\": \"high\", \"findings\": [], \"notes\": null}",
        ] {
            assert!(!has_sentence(text), "{text}");
        }
    }

    #[test]
    fn a_text_that_says_nothing_is_told_from_a_short_one() {
        let nothing = [
            "test",
            "TEST.",
            "a",
            "1",
            "xxx",
            "TODO",
            "string",
            "Summary",
            "-",
            "[..]",
            "<summary>",
            "<what you did>",
            "{{summary}}",
            "{summary}",
            "${SUMMARY}",
            "[summary]",
            "\"todo\"",
            "<b>",
        ];
        for text in nothing {
            assert!(is_filler("summary", text), "{text}");
        }
        let short = [
            "Done.",
            "None",
            "n/a",
            "OK",
            "ok",
            "完",
            "✓",
            "[WIP] Two of three.",
            "Tests pass.",
            "{\"a\": 1}",
            "Fixed the test",
            "No changes",
            "PASS",
            "42",
        ];
        for text in short {
            assert!(!is_filler("summary", text), "{text}");
        }
    }

    #[test]
    fn a_short_name_may_be_right() {
        for name in ["a", "test", "todo", "null", "1", "[x]"] {
            assert!(!is_filler("session_id", name), "{name}");
            assert!(!is_filler("path", name), "{name}");
        }
        for name in ["string", "session_id", "sessionId", "<session>", "<session id>"] {
            assert!(is_filler("session_id", name), "{name}");
            assert!(!is_filler("path", name), "{name}");
        }
    }
}
