//! The ways in which a region of a prompt holds a template of the return.

use crate::form::Form;

use super::blocks::{BOLD, Blocks, Fence, TAG, item};
use super::lists::{GUIDANCE, KINDS, LANGUAGES, List, SHAPES, first_word, is_rule, words};
use super::name::{TemplateName, clean, place_of};
use super::named_list::{is_asked, is_of_item, named_list};
use super::paths::{is_path, title_path};
use super::region::ReturnRegion;
use super::template::{self, NAMES, Template};
use super::words::{can_succeed, is_status, status_words};

type TemplateReader = fn(&Blocks<'_>, &ReturnRegion) -> Vec<Template>;

/// All ways, the surest first.
pub(super) const READERS: [TemplateReader; 6] =
    [fenced, object, open, named_list, headings, unfenced];

/// The most lines between a sentence that asks for a return and its first label.
const NEAR: usize = 6;

/// The most fences of a region that are read.
const TEMPLATES: usize = 50;

/// The templates in the fences of a region.
pub(super) fn fenced(blocks: &Blocks<'_>, region: &ReturnRegion) -> Vec<Template> {
    let fences = blocks
        .fences
        .iter()
        .filter(|it| it.start >= region.start && it.end <= region.end);
    let mut candidates: Vec<_> = fences
        .filter(|it| is_candidate(blocks, it, region))
        .collect();
    if is_below_some(blocks, region, &candidates) {
        return Vec::new();
    }
    // What a program takes out by its word is the return, whatever stands around it.
    // So is JSON, and a text around it is for people.
    let is_data = |it: &Fence<'_>| {
        let below = blocks.headings_in(region.line..it.start).last();
        it.info == "json" && below.is_none_or(|it| title_path(it.title).is_none())
    };
    candidates.sort_by_key(|it| (!is_marker(it.info), !is_data(it)));
    let templates = candidates
        .into_iter()
        .take(TEMPLATES)
        .filter_map(|it| template::of_fence(blocks, it));
    let templates: Vec<_> = templates.collect();
    let has_names =
        |it: &Template| !it.names.is_empty() || it.outcome().is_some() && !is_path(&it.first);
    match templates.iter().position(has_names) {
        Some(first) => templates
            .into_iter()
            .skip(first)
            .filter(has_names)
            .collect(),
        None => Vec::new(),
    }
}

/// Whether only some of several headings have fences below them: then the headings are the template, and what
/// stands below one of them is a part of it.
fn is_below_some(blocks: &Blocks<'_>, region: &ReturnRegion, fences: &[&Fence<'_>]) -> bool {
    let headings = blocks.headings_in(region.start..region.end).iter();
    let headings: Vec<_> = headings.filter(|it| it.level < BOLD).collect();
    let level = headings.iter().map(|it| it.level).min();
    let lines = headings.iter().filter(|it| Some(it.level) == level);
    let lines: Vec<_> = lines.map(|it| it.line).collect();
    let is_first = |fence: &&&Fence<'_>| lines.first().is_some_and(|it| fence.start < *it);
    let below = |fence: &&Fence<'_>| lines.partition_point(|it| *it < fence.start);
    let mut used: Vec<_> = fences.iter().map(below).collect();
    used.dedup();
    lines.len() > 3 && used.len() * 3 <= lines.len() && !fences.iter().any(|it| is_first(&it))
}

/// Whether a fence of a region can be the return. Not one of a single finding, or of something else.
pub(super) fn is_candidate(blocks: &Blocks<'_>, fence: &Fence<'_>, region: &ReturnRegion) -> bool {
    let before = words(blocks.before(fence.start));
    let below = blocks.headings_in(region.start..fence.start);
    let title = below.last().map(|it| words(it.title)).unwrap_or_default();
    let other = List(
        "per finding|per issue|per file|per item|per task|per test|per change|per comment|\
         per violation|per source|bad|wrong|commit|pull request|input|command|escalation",
    );
    // "You run read-only" is said of the agent.
    let is_command = |text: &str| first_word(text) == "run" || text.ends_with(" run");
    let is_other = |text: &str| {
        other.is_in(text)
            || is_command(text)
            || text.starts_with("do not")
            || List("each|every").is_in(text) && is_of_item(text)
    };
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
    // Below "Outputs", they are kinds of things to deliver.
    let is_kinds = KINDS.is(&words(blocks.lines[region.line]));
    if region.level == 0 || is_kinds {
        return Vec::new();
    }
    let inner = blocks.headings_in(region.start..region.end).iter();
    let mut inner: Vec<_> = inner.filter(|it| it.level != TAG).collect();
    if !is_shown(
        blocks,
        region,
        inner.first().map_or(region.start, |it| it.line),
    ) {
        return Vec::new();
    }
    // A title has everything below it.
    if inner.len() > 2 && inner[1..].iter().all(|it| it.level > inner[0].level) {
        inner.remove(0);
    }
    let Some(level) = inner.iter().map(|it| it.level).min() else {
        return Vec::new();
    };
    let with_next = inner
        .iter()
        .zip(inner.iter().skip(1).map(Some).chain([None]));
    let names = with_next
        .filter(|it| it.0.level == level)
        .map(|(it, next)| {
            let name = clean(it.title);
            let end = next.map_or(region.end, |next| next.line);
            let value = blocks.text(it.line + 1, end);
            TemplateName::new(place_of(&name), &name, it.line, value.trim())
        });
    let is_name = |name: &TemplateName| {
        let title = words(&name.name);
        !GUIDANCE.is_in(&title) && title.split(' ').count() <= 6
    };
    let mut names: Vec<_> = names.take_while(is_name).collect();
    if !(2..=NAMES).contains(&names.len()) {
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
        tag: None,
    }]
}

/// The template that a region is from its first heading or name with a placeholder on.
fn open(blocks: &Blocks<'_>, region: &ReturnRegion) -> Vec<Template> {
    let end = region.end.min(blocks.lines.len());
    let is_name = |line: &usize| {
        let text = blocks.lines[*line].trim_start();
        let (name, value) = text.split_once(':').unwrap_or_default();
        text.starts_with('#')
            || name.split(' ').count() < 5 && has_placeholder(value)
            || is_label(text)
    };
    let start = (region.start..end).find(is_name).unwrap_or(end);
    let is_filled = |it: &usize| {
        let line = blocks.lines[*it];
        !blocks.is_in_fence(*it) && (has_placeholder(line) || region.level == 0 && is_label(line))
    };
    let has_fence = blocks
        .fences
        .iter()
        .any(|it| (region.start..start).contains(&it.start));
    // Far below a sentence, labels are of something else.
    let is_far = region.level == 0 && start > region.start + NEAR;
    if is_far
        || !is_shown(blocks, region, start)
        || has_fence
        || (start..end).filter(is_filled).count() < 3
    {
        return Vec::new();
    }
    let template = template::read(&blocks.text(start, end), start, "");
    let template = template.map(|it| Template { fence: None, ..it });
    let is_template = |it: &Template| it.form == Form::Text && it.names.len() > 1;
    template.filter(is_template).into_iter().collect()
}

/// Whether a line is nothing but a label, with its value below.
fn is_label(line: &str) -> bool {
    let name = line
        .trim_matches(['*', ' '])
        .strip_suffix(':')
        .unwrap_or_default();
    name.starts_with(char::is_uppercase) && name.split(' ').count() < 5
}

/// Whether a region shows the return from a line on. Below a title such as "Reporting", it can be anything.
fn is_shown(blocks: &Blocks<'_>, region: &ReturnRegion, line: usize) -> bool {
    let is_format = SHAPES.is_in(&words(blocks.lines[region.line]));
    let is_titled = ((1..BOLD).contains(&region.level) || region.weight < 3) && !is_format;
    !is_titled || (region.start..=line).any(|it| is_asked(region, blocks.before(it)))
}

/// Whether a line has a part that is to be filled in. A box to check is none.
pub(super) fn has_placeholder(line: &str) -> bool {
    let line = line.replace("[ ]", "").replace("[x]", "");
    line.contains(['[', '{', '<'])
}

/// The object that stands in a region without a fence.
fn object(blocks: &Blocks<'_>, region: &ReturnRegion) -> Vec<Template> {
    let mut lines =
        (region.start..region.end.min(blocks.lines.len())).filter(|it| !blocks.is_in_fence(*it));
    let in_code = |it: &usize| {
        let line = blocks.lines[*it].trim();
        let line = item(line).unwrap_or(line);
        line.strip_prefix('`')?
            .strip_suffix('`')
            .filter(|it| it.starts_with("{\""))
    };
    let is_start = |it: &usize| blocks.lines[*it].starts_with('{') || in_code(it).is_some();
    let Some(start) = lines.find(is_start) else {
        return Vec::new();
    };
    if let Some(line) = in_code(&start) {
        let template = template::read(line, start, "");
        return template
            .map(|it| Template { fence: None, ..it })
            .into_iter()
            .collect();
    }
    let end =
        (start..region.end).find(|it| blocks.lines.get(*it).is_none_or(|it| it.trim().is_empty()));
    let template = template::read(&blocks.text(start, end.unwrap_or(region.end)), start, "");
    let template = template.map(|it| Template { fence: None, ..it });
    template
        .filter(|it| it.form == Form::Json)
        .into_iter()
        .collect()
}

/// The labels or tags that a region has without a fence.
fn unfenced(blocks: &Blocks<'_>, region: &ReturnRegion) -> Vec<Template> {
    let mut lines = region.start..region.end.min(blocks.lines.len());
    let is_blank = |line: &usize| blocks.lines[*line].trim().is_empty();
    let Some(start) = lines.find(|it| !is_blank(it)) else {
        return Vec::new();
    };
    let inner = blocks.headings_in(start..region.end).iter();
    let is_tagged = inner.filter(|it| it.level == TAG).count() > 1;
    let paragraph = lines.find(is_blank).unwrap_or(region.end);
    let end = if is_tagged { region.end } else { paragraph };
    let text = blocks.text(start, end);
    let template = template::read(&text, start, "").map(|mut it| {
        let is_tag = |it: &TemplateName| blocks.lines[it.line].trim().starts_with('<');
        it.names
            .retain(|it| !is_tagged || is_tag(it) && !GUIDANCE.is_in(&words(&it.name)));
        it.names.retain(|it| !is_rule(&it.name));
        it.fence = None;
        it
    });
    let is_template = |it: &Template| {
        let count = it.names.len();
        let has_items = blocks.lines[start..end].iter().any(|it| item(it).is_some());
        let is_plain =
            !has_items && count * 2 > it.length && !is_of_item(blocks.lines[region.line]);
        it.form == Form::Text && count > 1 && (is_tagged || is_plain)
    };
    template.filter(is_template).into_iter().collect()
}

/// The only label of a status with its words that stands below the headings of a region.
pub(super) fn status_below(blocks: &Blocks<'_>, region: &ReturnRegion) -> Option<TemplateName> {
    let lines = region.start..region.end.min(blocks.lines.len());
    let lines = lines.filter(|it| !blocks.is_in_fence(*it));
    let mut labels = lines.filter_map(|line| {
        let (name, value) = blocks.lines[line].split_once(':')?;
        // "Verdict, exactly one:"
        let name = name.split(", ").next().unwrap_or(name);
        let name = clean(item(name).unwrap_or(name));
        if is_rule(&name) {
            return None;
        }
        let value = value.trim_matches(['*', ' ']);
        let value = if value.is_empty() {
            blocks.inner(line)
        } else {
            value.to_owned()
        };
        Some(TemplateName::new(place_of(&name), &name, line, &value)).filter(|it| {
            it.has_words() || status_words(&it.value).len() > 1 && can_succeed(&it.value, false)
        })
    });
    labels.next().filter(|_| labels.next().is_none())
}
