//! Conversion of returns between profiles.
//!
//! A conversion invents no facts and loses none. Each member is mapped to the target's member, and its
//! value to the target's words. If the target has none, the member is kept under `metadata` (Subagent
//! return format 1.0, migration guide). A missing value is taken from the caller, or a default is used.
//! Each of these is a [`Note`]. Invalid values are copied unchanged, so a check of the target finds
//! them.

mod changes;
mod error;
mod hops;
mod metadata;
mod note;
mod pretty;
mod put_back;
mod raw;
mod source;
mod status;
mod vocabulary;

use std::collections::{HashMap, HashSet};

pub(crate) use error::ConvertError;
pub(crate) use note::{Note, NoteKind, text};

use crate::check::Checker;
use crate::check::report::{Report, StepOutcome};
use crate::check::rules::{Level, Step};
use crate::json::BYTES_AT_MOST;
use crate::profile::{Profile, RETURN, RETURN_META, RETURN_V1};
use crate::root::Root;
use crate::text::escape;
use changes::Changes;
use raw::Members;
use source::SourceReturn;

/// A return as JSON on one line, and the notes.
type Written = (String, Vec<Note>);

/// A direct conversion between two profiles.
#[derive(Debug)]
struct Hop {
    from: &'static Profile,
    to: &'static Profile,
    /// The members of the target's root, in its order.
    members: &'static [&'static str],
    change: for<'t> fn(&mut SourceReturn<'t>, &mut Changes<'t>),
}

/// The members of `return` and `return-v1`.
const CONSOLE: &[&str] = &[
    "status",
    "summary",
    "artifacts",
    "metadata",
    "errors",
    "next_steps",
];

static V1_TO_RETURN: Hop = Hop {
    from: &RETURN_V1,
    to: &RETURN,
    members: CONSOLE,
    change: hops::to_return,
};
static RETURN_TO_V1: Hop = Hop {
    from: &RETURN,
    to: &RETURN_V1,
    members: CONSOLE,
    change: hops::to_return_v1,
};
static RETURN_TO_META: Hop = Hop {
    from: &RETURN,
    to: &RETURN_META,
    members: &[
        "status",
        "started_at",
        "artifacts",
        "partial_progress",
        "completion_data",
        "next_steps",
        "metadata",
        "errors",
    ],
    change: hops::to_return_meta,
};

/// A conversion between two profiles, in one or two hops.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Conversion {
    first: &'static Hop,
    then: Option<&'static Hop>,
    max_bytes: u64,
}

/// All conversions.
static CONVERSIONS: [Conversion; 4] = [
    Conversion::new(&V1_TO_RETURN, None),
    Conversion::new(&RETURN_TO_V1, None),
    Conversion::new(&RETURN_TO_META, None),
    Conversion::new(&V1_TO_RETURN, Some(&RETURN_TO_META)),
];

/// Values for members that the source lacks. Values of the source are never replaced. A later version may
/// have more members, so end a literal with `..Supplied::default()`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Supplied<'s> {
    /// The session id of the delegation.
    pub session: Option<&'s str>,
    /// The name of the agent that wrote the return.
    pub agent: Option<&'s str>,
    /// The status in the target, if the source's status is ambiguous or unknown.
    pub status: Option<&'s str>,
    /// Seconds from invocation to return.
    pub duration_seconds: Option<serde_json::Number>,
    /// The number of delegations from the orchestrator to the agent.
    pub delegation_depth: Option<u32>,
    /// The names of the agents from the orchestrator to this one. Empty if unknown.
    pub delegation_path: &'s [String],
}

/// A converted return.
#[derive(Debug, Clone)]
pub(crate) struct Converted {
    /// The return as indented JSON with a final newline, safe to print.
    pub json: String,
    /// What was changed, in the order of the changes.
    pub notes: Vec<Note>,
}

fn pairs() -> String {
    let pairs = CONVERSIONS.map(|it| format!("{} to {}", it.from().id, it.to().id));
    pairs.join(", ")
}

impl Conversion {
    const fn new(first: &'static Hop, then: Option<&'static Hop>) -> Self {
        Self {
            first,
            then,
            max_bytes: BYTES_AT_MOST,
        }
    }

    /// Every conversion.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        CONVERSIONS.iter().copied()
    }

    /// The profile of the source.
    pub(crate) fn from(self) -> &'static Profile {
        self.first.from
    }

    /// The profile of the output.
    pub(crate) fn to(self) -> &'static Profile {
        self.then.unwrap_or(self.first).to
    }

    /// The conversion from one built-in profile to another.
    pub(crate) fn between(from: &Profile, to: &Profile) -> Result<Self, ConvertError> {
        let is_it = |it: &&Self| it.from().id == from.id && it.to().id == to.id;
        let found = CONVERSIONS.iter().find(is_it).copied();
        found.ok_or_else(|| ConvertError::NoSuchConversion {
            from: escape::truncated(&from.id).to_string(),
            to: escape::truncated(&to.id).to_string(),
        })
    }

    /// Rejects returns of more bytes.
    pub(crate) fn max_bytes(mut self, bytes: u64) -> Self {
        self.max_bytes = bytes;
        self
    }

    /// Converts one return. Artifacts are not looked up.
    pub(crate) fn convert(
        &self,
        source: &[u8],
        supplied: &Supplied<'_>,
        root: &Root,
    ) -> Result<Converted, ConvertError> {
        let checker_up_to = |last| {
            Checker::new(self.from(), root)
                .max_bytes(self.max_bytes)
                .up_to(last)
        };
        let report = checker_up_to(Step::Status).check(source);
        let text = std::str::from_utf8(source).ok();
        let (StepOutcome::Pass, Some(text)) = (report.outcome(Step::Json), text) else {
            let report = checker_up_to(Step::Json).check(source).into_owned();
            return Err(ConvertError::Source(Box::new(report)));
        };
        let mut notes = faults(&report);
        let is_reversible = Self::between(self.to(), self.from()).is_ok();
        let json = match self.then {
            None => {
                let (json, first_notes) = self.first.make(text, supplied, is_reversible)?;
                notes.extend(first_notes);
                json
            }
            Some(then) => {
                // The requested status is one of the final target, so the first hop must not use it.
                let for_first = Supplied {
                    status: None,
                    ..supplied.clone()
                };
                let (json, first_notes) = self.first.make(text, &for_first, is_reversible)?;
                let (json, then_notes) = then.make(&json, supplied, is_reversible)?;
                notes.extend(composed(first_notes, then_notes));
                json
            }
        };
        let json = escape::json(&pretty::pretty(&json)).into_owned();
        Ok(Converted { json, notes })
    }
}

/// The errors of the source in its own profile.
fn faults(report: &Report<'_>) -> Vec<Note> {
    let failures = report
        .findings
        .iter()
        .filter(|finding| finding.level == Level::Error);
    let notes = failures.map(|finding| Note {
        kind: NoteKind::Wrong,
        from: finding.pointer().map(str::to_owned),
        to: None,
        why: format!("{} ({})", finding.message(), report.profile).into(),
    });
    notes.collect()
}

impl Hop {
    fn make(
        &self,
        text: &str,
        supplied: &Supplied<'_>,
        is_reversible: bool,
    ) -> Result<Written, ConvertError> {
        let mut changes = Changes::new(self.from, self.to, is_reversible);
        let mut custom = serde_json::from_str::<Members<'_>>(text)?;
        let mut source = SourceReturn::read(&mut custom, &mut changes);
        put_back::put_back(&mut source, &custom, &mut changes);
        metadata::adopt(&mut source.metadata, custom, &mut changes);
        metadata::supply(&mut source.metadata, supplied, &mut changes);
        status::status(&mut source, supplied, &mut changes)?;
        vocabulary::artifacts(&mut source.members, &mut changes);
        vocabulary::errors(&mut source.members, &mut changes);
        (self.change)(&mut source, &mut changes);
        source.write(self.members, changes)
    }
}

/// Merges the notes of two hops. Pointers into the document between them are replaced by pointers into
/// the source.
fn composed(first: Vec<Note>, then: Vec<Note>) -> Vec<Note> {
    let (copied, mut notes): (Vec<_>, Vec<_>) = first
        .into_iter()
        .partition(|note| note.kind == NoteKind::Copied);
    let copied: HashSet<_> = copied.into_iter().filter_map(|note| note.to).collect();
    let moved: HashMap<_, _> = notes
        .iter()
        .filter_map(|note| Some((note.to.clone()?, note.from.clone()?)))
        .collect();
    // A value that neither target can express is noted only once, by the second hop.
    let wordless = |note: &&Note| note.kind == NoteKind::NotExpressed;
    let again: HashSet<_> = then
        .iter()
        .filter(wordless)
        .map(|note| note.from.clone())
        .collect();
    notes.retain(|note| !wordless(&note) || !again.contains(&note.from));
    for mut note in then {
        if note.kind == NoteKind::Copied && !note.to.as_ref().is_some_and(|to| copied.contains(to))
        {
            continue;
        }
        if let Some(from) = note.from.as_ref().and_then(|from| moved.get(from)) {
            note.from = Some(from.clone());
        }
        notes.push(note);
    }
    notes
}
