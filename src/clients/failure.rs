//! A client that failed in place of an answer, by its own words.

use crate::clients::run::End;

/// Why a client failed: what decides how to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FailureKind {
    /// A limit of usage, turns or money is reached.
    Limit,
    /// The service is overloaded or cannot be reached.
    Overload,
    /// The client is not logged in, or may not use the service.
    Authentication,
    /// A person or a program stopped it, or it waits for one.
    Interrupted,
    /// Anything else.
    Other,
}

/// Words in the messages of clients and services, for each kind, with commas between them. A number is a
/// word of its own.
const WORDS: [(FailureKind, &str); 4] = [
    (
        FailureKind::Authentication,
        "401, 403, authenticat, unauthorized, api key, /login, log in, logged in, oauth, \
         auth-required, auth_required, permission_error",
    ),
    (
        FailureKind::Limit,
        "429, rate limit, rate_limit, usage limit, limit reached, hit your, quota, \
         credit balance, billing, budget, max_turns, max turns, number of turns, turn limit, \
         too many requests",
    ),
    (
        FailureKind::Overload,
        "500, 502, 503, 504, 529, overloaded, timed out, timeout, connection, unavailable, \
         disconnected, internal server error, high demand",
    ),
    (
        FailureKind::Interrupted,
        "interrupt, abort, cancel, killed, stopped, input-required, input_required",
    ),
];

/// The most bytes of a text that are looked at.
const LOOKED_AT: usize = 1_000;

/// The whole texts that clients put in place of an answer, without a full stop at the end, by how the run
/// ended. `#` stands for a number, `%` for a word, and `*` for any text. A text that only begins like one is
/// an answer.
const IN_PLACE: [(End, &[&str]); 4] = [
    (
        End::ApiError,
        &[
            "API Error: #",
            "API Error: # {*}",
            "API Error: # Overloaded",
            "API Error: # Internal server error",
            "API Error: # due to tool use concurrency issues*",
            "API Error: # * (error type *, HTTP #, model sent to the API: *)",
            "API Error: Request timed out",
            "API Error: Connection error",
            "API Error: Claude's response exceeded the # output token maximum*",
            "API Error (*) · Retrying in *",
            "[API Error: *]",
            "Prompt is too long",
            "Execution error",
            "Invalid API key · *",
            "Not logged in · *",
            "OAuth token revoked · *",
            "stream disconnected before completion: *",
        ],
    ),
    (
        End::Limit,
        &[
            "API Error: Request rejected (#) · *",
            "Claude AI usage limit reached",
            "Claude AI usage limit reached|#",
            "Claude usage limit reached. Your limit will reset at *",
            "You've hit your limit",
            "You've hit your limit · resets *",
            "You've hit your % limit",
            "You've hit your % limit · resets *",
            "You've hit your % limit. Resets *",
            "You've hit your % limit. Try again *",
            "You've hit your % % limit",
            "You've hit your % % limit · resets *",
            "You've hit your % % limit. Resets *",
            "% limit reached ∙ resets *",
            "Credit balance is too low",
            "Error: Reached max turns (#)",
            "Reached maximum number of turns (#)",
        ],
    ),
    (
        End::Interrupted,
        &[
            "API Error: Request was aborted",
            "[Request interrupted by user*]",
        ],
    ),
    (End::Failed, &["(no content)", "No response requested"]),
];

/// The longest of these texts, in bytes.
const IN_PLACE_AT_MOST: usize = 400;

/// How the run ended, if its last message is one of the texts that a client puts in place of an answer.
pub(crate) fn failure_in_place_of_answer(text: &str) -> Option<End> {
    let text = text.trim();
    if text.len() > IN_PLACE_AT_MOST || text.contains('\n') {
        return None;
    }
    let text = text.strip_suffix('.').unwrap_or(text);
    let is_one_of = |forms: &[&str]| forms.iter().any(|form| has_form(text, form));
    let known = IN_PLACE.iter().find(|(_, forms)| is_one_of(forms));
    known.map(|(end, _)| *end)
}

fn has_form(text: &str, form: &str) -> bool {
    let Some(at) = form.find(['#', '%', '*']) else {
        return text == form;
    };
    let Some(text) = text.strip_prefix(&form[..at]) else {
        return false;
    };
    let rest = &form[at + 1..];
    let of_part = |is_in: fn(char) -> bool| {
        let part = text.find(|it: char| !is_in(it)).unwrap_or(text.len());
        part > 0 && has_form(&text[part..], rest)
    };
    match form.as_bytes()[at] {
        b'#' => of_part(|it| it.is_ascii_digit()),
        b'%' => of_part(|it| !it.is_whitespace()),
        _ => {
            let mut ends = text.char_indices().map(|(end, _)| end).chain([text.len()]);
            ends.any(|end| has_form(&text[end..], rest))
        }
    }
}

/// How a run ended, by the text of an error that takes the place of the answer.
pub(crate) fn end_by(error: &str) -> End {
    match FailureKind::of(error) {
        FailureKind::Limit => End::Limit,
        FailureKind::Overload | FailureKind::Authentication => End::ApiError,
        // A request that was aborted.
        _ if error.contains("API Error") => End::ApiError,
        FailureKind::Interrupted => End::Interrupted,
        FailureKind::Other => End::Failed,
    }
}

/// Like [`end_by`], for the error of a request: one of unknown kind is an [`End::ApiError`].
pub(crate) fn end_by_request(error: &str) -> End {
    match end_by(error) {
        End::Failed => End::ApiError,
        end => end,
    }
}

impl FailureKind {
    fn of(words: &str) -> Self {
        let words = &words[..words.floor_char_boundary(LOOKED_AT)];
        let words = words.to_ascii_lowercase();
        let parts: Vec<_> = words
            .split(|it: char| !it.is_ascii_alphanumeric())
            .collect();
        let has = |word: &str| {
            let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
            if is_number {
                parts.contains(&word)
            } else {
                words.contains(word)
            }
        };
        let kind = WORDS.iter().find(|(_, known)| known.split(", ").any(has));
        kind.map_or(Self::Other, |(kind, _)| *kind)
    }

    /// What helps, for whoever called the client.
    pub(crate) fn remedy(self) -> &'static str {
        match self {
            Self::Limit => "the limit must be raised or pass first: until then a retry fails, too",
            Self::Overload => "try again later",
            Self::Authentication => "log the client in first",
            Self::Interrupted => "find out who stopped it, or what it waits for",
            Self::Other => "see what the client says",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ClientFailure {
    pub(crate) kind: FailureKind,
    /// What the client says, not safe to print.
    pub(crate) words: String,
}

impl ClientFailure {
    pub(crate) fn new(words: impl Into<String>) -> Self {
        let words = words.into();
        Self {
            kind: FailureKind::of(&words),
            words,
        }
    }

    /// The failure that a client writes in place of an answer. None if the text is anything else.
    pub(crate) fn in_place_of_answer(text: &str) -> Option<Self> {
        failure_in_place_of_answer(text).map(|_| Self::new(text.trim()))
    }

    /// Whether a message is no more than its words.
    pub(crate) fn is_all_of(&self, message: &str) -> bool {
        let message = message.trim();
        message.is_empty() || message == self.words.trim()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_follows_from_the_words() {
        for (words, kind) in [
            (
                "error_max_turns: Reached maximum number of turns (3)",
                FailureKind::Limit,
            ),
            (
                "You've hit your usage limit. Try again at 3 PM.",
                FailureKind::Limit,
            ),
            (
                "Claude AI usage limit reached|1735689600",
                FailureKind::Limit,
            ),
            (
                "API Error: 529 {\"type\":\"overloaded_error\"}",
                FailureKind::Overload,
            ),
            (
                "stream disconnected before completion",
                FailureKind::Overload,
            ),
            (
                "Invalid API key · Please run /login",
                FailureKind::Authentication,
            ),
            (
                "unexpected status 401 Unauthorized",
                FailureKind::Authentication,
            ),
            ("API Error: Request was aborted.", FailureKind::Interrupted),
            ("API Error: 400 model_4010 not found", FailureKind::Other),
            ("error_during_execution", FailureKind::Other),
        ] {
            assert_eq!(FailureKind::of(words), kind, "{words}");
        }
    }
}
