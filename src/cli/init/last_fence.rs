//! The template that ends a prompt whose headings say nothing.

use crate::form::Form;

use super::blocks::{Blocks, Fence};
use super::lists::{FOREIGN, LANGUAGES, List, OTHER, first_word, words};
use super::name::{TemplateName, clean};
use super::readers::is_candidate;
use super::region::ReturnRegion;
use super::template::{self, Template};
use super::words::{enumerated, is_outcome, is_status};

/// Whether a fence below a sentence about what to return begins with a status and its words.
fn begins_with_verdict(blocks: &Blocks<'_>, fence: &Fence<'_>) -> bool {
    let first = blocks
        .lines
        .get(fence.start + 1)
        .copied()
        .unwrap_or_default();
    let Some((name, value)) = first.split_once(':') else {
        return false;
    };
    let above = blocks.headings_in(0..fence.start).last();
    let mut above = blocks.lines[above.map_or(0, |it| it.line)..fence.start].iter();
    is_status(&clean(name))
        && enumerated(value).iter().any(|it| is_outcome(it))
        && above.any(|it| List("return|respond|reply").is(&first_word(it)))
}

/// A template that ends a prompt whose headings say nothing, for prompts in any language.
pub(super) fn last_fence(blocks: &Blocks<'_>) -> Option<(ReturnRegion, Template, Vec<Template>)> {
    let mut fences = blocks.fences.iter().filter(|it| LANGUAGES.is(it.info));
    let verdict = fences.clone().find(|it| begins_with_verdict(blocks, it));
    let is_titled = |it: &&Fence<'_>| {
        let above = blocks.headings_in(0..it.start).last();
        above.is_some_and(|it| !it.title.is_ascii() && FOREIGN[1].marks(it.title))
    };
    let titled = fences.clone().find(is_titled);
    let fence = verdict.or(titled).or_else(|| fences.next_back())?;
    let template = template::of_fence(blocks, fence)?;
    let rest = blocks.lines.get(fence.end + 1..).unwrap_or_default();
    let ends_prompt = rest.iter().filter(|it| !it.trim().is_empty()).count() <= 3;
    let text = blocks.text(fence.start + 1, fence.end);
    let has_status = template.names.iter().any(TemplateName::has_words);
    let above = blocks.headings_in(0..fence.start).last();
    let title = above.map(|it| it.title).unwrap_or_default();
    let is_other = OTHER.is_in(&words(title));
    let is_near = if title.is_ascii() {
        ends_prompt && has_status || verdict.is_some()
    } else {
        ends_prompt || has_status || titled.is_some()
    };
    let is_template = template.names.len() > 1 && text.contains(['[', '{', '<']);
    let region = ReturnRegion {
        line: fence.start,
        start: fence.start,
        end: fence.end + 1,
        weight: 1,
        level: 0,
    };
    let is_return = is_candidate(blocks, fence, &region) && !is_other;
    (template.form != Form::Yaml && is_template && is_near && is_return)
        .then(|| (region, template, Vec::new()))
}
