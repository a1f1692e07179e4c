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
    let plain = AROUND
        .iter()
        .fold(inside_tag(word).unwrap_or(word), |plain, (start, end)| {
            let inside = plain.strip_prefix(start);
            inside.and_then(|it| it.strip_suffix(end)).unwrap_or(plain)
        });
    let sentence = plain.strip_suffix('.').filter(|it| !it.ends_with('.'));
    sentence.unwrap_or(plain)
}

/// What stands inside of a tag around a word. A tag alone has nothing inside.
fn inside_tag(word: &str) -> Option<&str> {
    let (name, inside) = word.strip_prefix('<')?.split_once('>')?;
    if inside.is_empty() && name.starts_with('/') {
        return Some(inside);
    }
    let end = inside.strip_suffix('>')?.strip_suffix(name)?;
    end.strip_suffix("</")
}

/// Where the bracket closes that a text begins with. Not far inside of others.
pub(super) fn closing(text: &str) -> Option<usize> {
    const DEEPEST: usize = 8;
    if !text.starts_with(['(', '[', '（', '【']) {
        return None;
    }
    let mut depth = 0;
    for (at, it) in text.char_indices() {
        match it {
            '(' | '[' | '（' | '【' => depth += 1,
            ')' | ']' | '）' | '】' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + it.len_utf8());
        }
        if depth > DEEPEST {
            break;
        }
    }
    None
}

/// The target of the link that a text begins with, and what follows it.
pub(super) fn link(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_prefix('!').unwrap_or(text);
    if !text.starts_with('[') {
        return None;
    }
    let (_, rest) = text.split_at(closing(text)?);
    let (target, rest) = rest.split_at(closing(rest)?);
    let target = target.strip_prefix('(')?.strip_suffix(')')?;
    if let Some((target, _)) = target.strip_prefix('<').and_then(|it| it.split_once('>')) {
        return Some((target, rest));
    }
    Some((target.split_whitespace().next().unwrap_or(target), rest))
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

/// The text before the first remark.
pub(crate) fn before_remark(text: &str) -> &str {
    const REMARKS: [&str; 7] = [" — ", " – ", " - ", " -- ", ": ", " (", " | "];
    let starts = REMARKS.iter().filter_map(|remark| text.find(remark));
    let end = starts.min().unwrap_or(text.len());
    unmarked(text[..end].trim().trim_end_matches(':'))
}
