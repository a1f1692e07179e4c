//! The words of a status, in the ways in which prompts enumerate them.

use super::lists::{
    AROUND, List, OUTCOMES, PLACEHOLDERS, SEVERITIES, STATUS, SUCCESS, is_rule,
    words as title_words,
};

/// Whether a name is that of a status.
pub(super) fn is_status(name: &str) -> bool {
    let name = title_words(&split_humps(name));
    let mut words: Vec<_> = name.split(' ').collect();
    let count = words.len();
    // Some scripts put no space between the words of a name.
    let ends = |word: &str| {
        !word.is_ascii()
            && STATUS
                .0
                .split('|')
                .any(|it| !it.is_ascii() && word.ends_with(it))
    };
    words.retain(|it| !STATUS.is(it) && !ends(it));
    words.len() < count && count <= 3 && words.iter().all(|it| AROUND.is(it))
}

/// `overallStatus` as `overall Status`.
pub(super) fn split_humps(name: &str) -> String {
    let mut split = String::new();
    let mut was_lower = false;
    for character in name.chars() {
        if character.is_uppercase() && was_lower {
            split.push(' ');
        }
        was_lower = character.is_lowercase();
        split.push(character);
    }
    split
}

/// Whether a text is a word of a status and not a name.
pub(super) fn is_outcome(text: &str) -> bool {
    let text = title_words(text);
    SUCCESS.is(&text) || OUTCOMES.is(&text)
}

/// Whether one of the words of a text is one of a status.
pub(super) fn has_outcome(text: &str) -> bool {
    title_words(text).split(' ').any(is_outcome)
}

/// Whether a text is in capitals.
pub(super) fn is_capital(text: &str) -> bool {
    text.contains(char::is_uppercase) && !text.contains(char::is_lowercase)
}

/// Whether a text is a word that a value can be, and not a name.
pub(super) fn is_value(text: &str) -> bool {
    is_outcome(text) || SEVERITIES.is(&title_words(text))
}

/// What a word of a status means, or the last of several, as in `PLAN COMPLETE`. None if only the author
/// knows.
pub(super) fn meaning(word: &str) -> Option<&'static str> {
    let word = title_words(word);
    let (before, last) = word.rsplit_once(' ').unwrap_or(("", &word));
    let is_less =
        List("not|partial|partially|partly|mostly|almost|never|in|conditional|conditionally|조건부|有条件|条件付き|условно")
            .is_in(before);
    (SUCCESS.is(&word) || SUCCESS.is(last) && !is_less).then_some("success")
}

/// The words that a value enumerates. Empty if it does not enumerate any.
pub(super) fn enumerated(value: &str) -> Vec<String> {
    let value = value.trim();
    let first = value.lines().next().unwrap_or_default().trim();
    let words = of_line(first);
    if words.len() > 1 {
        return words;
    }
    let lines = || value.lines().map(str::trim).filter(|it| !it.is_empty());
    // Each word on a line of its own, with "or" on the lines between them.
    if lines().skip(1).step_by(2).all(is_or) && lines().count() > 2 {
        return collect(lines().step_by(2));
    }
    of_items(value.lines())
}

/// Whether a line is nothing but the word for "or".
pub(super) fn is_or(line: &str) -> bool {
    let line = title_words(line);
    OR.iter().any(|it| it.trim() == line)
}

/// The words of a status: those that its value enumerates, or else those in brackets in its only line, as in
/// "the state of all (Calm, Rough, Storm)".
pub(super) fn status_words(value: &str) -> Vec<String> {
    let words = enumerated(value);
    let value = value.trim();
    if words.len() > 1 || value.lines().count() > 1 {
        return words;
    }
    let inner = value.split_once('(').and_then(|it| it.1.split_once(')'));
    let words = inner.map_or_else(Vec::new, |it| of_line(&format!("[{}]", it.0)));
    let is_word = |it: &String| it.starts_with(char::is_uppercase) || is_outcome(it);
    if words.iter().all(is_word) {
        words
    } else {
        Vec::new()
    }
}

/// Whether one of the words of a value, or its first, is one for success.
pub(super) fn can_succeed(value: &str, is_one_word: bool) -> bool {
    let first = value.split(['|', '/']).next();
    let first = first.filter(|it| is_one_word || it.len() < value.len());
    let first = first.and_then(single);
    let mut words = status_words(value).into_iter().chain(first);
    words.any(|it| is_outcome(&it) && meaning(&it).is_some())
}

/// A value that is one word of a status and does not enumerate any.
pub(super) fn single(value: &str) -> Option<String> {
    let first = value.trim().lines().next()?;
    let value = first.split([',', '}']).next().unwrap_or(first);
    word(value).filter(|_| enumerated(first).is_empty())
}

/// The words that one line enumerates.
pub(super) fn of_line(line: &str) -> Vec<String> {
    let line = line.trim().trim_start_matches("- ");
    let line = line.split("  #").next().unwrap_or(line).trim_end();
    // They are those of a name of its own.
    if line.split_once(": ").is_some_and(|it| is_status(it.0)) {
        return Vec::new();
    }
    // Other labels may follow on the line, as in `Build: OK/BAD | Errors: 2`.
    let line = match line.split_once(" | ") {
        Some((first, rest)) if first.contains('/') && rest.contains(": ") => first,
        _ => line,
    };
    let line = line
        .trim_matches(|it: char| matches!(it, '"' | '\'' | '*' | ',' | '_'))
        .trim();
    let (line, is_bracketed) = match inner(line) {
        Some(inner) => (inner, true),
        None => (line, false),
    };
    let line = line
        .strip_prefix("one of")
        .map_or(line, |it| it.trim_start_matches([':', ' ']));
    let spans: Vec<_> = code_spans(line).collect();
    let parts: Vec<&str> = if line.contains('|') {
        line.split('|').collect()
    } else if spans.len() > 1 && spans.iter().all(|it| word(it).is_some()) {
        spans
    } else if line.contains(" / ") {
        line.split(" / ").collect()
    } else if line.contains('/') && (is_bracketed || starts_with_two(line)) {
        line.split('/').collect()
    } else if let Some(or) =
        alternative(line).filter(|_| !line.contains('{') && line.chars().count() < 80)
    {
        line.split(or).flat_map(|it| it.split(',')).collect()
    } else if is_bracketed && line.contains(',') && !line.contains('"') {
        line.split(',').collect()
    } else {
        return Vec::new();
    };
    collect(parts.into_iter().map(str::trim).filter(|it| !it.is_empty()))
}

/// Whether a line begins with two words with a slash between them, as in `Go/Wait with reasons`.
fn starts_with_two(line: &str) -> bool {
    let first = line.split(' ').next().unwrap_or_default();
    let mut words = line.split(['/', ' ']).take(2);
    words.clone().all(is_capital)
        || first.matches('/').count() == 1 && words.all(|it| it.starts_with(char::is_uppercase))
}

/// The word for "or" between the parts of a line, in the language that it has.
pub(super) fn alternative(line: &str) -> Option<&'static str> {
    OR.into_iter().find(|it| line.contains(it))
}

/// The word for "or" in several languages.
const OR: [&str; 8] = [
    " or ",
    " oder ",
    " ou ",
    " o ",
    " либо ",
    " или ",
    " または ",
    "或",
];

/// The words of list items `**WORD**: when` or of rows of a table. Each line must have one.
pub(super) fn of_items<'l>(lines: impl Iterator<Item = &'l str>) -> Vec<String> {
    let lines = lines.map(str::trim).filter(|it| !it.is_empty());
    let rows = lines.filter(|it| !it.chars().all(|it| "|-: ".contains(it)));
    let starts = rows.map(|it| item_word(it).filter(|it| !is_rule(it)));
    let starts: Option<Vec<_>> = starts.collect();
    collect(
        starts
            .unwrap_or_default()
            .into_iter()
            .filter(|it| title_words(it) != "status"),
    )
}

/// The word that a list item, a bold line or a row begins with.
fn item_word(line: &str) -> Option<&str> {
    let item = line.trim_start_matches(['-', '*', '+', '|', ' ']);
    let is_marked = item.len() < line.len();
    let item = item.trim_start_matches(|it: char| !it.is_alphanumeric() && it != '`');
    let end = ["**", "`", "|", ":", " — ", " – ", " - ", " ("];
    let item = item.trim_start_matches('`');
    let ends = end.iter().filter_map(|it| item.find(it)).min();
    // A name with its value, such as "Passed: 44".
    let rest = item[ends.unwrap_or(item.len())..].trim_start_matches([':', '*', '`', ' ']);
    if rest.starts_with(|it: char| it.is_ascii_digit() || matches!(it, '[' | '{' | '<'))
        || rest == "N"
    {
        return None;
    }
    match ends {
        Some(end) if is_marked => Some(&item[..end]),
        None if is_marked && item.split(' ').count() <= 4 => Some(item),
        _ => None,
    }
}

/// The most words of a status: whatever lists more lists something else.
pub(super) const WORDS: usize = 20;

/// All parts as words, or none if one is not a word.
fn collect<'p>(parts: impl Iterator<Item = &'p str>) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for part in parts {
        let (Some(own), true) = (word(part), words.len() < WORDS) else {
            return Vec::new();
        };
        // "OK with notes" is the word with a remark, but beside "OK" it is another word.
        let plain = own.split(" with ").next().unwrap_or(&own).to_owned();
        let is_new = |it: &String| !words.contains(it);
        words.extend([plain, own].into_iter().find(is_new));
    }
    if words.len() < 2 { Vec::new() } else { words }
}

/// A part of an enumeration without marks and without what follows the word.
fn word(part: &str) -> Option<String> {
    let part = part.trim();
    let part = part.strip_prefix("or ").unwrap_or(part);
    // The name may stand before each word.
    let part = match part.split_once(": ") {
        Some((name, word)) if is_status(name) => word,
        _ => part,
    };
    let cut = ["(", "（", ": ", " - ", " — ", " – ", ". "];
    let end = cut
        .iter()
        .filter_map(|it| part.find(it))
        .min()
        .unwrap_or(part.len());
    let is_letter = |it: char| it.is_alphanumeric();
    let mut word = part[..end].trim_matches(|it: char| !is_letter(it)).trim();
    if word.split(' ').count() > 4 || PLACEHOLDERS.is_in(&word.to_lowercase()) {
        word = word.split(" with ").next().unwrap_or(word);
    }
    let is_plain = word
        .chars()
        .all(|it| is_letter(it) || matches!(it, ' ' | '_' | '-' | '\'' | '&'));
    let is_word = is_plain
        && word.starts_with(char::is_alphabetic)
        && word.split(' ').count() <= 4
        && word.chars().count() <= 40
        && (!part[..end].contains(['[', '{', '<']) || is_capital(word))
        && !part.contains("\":")
        && !PLACEHOLDERS.is_in(&word.to_lowercase());
    is_word.then(|| word.to_owned())
}

/// What stands in the brackets that a line begins with.
fn inner(line: &str) -> Option<&str> {
    let line = line.trim_start_matches('`');
    let close = match line.chars().next()? {
        '[' => ']',
        '{' => '}',
        '<' => '>',
        '(' => ')',
        _ => return None,
    };
    let inner = &line[1..line.find(close)?];
    inner
        .contains(['|', '/', ','])
        .then_some(inner)
        .or_else(|| inner.contains(" or ").then_some(inner))
}

/// The name and the value of a label or a tag, such as `VERDICT: PASS` or `<verdict>PASS</verdict>`.
pub(super) fn label(span: &str) -> Option<(&str, &str)> {
    let span = span.trim_matches(['*', '`', ' ']);
    let tag = span.strip_prefix('<').and_then(|it| it.split_once('>'));
    let tag = tag.and_then(|(name, rest)| Some((name, rest.split_once("</")?.0)));
    tag.or_else(|| span.split_once(": "))
}

/// The code spans of a line.
pub(super) fn code_spans(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}
