//! Finds the template of a return in the region that most surely has it.

use retval::internal::form::Form;

use super::blocks::{Blocks, Fence};
use super::lists::{GUIDANCE, LANGUAGES, List, OTHER, words};
use super::name::{TemplateName, clean, place_of};
use super::region::{ReturnRegion, regions};
use super::template::{self, Template};
use super::words::{enumerated, is_outcome, is_status};

/// Where a template was found, and what is like it.
#[derive(Debug)]
pub(super) struct FoundTemplate {
    pub(super) region: ReturnRegion,
    pub(super) template: Template,
    /// Other templates of the region: the same return with another outcome.
    pub(super) variants: Vec<Template>,
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
    let mut best = None;
    for region in &regions {
        best = readers.iter().find_map(|read| found(region, *read));
        if best.is_some() {
            break;
        }
    }
    let (region, template, others) = best.or_else(|| last_fence(blocks))?;
    let (variants, unread): (Vec<_>, Vec<_>) =
        others.into_iter().partition(|it| is_variant(&template, it));
    Some(FoundTemplate {
        region,
        template,
        variants,
        unread: unread.iter().map(|it| it.line).collect(),
    })
}

type TemplateReader = fn(&Blocks<'_>, &ReturnRegion) -> Vec<Template>;

/// The templates in the fences of a region.
fn fenced(blocks: &Blocks<'_>, region: &ReturnRegion) -> Vec<Template> {
    let fences = blocks
        .fences
        .iter()
        .filter(|it| it.start >= region.start && it.end <= region.end);
    let candidates = fences.filter(|it| is_candidate(blocks, it, region));
    let templates = candidates.filter_map(|it| of_fence(blocks, it));
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
    LANGUAGES.is(fence.info) && !is_other(&before) && !is_other(&title)
}

/// Whether a line is the path of a file.
pub(super) fn is_path(line: &str) -> bool {
    let name = line.rsplit('/').next().unwrap_or_default();
    let extension = name.rsplit_once('.').map(|it| it.1).unwrap_or_default();
    matches!(
        extension,
        "md" | "json" | "yaml" | "yml" | "txt" | "html" | "toml"
    ) && !line.starts_with("http")
        && !line.contains(' ')
}

/// The names of a list below a sentence that asks for them.
fn named_list(blocks: &Blocks<'_>, region: &ReturnRegion) -> Vec<Template> {
    let lines = region.start..region.end.min(blocks.lines.len());
    let mut lines = lines.filter(|it| !blocks.is_in_fence(*it));
    let Some(start) = lines.find(|it| item(blocks.lines[*it]).is_some()) else {
        return Vec::new();
    };
    let demand = blocks.before(start);
    let demand = words(demand.rsplit(". ").next().unwrap_or(demand));
    let is_item = List("each|every|per|one of").is_in(&demand);
    if is_item
        || blocks
            .headings
            .iter()
            .any(|it| (region.start..start).contains(&it.line))
    {
        return Vec::new();
    }
    let is_numbered = |line: &str| {
        line.trim_start()
            .starts_with(|it: char| it.is_ascii_digit())
    };
    let end = (start..region.end).find(|it| {
        let line = blocks.lines.get(*it).copied().unwrap_or_default();
        let is_text = !line.is_empty() && !line.starts_with([' ', '\t']);
        // Another kind of list is another list.
        let is_other = is_numbered(line) != is_numbered(blocks.lines[start]);
        is_text && (item(line).is_none() || is_other)
    });
    let end = end.unwrap_or(region.end);
    let indent = |line: &str| line.len() - line.trim_start().len();
    let outer = indent(blocks.lines[start]);
    let is_json = List("json|object").is_in(&demand);
    let (mut names, mut items) = (Vec::new(), 0);
    for line in start..end.min(blocks.lines.len()) {
        let text = blocks.lines[line];
        let Some(text) = item(text).filter(|_| indent(text) <= outer) else {
            continue;
        };
        items += 1;
        let Some((name, value)) = named(text) else {
            continue;
        };
        let name = clean(name);
        let place = if is_json {
            format!("/{}", place_of(&name))
        } else {
            place_of(&name)
        };
        names.push(TemplateName::new(place, &name, line, value));
    }
    let is_of_words = names.iter().any(|it| is_outcome(&it.name));
    if names.len() * 2 < items {
        names.retain(|it| is_status(&it.name) && enumerated(&it.value).len() > 1);
    }
    if is_of_words || names.iter().all(|it| it.left_out.is_some()) {
        return Vec::new();
    }
    vec![Template {
        form: if is_json { Form::Json } else { Form::Text },
        line: start,
        names,
        length: usize::MAX,
        first: String::new(),
        is_fenced: false,
    }]
}

/// The text of a list item.
pub(super) fn item(line: &str) -> Option<&str> {
    let text = line.trim_start();
    let digits = text.trim_start_matches(|it: char| it.is_ascii_digit());
    let numbered = digits
        .strip_prefix(". ")
        .or_else(|| digits.strip_prefix(") "));
    let numbered = numbered.filter(|_| digits.len() < text.len());
    let rest = text
        .strip_prefix("- ")
        .or_else(|| text.strip_prefix("* "))
        .or(numbered)?;
    Some(rest.trim_start())
}

/// The name that a list item begins with, in bold or as code, and what follows it.
fn named(item: &str) -> Option<(&str, &str)> {
    for mark in ["**", "`"] {
        if let Some(rest) = item.strip_prefix(mark) {
            let (name, value) = rest.split_once(mark)?;
            let value = value.trim_start_matches([':', ' ', '—', '–', '-']);
            let is_name =
                name.chars().count() <= 40 && !name.ends_with('.') && !name.contains("://");
            let is_path = mark == "`" && name.contains(['/', '.', '(', '=']);
            return (is_name && !is_path).then_some((name, value));
        }
    }
    let (name, value) = item.split_once(": ")?;
    let is_capital = name.starts_with(char::is_uppercase) && name.split(' ').count() <= 3;
    is_capital.then_some((name, value))
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
    let names: Vec<_> = names.collect();
    if names.len() < 2 || names.iter().any(is_guidance) {
        return Vec::new();
    }
    vec![Template {
        form: Form::Text,
        line: region.start,
        names,
        length: usize::MAX,
        first: String::new(),
        is_fenced: false,
    }]
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
    (template.form != Form::Yaml && is_template && is_near && !is_other)
        .then(|| (region, template, Vec::new()))
}

/// Whether two templates are the same return with another outcome.
fn is_variant(one: &Template, other: &Template) -> bool {
    let is_shared = |name: &&TemplateName| one.names.iter().any(|it| it.place == name.place);
    let shared = other.names.iter().filter(is_shared).count();
    let is_line = one.length == 1 && other.length == 1;
    one.form == other.form
        && (shared > 0 && shared * 2 >= other.names.len().min(one.names.len()) || is_line)
}
