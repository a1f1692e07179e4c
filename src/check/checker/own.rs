//! The check of a return against a standard of one's own.

use memchr::memchr;
use serde::de::IgnoredAny;

use crate::check::checker::run::report;
use crate::check::report::{Report, StepReport};
use crate::check::rules::own::{self, OwnDocument};
use crate::check::{Checker, Collector, Input};
use crate::document::Form;
use crate::document::error::{FormError, FormErrorKind};
use crate::document::extract::Wrapping;
use crate::document::tree::Tree;
use crate::profile::standard::Standard;
use crate::profile::standard::read::{Unreadable, inside_fence};
use crate::rule::Step;
use crate::text::Span;

impl<'t> Checker<'t> {
    pub(super) fn check_own(&self, standard: &'t Standard, input: &Input<'t>) -> Report<'t> {
        if let Some(inside) = self.unfenced(standard, input) {
            return self.check_own(standard, &inside);
        }
        if let Some(fault) = nul(standard, input.text) {
            return self.refuse_bytes(input, &fault);
        }
        match standard.read(input.text) {
            Ok(document) => self.run_own(standard, input, &document),
            Err(error) => self.refuse_own(standard, input, &error),
        }
    }

    /// The report on bytes that are no text.
    pub(super) fn refuse_bytes(&self, input: &Input<'t>, fault: &FormError) -> Report<'t> {
        if self.profile.form() == Form::Json {
            return self.refuse(input, fault);
        }
        self.refused(input, "the return could not be read", |collector| {
            own::not_utf8(collector, fault);
        })
    }

    /// The text inside a fence around the whole message. In JSON it is found where the text is not JSON.
    fn unfenced(&self, standard: &Standard, input: &Input<'t>) -> Option<Input<'t>> {
        let may_extract = self.extract && input.wrapping.is_none() && standard.part.is_none();
        if !may_extract || standard.form == Form::Json {
            return None;
        }
        let inside = inside_fence(input.text)?;
        let wrapping = Wrapping::of(input.text, inside, &[]);
        Some(Input {
            text: &input.text[inside.start..inside.end],
            start: input.start + inside.start,
            wrapping: Some(wrapping),
            ..*input
        })
    }

    fn run_own(
        &self,
        standard: &'t Standard,
        input: &Input<'t>,
        document: &Tree<'t>,
    ) -> Report<'t> {
        let own = OwnDocument::new(standard, document.root(), input.text);
        let mut context = self.context(input);
        let (returned, status) = own.returned(&context);
        context.set_own(document, &returned, status);
        let mut collector = Collector::new(&context, &self.levels);
        own::wrapped(&mut collector);
        let steps = StepReport::of_all(|step| match self.ends_before(&collector) {
            Some(skipped) if step > Step::Json => skipped,
            _ => {
                let ran = own::check(step, &own, &mut collector);
                collector.close_step(ran)
            }
        });
        report(collector, steps)
    }

    /// The report on a text that is not in the form of the standard.
    fn refuse_own(
        &self,
        standard: &'t Standard,
        input: &Input<'t>,
        error: &Unreadable,
    ) -> Report<'t> {
        if let Unreadable::Form(error) = error
            && error.kind == FormErrorKind::JsonSyntax
            && standard.form == Form::Json
            && standard.part.is_none()
            && let Err(error) = serde_json::from_str::<IgnoredAny>(input.text)
        {
            return self.check_embedded(input, &error);
        }
        // Where nothing is no error, it is read as a document with nothing in it.
        let is_empty =
            matches!(error, Unreadable::Form(error) if error.kind == FormErrorKind::Empty);
        if is_empty && !self.requires_return() {
            return self.run_own(standard, input, &Tree::null());
        }
        self.refused(input, "the return could not be read", |collector| {
            own::refused(collector, standard, error);
        })
    }
}

/// The fault of a text with a NUL character. JSON forbids it by itself.
fn nul(standard: &Standard, text: &str) -> Option<FormError> {
    let is_text = standard.form != Form::Json;
    let at = is_text.then(|| memchr(b'\0', text.as_bytes())).flatten()?;
    let place = Span::new(at, 1);
    let (what, fix) = ("has a NUL character", "write UTF-8 text");
    Some(FormError::new(FormErrorKind::NotUtf8, what, fix, place))
}
