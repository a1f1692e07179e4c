//! Text in HTML.

/// A text as text of HTML, also inside a quoted attribute.
pub(super) fn html(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&apos;"),
            other => safe.push(other),
        }
    }
    safe
}
