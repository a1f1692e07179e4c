//! How surely the titles and sentences of a prompt speak of the return.

use super::lists::{
    BEHIND, DEMANDS, DONE, ENDS, FINAL, FOREIGN, FOREIGN_END, List, NOUNS, OTHER, REPORT, RETURNS,
    REVIEWS, SHAPES, SHOWABLE, SHOWN, SHOWS, first_word, words,
};
use super::paths::{is_path, title_path};
use super::words::is_capital;

/// Whether a title or a sentence speaks of the format of the return in another language.
pub(super) fn is_foreign(title: &str) -> bool {
    // "Output of the report" is said without a word for its format, too.
    let nouns = FOREIGN[0].0.split('|').filter(|it| title.contains(it));
    let is_mixed = !title.is_ascii() && NOUNS.is_in(&words(title));
    let is_input = List("입력|输入|輸入|入力|входн|entrada|eingabe").marks(title);
    let is_shape = !is_input && (FOREIGN[1].marks(title) || FOREIGN[2].marks(title));
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
    let weight = if RETURNS.is_in(&text) || SHOWN.is_in(&text) || is_return_title(&own, &text) {
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

/// How surely a sentence asks for the return.
pub(super) fn demand(sentence: &str) -> Option<usize> {
    let is_foreign = is_foreign(sentence)
        || FOREIGN[0].is(&words(sentence))
        || FOREIGN_END.marks(sentence) && FOREIGN[0].marks(sentence);
    // The last sentence is what stands before the colon.
    let sentence = sentence.rsplit(". ").next().unwrap_or(sentence);
    // "When all is done, provide a summary:" asks for it, too.
    let (before, after) = sentence.rsplit_once(", ").unwrap_or(("", sentence));
    let time = List("after|before|once|when|upon|on|in|at|finally|then|lastly");
    let is_time = time.is(&first_word(before));
    let own = if is_time { after } else { sentence };
    // "Look at the code and return a plan:"
    let clause = own.rsplit_once(" and ").map(|it| it.1);
    let clause = clause.filter(|it| first_word(it) == "return");
    let own = clause.unwrap_or(own);
    let text = words(own);
    if is_foreign || is_final(own, &text) {
        return Some(4);
    }
    if !is_demand(own, &text) || List("each|every|if").is_in(&text) {
        return None;
    }
    // "When a rope breaks, report:" is not said of the end.
    let end =
        List("finishing|finished|done|complete|completed|completing|completion|all|finally|lastly");
    let is_end = is_time && end.is_in(&words(before));
    let is_return = before.is_empty() && text.starts_with("return");
    Some(if is_end || is_return { 4 } else { 3 })
}

/// Whether a sentence, whose words are `text`, speaks of the last message or of its shape.
fn is_final(own: &str, text: &str) -> bool {
    let title = title_of(own);
    let is_shape = List("structure|format|shape").is(&first_word(text)) && NOUNS.is_in(text);
    // "Categorize your findings into"
    let is_own = List("your").is_in(text) && is_shown(text);
    // "End every task with exactly this block"
    let is_this = SHOWN.is_in(text) && List("end|return|reply|respond|output|report").is_in(text);
    let findings = words(title.split(['(', '（']).next().unwrap_or_default());
    FINAL.is_in(text)
        || is_shape
        || is_own
        || is_this
        || has_shape(&findings, &List("findings|review|feedback"))
        || weight(title) > 3
}

/// Whether a sentence, whose words are `text`, begins as one that asks for a message.
fn is_demand(own: &str, text: &str) -> bool {
    let starts = |it: &str| format!("{text} ").starts_with(&format!("{it} "));
    // "Output Quality Levels" is a title, and "Output the levels" asks for them.
    let second = own.split(' ').nth(1).unwrap_or_default();
    let is_title = second.starts_with(char::is_uppercase) && !is_capital(second);
    let is_asked = DEMANDS.0.split('|').any(starts) || is_shown(text);
    let is_bare = List("produce|deliver|deliverables|outputs").is(text);
    // What is written to a file is none of the message.
    let is_of_file = !text.starts_with("return") && own.split(' ').any(is_path);
    let is_sentence = !is_title || text.starts_with("your");
    (is_bare || is_sentence && is_asked) && !is_of_file
}

/// Whether a sentence begins with a verb that shows a report.
fn is_shown(text: &str) -> bool {
    SHOWS.is(&first_word(text)) && SHOWABLE.is_in(text)
}

/// The bold beginning of a sentence, whose first marks are off, or the sentence if it is short: both can be its
/// title.
fn title_of(sentence: &str) -> &str {
    let is_bold = sentence.matches("**").count() % 2 == 1;
    match sentence.split_once("**").filter(|_| is_bold) {
        Some((title, _)) => title,
        None if sentence.split(' ').count() < 7 => sentence,
        None => "",
    }
}

/// Whether a line announces what stands below it.
pub(super) fn is_open(line: &str) -> bool {
    line.trim_end_matches(['*', ' ']).ends_with([':', '：'])
}
