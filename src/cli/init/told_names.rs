//! Names that a sentence lists, as in "Return exactly these sections: `Fault`, `Repair`".

use crate::form::Form;

use super::blocks::Blocks;
use super::lists::{List, words};
use super::name::{TemplateName, clean, place_of};
use super::paths::is_path;
use super::region::ReturnRegion;
use super::sentence::sentences;
use super::template::Template;
use super::words::is_status;

/// The template that the first sentence with such a list gives.
pub(super) fn told_names(blocks: &Blocks<'_>) -> Option<(ReturnRegion, Template, Vec<Template>)> {
    sentences(blocks).find_map(|sentence| {
        let (form, names) = listed(sentence.text)?;
        let line = sentence.line;
        let names = names.into_iter().map(|name| {
            let place = place_of(&name);
            let place = if form == Form::Json {
                format!("/{place}")
            } else {
                place
            };
            TemplateName::new(place, &name, line, "")
        });
        let region = ReturnRegion {
            line,
            start: line,
            end: sentence.last + 1,
            weight: 4,
            level: 0,
        };
        let template = Template {
            form,
            line,
            names: names.collect(),
            length: usize::MAX,
            first: String::new(),
            fence: None,
            tag: None,
        };
        Some((region, template, Vec::new()))
    })
}

/// The names of a sentence that asks for a return, and its form.
pub(super) fn listed(text: &str) -> Option<(Form, Vec<String>)> {
    let starts = text.match_indices('`').step_by(2).map(|it| it.0);
    starts.take(20).find_map(|it| listed_from(text, it))
}

/// The names of the code spans from the one at `first` on.
fn listed_from(text: &str, first: usize) -> Option<(Form, Vec<String>)> {
    let before = words(&text[..first]);
    let is_demand =
        List("return|respond|reply|report|output|emit|end|finish|response|message").is_in(&before);
    let is_of_file = List("write|save|file|read|run|each|every|per").is_in(&before);
    let is_json = List("json").is_in(&before);
    let is_of_parts =
        List("sections|section|fields|keys|headings|labels|headers|lines|parts|members")
            .is_in(&before);
    if !is_demand || is_of_file {
        return None;
    }
    let names = run(&text[first..]);
    let has_status = names.iter().any(|it| is_status(it));
    let is_list = names.len() > 2 || names.len() == 2 && (is_json || is_of_parts);
    let form = if is_json { Form::Json } else { Form::Text };
    (is_list && (is_json || is_of_parts || has_status)).then_some((form, names))
}

/// The code spans that a text begins with, as long as they are names and nothing else stands between them.
fn run(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut rest = text;
    while let Some((name, after)) = rest.strip_prefix('`').and_then(|it| it.split_once('`')) {
        let is_name = !is_path(name)
            && name.split(' ').count() < 6
            && !name.contains(['(', '{', '[', '<', '=', '.', ':'])
            && name.contains(char::is_alphabetic);
        if !is_name {
            return Vec::new();
        }
        names.push(clean(name));
        let mut between = after.trim_start();
        // What stands in brackets tells what the name is.
        while let Some((_, more)) = between.strip_prefix('(').and_then(|it| it.split_once(')')) {
            between = more.trim_start();
        }
        let is_separator = |it: char| matches!(it, ',' | '/' | '+' | ';' | '&' | '|' | '·' | ' ');
        between = between.trim_start_matches(is_separator);
        rest = between.strip_prefix("and ").unwrap_or(between);
    }
    names
}
