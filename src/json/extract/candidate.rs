//! Classifies objects that may be returns, by their status.

use crate::json::tokens::{Token, Walker};

/// Whether an object can be a return: every profile requires a status.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ObjectKind {
    /// It has a status.
    Return,
    /// Only a value inside it has one.
    Holder,
    Other,
}

pub(crate) fn classify(object: &str) -> ObjectKind {
    let (mut depth, mut kind) = (0_usize, ObjectKind::Other);
    for (token, span) in Walker::new(object) {
        match token {
            Token::Open => depth += 1,
            Token::Close => depth -= 1,
            Token::Key if is_status(&object[span.start..span.end]) => {
                if depth == 1 {
                    return ObjectKind::Return;
                }
                kind = ObjectKind::Holder;
            }
            Token::Key | Token::Scalar => {}
        }
    }
    kind
}

fn is_status(key: &str) -> bool {
    key == "\"status\""
        || (key.contains('\\')
            && serde_json::from_str::<String>(key).is_ok_and(|key| key == "status"))
}

/// Whether text that is not JSON contains a status, as a draft may.
pub(crate) fn has_status(group: &str) -> bool {
    group.match_indices("status").any(|(start, name)| {
        let before = group[..start].chars().next_back();
        let is_whole = !before.is_some_and(|before| before.is_alphanumeric() || before == '_');
        let after = group[start + name.len()..].trim_start_matches(QUOTES);
        let value = after.trim_start().strip_prefix(':');
        is_whole && value.is_some_and(|value| value.trim_start().starts_with(QUOTES))
    })
}

/// Quotes around keys and texts, in JSON and in similar text.
pub(super) const QUOTES: [char; 10] = ['"', '\'', '“', '”', '„', '‘', '’', '‚', '«', '»'];
