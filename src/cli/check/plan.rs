//! The plan of a run: everything that all workers share and none changes.

use std::path::Path;
use std::sync::OnceLock;

use anyhow::{Context as _, bail};

use crate::config::RootEntry;
use crate::format::Reporter;
use crate::profile::RETURN;
use crate::root::BatchClock;
use crate::text::escape;
use crate::{Checker, Profile, Root};

use crate::cli::check::baseline::RunBaseline;
use crate::cli::check::options::CheckOptions;
use crate::cli::folder;
use crate::cli::input::Origin;
use crate::cli::output::Targets;
use crate::cli::output::recorder::Recorder;
use crate::cli::settings::overrides::{Overrides, ProfileChoice, SourceSettings};

/// Where inputs that could not be checked are reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnreadNotice {
    /// On standard error, whether or not reports list them.
    Stderr,
    /// In the report only, because a reader sees it in the same place as standard error.
    Report,
}

/// Everything that all workers share and none changes.
pub(crate) struct CheckPlan<'b> {
    pub(crate) options: &'b CheckOptions,
    pub(crate) checkers: Checkers<'b>,
    pub(crate) reporters: Vec<Reporter>,
    pub(crate) groups: bool,
    pub(crate) unread: UnreadNotice,
    pub(crate) recorder: Option<Recorder>,
    pub(crate) roots: Roots,
    /// The files that outputs will replace.
    pub(crate) targets: &'b Targets,
    /// Counts the returns that arrive while others are checked.
    pub(crate) clock: BatchClock,
    pub(crate) baseline: Option<RunBaseline>,
}

impl<'b> CheckPlan<'b> {
    pub(crate) fn checker(&self, origin: &Origin) -> &Checker<'b> {
        self.checkers.of(origin.file())
    }
}

type Make<'c> = Box<dyn Fn(&'c Profile, &SourceSettings) -> Checker<'c> + Send + Sync + 'c>;

/// One checker for each combination of a profile and overrides. Each is built when it is first needed.
pub(crate) struct Checkers<'c> {
    /// The profile of every return to which no override assigns another one.
    pub(crate) profile: ProfileChoice<'c>,
    pub(crate) profiles: Vec<&'c Profile>,
    pub(crate) overrides: Overrides<'c>,
    pub(crate) make: Make<'c>,
    pub(crate) made: MadeChecker<'c>,
}

/// A linked list that can grow at its end while other threads read it. It is short, because most sources
/// have the same settings.
type MadeChecker<'c> = OnceLock<Box<KnownChecker<'c>>>;

pub(crate) struct KnownChecker<'c> {
    profile: &'c Profile,
    /// The indexes of the overrides that apply.
    overrides: Vec<usize>,
    checker: Checker<'c>,
    next: MadeChecker<'c>,
}

impl<'c> Checkers<'c> {
    fn of(&self, path: Option<&Path>) -> &Checker<'c> {
        let overrides = path.map_or_else(Vec::new, |path| self.overrides.matching(path));
        let profile = match self.overrides.profile(&overrides).unwrap_or(self.profile) {
            ProfileChoice::Is(profile) => profile,
            ProfileChoice::ByName => path.map_or(&RETURN, |path| self.for_path(path)),
        };
        let mut place = &self.made;
        loop {
            let known = place.get_or_init(|| Box::new(self.make(profile, &overrides)));
            if std::ptr::eq(known.profile, profile) && known.overrides == overrides {
                return &known.checker;
            }
            place = &known.next;
        }
    }

    fn make(&self, profile: &'c Profile, overrides: &[usize]) -> KnownChecker<'c> {
        let own = self.overrides.merged(overrides);
        KnownChecker {
            profile,
            overrides: overrides.to_vec(),
            checker: (self.make)(profile, &own),
            next: OnceLock::new(),
        }
    }

    /// The profile for a path. A bare file name is resolved in the current folder, because the names of
    /// folders count, too.
    fn for_path(&self, path: &Path) -> &'c Profile {
        let has_slash = memchr::memchr(b'/', path.as_os_str().as_encoded_bytes()).is_some();
        let is_bare = !has_slash && path.file_name() == Some(path.as_os_str());
        let current = is_bare.then(folder::current).flatten();
        let absolute = current.map(|current| current.join(path));
        let path = absolute.as_deref().unwrap_or(path);
        Profile::first_for_path(self.profiles.iter().copied(), path).unwrap_or(&RETURN)
    }
}

/// Opens the folders that artifact paths are relative to.
pub(crate) struct Roots {
    has: Option<RootEntry>,
    /// The clock for the caches of a root. None for a single return, for which they are of no use.
    clock: Option<BatchClock>,
}

impl Roots {
    pub(crate) fn new(options: &CheckOptions, is_single: bool, clock: &BatchClock) -> Self {
        Self {
            has: options.root_has.clone(),
            clock: (!is_single).then(|| clock.clone()),
        }
    }

    pub(crate) fn open(&self, path: &Path) -> anyhow::Result<Root> {
        let root = match folder::current() {
            Some(folder) => Root::open_in(folder, path)?,
            None => Root::open(path)?,
        };
        self.confirm(path)?;
        Ok(match &self.clock {
            Some(clock) => root.remembering(clock.clone()),
            None => root,
        })
    }

    /// Fails unless the root has what it must have.
    pub(crate) fn confirm(&self, root: &Path) -> anyhow::Result<()> {
        let Some(has) = &self.has else { return Ok(()) };
        let below = escape::path(root);
        let exists = root.join(has.path()).try_exists();
        if !exists.with_context(|| format!("root-has {has}: cannot look below {below}"))? {
            bail!(
                "root-has {has}: the root {below} has no such file or folder; is it the right folder, and is it mounted?"
            );
        }
        Ok(())
    }
}
