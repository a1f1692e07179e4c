//! One standard's return as another's: what is mapped, what stands in, what is kept.
//!
//! A conversion invents no facts and loses none. Each member goes to its place in the target, in
//! the target's words; where the target has no place, it is kept under `metadata` (seed 001,
//! migration guide); where the source has no value, the caller's or a stand-in is taken. Each of
//! these is a [`Note`]. What the source says wrongly goes on as it is, for the check to find.
//!
//! ```
//! use retval::convert::{Conversion, Supplied, text};
//! use retval::profile::{RETURN, RETURN_V1};
//!
//! let root = retval::Root::open("fixtures/project")?;
//! let source = std::fs::read("fixtures/profiles/return-v1/researcher-partial.json")?;
//! let conversion = Conversion::between(&RETURN_V1, &RETURN)?;
//! let converted = conversion.convert(&source, &Supplied::default(), (&root, retval::BYTES_AT_MOST))?;
//! assert!(retval::Checker::new(&RETURN, &root).check(&converted.json).is_valid());
//! assert!(text(&converted.notes).contains("/artifacts/0/type: research is report here"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod changes;
mod error;
mod metadata;
mod note;
mod pretty;
mod raw;
mod source;
mod status;
mod target;
mod to_return;
mod to_return_meta;
mod to_return_v1;
mod vocabulary;

use std::collections::{HashMap, HashSet};

pub use error::ConvertError;
pub use note::{Note, NoteKind, text};

use crate::checker::Checker;
use crate::profile::{Profile, RETURN, RETURN_META, RETURN_V1};
use crate::report::{Report, StepOutcome};
use crate::root::Root;
use crate::rules::{Level, Step};
use crate::text::escape;
use changes::Changes;
use raw::{Leaf, SourceMembers};
use source::SourceReturn;
use target::TargetDocument;

/// Writes a source as another standard's return, its status given.
type Write = for<'t> fn(SourceReturn<'t>, Leaf<'t>, Changes<'t>) -> Result<Written, ConvertError>;

/// JSON on one line, and what became of each thing.
type Written = (String, Vec<Note>);

/// One standard's return as its neighbour's.
#[derive(Debug)]
struct Hop {
    from: &'static Profile,
    to: &'static Profile,
    write: Write,
}

static V1_TO_RETURN: Hop = Hop {
    from: &RETURN_V1,
    to: &RETURN,
    write: |source, status, ledger| written(source, status, ledger, to_return::document),
};
static RETURN_TO_V1: Hop = Hop {
    from: &RETURN,
    to: &RETURN_V1,
    write: |source, status, ledger| written(source, status, ledger, to_return_v1::document),
};
static RETURN_TO_META: Hop = Hop {
    from: &RETURN,
    to: &RETURN_META,
    write: |source, status, ledger| written(source, status, ledger, to_return_meta::document),
};

/// The document that a direction makes, with all that had no place in it.
fn written<'t, D: TargetDocument<'t>>(
    source: SourceReturn<'t>,
    status: Leaf<'t>,
    mut ledger: Changes<'t>,
    make: impl Fn(SourceReturn<'t>, Leaf<'t>, &mut Changes<'t>) -> D,
) -> Result<Written, ConvertError> {
    let mut document = make(source, status, &mut ledger);
    let (notes, kept) = ledger.close();
    document.metadata().close(kept);
    Ok((serde_json::to_string(&document)?, notes))
}

/// From one standard to another, in one hop or two.
#[derive(Debug, Clone, Copy)]
pub struct Conversion {
    first: &'static Hop,
    then: Option<&'static Hop>,
}

/// The conversions that exist.
static CONVERSIONS: [Conversion; 4] = [
    Conversion {
        first: &V1_TO_RETURN,
        then: None,
    },
    Conversion {
        first: &RETURN_TO_V1,
        then: None,
    },
    Conversion {
        first: &RETURN_TO_META,
        then: None,
    },
    Conversion {
        first: &V1_TO_RETURN,
        then: Some(&RETURN_TO_META),
    },
];

/// What the caller knows and the source may lack. Nothing that the source says is replaced.
#[derive(Debug, Clone, Default)]
pub struct Supplied<'s> {
    /// The session that the return answers.
    pub session: Option<&'s str>,
    /// The agent that wrote it.
    pub agent: Option<&'s str>,
    /// The target's status word, where the source's could mean several or is none of its standard.
    pub status: Option<&'s str>,
    /// Seconds from invocation to return.
    pub duration_seconds: Option<serde_json::Number>,
    /// How deep in the chain of delegations.
    pub delegation_depth: Option<u32>,
    /// The agents from the orchestrator down to this one; empty where they are not known.
    pub delegation_path: &'s [String],
}

/// A return of the target's standard.
#[derive(Debug, Clone)]
pub struct Converted {
    /// The return as JSON, laid out, with a final line feed and no hidden character.
    pub json: String,
    /// What became of each thing, in the order of the work.
    pub notes: Vec<Note>,
}

/// Every conversion there is, for a message.
fn pairs() -> String {
    let pairs = CONVERSIONS.map(|known| format!("{} to {}", known.from().id, known.to().id));
    pairs.join(", ")
}

impl Conversion {
    fn from(self) -> &'static Profile {
        self.first.from
    }

    fn to(self) -> &'static Profile {
        self.then.unwrap_or(self.first).to
    }

    /// The conversion from one built-in profile to another.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn between(from: &Profile, to: &Profile) -> Result<Self, ConvertError> {
        let is_it = |known: &&Self| known.from().id == from.id && known.to().id == to.id;
        let found = CONVERSIONS.iter().find(is_it).copied();
        found.ok_or_else(|| ConvertError::NoSuchConversion {
            from: escape::truncated(&from.id).to_string(),
            to: escape::truncated(&to.id).to_string(),
        })
    }

    /// Converts one return of at most `max_bytes`. No artifact is looked at.
    ///
    /// # Errors
    ///
    /// If the source is not one JSON object whose every key stands once, or its status could mean
    /// several of the target's and nothing tells which.
    pub fn convert(
        &self,
        source: &[u8],
        supplied: &Supplied<'_>,
        (root, max_bytes): (&Root, u64),
    ) -> Result<Converted, ConvertError> {
        let gate = |last| {
            Checker::new(self.from(), root)
                .max_bytes(max_bytes)
                .up_to(last)
        };
        let checker = gate(Step::Status);
        let report = checker.check(source);
        let text = std::str::from_utf8(source).ok();
        let (StepOutcome::Pass, Some(text)) = (report.outcome(Step::Json), text) else {
            let report = gate(Step::Json).check(source).into_owned();
            return Err(ConvertError::Source(Box::new(report)));
        };
        let mut notes = faults(&report);
        let json = match self.then {
            None => {
                let (json, said) = self.first.make(text, supplied)?;
                notes.extend(said);
                json
            }
            Some(then) => {
                // The words of the way are nobody's choice.
                let on_the_way = Supplied {
                    status: None,
                    ..supplied.clone()
                };
                let (json, said) = self.first.make(text, &on_the_way)?;
                let (json, said_then) = then.make(&json, supplied)?;
                notes.extend(composed(said, said_then));
                json
            }
        };
        let json = escape::json(&pretty::pretty(&json)).into_owned();
        Ok(Converted { json, notes })
    }
}

/// Where the source breaks its own standard.
fn faults(report: &Report<'_>) -> Vec<Note> {
    let failures = report
        .findings
        .iter()
        .filter(|finding| finding.level == Level::Error);
    let notes = failures.map(|finding| Note {
        kind: NoteKind::Wrong,
        from: finding.pointer.clone(),
        to: None,
        why: format!("{} ({})", finding.message(), report.profile).into(),
    });
    notes.collect()
}

impl Hop {
    fn make(&self, text: &str, supplied: &Supplied<'_>) -> Result<Written, ConvertError> {
        let mut ledger = Changes::new(self.from, self.to);
        let members = serde_json::from_str::<SourceMembers<'_>>(text)?;
        let mut source = SourceReturn::read(members, &mut ledger);
        source.metadata.supply(supplied, &mut ledger);
        let status = status::status(&mut source, supplied, &mut ledger)?;
        vocabulary::artifacts(&mut source.artifacts, &mut ledger);
        vocabulary::errors(&mut source.errors, &mut ledger);
        (self.write)(source, status, ledger)
    }
}

/// The notes of two hops as those of one: each thing from where it stood in the first source.
fn composed(first: Vec<Note>, then: Vec<Note>) -> Vec<Note> {
    let (copied, mut notes): (Vec<_>, Vec<_>) = first
        .into_iter()
        .partition(|note| note.kind == NoteKind::Copied);
    let copied: HashSet<_> = copied.into_iter().filter_map(|note| note.to).collect();
    let moved = notes
        .iter()
        .filter_map(|note| Some((note.to.clone()?, note.from.clone()?)));
    let moved: HashMap<_, _> = moved.collect();
    // What neither has a word for is said by the last.
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
