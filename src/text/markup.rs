//! Finds formatting markup in plain text, where it can hardly be anything else.

type MarkupCheck = (&'static str, fn(&str) -> bool);

pub(crate) fn markup(text: &str) -> Option<&'static str> {
    if !text.contains(['`', '*', '[', '<', '#', '\n', '-']) {
        return None;
    }
    let checks: [MarkupCheck; 6] = [
        ("code", has_code),
        ("a link", has_link),
        ("bold text", has_bold),
        ("an HTML tag", has_html),
        ("a heading", |text| text.lines().any(is_heading)),
        ("a list", |text| {
            let lines = text.lines().map(str::trim_start);
            let is_item = |it: &&str| it.starts_with("- ") || it.starts_with("* ");
            lines.filter(is_item).count() >= 2
        }),
    ];
    let found = checks.iter().find(|(_, is_found)| is_found(text));
    found.map(|(name, _)| *name)
}

fn has_code(text: &str) -> bool {
    let is_code = |line: &str| line.matches('`').count() >= 2 || line.starts_with("```");
    text.lines().any(is_code)
}

/// Whether a text has `[text](target)` behind nothing, white space, a quote or a bracket: not `calls[0](x)`.
fn has_link(text: &str) -> bool {
    // Where the last label opens, what was looked through for it, and where the next target may end.
    let (mut label, mut seen, mut end) = (None, 0, 0);
    text.match_indices("](").any(|(at, _)| {
        label = text[seen..at].rfind('[').map(|it| seen + it).or(label);
        seen = at;
        let target = at + "](".len();
        if end < target {
            let found = text[target..].find([')', ' ', '\n']);
            end = found.map_or(text.len(), |it| target + it);
        }
        let before = label.map(|start| &text[..start]);
        let begins = before.is_some_and(|it| it.is_empty() || it.ends_with(is_apart));
        begins && end > target && text[end..].starts_with(')')
    })
}

/// Whether a text has `**text**`. `src/**/*.rs` and `2**8` do not count.
fn has_bold(text: &str) -> bool {
    let mut marks = text.match_indices("**").map(|(at, _)| at);
    let opens = |at: usize| {
        let begins = text[..at].is_empty() || text[..at].ends_with(is_apart);
        begins && text[at + 2..].starts_with(char::is_alphanumeric)
    };
    let closes = |at: usize| {
        let inside = |last: char| last.is_alphanumeric() || ".!?:;,)\"'%".contains(last);
        text[..at].ends_with(inside) && !text[at + 2..].starts_with(['/', '*'])
    };
    marks.by_ref().any(opens) && marks.any(closes)
}

/// An HTML element with its end tag, or a line break. `Vec<String>` and `<div>` alone do not count.
fn has_html(text: &str) -> bool {
    const ELEMENTS: [&str; 16] = [
        "a", "b", "i", "u", "p", "em", "strong", "code", "pre", "div", "span", "ul", "ol", "li",
        "h1", "h2",
    ];
    let is_element = |name: &&str| {
        let (start, end) = (format!("<{name}"), format!("</{name}>"));
        let mut starts = text.match_indices(&start).map(|(at, _)| &text[at + start.len()..]);
        // What ends after any of them ends after the first one.
        let first = starts.find(|rest| rest.starts_with([' ', '>']));
        first.is_some_and(|rest| rest.contains(&end))
    };
    let breaks = ["<br>", "<br/>", "<br />"];
    breaks.iter().any(|it| text.contains(it)) || ELEMENTS.iter().any(is_element)
}

fn is_heading(line: &str) -> bool {
    let rest = line.trim_start_matches('#');
    (1..=6).contains(&(line.len() - rest.len())) && rest.starts_with(' ')
}

fn is_apart(before: char) -> bool {
    before.is_whitespace() || "(\"'!".contains(before)
}

#[cfg(test)]
mod tests {
    use super::markup;

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
