//! A template of a return: its form, and the names in it.

use crate::form::document::{Content, PlacedValue};
use crate::form::{self, Form, ReadOptions};

use super::blocks::{Blocks, Fence, item};
use super::json_sample;
use super::lists::first_word;
use super::name::{OPTIONAL, TemplateName, clean, place_of};
use super::words::{enumerated, has_outcome, is_capital, is_or, is_outcome, is_status};

/// A template of a return.
#[derive(Debug, Clone)]
pub(super) struct Template {
    pub(super) form: Form,
    /// The line that it begins on.
    pub(super) line: usize,
    pub(super) names: Vec<TemplateName>,
    /// The lines with something on them.
    pub(super) length: usize,
    /// The first line.
    pub(super) first: String,
    /// The word after the fence that it stands in.
    pub(super) fence: Option<String>,
    /// The tag that encloses it, if it is JSON.
    pub(super) tag: Option<String>,
}

impl Template {
    /// The words of its first line that can say the outcome: a label, a title in capitals, a word.
    pub(super) fn outcome(&self) -> Option<String> {
        let line = self
            .first
            .trim_start_matches(|it: char| !it.is_alphanumeric());
        let is_part = |it: char| it.is_alphanumeric() || matches!(it, ' ' | '_' | '-');
        let end = line.find(|it| !is_part(it)).unwrap_or(line.len());
        let (text, rest) = (line[..end].trim(), line[end..].trim_matches('*'));
        // A heading such as `## RIG REVIEW: SOUND` has the word behind its name.
        if let Some(value) = rest.strip_prefix(": ")
            && self.first.starts_with('#')
            && is_capital(value)
            && value.chars().all(is_part)
        {
            return Some(format!("{text}: {value}"));
        }
        let is_capital = !text.contains(char::is_lowercase);
        let is_closed = rest.is_empty() || rest.starts_with([':', '|']);
        let is_other = self.first.starts_with(['{', '[', '<']) || text.is_empty();
        if is_other || self.form != Form::Text || self.first.starts_with('#') && !is_capital {
            None
        } else if is_closed && text.split(' ').count() <= 4 {
            Some(text.to_owned())
        } else {
            let word = text.split(' ').next().map(str::to_owned);
            word.filter(|_| self.length == 1 || !self.first.starts_with('#') && is_capital)
        }
    }
}

/// The most names of a template: no return has more.
pub(super) const NAMES: usize = 200;

/// The template in a fence.
pub(super) fn of_fence(blocks: &Blocks<'_>, fence: &Fence<'_>) -> Option<Template> {
    let text = blocks.text(fence.start + 1, fence.end);
    read(&text, fence.start + 1, fence.info)
}

/// Reads a template. `line` is the line of its text, `info` the word after the fence.
pub(super) fn read(text: &str, line: usize, info: &str) -> Option<Template> {
    let (tag, text) = tagged(text).unwrap_or((None, text));
    let mut lines = text.lines().map(str::trim).filter(|it| !it.is_empty());
    let first = lines.next()?.to_owned();
    let (form, names) = match json_sample::names(text) {
        Some(names) if first.starts_with('{') || first.starts_with('[') => (Form::Json, names),
        // A part of an object, or a schema in words.
        _ if info.starts_with("json") => return None,
        _ if is_yaml(text, info) => (Form::Yaml, json_sample::yaml_names(text)),
        _ => (Form::Text, text_names(text)),
    };
    if is_finding(&first) || is_step(&first) {
        return None;
    }
    let condition = text.lines().position(is_condition).unwrap_or(usize::MAX);
    let is_or = text.lines().nth(condition).is_some_and(is_or);
    // What stands directly before "or" is the other of two.
    let before = names.iter().rposition(|it| it.line < condition);
    let before = before.filter(|_| is_or);
    let heads: Vec<_> = text.lines().map(is_outcome_title).collect();
    let is_one_of_several = heads.iter().filter(|it| **it).count() > 1;
    let names = names.into_iter().enumerate().map(|(index, it)| {
        // A first line such as "SUCCESS: all is mended" has another word in another return.
        let is_outcome = index == 0 && it.line == 0 && is_capital(&it.name) && is_outcome(&it.name);
        let can_be_missing = is_outcome
            || it.line > condition
            || before == Some(index)
            || is_one_of_several && heads[it.line];
        TemplateName {
            left_out: it.left_out.or(can_be_missing.then_some(OPTIONAL)),
            line: it.line + line,
            ..it
        }
    });
    let names: Vec<_> = names.collect();
    (names.len() <= NAMES).then(|| Template {
        form,
        line,
        names,
        length: 1 + lines.count(),
        first,
        fence: Some(info.to_owned()),
        tag,
    })
}

/// Whether the first line of a template is that of one of several findings, such as `[SEVERITY] Title`.
fn is_finding(first: &str) -> bool {
    if first_word(first) == "severity" {
        return true;
    }
    let mark = first.strip_prefix('[').and_then(|it| it.split_once("] "));
    mark.is_some_and(|(mark, _)| !mark.contains(char::is_lowercase) && enumerated(mark).is_empty())
}

/// Whether the first line of a template is a plain sentence with a number, as the steps of work are.
fn is_step(first: &str) -> bool {
    let step = first.strip_prefix("1. ");
    step.is_some_and(|it| it.starts_with(char::is_alphabetic))
}

/// The name of the only tag of a text, and the JSON in it.
fn tagged(text: &str) -> Option<(Option<String>, &str)> {
    let (tag, rest) = text.trim_end().strip_prefix('<')?.split_once('>')?;
    let inner = rest.strip_suffix(&format!("</{tag}>"))?;
    let is_json = inner.trim_start().starts_with(['{', '[']);
    is_json.then(|| (Some(tag.to_owned()), inner))
}

/// Whether a line of a template says when those below it are there, as in `{If it failed:}` or `[OR]`.
fn is_condition(line: &str) -> bool {
    let inner = line.trim().strip_prefix(['{', '[', '(', '<']);
    let inner = inner.and_then(|it| it.strip_suffix(['}', ']', ')', '>', ':']));
    inner.is_some_and(|it| it.to_lowercase().starts_with("if ")) || is_or(line)
}

/// Whether a line of a template is a heading in capitals that tells the outcome, such as `## HULL SOUND`.
fn is_outcome_title(line: &str) -> bool {
    line.starts_with('#') && is_capital(line) && has_outcome(line)
}

/// Whether a text is YAML and not a text with front matter.
fn is_yaml(text: &str, info: &str) -> bool {
    let rules = text.lines().filter(|it| it.trim_end() == "---").count();
    (matches!(info, "yaml" | "yml") || info.is_empty() && is_nested(text)) && rules < 2
}

/// Whether a text without a language has nothing but keys, one of them with a list of keys below it.
fn is_nested(text: &str) -> bool {
    let is_key = |it: &str| {
        let name = it
            .trim_start()
            .trim_start_matches("- ")
            .split_once(':')
            .map(|it| it.0);
        let is_part =
            |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || "_-".contains(it);
        name.is_some_and(|it| !it.is_empty() && it.chars().all(is_part))
    };
    let mut lines = text.lines().filter(|it| !it.trim().is_empty());
    let has_item = text.lines().any(|it| it.starts_with("  - ") && is_key(it));
    has_item && lines.all(is_key)
}

/// The names of a text: its labels, and its headings of the highest level below the title.
fn text_names(text: &str) -> Vec<TemplateName> {
    let Ok(document) = form::read(Form::Text, text, &ReadOptions::default()) else {
        return Vec::new();
    };
    let starts = std::iter::once(0).chain(text.match_indices('\n').map(|it| it.0 + 1));
    let starts = starts.collect();
    let reader = NameReader { text, starts };
    let mut names = reader.members(&document, "front_matter");
    let mut body = &document;
    loop {
        names.extend(reader.members(body, "labels"));
        names.extend(reader.members(body, "tags"));
        let sections = body.member("sections").and_then(PlacedValue::object);
        let sections = sections.map(|it| &*it.members).unwrap_or_default();
        match sections {
            // A title with everything below it.
            [(name, only)] if !matches!(only.content, Content::Several(_)) && has_more(only) => {
                names.extend(reader.outcome_of_title(name, only));
                body = only;
            }
            _ => break,
        }
    }
    names.extend(reader.members(body, "sections"));
    if !names.iter().any(TemplateName::has_words) {
        // A status below the last heading belongs to its section, but is that of the whole.
        let mut below = Vec::new();
        reader.statuses_below(body, &mut below);
        if let [_] = below[..] {
            names.append(&mut below);
        }
    }
    names.sort_by_key(|it| it.line);
    names
}

fn has_more(section: &PlacedValue<'_>) -> bool {
    let count = |member| {
        let object = section.member(member).and_then(PlacedValue::object);
        object.map_or(0, |it| it.members.len())
    };
    count("sections") > 0 || count("labels") > 0
}

struct NameReader<'t> {
    text: &'t str,
    /// Where its lines begin.
    starts: Vec<usize>,
}

impl NameReader<'_> {
    /// The title of a text, if the words of a status stand directly below it.
    fn outcome_of_title(&self, title: &str, section: &PlacedValue<'_>) -> Option<TemplateName> {
        let line = self
            .starts
            .partition_point(|it| Some(*it) <= section.place.map(|it| it.start));
        let (name, value) = (clean(title), self.value(section));
        let first = value.lines().next().unwrap_or_default();
        has_words(first).then(|| TemplateName::new(place_of(&name), &name, line - 1, first))
    }

    fn members(&self, body: &PlacedValue<'_>, member: &str) -> Vec<TemplateName> {
        let object = body.member(member).and_then(PlacedValue::object);
        let members = object.map(|it| &*it.members).unwrap_or_default();
        let names = members.iter().filter_map(|(name, value)| {
            // What stands there twice is an item, such as one of several findings.
            let place = match &value.content {
                Content::Several(_) => return None,
                _ => value.place?,
            };
            let line = self.starts.partition_point(|it| *it <= place.start) - 1;
            let name = clean(name);
            // A heading that names what the return is about, such as `# Review: [branch]`.
            if member == "labels"
                && self.text[place.start..].starts_with('#')
                && !is_status(&name)
                && !has_words(&self.value(value))
            {
                return None;
            }
            Some(TemplateName::new(
                place_of(&name),
                &name,
                line,
                &self.value(value),
            ))
        });
        let mut names: Vec<_> = names.collect();
        if member == "labels" {
            let indent = |it: &TemplateName| {
                let line = &self.text[self.starts[it.line]..];
                line.len() - line.trim_start_matches([' ', '\t']).len()
            };
            let outer = names.iter().map(indent).min();
            names.retain(|it| Some(indent(it)) == outer);
            // Items below one of several plain labels are parts of it.
            let is_item = |it: &TemplateName| item(&self.text[self.starts[it.line]..]).is_some();
            if names.iter().filter(|it| !is_item(it)).count() > 1 {
                names.retain(|it| !is_item(it));
            }
        }
        let is_empty = |it: &TemplateName| it.value.trim().is_empty();
        let count = names.iter().filter(|it| is_empty(it)).count();
        // Where other labels say what they hold, one that says nothing may hold nothing.
        if member == "labels" && count * 2 < names.len() {
            for name in names.iter_mut().filter(|it| is_empty(it)) {
                name.left_out = Some("is empty in the template");
            }
        }
        names
    }

    /// The labels with the words of a status in the sections of a text.
    fn statuses_below(&self, body: &PlacedValue<'_>, found: &mut Vec<TemplateName>) {
        let sections = body.member("sections").and_then(PlacedValue::object);
        for (_, section) in sections.map(|it| &*it.members).unwrap_or_default() {
            let labels = self.members(section, "labels").into_iter();
            found.extend(labels.filter(TemplateName::has_words));
            self.statuses_below(section, found);
        }
    }

    /// What a template says below a name.
    fn value(&self, value: &PlacedValue<'_>) -> String {
        match &value.content {
            Content::Text(_) => value.source(self.text).unwrap_or_default().to_owned(),
            Content::List(items) => {
                let items = items.iter().map(|it| format!("- {}", self.value(it)));
                items.collect::<Vec<_>>().join("\n")
            }
            Content::Object(_) => value.member("text").map_or_else(
                || serde_json::to_string(value).unwrap_or_default(),
                |text| self.value(text),
            ),
            _ => String::new(),
        }
    }
}

/// Whether a value enumerates words of a status.
fn has_words(value: &str) -> bool {
    let first = value.split_once(['|', '/']).map_or("", |it| it.0);
    enumerated(value).iter().any(|it| is_outcome(it)) || is_outcome(first)
}
