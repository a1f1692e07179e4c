//! Marks of Markdown around paths, and remarks behind them.

/// Marks of Markdown, quotation marks and brackets, in the order in which they stand around each other.
const AROUND: [(&str, &str); 12] = [
    ("**", "**"),
    ("__", "__"),
    ("*", "*"),
    ("\"", "\""),
    ("'", "'"),
    ("“", "”"),
    ("„", "“"),
    ("‘", "’"),
    ("«", "»"),
    ("(", ")"),
    ("<", ">"),
    ("[", "]"),
];

/// A word without marks around it, and without the full stop of a sentence.
pub(super) fn unmarked(word: &str) -> &str {
    let code = word.strip_prefix("<code>");
    let code = code.and_then(|it| it.strip_suffix("</code>"));
    let plain = AROUND
        .iter()
        .fold(code.unwrap_or(word), |plain, (start, end)| {
            let inside = plain.strip_prefix(start);
            inside.and_then(|it| it.strip_suffix(end)).unwrap_or(plain)
        });
    let sentence = plain.strip_suffix('.').filter(|it| !it.ends_with('.'));
    sentence.unwrap_or(plain)
}

/// The code span that a text begins with, and what follows it.
pub(super) fn code_span(text: &str) -> Option<(&str, &str)> {
    let inside = text.trim_start_matches('`');
    let fence = &text[..text.len() - inside.len()];
    if fence.is_empty() {
        return None;
    }
    let end = inside.find(fence)?;
    Some((inside[..end].trim(), &inside[end + fence.len()..]))
}

/// The first code span of a text, between what comes before it and what follows it.
pub(crate) fn first_code_span(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_at(text.find('`')?);
    let (span, after) = code_span(rest)?;
    Some((before, span, after))
}

pub(super) fn code_spans(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.find('`')?;
        let (span, after) = code_span(&rest[start..])?;
        rest = after;
        Some(span)
    })
}

/// The target of the first link.
pub(super) fn target(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("](")?;
    if let Some((target, _)) = rest.strip_prefix('<').and_then(|it| it.split_once('>')) {
        return Some(target);
    }
    let (target, _) = rest.split_once(')')?;
    Some(target.split_whitespace().next().unwrap_or(target))
}

/// The text before the first remark.
pub(crate) fn before_remark(text: &str) -> &str {
    const REMARKS: [&str; 7] = [" — ", " – ", " - ", " -- ", ": ", " (", " | "];
    let starts = REMARKS.iter().filter_map(|remark| text.find(remark));
    let end = starts.min().unwrap_or(text.len());
    unmarked(text[..end].trim().trim_end_matches(':'))
}
