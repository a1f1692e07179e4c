//! The marks in and around paths: quotation marks, links, code spans, and the lines that stand behind a path.

pub(super) fn unmarked(word: &str) -> &str {
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
    let plain = AROUND.iter().fold(word, |plain, (start, end)| {
        let inside = plain.strip_prefix(start);
        inside.and_then(|it| it.strip_suffix(end)).unwrap_or(plain)
    });
    let sentence = plain.strip_suffix('.').filter(|it| !it.ends_with('.'));
    sentence.unwrap_or(plain)
}

/// The target of the link that a text begins with, and what follows the link. There are no brackets in its words.
pub(crate) fn link(text: &str) -> Option<(&str, &str)> {
    const BYTES_AT_MOST: usize = 1024;
    let inside = text.strip_prefix('!').unwrap_or(text).strip_prefix('[')?;
    let rest = inside[inside.find(['[', ']'])?..].strip_prefix("](")?;
    let near = &rest[..rest.floor_char_boundary(BYTES_AT_MOST)];
    // A folder may have a name in brackets.
    let mut ends = near.match_indices(')').map(|it| it.0);
    let end = ends.find(|at| !near[at + 1..].starts_with('/'))?;
    let target = rest[..end].split_whitespace().next().unwrap_or_default();
    let target = target.strip_prefix('<').and_then(|it| it.strip_suffix('>')).unwrap_or(target);
    Some((target, &rest[end + 1..]))
}

pub(crate) fn code_span(text: &str) -> Option<(&str, &str)> {
    let inside = text.trim_start_matches('`');
    let fence = &text[..text.len() - inside.len()];
    let end = inside.find(fence).filter(|_| !fence.is_empty())?;
    Some((inside[..end].trim(), &inside[end + fence.len()..]))
}

/// The first and the last of some lines of a file, from 1.
pub(crate) type LineRange = [u64; 2];

/// A path, and the lines that stand behind it: `a.rs:12`, `a.rs:12-20`, `a.rs:12:5`, `a.rs#L12-L20`.
pub(crate) fn split_lines(path: &str) -> (&str, Option<LineRange>) {
    let is_of_lines = |it: char| it.is_ascii_digit() || "L:#-\u{2013},".contains(it);
    let start = path.trim_end_matches(is_of_lines).len();
    let marks = path[start..].match_indices([':', '#']);
    let mut found = marks.filter_map(|(at, _)| {
        let (before, lines) = path.split_at(start + at);
        Some((before, range(&lines[1..])?))
    });
    let found = found.find(|(before, _)| !before.is_empty());
    found.map_or((path, None), |(before, lines)| (before, Some(lines)))
}

/// The lines that a text names: `12`, `L12`, `12-20`, `12:5` (a line and a column). Of several, the first.
pub(crate) fn range(text: &str) -> Option<LineRange> {
    let line = |text: &str| {
        let text = text.strip_prefix('L').unwrap_or(text);
        let (line, column) = text.split_once(':').unwrap_or((text, "0"));
        let is_number = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
        // A number that is too large is beyond the end of every file.
        [line, column].into_iter().all(is_number).then(|| line.parse().unwrap_or(u64::MAX))
    };
    let (text, _) = text.split_once(',').unwrap_or((text, ""));
    let (first, last) = text.split_once(['-', '\u{2013}']).unwrap_or((text, text));
    let (first, last) = (line(first)?, line(last)?);
    Some([first.min(last), first.max(last)])
}
