//! A list in a prompt whose items are the names of a return.

use crate::form::Form;

use super::blocks::{Blocks, item};
use super::lists::{ASKS, KINDS, List, has_words, is_rule, words};
use super::name::{TemplateName, clean, place_of};
use super::region::ReturnRegion;
use super::template::{NAMES, Template};
use super::words::{is_status, is_value};

/// The names of a list below a sentence that asks for them.
pub(super) fn named_list(blocks: &Blocks<'_>, region: &ReturnRegion) -> Vec<Template> {
    let readers: [ItemReader; 2] = [item, paragraph];
    let mut lists = readers.into_iter().map(|it| list(blocks, region, it));
    lists.find_map(|it| it).into_iter().collect()
}

fn list(blocks: &Blocks<'_>, region: &ReturnRegion, item: ItemReader) -> Option<Template> {
    let mut lines = region.start..region.end.min(blocks.lines.len());
    let start = lines.find(|it| !blocks.is_in_fence(*it) && item(blocks.lines[*it]).is_some())?;
    let demand = blocks.before(start);
    let demand = demand.rsplit(". ").next().unwrap_or(demand);
    let demand = demand.replace(".json", "");
    let mut above = (region.start..start).map(|it| blocks.lines[it]);
    let is_told = is_asked(region, &demand) || above.any(|it| is_asked(region, it));
    if is_of_item(&demand) || !is_told || !blocks.headings_in(region.start..start).is_empty() {
        return None;
    }
    let indent = |line: &str| line.len() - line.trim_start().len();
    let outer = indent(blocks.lines[start]);
    let is_json = List("json|object").is_in(&words(&demand));
    let items = (start..end(blocks, start, region.end, item)).filter_map(|line| {
        let text = blocks.lines[line];
        Some((line, item(text).filter(|_| indent(text) <= outer)?))
    });
    let items: Vec<_> = items.collect();
    let title = blocks.lines.get(region.line).copied().unwrap_or_default();
    // Below nothing but a title, these are kinds of things to deliver.
    let above = blocks.headings_in(0..region.line + 1).last();
    let is_kinds = above.is_some_and(|it| KINDS.is(&words(it.title)));
    let is_titled = List("format|structure|template|sections").is_in(&words(title));
    let is_keyed = items.iter().all(|(_, it)| key(it).is_some());
    let read = if is_keyed { key } else { named };
    let names = items.iter().filter_map(|(line, text)| {
        let (name, value) = read(text)?;
        let name = clean(name);
        let value = if value.is_empty() {
            blocks.inner(*line)
        } else {
            value.to_owned()
        };
        let place = if is_json {
            format!("/{}", place_of(&name))
        } else {
            place_of(&name)
        };
        Some(TemplateName::new(place, &name, *line, &value))
    });
    let mut names: Vec<_> = names.collect();
    if names.len() > NAMES || names.iter().any(|it| is_rule(&it.name)) {
        return None;
    }
    let is_of_words = names.iter().filter(|it| is_value(&it.name)).count() * 2 >= names.len();
    // A few names without marks can be the first words of sentences.
    let is_plain = items.iter().all(|(_, it)| !it.contains(['*', '`']));
    if names.len() * 2 < items.len() || is_plain && !is_titled && names.len() < items.len() {
        names.retain(TemplateName::has_words);
    }
    // What stands below the title of a status are its words.
    let last = demand
        .rsplit([' ', '*'])
        .find(|it| !it.trim_matches(':').is_empty());
    let is_named = last.is_some_and(|it| is_status(&clean(it)));
    let is_of_words = is_of_words || is_named || is_status(&clean(title));
    if is_of_words || is_kinds || names.iter().all(|it| it.left_out.is_some()) {
        return None;
    }
    Some(Template {
        form: if is_json { Form::Json } else { Form::Text },
        line: start,
        names,
        length: usize::MAX,
        first: String::new(),
        fence: None,
        tag: None,
    })
}

/// Whether what stands before a list, or the title above it, asks for what the list has.
pub(super) fn is_asked(region: &ReturnRegion, demand: &str) -> bool {
    let sentence = words(demand);
    // What is said in the first person is what the agent offers.
    let is_offer = List("i|we").is_in(&sentence);
    region.weight > 3 || !demand.starts_with('#') && ASKS.is_in(&sentence) && !is_offer
}

/// Whether a sentence asks for what one of several items has.
pub(super) fn is_of_item(sentence: &str) -> bool {
    let sentence = words(sentence);
    // "End every review with" is said of the whole.
    let wholes = [
        "task", "review", "response", "report", "return", "reply", "answer", "message", "run",
        "session",
    ];
    let is_whole = |it: &&str| {
        List("each|every")
            .0
            .split('|')
            .any(|each| has_words(&sentence, &format!("{each} {it}")))
    };
    if wholes.iter().any(is_whole) {
        return false;
    }
    let is_all = has_words(&sentence, "all")
        && !List("all of|all the|all these|all sections|all fields").is_in(&sentence);
    is_all || List("each|every|per|one of").is_in(&sentence)
}

type ItemReader = fn(&str) -> Option<&str>;

/// The line after a list.
fn end(blocks: &Blocks<'_>, start: usize, most: usize, item: ItemReader) -> usize {
    let is_numbered = |line: &str| {
        line.trim_start()
            .starts_with(|it: char| it.is_ascii_digit())
    };
    let most = most.min(blocks.lines.len());
    let end = (start + 1..most).find(|it| {
        let line = blocks.lines[*it];
        // A line directly below an item belongs to it.
        let is_new = blocks.lines[*it - 1].trim().is_empty() || line.starts_with('#');
        let is_text =
            !line.is_empty() && !line.starts_with([' ', '\t']) && (is_new || item(line).is_some());
        // Another kind of list is another list.
        let is_other = is_numbered(line) != is_numbered(blocks.lines[start]);
        is_text && (item(line).is_none() || is_other)
    });
    end.unwrap_or(most)
}

/// A paragraph that begins with a bold name.
fn paragraph(line: &str) -> Option<&str> {
    (line.starts_with("**") && !line.ends_with("**")).then_some(line)
}

/// A list item that begins with a name or a key, such as `state: what it is in`.
fn key(item: &str) -> Option<(&str, &str)> {
    named(item).or_else(|| {
        let (name, value) = item.split_once(": ")?;
        let is_part = |it: char| it.is_ascii_lowercase() || it == '_';
        name.chars().all(is_part).then_some((name, value))
    })
}

/// The name that a list item begins with, in bold or as code, and what follows it.
fn named(item: &str) -> Option<(&str, &str)> {
    let articles = ["The ", "A ", "An "];
    let bare = articles.into_iter().find_map(|it| item.strip_prefix(it));
    let item = bare.filter(|it| it.starts_with(['*', '`'])).unwrap_or(item);
    // A mark for the eye may stand before the name.
    let item =
        item.trim_start_matches(|it: char| !it.is_ascii() && !it.is_alphanumeric() || it == ' ');
    for mark in ["**", "`"] {
        if let Some(rest) = item.strip_prefix(mark) {
            let (name, value) = rest.split_once(mark)?;
            // In "**Delays** of more than a day", it is a part of the sentence.
            let is_in_sentence = mark == "**" && !name.ends_with(':') && {
                let rest = value.strip_prefix(' ').unwrap_or_default();
                rest.starts_with(char::is_lowercase)
            };
            let value = value.trim_start_matches([':', ' ', '—', '–', '-']);
            let is_name =
                name.chars().count() <= 40 && !name.ends_with('.') && !name.contains("://");
            let is_path = mark == "`" && name.contains(['/', '.', '(', '=']);
            return (is_name && !is_path && !is_in_sentence).then_some((name, value));
        }
    }
    let (name, value) = item.split_once(": ")?;
    let is_capital = name.starts_with(char::is_uppercase) && name.split(' ').count() <= 3;
    is_capital.then_some((name, value))
}
