//! The parts of a prompt that say what to return.

use super::blocks::{BOLD, Blocks, Heading, TAG, item};
use super::lists::{
    API, BEHIND, DEMANDS, DONE, ENDS, EXAMPLE, FOREIGN, List, NOUNS, OTHER, REPORT, RETURNS,
    REVIEWS, SHAPES, SHOWABLE, SHOWN, SHOWS, first_word, words,
};
use super::words::{title_path, written_path};

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

/// Whether a title or a sentence speaks of the format of the return in another language.
pub(super) fn is_foreign(title: &str) -> bool {
    // "Output of the report" is said without a word for its format, too.
    let nouns = FOREIGN[0].0.split('|').filter(|it| title.contains(it));
    let is_mixed = !title.is_ascii() && NOUNS.is_in(&words(title));
    let is_shape = FOREIGN[1].marks(title) || FOREIGN[2].marks(title);
    is_shape && (FOREIGN[0].marks(title) || is_mixed) || nouns.count() > 1
}

/// How surely a title is one of the return: what it is about, and whether it speaks of its shape.
pub(super) fn weight(title: &str) -> usize {
    if is_foreign(title) {
        return 4;
    }
    let before = title.split(['(', '（']).next().unwrap_or_default();
    let lower = before.trim().to_lowercase();
    if FOREIGN[0].is(&lower) {
        return 4;
    }
    let names_file = title_path(title).is_some();
    let text = words(title);
    let is_step = List("step|phase|stage").is(&first_word(&text));
    // What follows the name of a step is its title, what follows any other name is an aside.
    let mut parts = before.split([':', '—', '–']).map(words);
    let is_name = |it: &String| it.is_empty() || is_step && it.split(' ').count() < 3;
    let own = parts.find(|it| !is_name(it));
    let own = own.unwrap_or_else(|| text.clone());
    let last = own.rsplit(' ').next().unwrap_or_default();
    let shaped = |names: &List| has_shape(&own, names) || has_shape(&text, names);
    let weight = if RETURNS.is_in(&text) || is_return_title(&own, &text) {
        5
    } else if shaped(&NOUNS)
        || shaped(&ENDS)
        || DONE.is_in(&text)
        || text.split(' ').all(|it| REPORT.is(it))
    {
        4
    } else if NOUNS.is(last) {
        3
    } else if ENDS.is(last) || shaped(&REVIEWS) {
        2
    } else {
        0
    };
    // The format of a test report can be that of the return, if nothing else is.
    let is_checked = weight == 4 && !OTHER.is_in(&text.replace("error", "").replace("test", ""));
    if words(before).split(' ').count() > 8 || OTHER.is_in(&words(before)) {
        return usize::from(is_checked);
    }
    // What is said of a file is less sure to be the final message, and a step of the work may be any.
    match (names_file, is_step) {
        (true, _) if !List("return|returned|message").is_in(&text) => weight.min(1),
        (_, true) => weight.min(3),
        _ => weight,
    }
}

/// Whether a title speaks of the shape of what is named, as "Report format for a check" or "Structure of the
/// report" do, and "Report template design" does not.
fn has_shape(title: &str, names: &List) -> bool {
    let words: Vec<_> = title.split(' ').collect();
    let is_end = |at: usize| words.get(at + 1).is_none_or(|it| BEHIND.is(it));
    let shapes = (0..words.len()).filter(|at| SHAPES.is(words[*at]) && is_end(*at));
    let mut pairs = shapes.flat_map(|shape| (0..words.len()).map(move |name| (shape, name)));
    pairs.any(|(shape, name)| {
        let is_before = (1..=2).contains(&shape.wrapping_sub(name));
        let is_behind = name > shape && List("of|for").is(words[shape + 1]);
        names.is(words[name]) && (is_before || is_behind)
    })
}

/// Whether a title is of what is returned, and not of a value or a way that returns.
fn is_return_title(own: &str, title: &str) -> bool {
    let returns = List("return|returns|returned");
    let is_short = own.split(' ').count() < 5
        && !List("value|values|code|codes|type|types|pattern|triggers").is_in(own);
    let last = own.rsplit(' ').next().unwrap_or_default();
    returns.is(&first_word(own)) && is_short
        || returns.is(last)
        || returns.is_in(title) && List("protocol|message|what").is_in(title)
        || has_shape(title, &returns)
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
            let first = ends.clone().next().filter(|it| {
                let between = blocks.lines[region.start..it.line].iter();
                let mut between = between.filter(|it| !it.trim_matches('-').trim().is_empty());
                let sentence = between.next();
                level == BOLD && sentence.is_none()
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

/// The bold beginning of a sentence, or the sentence if it is short: both can be its title.
fn title_of(sentence: &str) -> &str {
    let bold = sentence
        .strip_prefix("**")
        .and_then(|it| it.split_once("**"));
    let is_short = sentence.split(' ').count() < 7;
    bold.map_or(if is_short { sentence } else { "" }, |it| it.0)
}

/// Whether a line announces what stands below it.
fn is_open(line: &str) -> bool {
    line.trim_end_matches(['*', ' ']).ends_with([':', '：'])
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
        let is_foreign = is_foreign(sentence) || FOREIGN[0].is(&words(sentence));
        // The last sentence is what stands before the colon.
        let sentence = sentence.rsplit(". ").next().unwrap_or(sentence);
        // "When all is done, provide a summary:" asks for it, too.
        let (before, after) = sentence.rsplit_once(", ").unwrap_or(("", sentence));
        let is_time = List("after|before|once|when|upon|on|in|at|finally|then|lastly")
            .is(&first_word(before));
        // "When a rope breaks, report:" is not said of the end.
        let is_end = List("finishing|finished|done|complete|completed|completing|completion|all|finally|lastly")
            .is_in(&words(before));
        let sentence_text = if is_time { after } else { sentence };
        let sentence = words(sentence_text);
        let starts = |it: &str| format!("{sentence} ").starts_with(&format!("{it} "));
        let is_demand = DEMANDS.0.split('|').any(starts)
            || SHOWS.is(&first_word(&sentence)) && SHOWABLE.is_in(&sentence);
        let is_final =
            List("final response|final message|response format|return format|return the following|respuesta final|final answer|final output|output final|last message|closing message|final chat message").is_in(&sentence);
        let is_shape = List("structure|format|shape").is(&first_word(&sentence))
            && List("response|responses|reply|report|output|answer|message|return").is_in(&sentence)
            || weight(title_of(sentence_text)) > 3;
        let is_final = is_final || is_shape;
        let is_each = List("each|every|if").is_in(&sentence);
        if (!is_demand && !is_final && !is_foreign) || is_each && !is_final {
            return None;
        }
        let weight = if is_final || is_foreign || is_end && is_time && is_demand || before.is_empty() && sentence.starts_with("return") {
            4
        } else {
            3
        };
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
