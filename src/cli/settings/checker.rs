//! The options of a checker, except its profile and root.

use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use crate::check::Expectations;
use crate::check::rules::{Level, Rule, Strictness};
use crate::cli::args::{ON, OneOf, heading, rule_level, size, strictness};
use crate::cli::settings::Settings;
use crate::cli::settings::overrides::SourceSettings;
use crate::config::Age;
use crate::document::BYTES_AT_MOST;
use crate::evidence::{EvidenceMode, WorkEvidence};
use crate::profile::{PathGlob, Schema};
use crate::{Checker, Profile, Root};

// A doc comment here would become part of each command's help.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct CheckerArgs {
    /// Size limit of one return, such as 1MB [default: 16MiB]
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true, value_parser = size, help_heading = heading::INPUT, hide_short_help = true)]
    max_bytes: Option<u64>,
    /// Work group, to find the handoff file of a compact return
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new(), help_heading = heading::EXPECTED, hide_short_help = true)]
    group: Option<String>,
    /// How evidence counts: off, warn, fail or require [default: fail]
    ///
    /// off: it is not looked at. warn: what is contradicted is a warning. fail: it has the level of
    /// its rule. require: an artifact that is not shown is an error, too. See retval help evidence.
    #[arg(long, value_name = "MODE", value_parser = OneOf::<EvidenceMode>::parsed(), hide_possible_values = true, help_heading = heading::EVIDENCE, hide_short_help = true)]
    evidence: Option<EvidenceMode>,
    /// Treat warnings as errors; =required: only about what is required
    #[arg(long, value_name = "required", num_args = 0..=1, require_equals = true, default_missing_value = ON, hide_possible_values = true, value_parser = strictness(), help_heading = heading::RULES)]
    strict: Option<Strictness>,
    /// Level of a rule: error, warning or off (repeatable)
    #[arg(long, value_name = "RULE=LEVEL", hide_possible_values = true, value_parser = rule_level(), help_heading = heading::RULES)]
    rule: Vec<(&'static Rule, Level)>,
}

/// The kinds of text around a return that are removed.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Wrappings {
    /// A code fence or prose, or behind a think block.
    pub(crate) prose: bool,
    /// The output of an agent client.
    pub(crate) envelope: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct CheckerOptions {
    pub(crate) session: Option<String>,
    pub(crate) agent: Option<String>,
    pub(crate) group: Option<String>,
    /// What the document of a return must fit, besides its profile.
    pub(crate) schema: Option<Arc<Schema>>,
    /// Values that a return must repeat, by name.
    pub(crate) given: Vec<(String, String)>,
    pub(crate) since: Option<SystemTime>,
    pub(crate) strict: Strictness,
    pub(crate) fail_fast: bool,
    pub(crate) accepts: Wrappings,
    pub(crate) max_bytes: u64,
    pub(crate) stale_after: Option<Age>,
    /// The time that timestamps are compared with. None means the time of the check.
    pub(crate) now: Option<SystemTime>,
    /// How evidence affects the result.
    pub(crate) evidence_mode: EvidenceMode,
    /// The evidence that claims are compared with.
    pub(crate) evidence: Option<Arc<WorkEvidence>>,
    /// Commands that run tests, in addition to the known ones.
    pub(crate) test_runners: Vec<String>,
    /// The files that the agent may write, before those of its profile.
    pub(crate) writes: Option<Vec<PathGlob>>,
    /// Levels that take precedence over the configuration file. The last level of a rule counts.
    pub(crate) levels: Vec<(&'static Rule, Level)>,
}

impl CheckerArgs {
    pub(crate) fn has_strict(&self) -> bool {
        self.strict.is_some()
    }
}

impl CheckerOptions {
    /// The options for a command without [`CheckerArgs`].
    pub(crate) fn of_settings(settings: &Settings) -> Self {
        let values = &settings.values;
        Self {
            session: None,
            agent: None,
            group: values.group.clone(),
            schema: None,
            given: Vec::new(),
            since: None,
            strict: values.strict.unwrap_or_default(),
            fail_fast: false,
            accepts: Wrappings::default(),
            max_bytes: values.max_bytes.map_or(BYTES_AT_MOST, |it| it.0),
            stale_after: values.stale_after,
            now: values.now.map(|it| it.0),
            evidence_mode: values.evidence.unwrap_or_default(),
            evidence: None,
            test_runners: settings.config.test_runners.clone(),
            writes: None,
            levels: Vec::new(),
        }
    }

    /// The arguments, or else the settings, or else the defaults. A command sets the other options
    /// itself: the session, the agent, `fail_fast` and `accepts`.
    pub(crate) fn resolve(args: CheckerArgs, settings: &Settings) -> Self {
        let rest = Self::of_settings(settings);
        Self {
            strict: args.strict.unwrap_or(rest.strict),
            max_bytes: args.max_bytes.unwrap_or(rest.max_bytes),
            evidence_mode: args.evidence.unwrap_or(rest.evidence_mode),
            levels: args.rule,
            group: args.group.or(rest.group),
            ..rest
        }
    }

    /// A checker for a profile, with the levels of the configuration file.
    pub(crate) fn checker<'c>(
        &'c self,
        settings: &'c Settings,
        profile: &'c Profile,
        root: &'c Root,
    ) -> Checker<'c> {
        self.checker_of(settings, profile, root, &SourceSettings::default())
    }

    /// A checker as returned by `checker`, for a source to which overrides apply.
    pub(crate) fn checker_of<'c>(
        &'c self,
        settings: &'c Settings,
        profile: &'c Profile,
        root: &'c Root,
        own: &SourceSettings,
    ) -> Checker<'c> {
        let mut checker = Checker::new(profile, root)
            .evidence(self.evidence.as_deref())
            .max_bytes(self.max_bytes)
            .fail_fast(self.fail_fast)
            .extract(own.extract.unwrap_or(self.accepts.prose));
        checker.envelope = self.accepts.envelope;
        checker.expected = Expectations {
            session: self.session.as_deref(),
            group: self.group.as_deref(),
            schema: self.schema.as_deref(),
            given: &self.given,
            now: self.now,
            stale_after: self.stale_after.map(|it| it.0),
            since: self.since,
            writes: self.writes.as_deref(),
            ..checker.expected
        };
        let checker = checker.agent(self.agent.as_deref());
        let levels = settings.levels(profile);
        let levels = levels.chain(own.levels.iter().chain(&self.levels).copied());
        let set = |checker: Checker<'c>, (rule, level)| checker.rule(rule, level);
        let strict = own.strict.unwrap_or(self.strict);
        let checker = levels.fold(checker, set).strict(strict);
        match self.handoffs(settings, profile, |path| root.has(path)) {
            Some(handoffs) => checker.handoffs(&self.checker_of(settings, handoffs, root, own)),
            None => checker,
        }
    }

    /// The custom profile for the handoff file that a return refers to. None if there is no such
    /// profile, or if the options do not determine the path of the file.
    pub(crate) fn handoffs<'c>(
        &self,
        settings: &'c Settings,
        profile: &Profile,
        is_there: impl Fn(&str) -> bool,
    ) -> Option<&'c Profile> {
        let (session, group) = (self.session.as_deref()?, self.group.as_deref()?);
        let path = profile.handoff_file([session, group, self.agent.as_deref()?], is_there)?;
        settings.handoff_profile(Path::new(&path))
    }

    /// The rules that the options turn off in every profile.
    pub(crate) fn rules_off(&self) -> impl Iterator<Item = &'static str> {
        let last = |id| self.levels.iter().rfind(move |(rule, _)| rule.id == id);
        let off = self.levels.iter().map(|(rule, _)| rule.id);
        off.filter(move |id| last(*id).is_some_and(|(_, level)| *level == Level::Off))
    }
}
