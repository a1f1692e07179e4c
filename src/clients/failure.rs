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
    Other,
}

/// The words of clients: lines of a kind of failure, or of `=` and an end of a run, a colon, and what is said.
const FAILURES: &str = include_str!("failures.txt");

/// What is said in the lines of this kind.
fn said(kind: &str) -> impl Iterator<Item = &'static str> {
    let lines = FAILURES.lines().filter_map(|line| line.split_once(": "));
    lines.filter_map(move |(name, said)| (name == kind).then_some(said))
}

pub(crate) fn begins_with(kind: &str, text: &str) -> bool {
    said(kind).any(|beginning| text.starts_with(beginning))
}

/// The most bytes of a text that are looked at.
const LOOKED_AT: usize = 1_000;

/// How a run ended whose answer is one of the texts of these lines.
const IN_PLACE: [(&str, End); 4] = [
    ("=error", End::ApiError),
    ("=limit", End::Limit),
    ("=interrupted", End::Interrupted),
    ("=failed", End::Failed),
];

const IN_PLACE_AT_MOST: usize = 400;

/// How the run ended, if its last message is one of the texts that a client puts in place of an answer.
pub(crate) fn failure_in_place_of_answer(text: &str) -> Option<End> {
    let text = text.trim();
    // The result of a tool has lines of its own.
    let is_result = text.ends_with("</task_result>") || text.ends_with("</task>");
    if text.len() > IN_PLACE_AT_MOST || text.contains('\n') && !is_result {
        return None;
    }
    let words: Vec<_> = text.split_whitespace().filter(|_| is_result).collect();
    let joined = words.join(" ");
    let text = if is_result { &*joined } else { text };
    let text = text.strip_suffix('.').unwrap_or(text);
    let mut kinds = IN_PLACE.iter();
    let known = kinds.find(|(kind, _)| said(kind).any(|form| has_form(text, form)));
    known.map(|(_, end)| *end)
}

fn has_form(text: &str, form: &str) -> bool {
    let Some(at) = form.find(['#', '%', '*', '@']) else {
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
        b'@' => is_time(text),
        _ => {
            let mut ends = text.char_indices().map(|(end, _)| end).chain([text.len()]);
            ends.any(|end| has_form(&text[end..], rest))
        }
    }
}

/// Whether a text is a few words as in `Oct 9, 3pm (Europe/Berlin)`.
fn is_time(text: &str) -> bool {
    let is_part = |it: char| it.is_ascii_digit() || it.is_uppercase() || it == '(';
    text.split(' ').count() <= 5 && text.split(' ').all(|word| word.starts_with(is_part))
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
        let parts = words.split(|it: char| !it.is_ascii_alphanumeric());
        let parts: Vec<_> = parts.collect();
        let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
        let has = |word| parts.contains(&word) || !is_number(word) && words.contains(word);
        let is_it = |name| said(name).flat_map(|it| it.split(", ")).any(has);
        let known = [
            ("authentication", Self::Authentication),
            ("limit", Self::Limit),
            ("overload", Self::Overload),
            ("interrupted", Self::Interrupted),
        ];
        let kind = known.into_iter().find(|(name, _)| is_it(*name));
        kind.map_or(Self::Other, |(_, kind)| kind)
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
        Self { kind: FailureKind::of(&words), words }
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
            ("error_max_turns: Reached maximum number of turns (3)", FailureKind::Limit),
            ("You've hit your usage limit. Try again at 3 PM.", FailureKind::Limit),
            ("Claude AI usage limit reached|1735689600", FailureKind::Limit),
            ("API Error: 529 {\"type\":\"overloaded_error\"}", FailureKind::Overload),
            ("stream disconnected before completion", FailureKind::Overload),
            ("Invalid API key · Please run /login", FailureKind::Authentication),
            ("unexpected status 401 Unauthorized", FailureKind::Authentication),
            ("API Error: Request was aborted.", FailureKind::Interrupted),
            ("API Error: 400 model_4010 not found", FailureKind::Other),
            ("error_during_execution", FailureKind::Other),
        ] {
            assert_eq!(FailureKind::of(words), kind, "{words}");
        }
    }
}
