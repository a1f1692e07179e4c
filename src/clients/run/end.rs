//! Classifies how a run ended, by the error that is its last message.

use super::{End, is_code};

/// Texts that clients put in place of an answer, by their beginning, and how the run ended.
const IN_PLACE: [(&str, End); 24] = [
    ("API Error: 4", End::ApiError),
    ("API Error: 5", End::ApiError),
    ("API Error (", End::ApiError),
    ("API Error: Connection error", End::ApiError),
    ("API Error: Request timed out", End::ApiError),
    ("API Error: Claude's response exceeded the ", End::ApiError),
    ("(no content)", End::Failed),
    ("No response requested.", End::Failed),
    ("API Error: Request was aborted", End::Interrupted),
    ("[API Error: ", End::ApiError),
    ("Claude AI usage limit reached", End::Limit),
    ("Claude usage limit reached", End::Limit),
    ("Credit balance is too low", End::Limit),
    ("Prompt is too long", End::ApiError),
    ("Execution error", End::ApiError),
    ("[Request interrupted by user]", End::Interrupted),
    (
        "[Request interrupted by user for tool use]",
        End::Interrupted,
    ),
    ("Error: Reached max turns (", End::Limit),
    ("Reached maximum number of turns (", End::Limit),
    ("Not logged in · ", End::ApiError),
    ("Invalid API key · ", End::ApiError),
    ("Please run /login · ", End::ApiError),
    ("OAuth token revoked · ", End::ApiError),
    ("stream disconnected before completion: ", End::ApiError),
];

/// The beginning of what a client says of a limit. A kind of limit may follow, as in `weekly limit`.
const HIT: &str = "You've hit your ";

/// What a client says of a limit behind its kind, as in `5-hour limit reached`, before it tells the time.
const REACHED: &str = " limit reached ∙ ";

/// The most words from [`HIT`] to the one that says `limit`.
const WORDS_TO_LIMIT: usize = 3;

/// How a sentence about such an error goes on behind its status.
const SENTENCE: &str = "is|was|are|were|has|had|came|comes|occurs|occurred|happens|happened|handling|\
    handler|error|errors|response|responses|retry|retries|and|or|in|on|from|when|if";

/// The longest of these texts, in bytes. An answer that begins like one goes on.
const IN_PLACE_AT_MOST: usize = 400;

/// How the run ended, if its last message is a text that a client puts in place of an answer: it begins
/// like one and is one short paragraph that names no file of code.
pub(crate) fn failure_in_place_of_answer(text: &str) -> Option<End> {
    let text = text.trim();
    if text.len() > IN_PLACE_AT_MOST || text.contains("\n\n") || names_code(text) {
        return None;
    }
    let is_kind = |kind: &str| kind.split(' ').count() <= WORDS_TO_LIMIT;
    let has_reached = text
        .split_once(REACHED)
        .is_some_and(|(kind, _)| is_kind(kind));
    if has_reached || text.strip_prefix(HIT).is_some_and(names_limit) {
        return Some(End::Limit);
    }
    let mut known = IN_PLACE.iter();
    let (start, end) = known.find(|(start, _)| text.starts_with(start))?;
    let rest = &text[start.len()..];
    let is_sentence = if start.ends_with(['4', '5']) {
        let mut words = rest.split_ascii_whitespace().skip(1);
        words
            .next()
            .is_some_and(|word| SENTENCE.split('|').any(|it| it == word))
    } else {
        !start.ends_with(['(', ' ']) && goes_on(rest)
    };
    (!is_sentence).then_some(*end)
}

/// Whether a sentence goes on behind a text that is one alone.
fn goes_on(rest: &str) -> bool {
    rest.trim_start().starts_with(char::is_alphanumeric)
}

/// Whether a text names a file of code, maybe with a line, as only an agent does.
fn names_code(text: &str) -> bool {
    let mut names = text
        .split_ascii_whitespace()
        .filter_map(|word| word.split(':').next());
    names.any(|name| is_code(name.trim_matches(|it: char| !it.is_alphanumeric())))
}

fn names_limit(text: &str) -> bool {
    let Some((kind, rest)) = text.split_once("limit") else {
        return false;
    };
    kind.split_whitespace().count() < WORDS_TO_LIMIT
        && (!goes_on(rest) || rest.starts_with(" for "))
}

/// How a run ended, by the text of an error that takes the place of the answer.
pub(in crate::clients) fn end_by(text: &str) -> End {
    let text = text.get(..text.floor_char_boundary(400)).unwrap_or(text);
    let text = text.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if has(&[
        "usage limit",
        "rate limit",
        "hit your limit",
        "limit reached",
        "rate_limit",
        "quota",
    ]) {
        End::Limit
    } else if has(&["api error", "connection error"]) {
        End::ApiError
    } else if has(&["interrupted", "aborted", "stopped by"]) {
        End::Interrupted
    } else {
        End::Failed
    }
}

/// How a run ended that the client calls completed. `answer` is what the caller got. A run that used no
/// tokens ended with an error, whose text takes the place of the answer.
pub(in crate::clients) fn end_of_completed(answer: &str, tokens: Option<u64>) -> End {
    match tokens {
        Some(0) => end_by_request(answer),
        _ => End::Answered,
    }
}

/// Like [`end_by`], for the error of a request: one of unknown kind is an [`End::ApiError`].
pub(in crate::clients) fn end_by_request(text: &str) -> End {
    match end_by(text) {
        End::Failed => End::ApiError,
        end => end,
    }
}
