//! Symlinks below the root, as entries of their own.

use std::path::{Path, PathBuf};

use crate::root::Root;
use crate::root::times::FileTimes;

/// A symlink.
#[derive(Debug)]
#[cfg_attr(
    not(feature = "git"),
    allow(dead_code, reason = "only git compares links")
)]
pub(crate) struct Symlink {
    /// Its path below the root. Its folder is without links.
    pub(crate) place: PathBuf,
    pub(crate) target: PathBuf,
    pub(crate) times: FileTimes,
}

impl Root {
    /// Returns the symlink at a path. None if there is something else, or if it cannot be read.
    pub(crate) fn link(&self, relative: &Path) -> Option<Symlink> {
        let folder = relative.parent().filter(|it| !it.as_os_str().is_empty());
        let folder = self.resolve(folder.unwrap_or(Path::new("."))).ok()?;
        let place = folder.join(relative.file_name()?);
        #[cfg(target_os = "linux")]
        if let Some(kernel) = &self.kernel {
            let (metadata, target) = kernel.link(&place)?;
            let times = FileTimes::of(&metadata)?;
            return Some(Symlink {
                place,
                target,
                times,
            });
        }
        let path = self.userspace()?.root().join(&place);
        Some(Symlink {
            times: FileTimes::of(&path.symlink_metadata().ok()?)?,
            target: path.read_link().ok()?,
            place,
        })
    }
}
