//! Every value of a document stands in the message, and a part of a message is read like a message.

use crate::document::error::FormError;
use crate::document::lookup::places;
use crate::document::part::{PartMarks, find};
use crate::document::tree::Tree;
use crate::document::{Form, ReadOptions, front_matter_error, read};
use crate::text::Span;

/// What stands before a part.
const BEFORE: &str = "é\n```x\n";

/// The bytes are a message of each form.
pub(crate) fn hold(bytes: &[u8]) {
    let message = String::from_utf8_lossy(bytes);
    for form in Form::ALL {
        let alone = read(form, &message, &ReadOptions::default());
        match &alone {
            Ok(document) => {
                in_bounds(&message, document);
                assert!(serde_json::to_string(&document.root()).is_ok());
                let is_end = |it: usize| message.is_char_boundary(it);
                let mut found = places(&message, document).into_iter();
                assert!(found.all(|(_, it)| it.is_none_or(|it| is_end(it.offset))));
            }
            Err(error) => {
                let is_in = error.place.end <= message.len();
                assert!(is_in, "{error:?} in {message:?}");
            }
        }
        as_part(form, &message, alone);
    }
    let _ = front_matter_error(&message, None);
    for marks in [
        PartMarks::Fence(vec!["json".to_owned()]),
        PartMarks::Between(["<", ">"].map(str::to_owned)),
        PartMarks::Tag("result".to_owned()),
    ] {
        if let Ok(part) = find(&message, &marks, false) {
            assert!(message.get(part.start..part.end).is_some(), "{message:?}");
        }
    }
}

/// Every place is in the message, between characters.
fn in_bounds(message: &str, document: &Tree<'_>) {
    let values = (0..document.len()).map(|at| document.value(at));
    let places = values.flat_map(|it| [it.place(), it.source(), it.key_place()]);
    for span in places.flatten() {
        let is_there = message.get(span.start..span.end).is_some();
        assert!(is_there, "{document:?} in {message:?}");
    }
}

/// What is read of a part has the same values at the same places, further right.
fn as_part(form: Form, message: &str, alone: Result<Tree<'_>, FormError>) {
    let longer = format!("{BEFORE}{message}\n```");
    let part = Span { start: BEFORE.len(), end: BEFORE.len() + message.len() };
    let options = ReadOptions { part: Some(part), elements: &[] };
    match (alone, read(form, &longer, &options)) {
        (Ok(alone), Ok(inside)) => {
            let offsets = |message: &str, document: &Tree<'_>, more: usize| -> Vec<_> {
                let found = places(message, document).into_iter();
                let offset = |it: crate::Position| it.offset + more;
                found
                    .map(|(it, position)| (it.pointer().to_string(), position.map(offset)))
                    .collect()
            };
            assert_eq!(
                offsets(message, &alone, BEFORE.len()),
                offsets(&longer, &inside, 0),
                "{message:?}"
            );
        }
        (Err(alone), Err(inside)) => {
            assert_eq!(alone.place.start + BEFORE.len(), inside.place.start);
        }
        (alone, inside) => panic!("{alone:?} and {inside:?} of {message:?}"),
    }
}
