//! The sentences of a prompt.

use super::blocks::Blocks;
use super::lists::{List, words};
use super::paths::written_path;

/// A sentence of a paragraph, and the first and the last line of that.
#[derive(Clone, Copy)]
pub(super) struct Sentence<'b> {
    pub(super) line: usize,
    pub(super) last: usize,
    pub(super) text: &'b str,
}

/// The sentences outside of fences. Not those that say what others are told.
pub(super) fn sentences<'b>(blocks: &'b Blocks<'_>) -> impl Iterator<Item = Sentence<'b>> {
    // What a file begins with is nothing of the message.
    let is_of_others = |text: &str| {
        List("ask|tell|instruct|them|their").is_in(&words(text)) || written_path(text).is_some()
    };
    let sentences = blocks.paragraphs.iter().flat_map(move |paragraph| {
        let mut before = 0;
        let ends = |text: &'b str| text.split_inclusive('。');
        let texts = paragraph.text.split_inclusive(". ").flat_map(ends);
        texts.map(move |text| {
            let line = blocks.line_in(paragraph, before);
            before += text.len();
            let last = paragraph.last;
            Sentence { line, last, text }
        })
    });
    sentences.filter(move |it| !is_of_others(it.text))
}
