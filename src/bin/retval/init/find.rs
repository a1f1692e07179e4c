//! Finds the template of a return in the region that most surely has it.

use retval::internal::form::Form;

use super::blocks::{Blocks, Fence};
use super::lists::{GUIDANCE, LANGUAGES, List, OTHER, words};
use super::name::{TemplateName, clean, place_of};
use super::named_list::{item, named_list};
use super::region::{ReturnRegion, regions};
use super::template::{self, Template};
use super::words::{enumerated, is_path, is_status, single};

/// Where a template was found, and what is like it.
#[derive(Debug)]
pub(super) struct FoundTemplate {
    pub(super) region: ReturnRegion,
    pub(super) template: Template,
    /// Other templates of the region: the same return with another outcome.
    pub(super) variants: Vec<Template>,
    /// Templates of the same return elsewhere, below a condition such as "If nothing was found".
    pub(super) conditional: Vec<Template>,
    /// The lines of fences of the region that were not read.
    pub(super) unread: Vec<usize>,
}

impl FoundTemplate {
    /// The template and its variants.
    pub(super) fn templates(&self) -> impl Iterator<Item = &Template> {
        std::iter::once(&self.template).chain(&self.variants)
    }
}

/// The template of the surest region that has one.
pub(super) fn find(blocks: &Blocks<'_>) -> Option<FoundTemplate> {
    let regions = regions(blocks);
    let found = |region: &ReturnRegion, read: TemplateReader| {
        let mut templates = read(blocks, region).into_iter();
        let template = templates.next()?;
        Some((region.clone(), template, templates.collect::<Vec<_>>()))
    };
    let readers: [TemplateReader; 3] = [fenced, named_list, headings];
    let mut readable = regions
        .iter()
        .filter_map(|region| readers.iter().find_map(|read| found(region, *read)));
    let first = readable.next();
    // Of equally sure ones, that with the status is of the whole return.
    let weight = first.as_ref().map(|it| it.0.weight);
    let has_status = |it: &(ReturnRegion, Template, Vec<Template>)| {
        let mut names = it.1.names.iter();
        names.any(|it| is_status(&it.name) && enumerated(&it.value).len() > 1)
    };
    let better = readable
        .take_while(|it| Some(it.0.weight) == weight)
        .find(has_status)
        .filter(|_| first.as_ref().is_some_and(|it| !has_status(it)));
    let (region, template, others) = better.or(first).or_else(|| last_fence(blocks))?;
    let case = |it: &Template| it.fence.is_some() && is_case(blocks.before(it.line - 1));
    let (variants, unread): (Vec<_>, Vec<_>) = others
        .into_iter()
        .partition(|it| is_variant(&template, it) || case(&template) && case(it));
    // What is only there under a condition is not what every return has.
    let is_conditional =
        template.fence.is_some() && has_condition(blocks.before(template.line - 1));
    if is_conditional && variants.is_empty() {
        return None;
    }
    Some(FoundTemplate {
        conditional: conditional(blocks, &region, &template),
        region,
        template,
        variants,
        unread: unread.iter().map(|it| it.line).collect(),
    })
}

/// The templates outside of a region that stand below a condition and are like its template.
fn conditional(blocks: &Blocks<'_>, region: &ReturnRegion, template: &Template) -> Vec<Template> {
    let is_outside = |it: &&Fence<'_>| it.end < region.start || it.start > region.end;
    let fences = blocks.fences.iter().filter(is_outside);
    let fences =
        fences.filter(|it| LANGUAGES.is(it.info) && has_condition(blocks.before(it.start)));
    let templates = fences.filter_map(|it| of_fence(blocks, it));
    templates.filter(|it| is_variant(template, it)).collect()
}

/// Whether a line is the title of one of several cases, such as `### For a first review`.
fn is_case(line: &str) -> bool {
    let line = line.trim();
    line.starts_with(['#', '*'])
        && List("if|for|when|on").is(words(line).split(' ').next().unwrap_or_default())
}

/// Whether a line begins with a condition.
fn has_condition(line: &str) -> bool {
    List("if").is(words(line).split(' ').next().unwrap_or_default())
}

type TemplateReader = fn(&Blocks<'_>, &ReturnRegion) -> Vec<Template>;

/// The templates in the fences of a region.
fn fenced(blocks: &Blocks<'_>, region: &ReturnRegion) -> Vec<Template> {
    let fences = blocks
        .fences
        .iter()
        .filter(|it| it.start >= region.start && it.end <= region.end);
    let mut candidates: Vec<_> = fences
        .filter(|it| is_candidate(blocks, it, region))
        .collect();
    // What a program takes out by its word is the return, whatever stands around it.
    candidates.sort_by_key(|it| !is_marker(it.info));
    let templates = candidates.into_iter().filter_map(|it| of_fence(blocks, it));
    let templates: Vec<_> = templates.collect();
    let has_names = |it: &Template| !it.names.is_empty() || it.length == 1 && !is_path(&it.first);
    match templates.iter().position(has_names) {
        Some(first) => templates
            .into_iter()
            .skip(first)
            .filter(has_names)
            .collect(),
        None => Vec::new(),
    }
}

fn of_fence(blocks: &Blocks<'_>, fence: &Fence<'_>) -> Option<Template> {
    let text = blocks.text(fence.start + 1, fence.end);
    template::read(&text, fence.start + 1, fence.info)
}

/// Whether a fence of a region can be the return. Not one of a single finding, or of something else.
fn is_candidate(blocks: &Blocks<'_>, fence: &Fence<'_>, region: &ReturnRegion) -> bool {
    let before = words(blocks.before(fence.start));
    let mut below = blocks
        .headings
        .iter()
        .filter(|it| (region.start..fence.start).contains(&it.line));
    let title = below
        .next_back()
        .map(|it| words(it.title))
        .unwrap_or_default();
    let other = List(
        "each|every|per|bad|wrong|commit|pull request|input|run|command|avoid|do not|findings as|\
     issues as|escalation",
    );
    let is_other = |text: &str| other.is_in(text);
    let is_json = || {
        blocks
            .text(fence.start + 1, fence.end)
            .starts_with(['{', '['])
    };
    (LANGUAGES.is(fence.info) || is_marker(fence.info) && is_json())
        && !is_other(&before)
        && !is_other(&title)
}

/// Whether the word after a fence is no language but a mark for a program, such as `review-result`.
pub(super) fn is_marker(info: &str) -> bool {
    info.contains(['-', '_']) && info.starts_with(|it: char| it.is_ascii_alphabetic())
}

/// The headings below the heading of a region.
fn headings(blocks: &Blocks<'_>, region: &ReturnRegion) -> Vec<Template> {
    if region.level == 0 {
        return Vec::new();
    }
    let inner = blocks
        .headings
        .iter()
        .filter(|it| (region.start..region.end).contains(&it.line));
    let inner: Vec<_> = inner.filter(|it| it.level != super::blocks::TAG).collect();
    let Some(level) = inner.iter().map(|it| it.level).min() else {
        return Vec::new();
    };
    let names = inner.iter().filter(|it| it.level == level).map(|it| {
        let name = clean(it.title);
        let end = inner
            .iter()
            .find(|next| next.line > it.line)
            .map_or(region.end, |next| next.line);
        let value = blocks.text(it.line + 1, end);
        TemplateName::new(place_of(&name), &name, it.line, value.trim())
    });
    let is_guidance = |name: &TemplateName| {
        let title = words(&name.name);
        GUIDANCE.is_in(&title) || title.split(' ').count() > 6
    };
    let mut names: Vec<_> = names.collect();
    if names.len() < 2 || names.iter().any(is_guidance) {
        return Vec::new();
    }
    if !names.iter().any(|it| is_status(&it.name)) {
        names.extend(status_below(blocks, region));
    }
    vec![Template {
        form: Form::Text,
        line: region.start,
        names,
        length: usize::MAX,
        first: String::new(),
        fence: None,
    }]
}

/// The only label of a status with its words that stands below the headings of a region.
fn status_below(blocks: &Blocks<'_>, region: &ReturnRegion) -> Option<TemplateName> {
    let mut labels = (region.start..region.end.min(blocks.lines.len())).filter_map(|line| {
        let (name, value) = blocks.lines[line].split_once(':')?;
        let name = clean(item(name).unwrap_or(name));
        let value = value.trim_matches(['*', ' ']);
        let has_words = is_status(&name) && enumerated(value).len() > 1;
        has_words.then(|| TemplateName::new(place_of(&name), &name, line, value))
    });
    labels.next().filter(|_| labels.next().is_none())
}

/// A template that ends a prompt whose headings say nothing, for prompts in any language.
fn last_fence(blocks: &Blocks<'_>) -> Option<(ReturnRegion, Template, Vec<Template>)> {
    let fence = blocks.fences.iter().rfind(|it| LANGUAGES.is(it.info))?;
    let template = of_fence(blocks, fence)?;
    let rest = blocks.lines.get(fence.end + 1..).unwrap_or_default();
    let ends_prompt = rest.iter().filter(|it| !it.trim().is_empty()).count() <= 3;
    let text = blocks.text(fence.start + 1, fence.end);
    let has_status = template
        .names
        .iter()
        .any(|it| is_status(&it.name) && enumerated(&it.value).len() > 1);
    let title = blocks
        .headings
        .iter()
        .rfind(|it| it.line < fence.start)
        .map(|it| it.title);
    let title = title.unwrap_or_default();
    let is_other = OTHER.is_in(&words(title));
    let is_near = if title.is_ascii() {
        ends_prompt && has_status
    } else {
        ends_prompt || has_status
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

/// Whether two templates are the same return with another outcome.
fn is_variant(one: &Template, other: &Template) -> bool {
    let is_shared = |name: &&TemplateName| one.names.iter().any(|it| it.place == name.place);
    let shared = other.names.iter().filter(is_shared).count();
    let is_line = one.length == 1 && other.length == 1;
    let is_other_outcome = one
        .names
        .iter()
        .filter(|it| is_status(&it.name))
        .any(|status| {
            let own = other.names.iter().find(|it| it.place == status.place);
            let words = own.map(|it| (single(&status.value), single(&it.value)));
            matches!(words, Some((Some(one), Some(other))) if one != other)
        });
    one.form == other.form
        && (shared > 0 && shared * 2 >= other.names.len().min(one.names.len())
            || is_line
            || is_other_outcome
            || one.first == other.first && one.first.starts_with('#'))
}
