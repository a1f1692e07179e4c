//! Sentences that say what is in a return, and name nothing in it.

use super::blocks::{Blocks, item};
use super::lists::{EXAMPLE, FOREIGN, List, OTHER, PLAIN, first_word, words};
use super::paths::is_path;
use super::region::step;
use super::title::{is_foreign, weight};
use super::words::code_spans;

/// The first line that lists what a return says, such as "Final message: what was mended, and what is left", or
/// that asks for the same of each finding.
pub(super) fn content_line(blocks: &Blocks<'_>) -> Option<usize> {
    let mut paragraphs = blocks.paragraphs.iter();
    let found = paragraphs
        .find(|it| is_titled(&it.text) || is_exact(&it.text) || lists(blocks, it.line, &it.text));
    found.map(|it| it.line)
}

/// Whether a line begins with the title of the return, as in "Output: PASS or FAIL for each item".
fn is_titled(text: &str) -> bool {
    let titled = text.split_once(": ").filter(|_| item(text).is_none());
    titled.is_some_and(|(title, rest)| PLAIN.is(&words(title)) && !rest.trim().is_empty())
}

/// Whether a sentence says what the whole return is, as in "Reply exactly `READY`".
fn is_exact(text: &str) -> bool {
    EXACT.is_in(&words(text)) && code_spans(text).any(|it| !it.is_empty())
}

/// Whether a line lists what a return says behind a colon or a dash.
fn lists(blocks: &Blocks<'_>, line: usize, text: &str) -> bool {
    let marks = [":", "：", " — ", " – ", " - "].into_iter();
    let ends = marks.filter_map(|it| Some((text.find(it)?, it.len())));
    let Some((end, length)) = ends.min() else {
        return false;
    };
    let (phrase, rest) = (&text[..end], &text[end + length..]);
    let rest = rest.split(". ").next().unwrap_or(rest).trim();
    let commas = [',', '+', ';', '、', '；', '，', '|', '·'];
    let is_list = (rest.contains(commas) || rest.contains(" / ")) && !rest.contains(['"', '{']);
    let above = blocks.headings_in(0..line).last();
    let is_of_findings = || above.is_some_and(|it| FINDINGS.is_in(&words(it.title)));
    match (rest, is_list) {
        ("", _) => is_of_each(phrase),
        _ if is_foreign(phrase) => true,
        (_, true) if words(phrase) == "for each" => is_of_findings(),
        (_, true) => is_demand(text, phrase) && !is_of_other(blocks, line, phrase),
        _ => false,
    }
}

/// Titles that have what is said of each finding below them.
const FINDINGS: List = List("findings|report");

/// Words of a sentence that says what the whole return is.
const EXACT: List = List(
    "reply exactly|respond exactly|return exactly|reply only|respond only|reply with only|respond with only|reply with exactly|respond with exactly|return only",
);

/// Whether a line begins with a title of the return or with a verb that asks for it.
fn is_demand(line: &str, phrase: &str) -> bool {
    let own = item(phrase).unwrap_or(phrase).replace("**", "");
    let own = own.trim();
    let second = own.split(' ').nth(1).unwrap_or_default();
    // In a list, "Report layout" is what the agent can do, and "Report what" what it has to.
    let is_sentence = item(line).is_none()
        || second.starts_with(char::is_lowercase)
        || second.is_empty() && line.matches(',').count() > 1;
    // "Look at the code and return a plan: what to change, what to test"
    let clause = own.rsplit(" and ").next().unwrap_or(own);
    let is_verb = List("report|return|respond|reply|answer").is(&first_word(clause));
    let is_foreign = FOREIGN[0]
        .0
        .split('|')
        .any(|it| own.to_lowercase().starts_with(it));
    // A step of the work is done with more than the return.
    let is_title = step(line).is_none() && weight(own) > 3;
    is_foreign || is_sentence && (is_verb || is_title)
}

/// Whether a sentence asks for what each finding has.
fn is_of_each(phrase: &str) -> bool {
    let sentence = words(phrase);
    let found = List(
        "finding|issue|problem|claim|violation|vulnerability|bug|error|failure|defect|risk|gap|test run|check",
    );
    let starts = ["each ", "every "];
    let item = starts.iter().find_map(|it| sentence.split_once(it));
    item.is_some_and(|(_, it)| found.0.split('|').any(|own| it.starts_with(own)))
        && List("provide|report|include|give|state|list|return|output").is_in(&sentence)
}

/// Whether a line is an example, names a file, or is of something else.
fn is_of_other(blocks: &Blocks<'_>, line: usize, phrase: &str) -> bool {
    let above = blocks.headings_in(0..line).last();
    above.is_some_and(|it| EXAMPLE.is_in(&words(it.title)))
        || code_spans(blocks.lines[line]).any(is_path)
        || OTHER.is_in(&words(phrase))
        || item(phrase).unwrap_or(phrase).contains(". ")
}
