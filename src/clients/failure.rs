//! A client that failed in place of an answer, by its own words.

use crate::clients::run::failure_in_place_of_answer;

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

/// Words in the messages of clients and services, for each kind. A number is a word of its own.
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
