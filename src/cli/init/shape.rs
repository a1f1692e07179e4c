//! Definitions that tell the shape of the return, and name nothing in it.

use crate::form::Form;

use super::blocks::{Blocks, Fence, Paragraph, item};
use super::content::content_line;
use super::lists::{KINDS, LANGUAGES, List, PLAIN, words};
use super::paths::is_path;
use super::proposal::{KeyValue, Proposal};
use super::readers::{has_placeholder, status_below};
use super::region::{ReturnRegion, regions};
use super::roles::fixed_file;
use super::status_role::StatusRole;
use super::words::code_spans;

/// What is said of a shape that has no name of its own.
pub(super) const NAMELESS: &str = "no name was found that every return has";

/// Whether a title says that the region is the shape of the return.
pub(super) fn is_sure(region: &ReturnRegion) -> bool {
    region.weight > 3
}

/// A profile for a definition that tells a shape, but names nothing in it: one text for each finding, or a list
/// of what to say.
pub(super) fn of_shape(blocks: &Blocks<'_>) -> Option<Proposal> {
    let has_status =
        |it: &ReturnRegion| it.level > 0 && it.weight > 2 && status_below(blocks, it).is_some();
    let region = region(blocks).or_else(|| regions(blocks).into_iter().find(has_status));
    let line = match &region {
        Some(region) => region.line,
        None => content_line(blocks)?,
    };
    let mut proposal = Proposal::default();
    let form = KeyValue::Text(Form::Text.as_str().to_owned());
    proposal.add("form", form, line);
    match region.and_then(|it| status_below(blocks, &it)) {
        Some(name) => StatusRole::of_label(&name).add_to(&mut proposal),
        None => proposal.note(line, NAMELESS),
    }
    Some(proposal)
}

/// The surest region that tells a shape without a name.
fn region(blocks: &Blocks<'_>) -> Option<ReturnRegion> {
    let is_plain = |it: &ReturnRegion| {
        let title = words(blocks.lines[it.line]);
        PLAIN.is(&title) || KINDS.is(&title) && lists_phrases(blocks, it)
    };
    let mut sure = regions(blocks)
        .into_iter()
        .filter(|it| is_sure(it) || is_plain(it));
    sure.find(|it| {
        has_shape(blocks, it) && fixed_file(blocks, it, it.end).is_none() && !is_of_file(blocks, it)
    })
}

/// Whether a region shows how a return is written: by a list, a table, a fence, a part that is to be filled in, or
/// a sentence that lists.
fn has_shape(blocks: &Blocks<'_>, region: &ReturnRegion) -> bool {
    let lines = || region.start..region.end.min(blocks.lines.len());
    let first = || lines().take(5).map(|it| blocks.lines[it]);
    let items = lines().filter(|it| item(blocks.lines[*it]).is_some());
    let is_template = |it: &Fence<'_>| lines().contains(&it.start) && LANGUAGES.is(it.info);
    let is_filled =
        |it: usize| has_placeholder(blocks.lines[it]) && blocks.headings_in(it..it + 1).is_empty();
    let each = List("per finding|per issue|for each finding|for each issue");
    let commas = || first().map(|it| it.matches([',', '，', '、']).count());
    items.count() > 1
        || lines().any(|it| blocks.lines[it].trim().starts_with('|'))
        || blocks.fences.iter().any(is_template)
        || lines().take(5).any(is_filled)
        || first().any(|it| each.is_in(&words(it)))
        || is_sure(region) && commas().sum::<usize>() > 1
}

/// Whether a region lists phrases in lower case, as the parts of a message are and kinds of documents are not.
fn lists_phrases(blocks: &Blocks<'_>, region: &ReturnRegion) -> bool {
    let lines = region.start..region.end.min(blocks.lines.len());
    let lines = lines.skip_while(|it| blocks.lines[*it].trim().is_empty());
    let mut items = lines.map_while(|it| item(blocks.lines[it]));
    items.clone().count() > 1 && items.all(|it| it.starts_with(char::is_lowercase))
}

/// Whether the first paragraph of a region is about files, and asks for no message.
fn is_of_file(blocks: &Blocks<'_>, region: &ReturnRegion) -> bool {
    let below = |it: &&Paragraph<'_>| (region.start..region.end).contains(&it.line);
    blocks.paragraphs.iter().find(below).is_some_and(|it| {
        let text = words(&it.text.replace("file:line", ""));
        let is_message =
            List("return|report|respond|reply|message|answer|you|summarize|summary|list")
                .is_in(&text);
        let has_file = List("file|files").is_in(&text) || code_spans(&it.text).any(is_path);
        has_file && !is_message && item(&it.text).is_none()
    })
}
