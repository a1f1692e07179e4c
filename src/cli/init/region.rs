//! The parts of a prompt that say what to return.

use super::blocks::{BOLD, Blocks, Heading, TAG, item};
use super::lists::{API, EXAMPLE, List, SHOWN, words};
use super::paths::written_path;
use super::title::{demand, is_open, weight};

/// A part of a prompt below a heading, a tag, or a sentence that asks for the return.
#[derive(Debug, Clone)]
pub(super) struct ReturnRegion {
    /// The line that opens it.
    pub(super) line: usize,
    /// The lines in it.
    pub(super) start: usize,
    pub(super) end: usize,
    /// How sure it is that it is about the return.
    pub(super) weight: usize,
    /// The level of its heading; 0 without one.
    pub(super) level: usize,
}

/// Whether a heading is one of the return.
pub(super) fn is_return(heading: &Heading<'_>) -> bool {
    weight(heading.title) > 0
}

/// The regions of a prompt, the surest first.
pub(super) fn regions(blocks: &Blocks<'_>) -> Vec<ReturnRegion> {
    // A plan that is written to a file is none of the message.
    let is_written = blocks.lines.iter().any(|it| written_path(it).is_some());
    let titled = blocks.headings.iter().filter_map(|heading| {
        let is_file = is_written && List("plan|document").is_in(&words(heading.title));
        let weight = weight(heading.title).saturating_sub(if is_file { 2 } else { 0 });
        (weight > 0).then(|| ReturnRegion {
            line: heading.line,
            start: heading.line + 1,
            end: OPEN,
            weight,
            level: heading.level,
        })
    });
    let mut regions: Vec<_> = titled.chain(asked(blocks)).chain(written(blocks)).collect();
    regions.sort_by_key(|it| (usize::MAX - it.weight, it.level == BOLD, it.line));
    regions.truncate(100);
    regions.retain(|it| !is_in_example(blocks, it));
    regions.truncate(20);
    for region in regions.iter_mut().filter(|it| it.end == OPEN) {
        let end = end(blocks, region).unwrap_or(blocks.lines.len());
        region.end = end.min(closer(blocks, region));
    }
    regions
}

/// The indentation of a line that begins with a number, as the steps of a list do.
pub(super) fn step(line: &str) -> Option<usize> {
    let text = line.trim_start();
    let is_step = text.starts_with(|it: char| it.is_ascii_digit()) && item(text).is_some();
    is_step.then(|| line.len() - text.len())
}

/// Whether the heading above a region is that of an example, which may be of anything.
fn is_in_example(blocks: &Blocks<'_>, region: &ReturnRegion) -> bool {
    let above = blocks.headings_in(0..region.line).iter();
    let parent = above.rev().find(|it| it.level < region.level.min(BOLD));
    let is_example = |it: &Heading<'_>| EXAMPLE.is_in(&words(it.title)) && weight(it.title) == 0;
    parent.is_some_and(|it| is_example(it) || API.is_in(&words(it.title)))
}

/// The end of a region that is not known yet: only those that are kept are worth the search.
const OPEN: usize = usize::MAX;

/// The line that ends a region.
fn end(blocks: &Blocks<'_>, region: &ReturnRegion) -> Option<usize> {
    let following = blocks.headings_in(region.start..blocks.lines.len());
    let mut ends = following.iter().filter(|it| it.level != TAG);
    match region.level {
        0 => {
            let heading = ends.find(|it| it.level < BOLD).map(|it| it.line);
            // The next step is of something else.
            let own = step(blocks.lines[region.line]);
            let is_next = |it: &usize| {
                !blocks.is_in_fence(*it)
                    && step(blocks.lines[*it]).is_some_and(|it| Some(it) <= own)
            };
            let step = (region.start..blocks.lines.len()).find(is_next);
            heading.into_iter().chain(step).min()
        }
        TAG => None,
        level => {
            // Headings directly below a bold line, or below a sentence that announces them, are those of the
            // template.
            let is_other = |it: &Heading<'_>| blocks.lines[it.line] != blocks.lines[region.line];
            let first = ends.clone().next().filter(|it| {
                let between = blocks.lines[region.start..it.line].iter();
                let mut between = between.filter(|it| !it.trim_matches('-').trim().is_empty());
                let sentence = between.next();
                sentence.is_none() && (level == BOLD || it.level == level && is_other(it))
                    || it.level == level
                        && sentence.is_some_and(|it| is_open(it) && item(it).is_none())
                        && between.next().is_none()
            });
            let level = first.map_or(level, |it| it.level.saturating_sub(1));
            // There, a rule ends the template.
            let is_rule = |it: &usize| blocks.lines[*it].trim_end() == "---";
            let rule = first.and_then(|it| (it.line..blocks.lines.len()).find(is_rule));
            let heading = ends.find(|it| it.level <= level).map(|it| it.line);
            rule.into_iter().chain(heading).min()
        }
    }
}

/// The line that closes the tag that a region stands in.
fn closer(blocks: &Blocks<'_>, region: &ReturnRegion) -> usize {
    let mut depth = 0_usize;
    let outside = (region.start..blocks.lines.len()).filter(|it| !blocks.is_in_fence(*it));
    for line in outside {
        let opens = |it: &Heading<'_>| it.level == TAG;
        if blocks.headings_in(line..line + 1).iter().any(opens) {
            depth += 1;
        } else if blocks.lines[line].trim_start().starts_with("</") {
            match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return line,
            }
        }
    }
    blocks.lines.len()
}

/// Regions without a heading: a sentence that asks for the return, and what follows it.
fn asked<'b>(blocks: &'b Blocks<'_>) -> impl Iterator<Item = ReturnRegion> + 'b {
    blocks.paragraphs.iter().filter_map(|paragraph| {
        let (line, text) = (paragraph.line, &*paragraph.text);
        let is_mark = |it: char| it.is_ascii_digit() || matches!(it, '-' | '*' | ' ' | '.');
        let sentence = text.trim().trim_start_matches(is_mark);
        let is_open = is_open(sentence) || SHOWN.is_in(&words(sentence));
        let is_titled = |it: &Heading<'_>| weight(it.title) > 0;
        let heading = blocks.headings_in(line..line + 1).first();
        if !is_open || heading.is_some_and(is_titled) {
            return None;
        }
        let weight = demand(sentence)?;
        // Headings directly below are those of the template, as below a bold line.
        let start = paragraph.last + 1;
        let mut below = start..blocks.lines.len();
        let first = below.find(|it| !blocks.lines[*it].trim().is_empty());
        let is_template = first.is_some_and(|it| blocks.lines[it].starts_with('#'));
        Some(ReturnRegion {
            line,
            start,
            end: OPEN,
            weight,
            level: if is_template { BOLD } else { 0 },
        })
    })
}

/// Regions of files: a sentence that says which file is written, with a fence directly below.
fn written<'b>(blocks: &'b Blocks<'_>) -> impl Iterator<Item = ReturnRegion> + 'b {
    blocks.fences.iter().filter_map(|fence| {
        let mut above = (0..fence.start).rev();
        let line = above.find(|it| !blocks.lines[*it].trim().is_empty())?;
        written_path(blocks.lines[line])?;
        Some(ReturnRegion {
            line,
            start: line + 1,
            end: fence.end + 1,
            weight: 1,
            level: 0,
        })
    })
}
