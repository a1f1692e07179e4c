//! What every worker uses and none changes.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use retval::format::Reporter;
use retval::profile::RETURN;
use retval::{Arrivals, Checker, Profile};

use crate::check::baseline::RunBaseline;
use crate::check::options::Filter;
use crate::output::Targets;
use crate::output::invalid::Recorder;

/// What every worker uses and none changes.
pub(crate) struct CheckPlan<'b> {
    pub(crate) checkers: Checkers<'b>,
    pub(crate) reporters: Vec<Box<dyn Reporter>>,
    /// The name of standard input, to choose the profile and for rules about the place of a file.
    pub(crate) stdin_filename: Option<PathBuf>,
    /// Whether any of them groups by source.
    pub(crate) groups: bool,
    pub(crate) filter: Option<Filter>,
    pub(crate) statistics: bool,
    /// Records and saves invalid returns.
    pub(crate) recorder: Option<Recorder>,
    pub(crate) max_bytes: u64,
    /// Whether it matters when a file was changed.
    pub(crate) asks_for_time: bool,
    /// The files that outputs will replace.
    pub(crate) targets: &'b Targets,
    /// Counts the returns that arrive while others are checked.
    pub(crate) arrivals: Arrivals,
    pub(crate) baseline: Option<RunBaseline>,
}

type Make<'c> = Box<dyn Fn(&'c Profile) -> Checker<'c> + Send + Sync + 'c>;

/// A checker for each profile, made when it is first needed.
pub(crate) struct Checkers<'c> {
    /// The profile of every return, unless each file's name chooses.
    profile: Option<&'c Profile>,
    make: Make<'c>,
    made: Vec<(&'c Profile, OnceLock<Box<Checker<'c>>>)>,
}

impl<'c> Checkers<'c> {
    pub(crate) fn new(
        profile: Option<&'c Profile>,
        profiles: impl Iterator<Item = &'c Profile>,
        make: Make<'c>,
    ) -> Self {
        let unmade = profiles.map(|profile| (profile, OnceLock::new()));
        Self {
            profile,
            make,
            made: unmade.collect(),
        }
    }

    pub(super) fn of(&self, path: &Path) -> &Checker<'c> {
        let profile = self.profile.unwrap_or_else(|| self.for_path(path));
        let place = self
            .made
            .iter()
            .position(|(other, _)| std::ptr::eq(*other, profile))
            .unwrap_or(0);
        self.made[place]
            .1
            .get_or_init(|| Box::new((self.make)(profile)))
    }

    /// The profile that a path chooses; a bare name is in the current folder, which counts too.
    fn for_path(&self, path: &Path) -> &'c Profile {
        let absolute = if path.file_name() == Some(path.as_os_str()) {
            std::path::absolute(path).ok()
        } else {
            None
        };
        let path = absolute.as_deref().unwrap_or(path);
        let mut profiles = self.made.iter().map(|(profile, _)| *profile);
        let found = profiles.find(|profile| profile.matches_path(path));
        found.unwrap_or(&RETURN)
    }
}
