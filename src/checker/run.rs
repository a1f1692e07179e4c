//! The path of one return: bytes, text, JSON, typed return, steps, report.

use std::borrow::Cow;

use serde::de::{DeserializeSeed as _, IgnoredAny};
use serde_json::de::StrRead;

use crate::checker::context::{Case, Ran};
use crate::checker::{Checker, DEPTH_AT_MOST};
use crate::document::Returned;
use crate::json::decode::state::DecodeState;
use crate::json::decode::{Decode, FieldSeed};
use crate::json::extract::wrapping::Wrapping;
use crate::json::extract::{Contents, contents};
use crate::json::field::{Field, Kind};
use crate::json::syntax::{diagnose, diagnose_inside, not_utf8, offset};
use crate::json::tokens::{depth, with_bounded_numbers};
use crate::level::Level;
use crate::profile::{Meaning, Requirement, Shape};
use crate::report::{Delegation, Report, StepOutcome, StepReport};
use crate::rules::claimed_paths;
use crate::rules::{CHECKS, FIELD_UNKNOWN, json};
use crate::step::Step;
use crate::text::Base;

impl<'c> Checker<'c> {
    /// Checks one return. Reads nothing but the artifacts that it claims (and, for a compact
    /// return, the handoff file), never outside the root.
    #[must_use]
    pub fn check<'t>(&self, bytes: &'t (impl AsRef<[u8]> + ?Sized)) -> Report<'t>
    where
        'c: 't,
    {
        self.check_at(bytes.as_ref(), Base::default())
    }

    /// Checks one return that is a part of a larger file, such as a line of a stream.
    #[must_use]
    pub fn check_at<'t>(&self, bytes: &'t [u8], base: Base) -> Report<'t>
    where
        'c: 't,
    {
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if size > self.max_bytes {
            return self.refuse_size(base);
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => self.check_text(&Input {
                bytes,
                base,
                whole: text,
                text,
                start: 0,
                wrapping: None,
            }),
            Err(error) => self.refused(&Input::empty(bytes, base), |case| {
                json::not_json(case, &not_utf8(bytes, error));
            }),
        }
    }
}

impl<'t> Checker<'t> {
    /// The report on a return of more than [`max_bytes`](Self::max_bytes), which need not be held
    /// to be refused.
    #[must_use]
    pub fn refuse_size(&self, base: Base) -> Report<'t> {
        self.refused(&Input::empty(b"", base), json::too_large)
    }

    fn check_text(&self, input: &Input<'t>) -> Report<'t> {
        let source = serde_json::Deserializer::from_str(input.text);
        match self.read(source, |read| self.run_steps(input, read)) {
            Ok(report) => return report,
            Err(error) if error.is_data() => return self.refuse_items(input, &error),
            Err(_) => {}
        }
        match serde_json::from_str::<IgnoredAny>(input.text) {
            Ok(_) => self.check_relaxed(input),
            Err(error) => self.check_embedded(input, &error),
        }
    }

    /// The text is JSON and was refused all the same: for its depth, for a number that no `f64`
    /// holds, or for half a surrogate pair.
    fn check_relaxed(&self, input: &Input<'t>) -> Report<'t> {
        let depth = depth(input.text);
        if depth > DEPTH_AT_MOST {
            return self.refused(input, |case| json::too_deep(case, depth));
        }
        let bounded = with_bounded_numbers(input.text);
        let mut deserializer = serde_json::Deserializer::from_str(&bounded);
        deserializer.disable_recursion_limit();
        match self.read(deserializer, |read| {
            self.run_steps(input, read).into_owned()
        }) {
            Ok(report) => report,
            Err(error) if error.is_data() => self.refuse_items(input, &error),
            Err(error) => self.refused(input, |case| {
                json::not_json(case, &diagnose(input.text, &error));
            }),
        }
    }

    /// The report on a return of more than [`ITEMS_AT_MOST`](crate::ITEMS_AT_MOST), which was not
    /// read any further.
    fn refuse_items(&self, input: &Input<'t>, error: &serde_json::Error) -> Report<'t> {
        let end = offset(input.text, error);
        self.refused(input, |case| json::too_many(case, end))
    }

    /// The text is not JSON: where allowed, the return may be a part of it.
    fn check_embedded(&self, input: &Input<'t>, error: &serde_json::Error) -> Report<'t> {
        let may_extract = self.extract && input.wrapping.is_none() && !has_mark(input.text);
        let fault = match may_extract.then(|| contents(input.text)) {
            Some(Contents::One { place, wrapping }) => {
                let text = &input.whole[place.start..place.end];
                let wrapping = Some(wrapping);
                return self.check_text(&Input {
                    text,
                    start: place.start,
                    wrapping,
                    ..*input
                });
            }
            Some(contents) => diagnose_inside(input.text, &contents, error),
            None => diagnose(input.text, error),
        };
        self.refused(input, |case| json::not_json(case, &fault))
    }

    /// Reads a return and has it checked where it was read: to move it would cost as much as a rule.
    fn read<'r, R>(
        &self,
        source: serde_json::Deserializer<StrRead<'r>>,
        check: impl FnOnce(&Decoded<'_, 'r>) -> R,
    ) -> serde_json::Result<R> {
        match self.profile.shape {
            Shape::Return => {
                let mut field = Field::Missing;
                let watch = self.read_into(&mut field, source)?;
                Ok(check(&Decoded::new(&field, Returned::Return, &watch)))
            }
            Shape::Handoff => {
                let mut field = Field::Missing;
                let watch = self.read_into(&mut field, source)?;
                Ok(check(&Decoded::new(&field, Returned::Handoff, &watch)))
            }
        }
    }

    fn read_into<'r, T: Decode<'r>>(
        &self,
        field: &mut Field<T>,
        mut source: serde_json::Deserializer<StrRead<'r>>,
    ) -> serde_json::Result<DecodeState> {
        let watch = DecodeState::new(self.asks_for_unknown());
        FieldSeed::new(&watch, field).deserialize(&mut source)?;
        source.end()?;
        Ok(watch)
    }

    /// Whether any rule looks at members that the records do not name.
    fn asks_for_unknown(&self) -> bool {
        self.profile.requires(Requirement::NothingElse)
            || self.level(&FIELD_UNKNOWN) != Level::Off
            || !self.profile.is_built_in()
    }

    fn run_steps(&self, input: &Input<'t>, read: &Decoded<'_, 't>) -> Report<'t> {
        let mut case = Case::new(self, input.whole, input.text);
        case.returned = read.returned.ok();
        case.has_wrong_type = read.has_wrong_type;
        json::check(
            &mut case,
            input.wrapping,
            read.has_duplicate,
            read.returned.err(),
        );
        let mut steps = all_skipped("the return is not a JSON object");
        steps[0].outcome = case.close(Ran::Checked);
        if read.returned.is_ok() {
            for (report, check) in steps[1..].iter_mut().zip(CHECKS) {
                report.outcome = if report.step > self.last {
                    StepOutcome::Skip(Cow::Borrowed("an earlier step is the last"))
                } else if self.fail_fast && case.has_failed() {
                    StepOutcome::Skip(Cow::Borrowed("an earlier step failed (--fail-fast)"))
                } else {
                    let ran = check(&mut case);
                    case.close(ran)
                };
            }
        }
        report(case, steps, input)
    }

    /// The report on a text that no step but the first can check_text at.
    fn refused(&self, input: &Input<'t>, find: impl FnOnce(&mut Case<'_, '_>)) -> Report<'t> {
        let mut case = Case::new(self, input.whole, input.text);
        find(&mut case);
        let mut steps = all_skipped("the return is not valid JSON");
        steps[0].outcome = case.close(Ran::Checked);
        report(case, steps, input)
    }
}

/// What is checked: bytes, their text, and the return's own part of it.
#[derive(Clone, Copy)]
struct Input<'t> {
    bytes: &'t [u8],
    base: Base,
    whole: &'t str,
    text: &'t str,
    /// Where `text` begins in `bytes`.
    start: usize,
    wrapping: Option<Wrapping>,
}

impl<'t> Input<'t> {
    /// Bytes that are not looked at as text.
    fn empty(bytes: &'t [u8], base: Base) -> Self {
        Self {
            bytes,
            base,
            whole: "",
            text: "",
            start: 0,
            wrapping: None,
        }
    }
}

/// What the first pass read: the typed return, or what stands there instead of an object.
struct Decoded<'r, 't> {
    returned: Result<Returned<'r, 't>, Kind>,
    has_duplicate: bool,
    has_wrong_type: bool,
}

impl<'r, 't> Decoded<'r, 't> {
    fn new<T>(
        field: &'r Field<T>,
        view: impl FnOnce(&'r T) -> Returned<'r, 't>,
        watch: &DecodeState,
    ) -> Self {
        Self {
            returned: match field {
                Field::Present(record) => Ok(view(record)),
                Field::Wrong(kind) => Err(*kind),
                Field::Null | Field::Missing => Err(Kind::Null),
            },
            has_duplicate: watch.has_duplicate(),
            has_wrong_type: watch.has_wrong(),
        }
    }
}

fn has_mark(text: &str) -> bool {
    text.starts_with('\u{feff}')
}

fn all_skipped(why: &'static str) -> [StepReport; 6] {
    Step::ALL.map(|step| StepReport {
        step,
        outcome: StepOutcome::Skip(Cow::Borrowed(why)),
    })
}

fn report<'t>(mut case: Case<'_, 't>, steps: [StepReport; 6], input: &Input<'t>) -> Report<'t> {
    let returned = case.returned;
    let session_id = returned.and_then(Returned::session_id).cloned();
    let (failures, warnings) = case.counts();
    Report {
        profile: Cow::Borrowed(&*case.checker.profile.id),
        status: returned
            .and_then(|returned| returned.status().present())
            .cloned(),
        claims_success: case
            .status
            .is_some_and(|status| status.meaning == Meaning::Success),
        agent_type: returned.and_then(Returned::agent).cloned(),
        session: case
            .checker
            .session
            .map(Cow::Borrowed)
            .or_else(|| session_id.clone()),
        session_id,
        subagent: case.subagent(),
        delegation: returned.filter(|_| failures > 0).and_then(delegation),
        summary_characters: case.summary_characters,
        measured: case.measured,
        steps,
        claimed: returned.and_then(claimed_paths::count).unwrap_or_default(),
        artifacts: std::mem::take(&mut case.artifacts),
        counts: std::mem::take(&mut case.counts),
        failures,
        warnings,
        accepted: 0,
        findings: case.located(input.bytes, input.start, input.base),
    }
}

fn delegation(returned: Returned<'_, '_>) -> Option<Delegation> {
    let Returned::Return(returned) = returned else {
        return None;
    };
    let metadata = returned.metadata.present()?;
    let path = metadata
        .delegation_path
        .present()
        .map_or(&[][..], Vec::as_slice);
    Some(Delegation {
        depth: metadata.delegation_depth.present().map(|depth| depth.0),
        path: path
            .iter()
            .filter_map(Field::present)
            .map(|agent| agent.as_ref().to_owned())
            .collect(),
    })
}
