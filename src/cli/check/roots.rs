//! Opens the folders that artifact paths are relative to.

use std::path::Path;

use anyhow::{Context as _, bail};
use crate::Root;
use crate::config::RootEntry;
use crate::root::BatchClock;
use crate::text::escape;

use crate::cli::check::options::CheckOptions;
use crate::cli::folder;

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
            Some(clock) => root.remembering().caching_missing(clock.clone()),
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
