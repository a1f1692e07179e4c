//! The options of a checker, except its profile and root.

use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use crate::config::{Age, ByteSize};
use crate::evidence::{EvidenceMode, WorkEvidence};
use crate::rules::{Level, Rule, Strictness};
use crate::{BYTES_AT_MOST, Checker, Profile, Root};
use anyhow::bail;
use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use crate::cli::args::heading;
use crate::cli::args::values::{
    ON, OneOf, evidence_modes, rule, size, strictness, strictness_names,
};
use crate::cli::settings::Settings;
use crate::cli::settings::overrides::SourceSettings;

// A doc comment here would become part of each command's help.
#[derive(Debug, Clone, Args)]
pub(crate) struct CheckerArgs {
    /// Work group, to find the handoff file of a compact return
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new(), help_heading = heading::EXPECTED, hide_short_help = true)]
    group: Option<String>,
    /// Treat warnings as errors; with =required only those about what the document requires
    #[arg(long, value_name = "required", num_args = 0..=1, require_equals = true, default_missing_value = ON, hide_possible_values = true, value_parser = OneOf::new(strictness_names, strictness), help_heading = heading::RULES)]
    strict: Option<Strictness>,
    /// Report this rule as an error (repeatable)
    #[arg(long, value_name = "RULE", hide_possible_values = true, value_parser = rule(), help_heading = heading::RULES, hide_short_help = true)]
    error: Vec<&'static Rule>,
    /// Report this rule as a warning (repeatable)
    #[arg(long, alias = "warn", value_name = "RULE", hide_possible_values = true, value_parser = rule(), help_heading = heading::RULES, hide_short_help = true)]
    warning: Vec<&'static Rule>,
    /// Turn this rule off (repeatable)
    #[arg(long, alias = "ignore", value_name = "RULE", hide_possible_values = true, value_parser = rule(), help_heading = heading::RULES)]
    off: Vec<&'static Rule>,
    /// Size limit of one return, such as 1000000, 1MB or 16MiB [default: 16MiB]
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true, value_parser = size, help_heading = heading::INPUT, hide_short_help = true)]
    max_bytes: Option<u64>,
    /// Report unfinished work that began longer ago than this [default: 24h]
    ///
    /// A number and a unit: s, m, h or d.
    #[arg(long, value_name = "AGE", value_parser = clap::value_parser!(Age), help_heading = heading::RULES, hide_short_help = true)]
    stale_after: Option<Age>,
    /// How much evidence of the agent's work counts [default: fail]
    ///
    /// off: it is not looked at. warn: what is contradicted is a warning. fail: it has the level of
    /// its rule. require: an artifact that is not shown is an error, too. See retval help evidence.
    #[arg(long, value_name = "MODE", value_parser = OneOf::<EvidenceMode>::parsed(evidence_modes), help_heading = heading::EVIDENCE, hide_short_help = true)]
    evidence: Option<EvidenceMode>,
}

/// The kinds of text around a return that are removed.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Wrappings {
    /// A code fence, prose or a think block.
    pub(crate) prose: bool,
    /// The output of an agent client.
    pub(crate) envelope: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct CheckerOptions {
    pub(crate) session: Option<String>,
    /// The variable that sets it. None if something else does.
    pub(crate) session_variable: Option<&'static str>,
    pub(crate) agent: Option<String>,
    pub(crate) group: Option<String>,
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
            session_variable: None,
            agent: None,
            group: values.group.clone(),
            given: Vec::new(),
            since: None,
            strict: values.strict.unwrap_or_default(),
            fail_fast: false,
            accepts: Wrappings::default(),
            max_bytes: values.max_bytes.map_or(BYTES_AT_MOST, ByteSize::bytes),
            stale_after: values.stale_after,
            now: None,
            evidence_mode: values.evidence.unwrap_or_default(),
            evidence: None,
            test_runners: settings.config.test_runners.clone(),
            levels: Vec::new(),
        }
    }

    /// The arguments, or else the settings, or else the defaults. A command sets the other options
    /// itself: the session, the agent, the time, `fail_fast` and `accepts`.
    pub(crate) fn resolve(args: CheckerArgs, settings: &Settings) -> anyhow::Result<Self> {
        let rest = Self::of_settings(settings);
        Ok(Self {
            strict: args.strict.unwrap_or(rest.strict),
            max_bytes: args.max_bytes.unwrap_or(rest.max_bytes),
            stale_after: args.stale_after.or(rest.stale_after),
            evidence_mode: args.evidence.unwrap_or(rest.evidence_mode),
            levels: levels(&args)?,
            group: args.group.or(rest.group),
            ..rest
        })
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
        let checker = Checker::new(profile, root)
            .session(self.session.as_deref())
            .session_source(self.session_variable)
            .agent(self.agent.as_deref())
            .group(self.group.as_deref())
            .given(&self.given)
            .since(self.since)
            .evidence(self.evidence.as_deref())
            .max_bytes(self.max_bytes)
            .now(self.now)
            .fail_fast(self.fail_fast)
            .extract(own.extract.unwrap_or(self.accepts.prose))
            .envelope(self.accepts.envelope);
        let checker = match self.stale_after {
            Some(age) => checker.stale_after(age.duration()),
            None => checker,
        };
        let levels = settings.levels(profile);
        let levels = levels.chain(own.levels.iter().chain(&self.levels).copied());
        let set = |checker: Checker<'c>, (rule, level)| checker.rule(rule, level);
        let strict = own.strict.unwrap_or(self.strict);
        let checker = levels.fold(checker, set).strict(strict);
        match self.handoffs(settings, profile) {
            Some(handoffs) => checker.handoffs(self.checker_of(settings, handoffs, root, own)),
            None => checker,
        }
    }

    /// The custom profile for the handoff file that a return refers to. None if there is no such
    /// profile, or if the options do not determine the path of the file.
    pub(crate) fn handoffs<'c>(
        &self,
        settings: &'c Settings,
        profile: &Profile,
    ) -> Option<&'c Profile> {
        let (session, group) = (self.session.as_deref()?, self.group.as_deref()?);
        let path = profile.handoff_file(session, group, self.agent.as_deref()?)?;
        settings.handoff_profile(Path::new(&path))
    }

    /// The rules that the options turn off in every profile.
    pub(crate) fn rules_off(&self) -> impl Iterator<Item = &'static str> {
        let off = self.levels.iter().filter(|(_, level)| *level == Level::Off);
        off.map(|(rule, _)| rule.id)
    }
}

/// The levels of `--error`, `--warning` and `--off`, at most one for each rule.
fn levels(args: &CheckerArgs) -> anyhow::Result<Vec<(&'static Rule, Level)>> {
    let options = [
        (&args.error, Level::Error),
        (&args.warning, Level::Warning),
        (&args.off, Level::Off),
    ];
    let mut levels: Vec<(&'static Rule, Level)> = Vec::new();
    for (rules, level) in options {
        for rule in rules {
            refuse_level(rule, level, &levels)?;
            levels.push((rule, level));
        }
    }
    Ok(levels)
}

/// Refuses a level that a rule cannot have, or that conflicts with an earlier option.
fn refuse_level(
    rule: &Rule,
    level: Level,
    levels: &[(&'static Rule, Level)],
) -> anyhow::Result<()> {
    let option = level.as_str();
    if rule.is_indispensable() && level != Level::Error {
        bail!(
            "--{option} {}: this rule must stay an error, no other can be checked without it",
            rule.id
        );
    }
    let earlier = levels.iter().find(|(earlier, _)| earlier.id == rule.id);
    if let Some((_, other)) = earlier.filter(|(_, other)| *other != level) {
        let other = other.as_str();
        bail!(
            "--{other} and --{option} both name {}: give one of them",
            rule.id
        );
    }
    Ok(())
}
