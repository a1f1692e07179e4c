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
    let plain = AROUND.iter().fold(inside_tag(word).unwrap_or(word), |plain, (start, end)| {
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
    inside.strip_suffix('>')?.strip_suffix(name)?.strip_suffix("</")
}

/// Where the bracket closes that a text begins with. Not far inside of others.
fn closing(text: &str) -> Option<usize> {
    const DEEPEST: usize = 8;
    let mut depth = 0_usize;
    if !text.starts_with(['(', '[']) {
        return None;
    }
    for (at, it) in text.char_indices() {
        match it {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
        if depth > DEEPEST {
            break;
        }
    }
    None
}

pub(crate) fn link(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_prefix('!').unwrap_or(text);
    let (_, rest) = text.split_at(closing(text).filter(|_| text.starts_with('['))?);
    let (target, rest) = rest.split_at(closing(rest)?);
    let target = target.strip_prefix('(')?.strip_suffix(')')?;
    if let Some((target, _)) = target.strip_prefix('<').and_then(|it| it.split_once('>')) {
        return Some((target, rest));
    }
    Some((target.split_whitespace().next().unwrap_or(target), rest))
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
    let is_of_lines =
        |it: char| it.is_ascii_digit() || matches!(it, 'L' | 'C' | ':' | '#' | '-' | '\u{2013}');
    let start = path.trim_end_matches(is_of_lines).len();
    let marks = path[start..].match_indices([':', '#']);
    let mut found = marks.filter_map(|(at, _)| {
        let (before, lines) = path.split_at(start + at);
        Some((before, range(&lines[1..])?))
    });
    let found = found.find(|(before, _)| !before.is_empty());
    found.map_or((path, None), |(before, lines)| (before, Some(lines)))
}

/// The lines that a text names: `12`, `L12`, `12-20`, `12:5` (a line and a column), `L3C7-L9C2`.
pub(crate) fn range(text: &str) -> Option<LineRange> {
    let line = |text: &str| {
        let mut numbers = text.strip_prefix('L').unwrap_or(text).split([':', 'C']);
        let (line, column) = (numbers.next()?, numbers.next());
        let is_number = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
        let is_all = is_number(line) && column.is_none_or(is_number) && numbers.next().is_none();
        // A number that is too large is beyond the end of every file.
        is_all.then(|| line.parse().unwrap_or(u64::MAX))
    };
    let (first, last) = match text.split_once(['-', '\u{2013}']) {
        Some((first, last)) => (line(first)?, line(last)?),
        None => (line(text)?, line(text)?),
    };
    Some([first.min(last), first.max(last)])
}
