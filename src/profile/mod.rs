//! The standards as data: what each asks for, in one place. Checks, instructions, schemas and
//! documentation all read it from here.

mod builtin;
pub(crate) mod paths;

use std::ffi::OsStr;
use std::path::Path;

use crate::json::field::{ExpectedType as _, Form};
use crate::returned::{Handoff, Return};
use crate::rules::{Level, Rule};

pub use builtin::{COMPACT, HANDOFF, PROFILES, RETURN, RETURN_META, RETURN_V1};

/// One standard that a return can be held to.
#[derive(Debug)]
pub struct Profile<'p> {
    /// The name that `--profile` takes.
    pub id: &'p str,
    /// What sort of document it describes.
    pub document: &'p str,
    /// The seeds that define it.
    pub seeds: &'p str,
    /// The record that its documents are read into.
    pub shape: Shape,
    /// Members of the document, in the standard's order.
    pub fields: &'p [Asked<'p>],
    /// Where the session id stands, dotted; none where documents carry none.
    pub session: Option<&'p str>,
    /// Where the agent's name stands, dotted; none where documents carry none.
    pub agent: Option<&'p str>,
    /// The status words, whatever the agent; empty where each agent has its own.
    pub statuses: &'p [Status<'p>],
    /// The agents with status words of their own.
    pub agents: &'p [Agent<'p>],
    /// The status word of work that failed; empty where each agent has its own.
    pub failure: &'p str,
    /// Words that the standard forbids by name, and why.
    pub forbidden: &'p [(&'p str, &'p str)],
    /// Sorts of artifact; empty where the standard lists none.
    pub artifact_types: &'p [&'p str],
    /// Sorts of error; empty where the standard leaves them open.
    pub error_types: &'p [&'p str],
    /// How long a summary, or the whole return, may be.
    pub length: Option<LengthLimit>,
    /// How many sentences a summary should have, both ends allowed.
    pub sentences: Option<(usize, usize)>,
    /// How long smaller texts may be.
    pub limits: Limits,
    /// What else the standard asks for.
    pub wishes: &'p [Wish],
    /// Rules whose level differs from their own default.
    pub levels: &'p [(&'p str, Level)],
    /// Where an agent's handoff file is, below the root: `{session}`, `{group}` and `{agent}` are
    /// replaced. None where documents have no handoff behind them.
    pub handoff_path: Option<&'p str>,
}

/// The record that a document is read into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// [`Return`]
    Return,
    /// [`Handoff`]
    Handoff,
}

/// A member that a standard names.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'p> {
    /// Where it stands, dotted; `[]` is every item: `artifacts[].path`.
    pub path: &'p str,
    /// How much the standard wants it.
    pub need: Need,
}

/// How much a standard wants a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// A return without it fails.
    Required,
    /// A return without it is incomplete: a warning.
    Wanted,
    /// It may be there.
    Optional,
}

/// A status word.
#[derive(Debug, Clone, Copy)]
pub struct Status<'p> {
    /// The word, exactly as it must be written.
    pub word: &'p str,
    /// What it claims about the work.
    pub claim: Claim,
    /// What must come with it.
    pub asks: &'p [Companion],
    /// Words that agents write when they mean this one.
    pub meant_by: &'p [&'p str],
}

/// What a status claims about the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// It is done: its artifacts must exist.
    Success,
    /// It still goes on.
    Unfinished,
    /// It ended without full success.
    Other,
}

impl Claim {
    /// Every claim, with its name in configurations.
    pub const NAMES: [(&'static str, Self); 3] = [
        ("success", Self::Success),
        ("unfinished", Self::Unfinished),
        ("other", Self::Other),
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].0
    }
}

/// A member that a status asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Companion {
    /// `errors`, at least one.
    Errors,
    /// `started_at`.
    StartedAt,
    /// `partial_progress`.
    Progress,
    /// `completion_data`.
    CompletionData,
}

/// An agent with status words of its own.
#[derive(Debug, Clone, Copy)]
pub struct Agent<'p> {
    /// Its name.
    pub name: &'p str,
    /// Its status words.
    pub statuses: &'p [Status<'p>],
    /// Its status word for work that failed, or that comes nearest to that.
    pub failure: &'p str,
    /// The agents whose handoff file it starts from; one of them comes before it.
    pub reads_from: &'p [&'p str],
    /// Whether it leaves a handoff file; the last of the chain keeps its state elsewhere.
    pub writes_handoff: bool,
}

/// The longest that a text may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LengthLimit {
    /// Which text.
    pub of: Measured,
    /// Counted how.
    pub unit: Unit,
    /// The limit in that unit.
    pub most: usize,
    /// Whether a text of exactly that length is still allowed.
    pub inclusive: bool,
}

/// The text that a [`LengthLimit`] measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measured {
    /// The `summary`.
    Summary,
    /// The whole return, without white space around it.
    Return,
}

/// How a text's length is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Characters / 4, unrounded: the estimate of seeds 000 and 001.
    Tokens,
    /// Runs of characters between white space.
    Words,
}

/// Characters that make one token, by the estimate of seeds 000 and 001 ("100 tokens, about 400
/// characters").
pub const CHARACTERS_PER_TOKEN: usize = 4;

/// Lengths that a standard asks for, in characters (Unicode scalar values).
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The shortest sensible summary.
    pub summary_at_least: Option<usize>,
    /// The longest artifact summary.
    pub artifact_summary_at_most: Option<usize>,
    /// The longest error message.
    pub error_message_at_most: Option<usize>,
    /// The longest `next_steps`.
    pub next_steps_at_most: Option<usize>,
}

/// Something that only some standards ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// No emojis in the summary.
    NoEmoji,
    /// No path twice among the artifacts.
    UniqueArtifacts,
    /// Error codes in `UPPERCASE_SNAKE_CASE`.
    UpperSnakeErrorCodes,
    /// No negative `duration_seconds`.
    DurationNotNegative,
    /// `delegation_path` ends with the agent itself.
    PathEndsWithAgent,
    /// Nothing but the members of the standard.
    NothingElse,
}

impl Profile<'static> {
    /// The built-in profile of that name.
    #[must_use]
    pub fn named(id: &str) -> Option<&'static Self> {
        PROFILES.iter().copied().find(|profile| profile.id == id)
    }

    /// The built-in profile that a file's name speaks for.
    #[must_use]
    pub fn for_path(path: &Path) -> &'static Self {
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        let Some(stem) = name.strip_suffix(b".json") else {
            return &RETURN;
        };
        let in_handoffs =
            || path.parent().and_then(Path::file_name) == Some(OsStr::new("handoffs"));
        let is_short_handoff = ["_dev", "_qa", "_tl"]
            .iter()
            .any(|agent| stem.ends_with(agent.as_bytes()));
        if stem.starts_with(b".return-meta") {
            &RETURN_META
        } else if stem.starts_with(b"handoff_") || (is_short_handoff && in_handoffs()) {
            &HANDOFF
        } else {
            &RETURN
        }
    }
}

impl Shape {
    /// What documents of this shape may look like.
    #[must_use]
    pub fn form(self) -> Form {
        match self {
            Self::Return => Return::form(),
            Self::Handoff => Handoff::form(),
        }
    }

    /// What stands at each place of such documents, in a sentence; places are written as in
    /// [`Asked::path`], below an object with keys of the agent's own as `tests_run.*.passed`.
    pub fn about(self, mut say: impl FnMut(&str, &'static str)) {
        match self {
            Self::Return => Return::about("", &mut say),
            Self::Handoff => Handoff::about("", &mut say),
        }
    }
}

impl<'p> Profile<'p> {
    /// Where the handoff file of an agent is, below the root; none if the profile has none.
    #[must_use]
    pub fn handoff_file(&self, session: &str, group: &str, agent: &str) -> Option<String> {
        let template = self.handoff_path?;
        Some(
            template
                .replace("{session}", session)
                .replace("{group}", group)
                .replace("{agent}", agent),
        )
    }

    /// Every status word that `agent` may use; of an agent that the profile does not know, every
    /// word of the table. A word may come more than once.
    pub fn statuses_of(&self, agent: Option<&str>) -> impl Iterator<Item = &'p Status<'p>> {
        let known = self.agents.iter().find(|known| Some(known.name) == agent);
        let own = known.map_or(self.agents, std::slice::from_ref);
        self.statuses
            .iter()
            .chain(own.iter().flat_map(|agent| agent.statuses))
    }

    /// The meaning of a status word. Where agents disagree on it and the agent is not known, the
    /// strictest reading counts: success, which must be shown.
    #[must_use]
    pub fn status(&self, word: &str, agent: Option<&str>) -> Option<&'p Status<'p>> {
        let mut meanings = self.statuses_of(agent).filter(|status| status.word == word);
        let first = meanings.next()?;
        Some(
            meanings
                .find(|status| status.claim == Claim::Success)
                .unwrap_or(first),
        )
    }

    /// The agent of that name, if it has status words of its own.
    #[must_use]
    pub fn agent(&self, name: &str) -> Option<&'p Agent<'p>> {
        self.agents.iter().find(|agent| agent.name == name)
    }

    /// The status word by which `agent`, or any agent, says that its work failed.
    #[must_use]
    pub fn failure_of(&self, agent: Option<&str>) -> &'p str {
        let known = self.agents.iter().find(|known| Some(known.name) == agent);
        known
            .or(self.agents.first())
            .map_or(self.failure, |agent| agent.failure)
    }

    /// What a rule weighs in this profile, unless options say otherwise.
    #[must_use]
    pub fn level(&self, rule: &Rule) -> Level {
        let own = self.levels.iter().find(|(id, _)| *id == rule.id);
        own.map_or(rule.level, |(_, level)| *level)
    }

    /// Whether the standard names this member, written as in [`Asked::path`].
    #[must_use]
    pub fn knows(&self, path: &str) -> bool {
        self.fields.iter().any(|field| field.path == path)
    }

    /// Whether it is one of [`PROFILES`], whose every member has its place in a record.
    #[must_use]
    pub fn is_built_in(&self) -> bool {
        PROFILES.iter().any(|known| std::ptr::eq(self, *known))
    }

    /// Members of the given need, as in [`Asked::path`].
    pub fn asked(&self, need: Need) -> impl Iterator<Item = &'p str> {
        self.fields
            .iter()
            .filter(move |field| field.need == need)
            .map(|field| field.path)
    }

    /// How much a rule weighs here; none if the standard does not ask for it.
    #[must_use]
    pub fn level_of(&self, rule: &Rule) -> Option<Level> {
        (rule.applies)(self).then(|| self.level(rule))
    }

    /// Names that the standard asks for in the object at `path` (as in [`Asked::path`], empty for the
    /// return itself) and that the record, which has `members`, does not have.
    pub fn asked_beside<'a>(
        &'a self,
        members: &'a [(&'static str, Form)],
        path: &'a str,
    ) -> impl Iterator<Item = &'p str> + 'a {
        let names = self.fields.iter().filter_map(move |field| {
            let name = if path.is_empty() {
                field.path
            } else {
                field.path.strip_prefix(path)?.strip_prefix('.')?
            };
            (!name.contains(['.', '['])).then_some(name)
        });
        names.filter(move |name| members.iter().all(|(known, _)| known != name))
    }

    /// Whether the standard asks for that.
    #[must_use]
    pub fn wishes(&self, wish: Wish) -> bool {
        self.wishes.contains(&wish)
    }

    /// Whether any of its statuses asks for `companion`.
    #[must_use]
    pub fn asks(&self, companion: Companion) -> bool {
        self.statuses
            .iter()
            .any(|status| status.asks.contains(&companion))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::field::Expected;

    #[test]
    fn file_names_choose_the_profile() {
        for (path, id) in [
            ("returns/plan.json", "return"),
            ("specs/1_x/.return-meta.json", "return-meta"),
            (".return-meta-2.json", "return-meta"),
            ("a/handoff_developer.json", "handoff"),
            ("a/handoffs/AUTH_dev.json", "handoff"),
            ("a/AUTH_dev.json", "return"),
            ("handoffs/AUTH_dev.txt", "return"),
        ] {
            assert_eq!(Profile::for_path(Path::new(path)).id, id, "{path}");
        }
    }

    #[test]
    fn names_are_those_of_the_table() {
        for (name, claim) in Claim::NAMES {
            assert_eq!(claim.name(), name);
        }
    }

    #[test]
    fn work_that_failed_has_a_word_that_claims_nothing() {
        assert_eq!(HANDOFF.failure_of(Some("qa_expert")), "FAIL");
        for profile in PROFILES {
            assert!(profile.is_built_in());
            let agents = profile.agents.iter().map(|agent| Some(agent.name));
            for agent in agents.chain([None, Some("stranger")]) {
                let word = profile.failure_of(agent);
                let known = agent.filter(|name| profile.agent(name).is_some());
                let status = profile.status(word, known).expect(word);
                assert_eq!(status.claim, Claim::Other, "{} {agent:?}", profile.id);
            }
        }
    }

    #[test]
    fn what_a_standard_does_not_ask_for_weighs_nothing() {
        let rule = |id| Rule::named(id).expect("a rule");
        let extra = rule("compact-extra-field");
        assert_eq!(COMPACT.level_of(extra), Some(Level::Warning));
        assert_eq!(RETURN.level_of(extra), None);
        let circle = rule("delegation-cycle");
        assert_eq!(RETURN.level_of(circle), Some(Level::Warning));
        assert!(COMPACT.level_of(circle).is_none() && HANDOFF.level_of(circle).is_none());
        let interrupted = rule("still-in-progress");
        assert_eq!(RETURN_META.level_of(interrupted), Some(Level::Warning));
        assert_eq!(RETURN.level_of(interrupted), None);
        let absolute = rule("artifact-not-relative");
        assert_eq!(RETURN.level_of(absolute), Some(Level::Warning));
        assert_eq!(RETURN_V1.level_of(absolute), Some(Level::Error));
        let looks_for = |profile: &Profile<'_>| {
            let files = crate::rules::RULES
                .iter()
                .skip_while(|it| it.id != "artifact-none");
            let asked = files.filter(|rule| profile.level_of(rule).is_some());
            asked
                .map(|rule| rule.id.split_once('-').expect("two words").0)
                .collect::<Vec<_>>()
        };
        assert_eq!(looks_for(&COMPACT), ["handoff"; 3]);
        assert_eq!(looks_for(&HANDOFF), ["artifact"; 9]);
        assert!(RETURN_META.asks(Companion::Progress) && !RETURN.asks(Companion::Progress));
        assert!(RETURN.asks(Companion::Errors) && !COMPACT.asks(Companion::Errors));
    }

    #[test]
    fn members_of_ones_own_are_told_from_those_of_the_record() {
        let asked = |path| Asked {
            path,
            need: Need::Required,
        };
        let fields = [
            "status",
            "ticket",
            "metadata.owner",
            "metadata.agent_type",
            "artifacts[].owner",
        ];
        let own = Profile {
            fields: &fields.map(asked),
            ..RETURN
        };
        assert!(!own.is_built_in());
        let Form::Record(members) = own.shape.form() else {
            panic!("a return is a record");
        };
        let beside = |members: &[_], path| -> Vec<_> { own.asked_beside(members, path).collect() };
        assert_eq!(beside(&members, ""), ["ticket"]);
        assert_eq!(
            beside(&[("agent_type", Form::Leaf(Expected::Text))], "metadata"),
            ["owner"]
        );
        assert_eq!(beside(&[], "artifacts[]"), ["owner"]);
        assert!(beside(&[], "artifact").is_empty());
    }

    #[test]
    fn every_member_of_a_standard_is_described() {
        for profile in PROFILES {
            let mut places = Vec::new();
            profile.shape.about(|place, text| {
                assert!(text.len() > 5, "{place}");
                places.push(place.to_owned());
            });
            for field in profile.fields {
                let place = field.path.strip_suffix("[]").unwrap_or(field.path);
                assert!(places.iter().any(|it| it == place), "{}", field.path);
            }
        }
    }

    #[test]
    fn a_description_goes_down_into_lists_and_below_keys_of_an_agents_own() {
        let places = |shape: Shape| {
            let mut places = Vec::new();
            shape.about(|place, _| places.push(place.to_owned()));
            places
        };
        let handoff = places(Shape::Handoff);
        let of_suites = handoff.iter().filter(|it| it.starts_with("tests_run"));
        assert_eq!(
            of_suites.collect::<Vec<_>>(),
            [
                "tests_run",
                "tests_run.*.passed",
                "tests_run.*.failed",
                "tests_run.*.duration"
            ]
        );
        assert!(places(Shape::Return).contains(&"artifacts[].path".to_owned()));
    }

    #[test]
    fn an_agent_has_its_own_words_and_a_stranger_all_of_them() {
        assert!(HANDOFF.status("PASS", Some("developer")).is_none());
        assert!(HANDOFF.status("PASS", Some("stranger")).is_some());
        let claim = |agent| {
            HANDOFF
                .status("ROOT_CAUSE_FOUND", agent)
                .map(|status| status.claim)
        };
        assert_eq!(claim(Some("senior_software_engineer")), Some(Claim::Other));
        assert_eq!(claim(Some("investigator")), Some(Claim::Success));
        assert_eq!(claim(None), Some(Claim::Success));
    }
}
