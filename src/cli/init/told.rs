//! Statuses that sentences and titles of a prompt tell.

use super::blocks::Blocks;
use super::lists::{List, first_word, words};
use super::name::place_of;
use super::proposal::{KeyValue, quoted};
use super::prose::below;
use super::region::is_return;
use super::stated::{StatedLine, endings, named_words, shown_words, stated_line};
use super::status_role::StatusRole;
use super::words::{is_or, is_outcome, is_status};

/// The line that a sentence asks for.
pub(super) fn of_stated(blocks: &Blocks<'_>) -> Option<StatusRole> {
    of_sentence(stated_line(blocks).or_else(|| endings(blocks))?)
}

/// The first words of two returns, with "Either:" and "or:" before them.
pub(super) fn of_either(blocks: &Blocks<'_>) -> Option<StatusRole> {
    let outside = (0..blocks.lines.len()).filter(|it| !blocks.is_in_fence(*it));
    let heads =
        outside.filter(|it| words(blocks.lines[*it]) == "either" || is_or(blocks.lines[*it]));
    let below = |line: usize| {
        blocks.lines[line + 1..]
            .iter()
            .find(|it| !it.trim().is_empty())
    };
    let firsts = heads.filter_map(|line| {
        let word = below(line)?.split([' ', ':']).next()?;
        is_outcome(word).then(|| (word.trim_matches(['*', '`']).to_owned(), line))
    });
    let firsts: Vec<_> = firsts.collect();
    let (words, lines): (Vec<_>, Vec<_>) = firsts.into_iter().unzip();
    let stated = StatedLine {
        line: *lines.first()?,
        name: None,
        is_first: true,
        words,
        is_placed: true,
    };
    (stated.words.len() > 1)
        .then(|| of_sentence(stated))
        .flatten()
}

/// The words that a sentence enumerates.
pub(super) fn of_named(blocks: &Blocks<'_>) -> Option<StatusRole> {
    of_sentence(named_words(blocks).or_else(|| shown_words(blocks))?)
}

/// The words of a list below a title such as `## Verdict`.
pub(super) fn of_titled(blocks: &Blocks<'_>) -> Option<StatusRole> {
    let mut titled = blocks.headings.iter().filter(|it| is_status(it.title));
    titled.find_map(|heading| {
        let words = below(blocks, heading);
        let place = format!(
            "{{ at = {}, optional = true }}",
            quoted(&place_of(heading.title))
        );
        let is_final = List("final|overall|최종|итоговый").is(&first_word(heading.title));
        let is_of_return =
            (is_return(heading) || is_final) && words.iter().any(|it| is_outcome(it));
        is_of_return.then(|| StatusRole {
            of_variants: Vec::new(),
            ..StatusRole::of_line(words, heading.line, place)
        })
    })
}

fn of_sentence(stated: StatedLine) -> Option<StatusRole> {
    // It would end the string of the expression.
    if stated.words.iter().any(|it| it.contains('\'')) {
        return None;
    }
    let place = if let (Some(name), true) = (&stated.name, stated.is_placed) {
        KeyValue::Text(name.clone())
    } else if let Some(name) = &stated.name {
        // Where it stands is not said, so it may have no name.
        KeyValue::Raw(format!("{{ at = {}, optional = true }}", quoted(name)))
    } else {
        let at = if stated.is_first { "/first" } else { "/last" };
        let words = stated.words.join("|");
        // What follows the word may take more lines, so the line may be another one.
        let place =
            format!("{{ at = \"{at}\", match = '\\b(?<value>{words})\\b', optional = true }}");
        KeyValue::Raw(place)
    };
    Some(StatusRole {
        place,
        line: stated.line,
        words: stated
            .words
            .into_iter()
            .map(|it| (it, stated.line))
            .collect(),
        of_variants: Vec::new(),
    })
}
