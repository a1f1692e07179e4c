//! Files that calls wrote under other names: through symlinks or hard links, or in another spelling.
//! This has to look up every path, so it is done last, and once for all claims.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::path::PathBuf;

use crate::clients::run::Run;
use crate::evidence::place::{ClaimedFile, ProjectPlaces};
use crate::evidence::traces::{FileTraces, may_write};
use crate::evidence::writes::{WriteIndex, calls};
use crate::root::FileIdentity;

/// The most paths of calls that are looked up.
const PATHS_AT_MOST: usize = 4 << 10;

/// The most bytes of these paths together.
const BYTES_AT_MOST: usize = 1 << 20;

/// What calls did to the files that they name.
#[derive(Debug)]
pub(super) struct LinkedFiles {
    files: HashMap<PathBuf, FileTraces>,
    by_identity: OnceCell<HashMap<(u64, u64), FileTraces>>,
    /// Whether a file outside the root may have been written.
    has_outside: bool,
    has_other_letters: bool,
}

/// What calls did to a file under other names.
#[derive(Debug)]
pub(super) struct OtherNames {
    pub(super) traces: FileTraces,
    /// Whether a path outside the root may be the same file.
    pub(super) may_be_outside: bool,
}

impl LinkedFiles {
    /// Looks up the paths of all calls. None if there are too many.
    pub(super) fn of(
        runs: &[&Run],
        index: &WriteIndex<'_>,
        places: ProjectPlaces<'_>,
    ) -> Option<Self> {
        let paths = || calls(runs).flat_map(|(_, call)| &call.paths);
        let bytes: usize = paths().map(String::len).sum();
        if bytes > BYTES_AT_MOST || paths().count() > PATHS_AT_MOST {
            return None;
        }
        let mut found = Self {
            files: HashMap::new(),
            by_identity: OnceCell::new(),
            has_outside: false,
            has_other_letters: paths().any(|path| !path.is_ascii()),
        };
        for (at, call) in calls(runs) {
            for path in &call.paths {
                match index.find(places, at, path) {
                    Some(place) => {
                        let traces = found.files.entry(place.place).or_default();
                        traces.add(at, call, place.in_work_tree);
                    }
                    None => found.has_outside |= may_write(call),
                }
            }
        }
        Some(found)
    }

    /// What calls did to a file under any name.
    pub(super) fn of_file(&self, file: &ClaimedFile<'_>) -> OtherNames {
        let mut traces = self.files.get(file.place()).copied().unwrap_or_default();
        let identity = file.identity();
        if file.may_have_other_names() || self.has_other_letters {
            let same = identity.and_then(|own| self.by_identity(file).get(&own.place).copied());
            traces.merge(same.unwrap_or_default());
        }
        OtherNames {
            traces,
            may_be_outside: self.has_outside && identity.is_some_and(|own| own.names > 1),
        }
    }

    fn by_identity(&self, file: &ClaimedFile<'_>) -> &HashMap<(u64, u64), FileTraces> {
        self.by_identity.get_or_init(|| {
            let mut found: HashMap<_, FileTraces> = HashMap::new();
            for (place, traces) in &self.files {
                if let Some(FileIdentity { place, .. }) = file.root().identity(place) {
                    found.entry(place).or_default().merge(*traces);
                }
            }
            found
        })
    }
}
