//! Lines that a sentence of a prompt asks for.

use super::blocks::{Blocks, item};
use super::listed::listed;
use super::lists::{FIRST, FOREIGN, FOREIGN_LAST, LAST, List, ONE_OF, STATUS, words};
use super::region::is_return;
use super::sentence::{Sentence, sentences};
use super::words::{
    code_spans, enumerated, has_outcome, is_capital, is_outcome, is_status, is_value, label,
    of_items, of_line, single,
};

/// A first or last line that a sentence asks for.
pub(super) struct StatedLine {
    pub(super) line: usize,
    /// The name of its label, as in "End with `VERDICT: PASS`".
    pub(super) name: Option<String>,
    pub(super) is_first: bool,
    pub(super) words: Vec<String>,
    /// Whether the prompt says where it stands.
    pub(super) is_placed: bool,
}

/// The first sentence that asks for a line with a status.
pub(super) fn stated_line(blocks: &Blocks<'_>) -> Option<StatedLine> {
    sentences(blocks).find_map(|Sentence { line, last, text }| {
        let sentence = words(text);
        let is_first = FIRST.is_in(&sentence);
        let is_last =
            LAST.is_in(&sentence) || FOREIGN_LAST.marks(text) || sentence.starts_with("final ");
        let own = sentence.strip_prefix("then ").unwrap_or(&sentence);
        let first = own.split(' ').next().unwrap_or_default();
        let is_return = List("return|reply|respond|output").is(first) || FOREIGN[0].is(first);
        if !is_first && !is_last && !is_return {
            return None;
        }
        let stated = |name, words| StatedLine {
            line,
            name,
            is_first,
            words,
            is_placed: true,
        };
        if is_return && !is_last {
            let mut words = asked_words(text);
            let is_open = text.trim_end().ends_with(':') && ONE_OF.marks(text);
            if words.is_empty() && is_open {
                words = words_below(blocks, last);
            }
            let are_words = words.iter().all(|it| is_outcome(it))
                || words.iter().all(|it| is_capital(it)) && words.iter().any(|it| is_outcome(it));
            let is_of_one = List("each|every|per").is_in(&sentence);
            return (words.len() > 1 && are_words && !is_of_one).then(|| StatedLine {
                is_first: true,
                ..stated(None, words)
            });
        }
        let below = below(blocks, last);
        let marks = ["**", "\""].into_iter();
        let marked = marks.flat_map(|it| text.split(it).skip(1).step_by(2));
        let spans = code_spans(text).chain(marked.map(|it| it.trim_end_matches('\\')));
        let spans = spans.chain(below.iter().flat_map(|it| it.split(" or ")));
        let spans = spans.flat_map(|it| std::iter::once(it).chain(code_spans(it)));
        let labels = spans.filter_map(label);
        let is_of_status = sentence.split(' ').any(|it| STATUS.is(it));
        let is_named = |it: &(&str, &str)| {
            let last = words(it.0);
            let is_status = STATUS.is(last.rsplit(' ').next().unwrap_or_default());
            let words = enumerated(it.1);
            let are_marked = words.iter().all(|it| is_capital(it) && !is_value(it));
            is_status || is_outcome(it.1) || (is_of_status || are_marked) && words.len() > 1
        };
        let labels: Vec<_> = labels.filter(is_named).collect();
        if let Some((name, _)) = labels.first() {
            let values = labels.iter().filter(|it| it.0 == *name).map(|it| it.1);
            let words = enumerated(&values.collect::<Vec<_>>().join(" | "));
            return (words.len() > 1).then(|| stated(Some((*name).to_owned()), words));
        }
        let spans: Vec<_> = code_spans(text).collect();
        let mut words = enumerated(&spans.join(" | "));
        if words.is_empty() && List("one").is_in(&sentence) && text.ends_with(':') {
            words = words_below(blocks, last);
        }
        if words.is_empty() {
            words = asked_words(text);
        }
        // A title in capitals, such as `## HULL SOUND`, is a mark as a whole.
        let is_mark = |it: &String| is_outcome(it) || has_outcome(it) && is_capital(it);
        let are_words = words.len() > 1 && !words.iter().any(|it| is_status(it));
        (are_words && words.iter().any(is_mark)).then(|| stated(None, words))
    })
}

/// The words that the items or the lines directly below a line begin with.
fn words_below(blocks: &Blocks<'_>, line: usize) -> Vec<String> {
    let below = blocks.lines.iter().copied().skip(line + 1);
    let below = below.skip_while(|it| it.trim().is_empty());
    let items = of_items(below.clone().take_while(|it| item(it).is_some()));
    if !items.is_empty() {
        return items;
    }
    let lines = below.take_while(|it| !it.trim().is_empty());
    let words = lines.map(|it| it.split([':', ' ']).next().unwrap_or_default().to_owned());
    let words: Vec<_> = words.collect();
    let are_words = words.len() < 8 && words.iter().all(|it| is_capital(it));
    if are_words { words } else { Vec::new() }
}

/// The words in capitals that several sentences ask to end with, each one with one, as in "If it holds, end with
/// **ROPE GOOD.**"
pub(super) fn endings(blocks: &Blocks<'_>) -> Option<StatedLine> {
    let asks = sentences(blocks).filter(|it| LAST.is_in(&words(it.text)));
    let found = asks.filter_map(|it| {
        let below = below(blocks, it.last);
        let texts = std::iter::once(it.text).chain(below.into_iter().take(1));
        let spans = texts.flat_map(|it| it.split(['*', '`', '"']).skip(1));
        let mut words = spans.filter_map(|it| {
            let is_part = |it: char| it.is_alphanumeric() || matches!(it, ' ' | '_' | '-');
            let word = it.split(|it| !is_part(it)).next()?.trim();
            let is_word = is_capital(word) && has_outcome(word) && word.split(' ').count() < 5;
            is_word.then(|| word.to_owned())
        });
        Some((it.line, words.next()?))
    });
    let found: Vec<_> = found.collect();
    let mut words: Vec<String> = found.iter().map(|it| it.1.clone()).collect();
    words.dedup();
    (words.len() > 1).then(|| StatedLine {
        line: found[0].0,
        name: None,
        is_first: false,
        words,
        is_placed: true,
    })
}

/// The words that a sentence asks to write, as in "Open with PASS or FAIL".
fn asked_words(text: &str) -> Vec<String> {
    let lower = text.to_ascii_lowercase();
    let verbs = [
        "open with",
        "start with",
        "begin with",
        "end with",
        "return ",
        "reply ",
        "respond ",
        "output: ",
    ];
    let after = verbs
        .iter()
        .filter_map(|it| text.get(lower.find(it)? + it.len()..));
    let mut lists = after.map(listed).filter(|it| it.len() > 1);
    lists.next().unwrap_or_default()
}

/// The lines of the paragraph or the list below a sentence with a colon at its end.
fn below<'t>(blocks: &Blocks<'t>, line: usize) -> Vec<&'t str> {
    let lines = blocks.lines.iter().copied().skip(line + 1);
    let lines = lines.skip_while(|it| it.trim().is_empty());
    let lines = lines.take_while(|it| !it.trim().is_empty() && !it.starts_with("```"));
    let is_open = blocks.lines[line].trim_end().ends_with(':');
    lines
        .take(if is_open { 8 } else { 0 })
        .map(|it| item(it).unwrap_or(it))
        .collect()
}

/// The first sentence that enumerates the words of a status behind its name, as in "Return the findings
/// and one verdict: APPROVE, REJECT, or COMMENT". Only words in capitals or code count, and those
/// that are always of a status, because a sentence may have any other.
pub(super) fn named_words(blocks: &Blocks<'_>) -> Option<StatedLine> {
    // A bold name in a list of other things than the return can be of anything.
    let is_foreign = |line: usize| {
        let above = blocks.headings_in(0..line).last();
        item(blocks.lines[line]).is_some_and(|it| it.starts_with("**"))
            && !above.is_some_and(is_return)
    };
    sentences(blocks)
        .filter(|it| !it.text.starts_with('|') && !List("each|every").is_in(&words(it.text)))
        .filter(|it| !is_foreign(it.line))
        .find_map(|sentence| {
            if let Some(stated) = items_of_name(blocks, sentence) {
                return Some(stated);
            }
            let Sentence { line, text, .. } = sentence;
            let (start, name) = (text.match_indices(char::is_alphabetic))
                .filter(|(at, _)| !text[..*at].ends_with(char::is_alphanumeric))
                .map(|(at, _)| (at, leading_name(&text[at..])))
                .find(|(_, word)| STATUS.is(&word.to_lowercase()))?;
            let words = listed(&text[start + name.len()..]);
            (words.len() > 1).then(|| StatedLine {
                line,
                name: Some(name.to_owned()),
                is_first: false,
                words,
                is_placed: false,
            })
        })
}

/// The bold items below a sentence that ends in the name of a status, as in "and a recommendation:".
fn items_of_name(blocks: &Blocks<'_>, sentence: Sentence<'_>) -> Option<StatedLine> {
    let Sentence { line, last, text } = sentence;
    let sentence = text.trim_end().trim_end_matches('*').strip_suffix(':')?;
    let sentence = match sentence.rsplit_once(" (") {
        Some((before, remark)) if remark.ends_with(')') => before,
        _ => sentence,
    };
    let sentence = sentence.trim_end_matches('*');
    let is_filler = |it: &&str| {
        List("one|of|as|be|is|will|must|should|shall|exactly|either|the|these|following").is(it)
    };
    let name = sentence.rsplit([' ', '*']).find(|it| !is_filler(it))?;
    let items = blocks.lines.iter().copied().skip(last + 1);
    let items = items.skip_while(|it| it.trim().is_empty());
    let items = items.take_while(|it| item(it).is_some_and(is_marked));
    let mut words = of_items(items.clone());
    if words.len() < 2 {
        words = items.take(1).flat_map(of_line).collect();
    }
    let name = name.to_lowercase();
    let singular = name.strip_suffix("es").filter(|it| STATUS.is(it));
    let name = singular
        .or(name.strip_suffix('s').filter(|it| STATUS.is(it)))
        .unwrap_or(&name);
    (STATUS.is(name) && words.len() > 1).then(|| StatedLine {
        line,
        name: Some(name.to_owned()),
        is_first: false,
        words,
        is_placed: false,
    })
}

/// Whether an item begins with a mark, or is nothing but an identifier.
fn is_marked(item: &str) -> bool {
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_';
    item.starts_with(['*', '`']) || item.contains('_') && item.chars().all(is_part)
}

fn leading_name(text: &str) -> &str {
    let end = text.find(|it: char| !it.is_alphanumeric());
    &text[..end.unwrap_or(text.len())]
}

/// The words of a label that code spans anywhere show with one value each, as in "`VERDICT: PASS` if
/// all is well". Only of a name that has at least two.
pub(super) fn shown_words(blocks: &Blocks<'_>) -> Option<StatedLine> {
    let shown = sentences(blocks)
        .flat_map(|it| code_spans(it.text).map(move |span| (it.line, span)))
        .filter_map(|(line, span)| {
            let (name, value) = label(span)?;
            is_status(name).then_some((line, name, single(value)?))
        });
    let shown: Vec<_> = shown.collect();
    let (line, name, _) = shown.first()?;
    let mut words: Vec<String> = Vec::new();
    for (_, own, word) in &shown {
        if own == name && !words.contains(word) {
            words.push(word.clone());
        }
    }
    let are_words = words.len() > 1 && words.iter().any(|it| is_outcome(it));
    are_words.then(|| StatedLine {
        line: *line,
        name: Some((*name).to_owned()),
        is_first: false,
        words,
        is_placed: false,
    })
}
