//! Lines that a sentence of a prompt asks for.

use super::blocks::Blocks;
use super::find::item;
use super::lists::{FIRST, LAST, words};
use super::words::{code_spans, enumerated, is_outcome, is_status, of_items};

/// A first or last line that a sentence asks for.
pub(super) struct StatedLine {
    pub(super) line: usize,
    /// The name of its label, as in "End with `VERDICT: PASS`".
    pub(super) name: Option<String>,
    pub(super) is_first: bool,
    pub(super) words: Vec<String>,
}

/// The first sentence that asks for a line with a status.
pub(super) fn stated_line(blocks: &Blocks<'_>) -> Option<StatedLine> {
    let lines = blocks.lines.iter().enumerate();
    lines
        .filter(|(line, _)| !blocks.is_in_fence(*line))
        .find_map(|(line, text)| {
            let sentence = words(text);
            let is_first = FIRST.is_in(&sentence);
            if !is_first && !LAST.is_in(&sentence) {
                return None;
            }
            let stated = |name, words| StatedLine {
                line,
                name,
                is_first,
                words,
            };
            let labels = code_spans(text).filter_map(|it| it.trim_matches('*').split_once(": "));
            let is_named = |it: &(&str, &str)| is_status(it.0) || is_outcome(it.1);
            let labels: Vec<_> = labels.filter(is_named).collect();
            if let Some((name, _)) = labels.first() {
                let values = labels.iter().filter(|it| it.0 == *name).map(|it| it.1);
                let words = enumerated(&values.collect::<Vec<_>>().join(" | "));
                return (words.len() > 1).then(|| stated(Some((*name).to_owned()), words));
            }
            let spans: Vec<_> = code_spans(text).collect();
            let mut words = enumerated(&spans.join(" | "));
            if words.is_empty() && sentence.ends_with("one of") {
                let below = blocks
                    .lines
                    .iter()
                    .skip(line + 1)
                    .take_while(|it| item(it).is_some());
                words = of_items(below.copied());
            }
            (words.len() > 1 && words.iter().any(|it| is_outcome(it))).then(|| stated(None, words))
        })
}
