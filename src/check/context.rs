//! What is known about one return before any rule is checked: what the caller expects of it, its bytes and
//! the time that its timestamps are compared with.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::check::returned::ReadReturn;
use crate::clients::failure::ClientFailure;
use crate::document::extract::Wrapping;
use crate::document::tree::{Tree, Value};
use crate::evidence::{EvidenceMode, ReturnIdentity, Subject, WorkEvidence};
use crate::profile::fields::RequiredPaths;
use crate::profile::{Meaning, PathGlob, Profile, Schema, Shape, Status};
use crate::root::Root;
use crate::rule::Rule;
use crate::text::{Base, escape, is_blank};

/// The rule about a document that does not fit its schema.
const SCHEMA: &str = "schema";

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Expectations<'t> {
    /// The id of the session that it answers; compared byte for byte.
    pub(crate) session: Option<&'t str>,
    pub(crate) agent: Option<&'t str>,
    pub(crate) group: Option<&'t str>,
    /// What its document must fit, besides its profile.
    pub(crate) schema: Option<&'t Schema>,
    pub(crate) given: &'t [(String, String)],
    /// The present, which its timestamps are compared with; none is the time of the check.
    pub(crate) now: Option<SystemTime>,
    /// The age at which unfinished work counts as abandoned; none is a day.
    pub(crate) stale_after: Option<Duration>,
    pub(crate) since: Option<SystemTime>,
    /// The files that the agent may write, before those of its profile.
    pub(crate) writes: Option<&'t [PathGlob]>,
    /// The return that refers to the handoff file.
    pub(crate) returned_as: Option<&'t str>,
    pub(crate) evidence: Option<&'t WorkEvidence>,
    /// The profile that a text may be a return of, where the caller has named none.
    pub(crate) other_profile: Option<&'t str>,
    /// Whether it is one of many, so that the caller may not mean all of them.
    pub(crate) is_one_of_many: bool,
}

impl Expectations<'_> {
    /// The present. The system's clock is read only here.
    pub(crate) fn time(&self) -> SystemTime {
        self.now.unwrap_or_else(SystemTime::now)
    }
}

/// What is known about one return before any rule is checked.
pub(crate) struct Context<'c, 't> {
    pub(crate) profile: &'t Profile,
    pub(crate) required: &'c RequiredPaths<'t>,
    pub(crate) root: &'t Root,
    pub(crate) expected: Expectations<'t>,
    pub(crate) input: Input<'t>,
    /// What was read. None if nothing could be.
    pub(crate) tree: Option<&'c Tree<'t>>,

    /// The typed return; `None` if the text is not a JSON object.
    pub(crate) returned: Option<&'c ReadReturn<'c, 't>>,
    pub(crate) status: Option<&'t Status>,
    pub(super) addressee: OnceCell<String>,
    pub(super) subject: OnceCell<Option<Subject<'t>>>,
}

impl<'c, 't> Context<'c, 't> {
    /// The object of a return of a built-in format. None for any other sort of document.
    pub(crate) fn object_of(&self, shape: Shape) -> Option<Value<'c, 't>> {
        let object = self.tree.filter(|_| self.profile.shape == shape)?.root();
        object.is_object().then_some(object)
    }

    /// Whether a rule applies: one of the profile, or the one about the schema that is added to it.
    pub(crate) fn has_rule(&self, rule: &Rule) -> bool {
        let is_added = self.expected.schema.is_some() && rule.id == SCHEMA;
        is_added || self.profile.has_rule(rule)
    }

    /// Whether the work is claimed to be done: the status says so, or there is none in the standard.
    pub(crate) fn claims_success(&self) -> bool {
        match self.status {
            Some(status) => status.meaning == Meaning::Success,
            None => self.profile.is_own() && self.profile.roles.status.is_none(),
        }
    }

    /// A value of the return by its name, or what should contain it.
    pub(crate) fn value_of(&self, name: &str) -> Option<Value<'c, 't>> {
        let root = self.tree?.root();
        let places = self.returned.map_or(&[][..], |it| &it.places);
        let place = places.iter().find(|(known, _)| *known == name);
        let own = || root.member(name).filter(|_| places.is_empty());
        place.map(|(_, value)| *value).or_else(own).or(Some(root))
    }

    /// The failure of the client in place of the return. Where the record of the run has an answer, it is none.
    pub(crate) fn failure_in_place(&self) -> Option<Cow<'t, ClientFailure>> {
        let failure = self.input.failure_in_place()?;
        let is_answer = self.input.failure.is_none()
            && self.subject().is_some_and(|it| it.answered(true).is_some());
        (!is_answer).then_some(failure)
    }

    /// The agent whose run the evidence is about. None without evidence.
    pub(crate) fn subject(&self) -> Option<&Subject<'t>> {
        let subject = || {
            let session = self.returned.and_then(|it| it.session.as_deref());
            let identity = ReturnIdentity {
                text: self.expected.returned_as.unwrap_or(self.input.text),
                session,
                is_file: self.is_file(),
            };
            let now = || self.expected.time();
            let evidence = self.expected.evidence?;
            Some(Subject::of(evidence, &identity, self.expected.session, now))
        };
        self.subject.get_or_init(subject).as_ref()
    }

    /// Whether the return is a file, and no message.
    pub(crate) fn is_file(&self) -> bool {
        self.profile.file.is_some() || self.profile.shape == Shape::Handoff
    }

    /// Whether an artifact must be shown to be the agent's work.
    pub(crate) fn requires_evidence(&self) -> bool {
        let evidence = self.expected.evidence;
        evidence.is_some_and(|it| it.mode == EvidenceMode::Require)
    }

    /// The agent that findings are addressed to: the one that the caller names, or else the return.
    pub(crate) fn subagent(&self) -> Option<&str> {
        let own = || self.returned?.agent.as_deref();
        let expected = self.expected.agent;
        expected.or_else(|| own().filter(|name| !is_blank(name)))
    }

    /// The agent whose statuses apply: the one that the return names, if the profile knows it, or else the caller. In a
    /// handoff file the caller, who named the file's agent, comes first.
    pub(crate) fn acting_agent(&self) -> Option<&'c str> {
        self.agent_of(self.returned.and_then(|it| it.agent.as_deref()))
    }

    /// The same, of a return that names this agent.
    pub(crate) fn agent_of<'a>(&self, own: Option<&'a str>) -> Option<&'a str>
    where
        't: 'a,
    {
        let expected: Option<&'a str> = self.expected.agent;
        if self.profile.shape == Shape::Handoff && expected.is_some() {
            return expected;
        }
        let is_known = |agent: &&str| self.profile.agent(agent).is_some();
        own.filter(is_known).or(expected).or(own)
    }

    /// The agent's name for recommendations. It is escaped only once, because it can be as long as the return.
    pub(super) fn addressee(&self) -> &str {
        self.addressee
            .get_or_init(|| escape::truncated(self.subagent().unwrap_or("subagent")).to_string())
    }
}

/// What is known about a file that holds one return and nothing else.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ReturnFile<'t> {
    /// Its path, as rules about its place read it.
    pub path: Option<&'t Path>,
    /// When it was last changed.
    pub written: Option<SystemTime>,
}

impl<'t> ReturnFile<'t> {
    pub(crate) fn new(
        path: impl Into<Option<&'t Path>>,
        written: impl Into<Option<SystemTime>>,
    ) -> Self {
        let (path, written) = (path.into(), written.into());
        Self { path, written }
    }
}

/// What is checked: the bytes, their text, and the part of it that is the return.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Input<'t> {
    pub(crate) bytes: &'t [u8],
    /// The position of the first byte in the file.
    pub(crate) base: Base,
    pub(crate) whole: &'t str,
    /// The text of the return itself. It is JSON if any step after the first runs.
    pub(crate) text: &'t str,
    /// The offset of `text` in `bytes`.
    pub(crate) start: usize,
    pub(crate) file: ReturnFile<'t>,
    pub(crate) wrapping: Option<Wrapping>,
    pub(crate) failure: Option<&'t ClientFailure>,
}

impl<'t> Input<'t> {
    /// The failure of the client that stands in place of the return. None if there is anything else.
    fn failure_in_place(&self) -> Option<Cow<'t, ClientFailure>> {
        let Some(failure) = self.failure else {
            return ClientFailure::in_place_of_answer(self.whole).map(Cow::Owned);
        };
        failure.is_all_of(self.whole).then_some(Cow::Borrowed(failure))
    }

    pub(crate) fn of_text(bytes: &'t [u8], text: &'t str, base: Base) -> Self {
        let whole = text;
        Self { bytes, base, whole, text, ..Self::default() }
    }

    pub(crate) fn of_bytes(bytes: &'t [u8], base: Base) -> Self {
        Self::of_text(bytes, "", base)
    }
}
