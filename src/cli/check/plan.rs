//! The plan of a run: everything that all workers share and none changes.

use std::path::Path;
use std::rc::Rc;

use anyhow::{Context as _, bail};

use crate::cli::check::baseline::RunBaseline;
use crate::cli::check::options::CheckOptions;
use crate::cli::files::current_folder;
use crate::cli::output::Targets;
use crate::cli::output::error_log::Recorder;
use crate::cli::settings::Settings;
use crate::cli::settings::checker::CheckerOptions;
use crate::cli::settings::overrides::{Overrides, ProfileChoice};
use crate::profile::RETURN;
use crate::report::Reporter;
use crate::root::BatchClock;
use crate::text::escape;
use crate::{Checker, Profile, Root};

pub(super) struct CheckPlan<'b> {
    pub(super) options: &'b CheckOptions,
    pub(super) settings: &'b Settings,
    /// The options of all checkers.
    pub(super) checker: &'b CheckerOptions,
    pub(super) root: &'b Root,
    /// The profile of every return to which no override assigns another one.
    pub(super) profile: ProfileChoice<'b>,
    pub(super) overrides: Overrides<'b>,
    pub(super) reporters: Vec<Reporter>,
    /// Whether inputs that could not be checked are reported in a report alone, because a reader sees it in the
    /// same place as standard error.
    pub(super) reports_unread: bool,
    pub(super) recorder: Option<Recorder>,
    /// Whether there is exactly one return.
    pub(super) is_single: bool,
    /// The files that outputs will replace.
    pub(super) targets: &'b Targets,
    /// Counts the returns that arrive while others are checked.
    pub(super) clock: BatchClock,
    pub(super) baseline: Option<RunBaseline>,
}

/// The checkers of a worker: one for each combination of a profile and overrides, built when it is first needed.
/// They are few, because most sources have the same settings.
#[derive(Default)]
pub(super) struct KnownCheckers<'b>(Vec<KnownChecker<'b>>);

struct KnownChecker<'b> {
    profile: &'b Profile,
    /// The indexes of the overrides that apply.
    overrides: Vec<usize>,
    checker: Rc<Checker<'b>>,
}

impl<'b> KnownCheckers<'b> {
    /// The checker for the return in a file, or on standard input.
    pub(super) fn of(&mut self, plan: &'b CheckPlan<'b>, path: Option<&Path>) -> Rc<Checker<'b>> {
        let overrides = path.map_or_else(Vec::new, |path| plan.overrides.matching(path));
        let profile = match plan.overrides.profile(&overrides).unwrap_or(plan.profile) {
            ProfileChoice::Is(profile) => profile,
            ProfileChoice::ByName => path.map_or(&RETURN, |path| plan.profile_of(path)),
        };
        let is_it =
            |it: &&KnownChecker<'_>| std::ptr::eq(it.profile, profile) && it.overrides == overrides;
        if let Some(known) = self.0.iter().find(is_it) {
            return Rc::clone(&known.checker);
        }
        let own = plan.overrides.merged(&overrides);
        let checker = plan
            .checker
            .checker_of(plan.settings, profile, plan.root, &own);
        let checker = Rc::new(checker);
        self.0.push(KnownChecker {
            profile,
            overrides,
            checker: Rc::clone(&checker),
        });
        checker
    }
}

impl<'b> CheckPlan<'b> {
    /// The profile for a path. A bare file name is resolved in the current folder, because the names of
    /// folders count, too.
    fn profile_of(&self, path: &Path) -> &'b Profile {
        let has_slash = memchr::memchr(b'/', path.as_os_str().as_encoded_bytes()).is_some();
        let is_bare = !has_slash && path.file_name() == Some(path.as_os_str());
        let current = is_bare.then(current_folder).flatten();
        let absolute = current.map(|current| current.join(path));
        let path = absolute.as_deref().unwrap_or(path);
        Profile::first_for_path(self.settings.profiles(), path).unwrap_or(&RETURN)
    }

    /// Opens a root that a line names.
    pub(super) fn open_root(&self, path: &Path) -> anyhow::Result<Root> {
        open_root(self.options, path, (!self.is_single).then_some(&self.clock))
    }
}

/// Opens the folder that artifact paths are relative to. The clock is that of its caches, which are of no use
/// for a single return.
pub(super) fn open_root(
    options: &CheckOptions,
    path: &Path,
    clock: Option<&BatchClock>,
) -> anyhow::Result<Root> {
    let root = match current_folder() {
        Some(folder) => Root::open_in(folder, path)?,
        None => Root::open(path)?,
    };
    confirm_root(options, path)?;
    Ok(match clock {
        Some(clock) => root.remembering(clock.clone()),
        None => root,
    })
}

/// Fails unless a root has what it must have.
pub(super) fn confirm_root(options: &CheckOptions, root: &Path) -> anyhow::Result<()> {
    let Some(has) = &options.root_has else {
        return Ok(());
    };
    let below = escape::path(root);
    let exists = root.join(has.path()).try_exists();
    if !exists.with_context(|| format!("root-has {has}: cannot look below {below}"))? {
        bail!(
            "root-has {has}: the root {below} has no such file or folder; is it the right folder, and is it mounted?"
        );
    }
    Ok(())
}
