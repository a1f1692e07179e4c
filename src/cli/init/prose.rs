//! Words of a status that a prompt explains outside of its template.

use super::blocks::{Blocks, Heading};
use super::lists::{has_words, words};
use super::told_names::listed;
use super::words::{code_spans, of_items, of_line};

/// Words that may be those of a status, each enumeration with its line.
pub(super) type Enumerations = Vec<(Vec<String>, usize)>;

/// The enumerations outside of the template: below a heading or in a sentence about the status of that
/// name, and those that repeat words that are known.
pub(super) fn enumerations(
    blocks: &Blocks<'_>,
    name: &str,
    known: &[(String, usize)],
    sample: Option<&str>,
) -> Enumerations {
    let name = words(name);
    let core = name.rsplit(' ').next().unwrap_or_default();
    let plural = format!("{core}s");
    // What the sample shows may be explained below a title such as "Criteria of approval".
    let is_shown = |word: &String| sample.is_some_and(|it| it.eq_ignore_ascii_case(word));
    let titled = blocks.headings.iter().filter_map(|it| {
        let title = words(it.title);
        let is_titled = has_words(&title, core) || has_words(&title, &plural);
        if !is_titled && sample.is_none() {
            return None;
        }
        let words = below(blocks, it);
        (is_titled || words.iter().any(is_shown)).then_some((words, it.line))
    });
    let lines = || {
        let lines = blocks.lines.iter().copied().enumerate();
        lines.filter(|it| !blocks.is_in_fence(it.0))
    };
    let told = lines().filter_map(|(line, text)| Some((about(text, &name, core)?, line)));
    let is_known = |word: &&String| known.iter().any(|own| own.0 == **word);
    let repeated = lines().filter_map(|(line, text)| {
        let value = text.split_once(": ")?.1;
        let words = of_line(value);
        let is_list = value.contains(" | ") && !text.starts_with('|');
        (is_list && words.iter().filter(is_known).count() > 1).then_some((words, line))
    });
    titled.chain(told).chain(repeated).collect()
}

/// The words that a sentence about the status enumerates.
fn about(text: &str, name: &str, core: &str) -> Option<Vec<String>> {
    // What lists the names of the return has no words.
    if listed(text).is_some() {
        return None;
    }
    let sentence = words(text);
    // "Verdict: any fault → fail; else → pass"
    let arrows = text.split(['→', '⇒']).skip(1);
    let arrows = arrows.map(|it| it.split([';', ',', '.', ')']).next().unwrap_or_default());
    let arrows: Vec<_> = arrows.map(|it| it.trim_matches([' ', '`', '*'])).collect();
    if arrows.len() > 1 && has_words(&sentence, core) {
        return Some(of_line(&arrows.join(" | ")));
    }
    let spans: Vec<_> = code_spans(text).collect();
    let names_it = spans.first().is_some_and(|it| words(it) == name);
    let is_about =
        has_words(&sentence, core) && has_words(&sentence, "one of") || names_it && spans.len() > 2;
    let is_condition = sentence.starts_with("if ") || sentence.starts_with("when ");
    let spans = &spans[usize::from(names_it)..];
    (is_about && !is_condition).then(|| of_line(&spans.join(" | ")))
}

/// The words of the list, the bold lines or the table below a heading.
pub(super) fn below(blocks: &Blocks<'_>, heading: &Heading<'_>) -> Vec<String> {
    let start = heading.line + 1;
    let lines = start..blocks.lines.len();
    let lines = lines.take_while(|it| blocks.headings_in(*it..*it + 1).is_empty());
    let lines = lines.take(30).map(|it| &blocks.lines[it]);
    let items: Vec<_> = lines.copied().filter(|it| mark(it).is_some()).collect();
    let first = items.first().copied().and_then(mark);
    // A bold sentence after a list is none of its items.
    let items: Vec<_> = items.into_iter().filter(|it| mark(it) == first).collect();
    let is_table = items.iter().all(|it| it.starts_with('|'));
    of_items(items.into_iter().skip(usize::from(is_table)))
}

/// What an item, a row or a bold line begins with.
fn mark(line: &str) -> Option<&str> {
    ["- ", "* ", "**", "|"]
        .into_iter()
        .find(|it| line.starts_with(it))
}
