//! From the bytes of one return to its tree, or to the report on what cannot be read. The steps follow. A
//! message of the profile `any` need have no form.

use std::cell::OnceCell;
use std::time::SystemTime;

use memchr::memchr;
use serde::de::IgnoredAny;

use crate::check::checker::steps::report;
use crate::check::report::{Report, StepOutcome, StepReport};
use crate::check::rules::{STATUS_UNKNOWN, answered, form};
use crate::check::{Checker, Collector, Context, Input, ReturnFile};
use crate::clients::output;
use crate::document::error::{FormError, FormErrorKind};
use crate::document::extract::{Contents, Wrapping, contents};
use crate::document::fault::{diagnose, diagnose_inside, half_pair, not_utf8};
use crate::document::json::{Refused, read};
use crate::document::tree::{BYTES_IN_TREE, Tree};
use crate::document::{DEPTH_AT_MOST, Form, ITEMS_AT_MOST};
use crate::profile::read::{Unreadable, inside_fence};
use crate::profile::{Profile, Shape, claims_files};
use crate::rule::{Level, Step};
use crate::text::{Base, Positions, Span, is_blank};

impl Checker<'_> {
    /// Checks one return. Reads nothing but the artifacts that it claims (and, for a compact
    /// return, the handoff file), never outside the root.
    #[must_use]
    pub fn check(&self, bytes: &(impl AsRef<[u8]> + ?Sized)) -> Report {
        self.check_file(bytes.as_ref(), ReturnFile::default())
    }

    /// Checks one return that is the whole of a file. Some rules look at its place and its age.
    pub(crate) fn check_file(&self, bytes: &[u8], file: ReturnFile<'_>) -> Report {
        self.check_part(bytes, Base::default(), file)
    }

    /// Checks one return, or that in an envelope. It can be a part of a larger file, such as a line of a stream.
    pub(crate) fn check_part(&self, bytes: &[u8], base: Base, file: ReturnFile<'_>) -> Report {
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if size > self.max_bytes.min(BYTES_IN_TREE) {
            return self.refuse_size(base);
        }
        // The faster check does not say what is wrong.
        let text = simdutf8::basic::from_utf8(bytes).or_else(|_| std::str::from_utf8(bytes));
        let report = match text {
            Ok(text) => {
                let input = Input::of_text(bytes, text, base);
                self.check_text(&Input { file, ..input })
            }
            Err(error) => self.refuse_bytes(&Input::of_bytes(bytes, base), &not_utf8(error)),
        };
        // What was found amid other text may be a line of the client's own.
        let is_part = report.text.as_ref().is_some_and(|it| it.len() < bytes.len());
        let is_none = report.returned.status.is_none() || report.found(STATUS_UNKNOWN.id) > 0;
        let is_none = is_none && (!report.is_valid() || self.profile.shape == Shape::Message);
        let may_be_inside = self.envelope && (is_none || is_part);
        let inside = may_be_inside.then(|| self.check_inside(bytes, base, file.written));
        inside.flatten().unwrap_or(report)
    }

    /// The report on the return in an envelope. Its findings are located at the value that holds the
    /// return, because the lines of the return itself are not lines of the file.
    fn check_inside(
        &self,
        bytes: &[u8],
        base: Base,
        written: Option<SystemTime>,
    ) -> Option<Report> {
        let opened = output::open(std::str::from_utf8(bytes).ok()?)?;
        let message = opened.message.as_bytes();
        let input = Input {
            file: ReturnFile::new(None, written),
            failure: opened.failure.as_ref(),
            ..Input::of_text(message, &opened.message, Base::default())
        };
        let mut report = self.check_text(&input);
        let mut positions = Positions::new(bytes, base);
        let [start, end] = [opened.span.start, opened.span.end].map(|at| positions.of(at));
        for finding in &mut report.findings {
            (finding.position, finding.end) = (start, end);
        }
        report.envelope = opened.envelope;
        Some(report)
    }

    /// The report on a return of more than [`max_bytes`](Self::max_bytes), which need not be read to be refused.
    pub(crate) fn refuse_size(&self, base: Base) -> Report {
        let what = format!("larger than {} bytes", self.max_bytes);
        self.refuse_limit(&Input::of_bytes(b"", base), &what, Span::default())
    }
}

impl<'t> Checker<'t> {
    fn check_text(&self, input: &Input<'t>) -> Report {
        let profile = self.profile;
        if profile.shape == Shape::Message {
            return self.check_message(input);
        }
        let has_failed = || self.context(input).failure_in_place().is_some();
        if profile.is_own() && self.requires_return() && has_failed() {
            return self.refused(input, "the client failed", |_| {});
        }
        if let Some(inside) = self.unfenced(input) {
            return self.check_text(&inside);
        }
        let is_empty = profile.is_own() && is_blank(input.text);
        if profile.form == Form::Json && profile.part.is_none() && !is_empty {
            return match read(input.text) {
                Ok(tree) => self.run_steps(input, &tree),
                Err(Refused::Items(at)) => {
                    let what = format!("more than {ITEMS_AT_MOST} items and keys");
                    self.refuse_limit(input, &what, Span::new(at, 0))
                }
                Err(refused) => self.check_unread(input, refused),
            };
        }
        if let Some(fault) = nul(profile, input.text) {
            return self.refuse_bytes(input, &fault);
        }
        match profile.read(input.text) {
            Ok(tree) => self.run_steps(input, &tree),
            // Where nothing is no error, it is read as a document with nothing in it.
            Err(Unreadable::Form(error))
                if error.kind == FormErrorKind::Empty && !self.requires_return() =>
            {
                self.run_steps(input, &Tree::null())
            }
            Err(error) => self.not_read(input, |collector| form::refused(collector, &error)),
        }
    }

    /// The text inside a fence around the whole message. In JSON it is found where the text is not JSON.
    fn unfenced(&self, input: &Input<'t>) -> Option<Input<'t>> {
        let may_extract = self.extract && input.wrapping.is_none() && self.profile.part.is_none();
        if !may_extract || self.profile.form == Form::Json {
            return None;
        }
        let inside = inside_fence(input.text)?;
        Some(Input {
            text: &input.text[inside.start..inside.end],
            start: input.start + inside.start,
            wrapping: Some(Wrapping::FENCE),
            ..*input
        })
    }

    /// Whether it fails that there is no return. Otherwise what stands in its place is checked.
    fn requires_return(&self) -> bool {
        self.levels.level(&answered::MISSING) == Level::Error
    }

    /// The text is not JSON, or nested too deep, or has half a surrogate pair. `serde_json` says what is wrong.
    fn check_unread(&self, input: &Input<'t>, refused: Refused) -> Report {
        if let Err(error) = serde_json::from_str::<IgnoredAny>(input.text) {
            return self.check_embedded(input, &error);
        }
        if let Refused::Depth(at) = refused {
            let what = format!("nested deeper than {DEPTH_AT_MOST} levels");
            return self.refuse_limit(input, &what, Span::new(at, 1));
        }
        self.refuse(input, &half_pair(input.text), false)
    }

    /// The text is not JSON: where allowed, the return may be a part of it.
    fn check_embedded(&self, input: &Input<'t>, error: &serde_json::Error) -> Report {
        let shape = self.profile.return_shape();
        let has_mark = input.text.starts_with('\u{feff}');
        let has_contents = input.wrapping.is_none() && !has_mark;
        let found = has_contents.then(|| contents(input.text, &shape));
        let is_one = matches!(found, Some(Contents::One { .. }));
        let fault = match found.filter(|_| self.extract) {
            Some(Contents::One { place, wrapping }) => {
                return self.check_text(&Input {
                    text: &input.whole[place.start..place.end],
                    start: place.start,
                    wrapping: Some(wrapping),
                    ..*input
                });
            }
            Some(contents) => diagnose_inside(input.text, &contents, error, &shape),
            None => diagnose(input.text, error, &shape),
        };
        // A handoff file holds nothing but the handoff, whatever the options are.
        self.refuse(input, &fault, is_one && !self.profile.is_handoff())
    }

    /// Looks for files that a message claims, and asks for nothing else in it.
    fn check_message(&self, input: &Input<'t>) -> Report {
        // Most messages are prose, and need not be read.
        let may_claim = input.text.contains("artifacts");
        let tree = may_claim.then(|| self.profile.read(input.text).ok());
        let tree = tree.flatten().filter(|tree| claims_files(tree.root()));
        self.run_steps(input, &tree.unwrap_or_else(Tree::null))
    }

    /// The report on bytes that are no text.
    fn refuse_bytes(&self, input: &Input<'t>, fault: &FormError) -> Report {
        match self.profile.form {
            Form::Json => self.refuse(input, fault, false),
            _ => self.not_read(input, |collector| form::not_utf8(collector, fault)),
        }
    }

    fn not_read(&self, input: &Input<'t>, say: impl FnOnce(&mut Collector<'_, 't>)) -> Report {
        self.refused(input, "the return could not be read", say)
    }

    /// The report on a text that is not JSON. `extracts` says whether `--extract` would find a return in it.
    fn refuse(&self, input: &Input<'t>, fault: &FormError, extracts: bool) -> Report {
        let say = |collector: &mut Collector<'_, 't>| form::not_json(collector, fault, extracts);
        self.refused(input, "the return is not valid JSON", say)
    }

    fn refuse_limit(&self, input: &Input<'t>, what: &str, span: Span) -> Report {
        let say = |collector: &mut Collector<'_, 't>| form::too_large(collector, what, span);
        self.refused(input, "the return exceeds a limit", say)
    }

    /// The report on a text that no step but the first can check.
    fn refused(
        &self,
        input: &Input<'t>,
        why: &'static str,
        say: impl FnOnce(&mut Collector<'_, 't>),
    ) -> Report {
        let context = self.context(input);
        let mut collector = Collector::new(&context, &self.levels);
        let failure = context.failure_in_place();
        if let Some(failure) = &failure {
            answered::missing(&mut collector, failure);
        }
        // A failure that fails nothing makes no JSON of the text.
        let why = if failure.is_some() && self.requires_return() {
            "there is no return"
        } else {
            say(&mut collector);
            why
        };
        answered::check(&mut collector);
        let steps = StepReport::of_all(|step| match step {
            Step::Json => collector.close_step(StepOutcome::Pass),
            _ => StepOutcome::Skip(why.into()),
        });
        report(collector, steps)
    }

    pub(super) fn context<'c>(&'c self, input: &Input<'t>) -> Context<'c, 't> {
        Context {
            profile: self.profile,
            required: &self.required,
            root: self.root,
            expected: self.expected,
            input: *input,
            tree: None,
            returned: None,
            status: None,
            addressee: OnceCell::new(),
            subject: OnceCell::new(),
        }
    }
}

/// The fault of a text with a NUL character. JSON forbids it by itself.
fn nul(profile: &Profile, text: &str) -> Option<FormError> {
    let is_text = profile.form != Form::Json;
    let at = is_text.then(|| memchr(b'\0', text.as_bytes())).flatten()?;
    let place = Span::new(at, 1);
    let (what, fix) = ("has a NUL character", "write UTF-8 text");
    Some(FormError::new(FormErrorKind::NotUtf8, what, fix, place))
}
