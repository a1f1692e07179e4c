//! The check of returns: what they are checked against, and how strictly.

mod run;
mod steps;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::check::{Expectations, Levels};
use crate::document::BYTES_AT_MOST;
use crate::evidence::{EvidenceMode, WorkEvidence};
use crate::profile::Profile;
use crate::profile::fields::RequiredPaths;
use crate::root::Root;
use crate::rule::{Level, Rule, Strictness};
use crate::text::is_blank;

/// Checks returns against one profile. Made once, used for any number of returns, from any thread.
/// The order in which options are set does not matter.
///
/// ```
/// use retval::{Level, Rule};
///
/// let root = retval::Root::open("fixtures")?;
/// let missing = Rule::named("field-missing").expect("a rule");
/// let checker = retval::Checker::new(&retval::COMPACT, &root)
///     .max_bytes(64 * 1024)
///     .rule(missing, Level::Warning);
/// assert!(checker.check("{}").warnings > 0);
/// # Ok::<(), retval::RootError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Checker<'c> {
    profile: &'c Profile,
    root: &'c Root,
    pub(crate) expected: Expectations<'c>,
    max_bytes: u64,
    required: Arc<RequiredPaths<'c>>,
    /// What handoff files are checked against, if the profile has them.
    handoff: Option<Arc<Profile>>,
    /// The checker of handoff files, if it is another.
    handoffs: Option<Box<Checker<'c>>>,
    levels: Levels<'c>,
    fail_fast: bool,
    extract: bool,
    /// Whether a return is taken out of the output of a known client, such as
    /// `claude -p --output-format json`. [`Report::envelope`](crate::Report::envelope) names it.
    pub(crate) envelope: bool,
}

impl<'c> Checker<'c> {
    /// A checker of `profile` that looks for artifacts below `root`.
    #[must_use]
    pub fn new(profile: &'c Profile, root: &'c Root) -> Self {
        Self {
            profile,
            root,
            expected: Expectations::default(),
            max_bytes: BYTES_AT_MOST,
            required: Arc::new(RequiredPaths::of(profile)),
            handoff: profile.handoff().map(Arc::new),
            handoffs: None,
            levels: Levels::of(profile),
            fail_fast: false,
            extract: false,
            envelope: false,
        }
    }

    /// Expects this session id, byte for byte.
    #[must_use]
    pub fn session(mut self, session: impl Into<Option<&'c str>>) -> Self {
        self.expected.session = session.into();
        self
    }

    /// Expects this agent. Its name is the one that recommendations are addressed to.
    /// A name without visible characters names no one.
    #[must_use]
    pub fn agent(mut self, agent: impl Into<Option<&'c str>>) -> Self {
        self.expected.agent = agent.into().filter(|name| !is_blank(name));
        self
    }

    /// Names the group of work, which a compact return's handoff file is found by.
    #[must_use]
    pub fn group(mut self, group: impl Into<Option<&'c str>>) -> Self {
        self.expected.group = group.into();
        self
    }

    pub(crate) fn evidence(mut self, evidence: impl Into<Option<&'c WorkEvidence>>) -> Self {
        let evidence = evidence.into().filter(|it| it.mode != EvidenceMode::Off);
        self.levels.evidence_warns = evidence.is_some_and(|it| it.mode == EvidenceMode::Warn);
        self.expected.evidence = evidence;
        self
    }

    /// Refuses returns of more bytes than this.
    #[must_use]
    pub fn max_bytes(mut self, bytes: u64) -> Self {
        self.max_bytes = bytes;
        self
    }

    /// Stops after the first step that fails.
    #[must_use]
    pub fn fail_fast(mut self, fail_fast: bool) -> Self {
        self.fail_fast = fail_fast;
        self
    }

    /// Accepts a return inside a fence or prose, or behind a think block, with a warning.
    #[must_use]
    pub fn extract(mut self, extract: bool) -> Self {
        self.extract = extract;
        self
    }

    /// Checks handoff files with a checker of their own, instead of one with the same options and
    /// the agents of this profile. A file is nothing but the handoff: nothing is extracted from it.
    pub(crate) fn handoffs(mut self, checker: &Self) -> Self {
        let profile = checker.profile;
        self.handoffs = Some(Box::new(checker.with_profile(profile)));
        self
    }

    /// The same checker with other expectations where there are any, such as those of one return of many.
    pub(crate) fn expecting<'s>(
        &'s self,
        session: Option<&'s str>,
        agent: Option<&'s str>,
        root: Option<&'s Root>,
    ) -> Checker<'s> {
        let mut checker: Checker<'s> = self.clone();
        let handoffs = self.handoffs.as_ref();
        let handoffs = handoffs.map(|it| Box::new(it.expecting(session, agent, root)));
        checker.handoffs = handoffs;
        checker.root = root.unwrap_or(self.root);
        checker.expected.session = session.or(self.expected.session);
        checker.expected.agent = agent.or(self.expected.agent);
        checker
    }

    /// Sets the level of a rule, whatever the profile says; of two levels for one rule the later
    /// counts. The rules that nothing can be checked without stay errors.
    #[must_use]
    pub fn rule(mut self, rule: &Rule, level: Level) -> Self {
        if !rule.is_indispensable() {
            self.levels.set(rule, level);
        }
        self
    }

    /// Makes warnings errors, also those that [`rule`](Self::rule) sets: all of them, or those about what
    /// the document of the profile requires.
    #[must_use]
    pub fn strict(mut self, strict: impl Into<Strictness>) -> Self {
        self.levels.strictness = strict.into();
        self
    }

    /// The same checker for documents of another profile; the levels that were set stay.
    fn with_profile<'s>(&self, profile: &'s Profile) -> Checker<'s>
    where
        'c: 's,
    {
        let mut checker: Checker<'s> = self.clone();
        checker.profile = profile;
        checker.required = Arc::new(RequiredPaths::of(profile));
        checker.levels.profile = profile;
        checker.expected.schema = None;
        (checker.handoff, checker.handoffs) = (None, None);
        (checker.extract, checker.envelope) = (false, false);
        checker
    }

    #[cfg(test)]
    pub(crate) fn level(&self, rule: &Rule) -> Level {
        self.levels.level(rule)
    }
}
