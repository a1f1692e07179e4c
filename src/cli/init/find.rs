//! Finds the template of a return in the region that most surely has it.

use crate::form::Form;

use super::blocks::{Blocks, Fence};
use super::last_fence::last_fence;
use super::lists::{List, first_word, words};
use super::name::{OPTIONAL, TemplateName};
use super::readers::{READERS, fenced, is_candidate};
use super::region::{ReturnRegion, regions};
use super::roles::fixed_file;
use super::template::{self, Template};
use super::told_names::told_names;
use super::words::{has_outcome, is_or, is_status, single};

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
    let mut readable = Vec::new();
    for region in &regions {
        // Less sure ones are only read for want of a better one.
        let is_sure = |it: &(u8, ReturnRegion, _, _)| it.0 == 0 && it.1.weight > region.weight;
        if readable.iter().any(is_sure) {
            break;
        }
        let read = READERS.iter().filter_map(|read| {
            let mut templates = read(blocks, region).into_iter();
            let template: Template = templates.next()?;
            let others: Vec<_> = templates.collect();
            let is_none = template.names.iter().all(|it| it.left_out.is_some());
            Some((others.is_empty() && is_none, template, others))
        });
        if let Some((is_none, template, others)) = read.min_by_key(|it| it.0) {
            let is_file = fixed_file(blocks, region, template.line).is_some();
            let rank = u8::from(is_none) * 2 + u8::from(is_file);
            readable.push((rank, region.clone(), template, others));
        }
    }
    // One that names nothing, or describes a file, is only taken if there is no other.
    readable.sort_by_key(|it| it.0);
    let mut readable = readable
        .into_iter()
        .map(|(_, region, template, others)| (region, template, others));
    let first = readable.next();
    // Of equally sure ones, that with the status is of the whole return.
    let weight = first.as_ref().map(|it| it.0.weight);
    let has_status = |it: &(ReturnRegion, Template, Vec<Template>)| {
        it.1.names.iter().any(TemplateName::has_words)
    };
    let better = readable
        .take_while(|it| Some(it.0.weight) == weight)
        .find(has_status)
        .filter(|_| first.as_ref().is_some_and(|it| !has_status(it)));
    let (region, template, others) = better
        .or(first)
        .or_else(|| told_names(blocks))
        .or_else(|| last_fence(blocks))?;
    // The same title a second time, whatever it adds, is that of another mode.
    let title = |it: &ReturnRegion| {
        let mut parts = blocks.lines[it.line].split(['(', ':', '—', '–']);
        (it.level, words(parts.next().unwrap_or_default()))
    };
    let is_mode =
        |it: &&ReturnRegion| it.level > 0 && it.line != region.line && title(it) == title(&region);
    let modes = regions.iter().filter(is_mode);
    let modes: Vec<_> = modes.flat_map(|it| fenced(blocks, it)).collect();
    let title = |it: &Template| match it.fence {
        Some(_) => blocks.title(it.line - 1),
        None => "",
    };
    let all = std::iter::once(&template).chain(&others);
    let has_cases =
        is_title(title(&template)) && all.filter(|it| is_case(title(it), it)).count() > 1;
    let (mut variants, unread): (Vec<_>, Vec<_>) = others
        .into_iter()
        .partition(|it| is_variant(&template, it) || has_cases && is_title(title(it)));
    let is_asked = |line: usize| regions.iter().any(|it| (it.start..it.end).contains(&line));
    variants.extend(elsewhere(blocks, &region, |it| {
        is_other_outcome(&template, it) && (it.form != Form::Text || is_asked(it.line))
    }));
    // What stands behind "or" is only in one of two returns.
    let mut template = template;
    let mut lines = region.start..region.end.min(blocks.lines.len());
    if template.fence.is_none()
        && let Some(or) = lines.find(|it| {
            let line = blocks.lines[*it].trim();
            !blocks.is_in_fence(*it) && line.ends_with(':') && is_or(line)
        })
    {
        for name in template.names.iter_mut().filter(|it| it.line > or) {
            name.left_out = name.left_out.or(Some(OPTIONAL));
        }
    }
    // What is only there under a condition is not what every return has.
    let is_conditional =
        template.fence.is_some() && has_condition(blocks.before(template.line - 1));
    if is_conditional && variants.is_empty() {
        return None;
    }
    // Below a heading of its own, another one is of another return.
    let is_below =
        |it: &Template| it.fence.is_some() && blocks.before(it.line - 1).starts_with('#');
    let others = unread
        .iter()
        .filter(|it| it.form == template.form && is_below(&template) && is_below(it));
    let mut conditional = modes;
    conditional.extend(others.cloned());
    conditional.extend(elsewhere(blocks, &region, |it| {
        has_condition(blocks.before(it.line - 1))
            && is_variant(&template, it)
            && !is_other_outcome(&template, it)
    }));
    Some(FoundTemplate {
        conditional,
        region,
        template,
        variants,
        unread: unread.iter().map(|it| it.line).collect(),
    })
}

/// The templates outside of a region that are like its template.
fn elsewhere(
    blocks: &Blocks<'_>,
    region: &ReturnRegion,
    is_like: impl Fn(&Template) -> bool,
) -> Vec<Template> {
    let is_outside = |it: &&Fence<'_>| it.end < region.start || it.start > region.end;
    let fences = blocks.fences.iter().filter(is_outside);
    let fences = fences.filter(|it| is_candidate(blocks, it, region));
    let templates = fences.filter_map(|it| template::of_fence(blocks, it));
    templates.filter(is_like).collect()
}

fn is_title(line: &str) -> bool {
    line.trim().starts_with(['#', '*']) || line.ends_with(':')
}

/// Whether a line is the title of one of several cases, such as `### For a first review` or `**Success:**`.
fn is_case(line: &str, template: &Template) -> bool {
    let title = words(line);
    let first = title.split(' ').next().unwrap_or_default();
    let own = words(&template.first);
    is_title(line)
        && (List("if|for|when|on").is(first)
            || has_outcome(&title)
            || List("found|ready|issues|success|failure").is_in(&title)
            || !own.is_empty() && title.starts_with(&own))
}

/// Whether a line begins with a condition.
fn has_condition(line: &str) -> bool {
    first_word(line) == "if"
}

/// Whether two templates are the same return with another outcome.
fn is_variant(one: &Template, other: &Template) -> bool {
    let is_shared = |name: &&TemplateName| one.names.iter().any(|it| it.place == name.place);
    let shared = other.names.iter().filter(is_shared).count();
    let is_line = one.length == 1 && other.length == 1;
    one.form == other.form
        && (shared > 0 && shared * 2 >= other.names.len().min(one.names.len())
            || is_line
            || is_other_outcome(one, other)
            || one.first == other.first && one.first.starts_with('#')
            || titled(one).is_some_and(|it| Some(it) == titled(other)))
}

/// The name before the outcome in a title such as `## RIG REVIEW: SOUND`.
fn titled(template: &Template) -> Option<String> {
    let title = template.outcome()?;
    title.split_once(": ").map(|it| it.0.to_owned())
}

/// Whether two templates have different words at the same status.
fn is_other_outcome(one: &Template, other: &Template) -> bool {
    let mut statuses = one.names.iter().filter(|it| is_status(&it.name));
    let is_other = |status: &TemplateName| {
        let own = other.names.iter().find(|it| it.place == status.place);
        let words = own.map(|it| (single(&status.value), single(&it.value)));
        matches!(words, Some((Some(one), Some(other))) if one != other)
    };
    one.form == other.form && statuses.any(is_other)
}
