//! The lines of a file that stand behind its path.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stand_behind_a_path() {
        for (text, path, lines) in [
            ("a.rs:12", "a.rs", Some([12, 12])),
            ("a.rs:12-20", "a.rs", Some([12, 20])),
            ("a.rs:20\u{2013}12", "a.rs", Some([12, 20])),
            ("a.rs:12:5", "a.rs", Some([12, 12])),
            ("a.rs:12:5-14:2", "a.rs", Some([12, 14])),
            ("a.rs#L12", "a.rs", Some([12, 12])),
            ("a.rs#L12-L20", "a.rs", Some([12, 20])),
            ("a.rs:L3C7-L9C2", "a.rs", Some([3, 9])),
            (
                "a.rs:99999999999999999999",
                "a.rs",
                Some([u64::MAX, u64::MAX]),
            ),
            ("a.rs", "a.rs", None),
            ("a.rs:", "a.rs:", None),
            ("a-12", "a-12", None),
            (":12", ":12", None),
            ("a:b", "a:b", None),
            ("a.rs:1-2-3", "a.rs:1-2-3", None),
        ] {
            assert_eq!(split_lines(text), (path, lines), "{text}");
        }
    }
}
