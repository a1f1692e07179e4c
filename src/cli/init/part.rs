//! The part of a message that is the return: a fence, a tag, or what stands between two marks.

use crate::form::Form;

use super::blocks::Blocks;
use super::lists::List;
use super::proposal::{KeyValue, Proposal, quoted};
use super::readers::is_marker;
use super::sentence::sentences;
use super::template::Template;

/// Adds the part that a template stands in.
pub(super) fn add(proposal: &mut Proposal, blocks: &Blocks<'_>, template: &Template) {
    let (part, line) = if let Some(tag) = &template.tag {
        (format!("{{ tag = {} }}", quoted(tag)), template.line)
    } else if let Some(word) = &template.fence
        && template.form != Form::Text
        && !proposal.is_of_file
        && !asks_for_bare(blocks)
    {
        let part = if is_marker(word) {
            format!("{{ fence = {} }}", quoted(word))
        } else {
            let form = quoted(template.form.as_str());
            format!("{{ fence = {form}, optional = true }}")
        };
        (part, template.line - 1)
    } else {
        return;
    };
    proposal.add("part", KeyValue::Raw(part), line);
}

/// A profile for a definition that says between which marks the return stands, and nothing more of it.
pub(super) fn of_marks(blocks: &Blocks<'_>) -> Option<Proposal> {
    sentences(blocks).find_map(|sentence| {
        let (_, marks) = sentence.text.split_once("between ")?;
        let mut marks = marks.split(" and ").filter_map(mark);
        let (start, end) = (marks.next()?, marks.next()?);
        let are_marks = List("begin|start").marks(start) && List("end|stop").marks(end);
        are_marks.then(|| {
            let mut proposal = Proposal::default();
            let form = KeyValue::Text(Form::Text.as_str().to_owned());
            proposal.add("form", form, sentence.line);
            let part = format!("{{ between = [{}, {}] }}", quoted(start), quoted(end));
            proposal.add("part", KeyValue::Raw(part), sentence.line);
            proposal
        })
    })
}

/// The word in capitals with signs around it that a text begins with.
fn mark(text: &str) -> Option<&str> {
    let text = text.trim_start_matches(['`', ' ']);
    let word = text.split([' ', '`', ',']).next()?;
    let is_mark = word.starts_with(['-', '<', '=', '[', '#', '*'])
        && word.contains(char::is_uppercase)
        && !word.contains(char::is_lowercase);
    is_mark.then_some(word)
}

/// Whether a prompt wants JSON without a fence around it.
fn asks_for_bare(blocks: &Blocks<'_>) -> bool {
    let marks = List(
        "no fence|no code fence|without fence|no markdown|without markdown|raw json|no code block|\
         code fence or commentary|only the json|only valid json|only json|json only|bare json",
    );
    blocks.lines.iter().any(|it| marks.marks(it))
}
