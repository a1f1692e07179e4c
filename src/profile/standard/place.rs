//! Places: how a standard says where in a document a value stands.

use std::fmt;

use crate::form::Form;
use crate::form::lookup::{PointerPattern, PointerStep, unescaped};

/// Where in a document values stand: a JSON Pointer, or a name in a text and the steps below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ValuePlace {
    /// As the configuration writes it.
    text: String,
    /// The name that is looked for. None for a pointer.
    name: Option<String>,
    /// The steps from the document, or from what stands under the name.
    steps: PointerPattern,
}

/// Why a text is no place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PlaceError {
    #[error("must begin with `/`")]
    NoPointer,
    #[error("has a `~` that must be written `~0`, or `~1` for a slash")]
    Escape,
    #[error("has an empty name")]
    EmptyName,
    #[error("can match nothing in a text: {0}")]
    Nothing(String),
}

/// The members of the document of a text that are no objects and have no members.
const PLAIN: [&str; 4] = ["first", "last", "lines", "text"];

/// The other members. They are those of each section, too, apart from the front matter.
const WITH_MEMBERS: [&str; 7] = [
    "front_matter",
    "labels",
    "list",
    "table",
    "sections",
    "tags",
    "blocks",
];

impl ValuePlace {
    /// Reads a place of a document in this form.
    pub(crate) fn read(text: &str, form: Form) -> Result<Self, PlaceError> {
        let is_pointer = text.is_empty() || text.starts_with('/');
        if is_pointer {
            let steps = PointerPattern::read(text).ok_or(PlaceError::Escape)?;
            if form == Form::Text {
                can_match(steps.steps())?;
            }
            return Ok(Self {
                text: text.to_owned(),
                name: None,
                steps,
            });
        }
        if form != Form::Text {
            return Err(PlaceError::NoPointer);
        }
        Self::read_name(text)
    }

    /// Reads the name of a member, or a pointer below a value.
    pub(crate) fn read_member(text: &str) -> Result<Self, PlaceError> {
        if text.starts_with('/') {
            return Self::read(text, Form::Json);
        }
        let pointer = format!("/{}", text.replace('~', "~0").replace('/', "~1"));
        let steps = PointerPattern::read(&pointer).ok_or(PlaceError::Escape)?;
        Ok(Self {
            text: text.to_owned(),
            name: None,
            steps,
        })
    }

    fn read_name(text: &str) -> Result<Self, PlaceError> {
        let (name, rest) = match text.find('/') {
            Some(at) => text.split_at(at),
            None => (text, ""),
        };
        if name.trim().is_empty() {
            return Err(PlaceError::EmptyName);
        }
        Ok(Self {
            text: text.to_owned(),
            name: Some(unescaped(name).ok_or(PlaceError::Escape)?),
            steps: PointerPattern::read(rest).ok_or(PlaceError::Escape)?,
        })
    }

    /// The name that is looked for. None for a pointer.
    pub(crate) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The steps from the document, or from what stands under the name.
    pub(crate) fn steps(&self) -> &[PointerStep] {
        self.steps.steps()
    }

    /// As the configuration writes it.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for ValuePlace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

/// Refuses steps that lead to nothing in the document of any text.
fn can_match(steps: &[PointerStep]) -> Result<(), PlaceError> {
    let mut steps = steps.iter();
    let Some(PointerStep::Name(member)) = steps.next() else {
        return Ok(());
    };
    let member = member.as_str();
    if PLAIN.contains(&member) {
        return match steps.next() {
            None => Ok(()),
            Some(_) => Err(PlaceError::Nothing(format!("`{member}` has no members"))),
        };
    }
    if !WITH_MEMBERS.contains(&member) {
        let known = PLAIN.iter().chain(&WITH_MEMBERS).copied();
        let known: Vec<_> = known.collect();
        let known = known.join(", ");
        return Err(PlaceError::Nothing(format!(
            "a document has {known}, no `{member}`"
        )));
    }
    match (member, steps.next()) {
        ("list" | "table", Some(PointerStep::Name(index))) if index.parse::<usize>().is_err() => {
            Err(PlaceError::Nothing(format!(
                "`{member}` has items, no `{index}`"
            )))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_pointer_or_a_name_with_steps() {
        let place = ValuePlace::read("/findings/*/file", Form::Json).expect("a place");
        assert!(place.name().is_none() && place.steps().contains(&PointerStep::Every));
        let place = ValuePlace::read("STEPS/*", Form::Text).expect("a place");
        assert_eq!(place.name(), Some("STEPS"));
        let place = ValuePlace::read("Pass~1Fail", Form::Text).expect("a place");
        assert_eq!((place.name(), place.steps().len()), (Some("Pass/Fail"), 0));
    }

    #[test]
    fn a_place_that_can_match_nothing_is_refused() {
        let error = |text, form| {
            ValuePlace::read(text, form)
                .expect_err("an error")
                .to_string()
        };
        assert_eq!(error("status", Form::Json), "must begin with `/`");
        assert!(error("/a~b", Form::Yaml).starts_with("has a `~`"));
        assert_eq!(error(" /x", Form::Text), "has an empty name");
        assert!(error("labels~2x", Form::Text).starts_with("has a `~`"));
        assert_eq!(
            error("/first/0", Form::Text),
            "can match nothing in a text: `first` has no members"
        );
        assert!(error("/status", Form::Text).ends_with("no `status`"));
        assert!(error("/list/a", Form::Text).ends_with("has items, no `a`"));
        assert!(ValuePlace::read("/sections/*/labels/severity", Form::Text).is_ok());
    }
}
