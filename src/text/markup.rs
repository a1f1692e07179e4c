//! Finds formatting markup in plain text, where it can hardly be anything else.

use std::sync::LazyLock;

use regex::Regex;

/// `src/**/*.rs`, `2**8`, `calls[0](x)` and `Vec<String>` are no markup.
const MARKUP: [(&str, &str); 6] = [
    ("code", "(?s)```|`.*`"),
    ("a link", r#"(^|[\s("'!])\[[^\]]*\]\([^) \n]+\)"#),
    ("bold text", r#"(^|[\s("'!])\*\*\w([^*]*[\w.!?:;,)"'%])?\*\*($|[^/*])"#),
    ("an HTML tag", "<br ?/?>|</[a-z]+[1-6]?>"),
    ("a heading", "(?m)^#{1,6} "),
    ("a list", r"(?m)^\s*[-*] .*\n\s*[-*] "),
];

/// What sort of markup a text has, if any.
pub(crate) fn markup(text: &str) -> Option<&'static str> {
    static KINDS: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| {
        let kinds = MARKUP.into_iter();
        kinds.filter_map(|(name, pattern)| Some((name, Regex::new(pattern).ok()?))).collect()
    });
    if !text.contains(['`', '*', '[', '<', '#', '\n']) {
        return None;
    }
    let found = KINDS.iter().find(|(_, pattern)| pattern.is_match(text));
    found.map(|(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_named() {
        for (text, name) in [
            ("Wrote `plan.md` today.", "code"),
            ("```rust\nfn main() {}\n```", "code"),
            ("See [the plan](plans/a.md).", "a link"),
            ("[The plan](https://example.org/a)", "a link"),
            ("**Done.** All of it.", "bold text"),
            ("This is **very good**.", "bold text"),
            ("It is <b>done</b>.", "an HTML tag"),
            ("One<br>two", "an HTML tag"),
            ("See <a href=\"x\">this</a>", "an HTML tag"),
            ("# Summary\nDone.", "a heading"),
            ("Done:\n- one\n- two", "a list"),
        ] {
            assert_eq!(markup(text), Some(name), "{text}");
        }
    }

    #[test]
    fn all_kinds_are_known() {
        assert!(MARKUP.iter().all(|(_, pattern)| Regex::new(pattern).is_ok()));
    }

    #[test]
    fn plain_text_about_code_is_no_markup() {
        for text in [
            "",
            "Wrote plan-001.md.",
            "Changed src/**/*.rs and tests/**/*.rs.",
            "2**8 is 256, 2**9 is 512.",
            "Calls handlers[0](event) and a[1].",
            "Returns Vec<String> and Option<b>.",
            "Replaced <div> by <section>.",
            "Fixed issue #12 and #13.",
            "A quote ` alone.",
            "5 - 3 is 2 * 1.",
            "Values x < 3 and y > 4.",
            "Set __init__ and *args, **kwargs.",
            "Above:\n- one thing only",
            "Uses [1] and (2).",
            "Wrote [the plan] (draft).",
        ] {
            assert_eq!(markup(text), None, "{text}");
        }
    }
}
