//! How a run ended that has an error for its last message.

use super::run::End;

/// How a run ended, by the text that stands in place of an answer.
pub(super) fn end_by(text: &str) -> End {
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

/// How a run ended, by the text of an error of which it is known that a request failed.
pub(super) fn end_by_request(text: &str) -> End {
    match end_by(text) {
        End::Failed => End::ApiError,
        end => end,
    }
}
