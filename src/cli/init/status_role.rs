//! The role status of a proposal.

use super::blocks::Blocks;
use super::name::TemplateName;
use super::proposal::{KeyValue, Proposal, quoted};
use super::prose::enumerations;
use super::template;
use super::words::{WORDS, code_spans, enumerated, meaning, single, status_words};

/// Where the status stands, and its words.
#[derive(Debug)]
pub(super) struct StatusRole {
    pub(super) place: KeyValue,
    pub(super) line: usize,
    /// The words, each with its line.
    pub(super) words: Vec<(String, usize)>,
    /// The word of each template of the region, if it has one of its own.
    pub(super) of_variants: Vec<Option<String>>,
}

impl StatusRole {
    /// The status of a label that a list has, which does not say how it stands in the return.
    pub(super) fn of_label(name: &TemplateName) -> Self {
        let place = format!("{{ at = {}, optional = true }}", quoted(&name.place));
        Self {
            of_variants: Vec::new(),
            ..Self::of_line(status_words(&name.value), name.line, place)
        }
    }

    /// Whether one of the words is understood as success.
    pub(super) fn can_succeed(&self) -> bool {
        self.words.iter().any(|(word, _)| meaning(word).is_some())
    }

    /// Adds the role and its words to a proposal.
    pub(super) fn add_to(&self, proposal: &mut Proposal) {
        let place = match &self.place {
            KeyValue::Raw(place) => KeyValue::Raw(place.clone()),
            KeyValue::Text(place) => KeyValue::Text(place.clone()),
            KeyValue::List(_) => return,
        };
        proposal.add("at.status", place, self.line);
        for (word, line) in &self.words {
            proposal.add_word(word, *line);
        }
    }

    pub(super) fn join(&mut self, words: impl IntoIterator<Item = String>, line: usize) {
        for word in words {
            if self.words.len() < WORDS && self.words.iter().all(|it| it.0 != word) {
                self.words.push((word, line));
            }
        }
    }

    /// Adds the words that other samples of the prompt have at this place, if it enumerates none.
    pub(super) fn join_shown(&mut self, blocks: &Blocks<'_>, name: &TemplateName) {
        if !enumerated(&name.value).is_empty() || !name.place.starts_with('/') {
            return;
        }
        let fences = blocks.fences.iter();
        let fences = fences.filter_map(|it| template::of_fence(blocks, it));
        let spans = blocks.lines.iter().enumerate();
        let spans = spans.flat_map(|(line, it)| code_spans(it).map(move |it| (line, it)));
        let spans = spans.filter(|it| it.1.starts_with("{\""));
        let samples = fences.chain(spans.filter_map(|(line, it)| template::read(it, line, "")));
        for own in samples
            .flat_map(|it| it.names)
            .filter(|it| it.place == name.place)
        {
            self.join(single(&own.value), own.line);
        }
        if self.words.len() < 2 {
            self.words.clear();
        }
    }

    /// Adds the words that the prompt explains outside of the template.
    pub(super) fn join_prose(&mut self, blocks: &Blocks<'_>, name: &TemplateName) {
        let sample = single(&name.value);
        for (words, line) in enumerations(blocks, &name.name, &self.words, sample.as_deref()) {
            let is_known = |word: &String| self.words.iter().any(|own| own.0 == *word);
            let is_same = self.words.is_empty() || words.iter().any(is_known);
            if words.len() > 1 && words.len() <= 8 && is_same {
                self.join(words, line);
            }
        }
    }

    pub(super) fn of_line(words: Vec<String>, line: usize, place: String) -> Self {
        Self {
            place: KeyValue::Raw(place),
            line,
            of_variants: words.iter().cloned().map(Some).collect(),
            words: words.into_iter().map(|it| (it, line)).collect(),
        }
    }
}
