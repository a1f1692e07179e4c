//! Custom profiles: a copy of another profile with changes.

mod agent;
mod fields;
mod names;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use crate::level::Level;
use crate::profile::{
    Action, Agent, FilePattern, LengthLimit, Limits, Meaning, Profile, ProfileError,
};
use crate::rule::Rule;
use crate::text::escape;

pub use agent::AgentBuilder;
pub(crate) use names::check_id;

/// Makes a custom profile; see [`Profile::extend`]. [`build`](Self::build) returns the first error among
/// the changes.
#[derive(Debug, Clone)]
pub struct ProfileBuilder {
    base: Cow<'static, str>,
    has_id: bool,
    profile: Profile,
    /// The status words for which an action was set.
    own_actions: Vec<Cow<'static, str>>,
    error: Option<ProfileError>,
}

impl Profile {
    /// Starts a custom profile with a copy of `base`. File names choose the new profile only if it gets
    /// [patterns](ProfileBuilder::file) of its own.
    ///
    /// ```
    /// use retval::Profile;
    /// use retval::profile::{Meaning, Need, RETURN};
    ///
    /// let plan = Profile::extend(&RETURN)
    ///     .id("plan")
    ///     .status("planned", Meaning::Success)
    ///     .field("ticket", Need::Required)
    ///     .file("plan-*.json")
    ///     .build()?;
    /// assert!(plan.matches_path("plans/plan-7.json".as_ref()));
    /// # Ok::<(), retval::profile::ProfileError>(())
    /// ```
    #[must_use]
    pub fn extend(base: &Self) -> ProfileBuilder {
        ProfileBuilder {
            base: base.id.clone(),
            has_id: false,
            own_actions: Vec::new(),
            profile: Self {
                files: Cow::Borrowed(&[]),
                ..base.clone()
            },
            error: None,
        }
    }
}

impl ProfileBuilder {
    /// Sets the name of the profile.
    pub fn id(&mut self, id: impl Into<Cow<'static, str>>) -> &mut Self {
        let id = id.into();
        match names::check_id(&id) {
            Ok(()) => {
                self.profile.id = id;
                self.has_id = true;
            }
            Err(error) => self.refuse(error),
        }
        self
    }

    /// Sets what kind of document the profile describes.
    pub fn document(&mut self, document: impl Into<Cow<'static, str>>) -> &mut Self {
        if let Some(document) = self.checked_name("a document", document.into()) {
            self.profile.document = document;
        }
        self
    }

    /// Adds a status word, or changes what it means.
    pub fn status(&mut self, word: impl Into<Cow<'static, str>>, meaning: Meaning) -> &mut Self {
        if let Some(word) = self.checked_name("a status", word.into()) {
            agent::set_status(self.profile.statuses.to_mut(), word, meaning);
        }
        self
    }

    /// Removes a status word.
    pub fn remove_status(&mut self, word: &str) -> &mut Self {
        let statuses = self.profile.statuses.to_mut();
        statuses.retain(|status| status.word != word);
        self
    }

    /// Sets the status word for failed work.
    pub fn failure(&mut self, word: impl Into<Cow<'static, str>>) -> &mut Self {
        if let Some(word) = self.checked_name("a status", word.into()) {
            self.profile.failure = word;
        }
        self
    }

    /// Sets what an orchestrator does after a status.
    pub fn action(&mut self, word: impl Into<Cow<'static, str>>, action: Action) -> &mut Self {
        if let Some(word) = self.checked_name("a status", word.into()) {
            let actions = self.profile.actions.to_mut();
            actions.retain(|(known, _)| *known != word);
            actions.push((word.clone(), action));
            self.own_actions.push(word);
        }
        self
    }

    /// Allows one more type of artifact.
    pub fn artifact_type(&mut self, kind: impl Into<Cow<'static, str>>) -> &mut Self {
        if let Some(kind) = self.checked_name("a type", kind.into()) {
            add(&mut self.profile.artifact_types, kind);
        }
        self
    }

    /// Allows any type of artifact.
    pub fn any_artifact_type(&mut self) -> &mut Self {
        self.profile.artifact_types = Cow::Borrowed(&[]);
        self
    }

    /// Allows one more type of error.
    pub fn error_type(&mut self, kind: impl Into<Cow<'static, str>>) -> &mut Self {
        if let Some(kind) = self.checked_name("a type", kind.into()) {
            add(&mut self.profile.error_types, kind);
        }
        self
    }

    /// Allows any type of error.
    pub fn any_error_type(&mut self) -> &mut Self {
        self.profile.error_types = Cow::Borrowed(&[]);
        self
    }

    /// Sets the limit of the length of a text; none removes it. A limit of the base profile that only
    /// warns is removed, too.
    pub fn length(&mut self, limit: impl Into<Option<LengthLimit>>) -> &mut Self {
        self.profile.length = limit.into();
        self.profile.soft_length = None;
        self
    }

    /// Sets the fewest and the most sentences of a summary; none removes the limit.
    pub fn sentences(&mut self, range: impl Into<Option<(usize, usize)>>) -> &mut Self {
        let range = range.into();
        match range {
            Some((fewest, most)) if fewest > most => {
                self.refuse(ProfileError::SentenceRange(fewest, most));
            }
            _ => self.profile.sentences = range,
        }
        self
    }

    /// Changes the limits of other texts.
    pub fn limits(&mut self, change: impl FnOnce(&mut Limits)) -> &mut Self {
        change(&mut self.profile.limits);
        self
    }

    /// Sets the level of a rule.
    pub fn level(&mut self, rule: &'static Rule, level: Level) -> &mut Self {
        if rule.is_indispensable() && level != Level::Error {
            self.refuse(ProfileError::RequiredRule(rule.id));
        } else {
            let levels = self.profile.levels.to_mut();
            levels.retain(|(known, _)| *known != rule.id);
            levels.push((rule.id, level));
        }
        self
    }

    /// Adds a glob. Files whose names match it are checked with this profile. If the profile's documents
    /// are files, the first glob is also the file name that agents are told.
    pub fn file(&mut self, pattern: &str) -> &mut Self {
        match FilePattern::parse(pattern) {
            Ok(parsed) => {
                if self.profile.files.is_empty()
                    && let Some(file) = &mut self.profile.file
                {
                    *file = Cow::Owned(pattern.to_owned());
                }
                self.profile.files.to_mut().push(parsed);
            }
            Err(error) => self.refuse(ProfileError::InvalidFilePattern {
                pattern: pattern.to_owned(),
                reason: error.kind().to_string(),
            }),
        }
        self
    }

    /// Sets the path of handoff files below the root. `{session}`, `{group}` and `{agent}` in it are
    /// replaced.
    pub fn handoff_path(&mut self, template: impl Into<Cow<'static, str>>) -> &mut Self {
        let template = template.into();
        if self.profile.handoff_path.is_none() {
            let base = escape::truncated(&self.base).to_string();
            self.refuse(ProfileError::NoHandoffFiles(base));
        } else if let Err(error) = check_template(&template) {
            self.refuse(error);
        } else {
            self.profile.handoff_path = Some(template);
        }
        self
    }

    /// Returns the profile.
    ///
    /// # Errors
    ///
    /// The first error among the changes, or a contradiction in the result.
    pub fn build(&self) -> Result<Profile, ProfileError> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        if !self.has_id {
            return Err(ProfileError::MissingId);
        }
        let profile = &self.profile;
        if profile.statuses.is_empty() && profile.agents.is_empty() {
            return Err(ProfileError::NoStatus);
        }
        if !profile.statuses.is_empty() {
            self.check_failure(None, &profile.failure)?;
        }
        for agent in profile.agents.iter() {
            self.check_failure(Some(agent), &agent.failure)?;
        }
        let is_status = |word: &str| profile.statuses_of(None).any(|status| status.word == word);
        if let Some(word) = self.own_actions.iter().find(|word| !is_status(word)) {
            return Err(ProfileError::UnknownActionStatus(word.to_string()));
        }
        Ok(profile.clone())
    }

    /// Takes the first error since the last call, so that [`build`](Self::build) does not return it any
    /// more.
    pub(crate) fn take_error(&mut self) -> Option<ProfileError> {
        self.error.take()
    }

    /// Checks that failed work has a status word, and that the word does not mean success.
    fn check_failure(&self, agent: Option<&Agent>, failure: &str) -> Result<(), ProfileError> {
        let own = agent.map_or(&[][..], |agent| &agent.statuses);
        let mut statuses = self.profile.statuses.iter().chain(own);
        let mut found = statuses.clone().filter(|status| status.word == failure);
        if let Some(status) = found.next() {
            if status.meaning == Meaning::Success {
                return Err(ProfileError::FailureIsSuccess(failure.to_owned()));
            }
            return Ok(());
        }
        Err(ProfileError::UnknownFailure {
            agent: agent
                .map(|agent| agent.name.to_string())
                .unwrap_or_default(),
            failure: failure.to_owned(),
            statuses: statuses.by_ref().map(|it| it.word.to_string()).collect(),
        })
    }

    fn refuse(&mut self, error: ProfileError) {
        self.error.get_or_insert(error);
    }

    /// Returns the name if it is valid. Otherwise keeps the error and returns None.
    fn checked_name(
        &mut self,
        what: &'static str,
        name: Cow<'static, str>,
    ) -> Option<Cow<'static, str>> {
        match names::check_name(what, &name) {
            Ok(()) => Some(name),
            Err(error) => {
                self.refuse(error);
                None
            }
        }
    }
}

/// Checks that a path of handoff files or of files with details is relative and has no unknown
/// placeholders.
fn check_template(template: &str) -> Result<(), ProfileError> {
    let rest = ["{session}", "{group}", "{agent}"]
        .iter()
        .fold(template.to_owned(), |text, place| text.replace(place, ""));
    if rest.contains(['{', '}']) {
        Err(ProfileError::UnknownPlaceholder)
    } else if template.starts_with('/') {
        Err(ProfileError::AbsoluteHandoffPath)
    } else {
        Ok(())
    }
}

fn add(words: &mut Cow<'static, [Cow<'static, str>]>, word: Cow<'static, str>) {
    if !words.contains(&word) {
        words.to_mut().push(word);
    }
}
