//! Classifies how a run ended, by the error that is its last message.

use super::End;

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
