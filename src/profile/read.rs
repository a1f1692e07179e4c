//! Reads a message in the form of a standard.

use std::borrow::Cow;

use crate::document::error::FormError;
use crate::document::extract::{ReturnShape, THOUGHTS};
use crate::document::part::{self, PartError, PartMarks};
use crate::document::pointer::PointerStep;
use crate::document::tree::Tree;
use crate::document::{self, Form, ReadOptions, fence_around, front_matter_error};
use crate::profile::{PlacePath, Profile};
use crate::text::Span;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReturnPart {
    pub(crate) marks: PartMarks,
    /// Whether a message without the part is the return as a whole.
    pub(crate) is_optional: bool,
    /// Whether nothing may follow it.
    pub(crate) is_last: bool,
}

#[derive(Debug, Clone)]
pub(crate) enum Unreadable {
    Form(FormError),
    Part(PartError),
}

impl ReturnPart {
    /// As messages show it.
    pub(crate) fn name(&self) -> Cow<'_, str> {
        match &self.marks {
            PartMarks::Fence(words) => Cow::Owned(format!("```{}", words.join(" or ```"))),
            PartMarks::Between([start, end]) => Cow::Owned(format!("{start} … {end}")),
            // Angle brackets are escaped in all messages.
            PartMarks::Tag(name) => Cow::Owned(format!("tag `{name}`")),
        }
    }

    fn find(&self, text: &str) -> Result<Option<Span>, PartError> {
        match part::find(text, &self.marks, self.is_last) {
            Err(PartError::Missing) if self.is_optional => Ok(None),
            found => found.map(Some),
        }
    }
}

impl Profile {
    /// The document of a message. All places are in bytes of the message.
    pub(crate) fn read<'t>(&self, message: &'t str) -> Result<Tree<'t>, Unreadable> {
        let part = self.part.as_ref().map(|part| part.find(message));
        let part = part.transpose().map_err(Unreadable::Part)?.flatten();
        let part = part.or_else(|| behind_thoughts(message).filter(|_| self.form != Form::Json));
        let is_text = self.form == Form::Text;
        // Elements of HTML with a name that stands in a place count as tags.
        let elements = self.paths().filter(|_| is_text).flat_map(PlacePath::names);
        let elements = &elements.collect::<Vec<_>>();
        let document = document::read(self.form, message, &ReadOptions { part, elements });
        let document = document.map_err(Unreadable::Form)?;
        if is_text && self.needs_front_matter() && document.root().member(FRONT_MATTER).is_none() {
            front_matter_error(message, part)
                .map_or(Ok(()), |error| Err(Unreadable::Form(error)))?;
        }
        Ok(document)
    }

    /// What the JSON value of a return is. Where a place begins with `*`, it is a list.
    pub(crate) fn return_shape(&self) -> ReturnShape<'_> {
        let status = self.roles.status.iter().flat_map(|it| &*it.paths);
        ReturnShape { is_list: self.is_list(), status: status.map(PlacePath::steps).collect() }
    }

    fn is_list(&self) -> bool {
        let begins = |it: &PlacePath| it.steps().first() == Some(&PointerStep::Every);
        self.form == Form::Json && self.paths().any(begins)
    }

    /// A text about the JSON of a return, with the name of what that is.
    pub(crate) fn with_root<'w>(&self, text: &'w str) -> Cow<'w, str> {
        if !self.is_list() {
            return Cow::Borrowed(text);
        }
        let text = text.replace("an object", "a list").replace("object", "list");
        Cow::Owned(text.replace("closing brace", "closing bracket"))
    }

    fn needs_front_matter(&self) -> bool {
        let is_it = |step: &PointerStep| *step == PointerStep::Name(FRONT_MATTER.into());
        self.paths().any(|place| place.name().is_none() && place.steps().first().is_some_and(is_it))
    }
}

/// What follows the thoughts that a message begins with. None if it does not, or nothing follows.
fn behind_thoughts(message: &str) -> Option<Span> {
    let rest = message.trim_start();
    let end = THOUGHTS.into_iter().find_map(|(open, close)| {
        let inside = rest.strip_prefix(open)?;
        Some(message.len() - inside.len() + inside.find(close)? + close.len())
    })?;
    let start = message.len() - message[end..].trim_start().len();
    (start < message.len()).then(|| Span::new(start, message.len() - start))
}

/// The text inside of a fence around a whole message, apart from the thoughts before it. None if there is no such
/// fence.
pub(crate) fn inside_fence(message: &str) -> Option<Span> {
    fence_around(message, behind_thoughts(message).map_or(0, |it| it.start))
}

const FRONT_MATTER: &str = "front_matter";

#[cfg(test)]
mod tests {
    use super::inside_fence;

    #[test]
    fn only_a_fence_around_the_whole_message_is_taken_off() {
        let inside = |message: &'static str| {
            let span = inside_fence(message)?;
            Some(&message[span.start..span.end])
        };
        assert_eq!(inside("\n```md\nStatus: DONE\n```\n"), Some("Status: DONE"));
        assert_eq!(inside("````\na\n```\n````"), Some("a\n```"));
        assert_eq!(inside("~~~~ md\n```\na\n```\n~~~~~\n"), Some("```\na\n```"));
        assert_eq!(inside("<think>x</think>\n```\na\n```"), Some("a"));
        assert_eq!(inside("```\na\n```\nb\n```\nc\n```"), None);
        assert_eq!(inside("- ```\n  a\n  ```"), None);
        assert_eq!(inside("Done.\n```\nStatus: DONE\n```"), None);
        assert_eq!(inside("```\nStatus: DONE"), None);
    }
}
