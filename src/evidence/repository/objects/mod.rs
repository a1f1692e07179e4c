//! Objects: files, folders, commits and tags.

mod alternates;
mod budget;
mod delta;
mod inflate;
mod loose;
mod pack;
mod recent;

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use super::RepositoryGap;
use super::id::{CommitId, IdFormat, ObjectId};
pub(super) use budget::Budget;
use pack::Pack;
use recent::RecentObjects;

/// Most packs that are looked at.
const PACKS_AT_MOST: usize = 512;

/// What looking for a loose object costs, in bytes of the budget.
const LOOK_COST: usize = 1 << 10;
/// Most parents of one commit. Merges of more than a few dozen are unknown outside of attacks.
const PARENTS_AT_MOST: usize = 128;
/// Fewest digits of a shortened id.
const DIGITS_AT_LEAST: usize = 7;

#[derive(Debug)]
pub(super) struct Objects {
    /// The repository's own folder, and those of other repositories whose objects it uses.
    folders: Vec<PathBuf>,
    format: IdFormat,
    is_shallow: bool,
    packs: OnceLock<Vec<Pack>>,
    budget: Budget,
    recent: RecentObjects,
    /// The index of the pack in which the last object was found.
    last_pack: AtomicUsize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StoredKind {
    Commit,
    Tree,
    Blob,
    Tag,
}

#[derive(Debug)]
pub(super) struct StoredObject {
    pub(super) kind: StoredKind,
    pub(super) bytes: Vec<u8>,
}

#[derive(Debug, Clone)]
pub(super) struct Commit {
    pub(super) tree: ObjectId,
    pub(super) parents: Vec<CommitId>,
    /// When it was committed, in seconds since 1970.
    pub(super) time: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TreeEntry {
    pub(super) mode: u32,
    pub(super) id: ObjectId,
}

impl TreeEntry {
    pub(super) fn is_tree(self) -> bool {
        self.mode == 0o40_000
    }
}

impl Objects {
    pub(super) fn open(folder: PathBuf, format: IdFormat, is_shallow: bool) -> Self {
        Self {
            folders: alternates::with_alternates(folder),
            format,
            is_shallow,
            packs: OnceLock::new(),
            budget: Budget::default(),
            recent: RecentObjects::default(),
            last_pack: AtomicUsize::new(0),
        }
    }

    /// Renews the budget and forgets recent objects, for the next return.
    pub(super) fn renew(&self) {
        self.budget.renew();
        self.recent.clear();
    }

    pub(super) fn budget(&self) -> &Budget {
        &self.budget
    }

    fn packs(&self) -> &[Pack] {
        let all = || {
            let mut packs = Vec::new();
            for folder in &self.folders {
                let room = PACKS_AT_MOST - packs.len();
                packs.extend(pack::all(&folder.join("pack"), self.format, room));
            }
            packs
        };
        self.packs.get_or_init(all)
    }

    pub(super) fn read(&self, id: ObjectId) -> Result<Arc<StoredObject>, RepositoryGap> {
        if let Some(object) = self.recent.get(id) {
            return Ok(object);
        }
        let object = Arc::new(self.find(id)?);
        self.recent.add(id, &object);
        Ok(object)
    }

    fn find(&self, id: ObjectId) -> Result<StoredObject, RepositoryGap> {
        for folder in &self.folders {
            self.budget.spend(LOOK_COST)?;
            if let Some(object) = loose::read(folder, id, &self.budget)? {
                return Ok(object);
            }
        }
        let packs = self.packs();
        // One pack has most of the history.
        let last = self.last_pack.load(Ordering::Relaxed);
        for at in (last..packs.len()).chain(0..last) {
            let pack = &packs[at];
            if let Some(offset) = pack.find(id, &self.budget)? {
                self.last_pack.store(at, Ordering::Relaxed);
                return pack.read(offset, &self.budget);
            }
        }
        Err(if self.is_shallow {
            RepositoryGap::Shallow
        } else {
            RepositoryGap::ObjectMissing
        })
    }

    pub(super) fn commit(&self, id: CommitId) -> Result<Commit, RepositoryGap> {
        let object = self.read(id.0)?;
        let commit = if object.kind == StoredKind::Commit {
            self.parse(&object)
        } else {
            None
        };
        commit.ok_or(RepositoryGap::Unreadable)
    }

    fn parse(&self, object: &StoredObject) -> Option<Commit> {
        let mut commit = None;
        for line in object.bytes.split(|byte| *byte == b'\n') {
            let line = String::from_utf8_lossy(line);
            match (line.split_once(' '), &mut commit) {
                (Some(("tree", id)), None) => {
                    commit = Some(Commit {
                        tree: self.format.parse(id)?,
                        parents: Vec::new(),
                        time: 0,
                    });
                }
                (Some(("parent", id)), Some(commit)) => {
                    if commit.parents.len() == PARENTS_AT_MOST {
                        return None;
                    }
                    commit.parents.push(CommitId(self.format.parse(id)?));
                }
                (Some(("committer", rest)), Some(commit)) => {
                    let seconds = rest.rsplit(' ').nth(1)?;
                    commit.time = seconds.parse::<i64>().ok()?.try_into().unwrap_or(0);
                    return Some(commit.clone());
                }
                _ => {}
            }
        }
        None
    }

    pub(super) fn tagged(&self, tag: &StoredObject) -> Result<ObjectId, RepositoryGap> {
        let line = tag
            .bytes
            .split(|byte| *byte == b'\n')
            .next()
            .unwrap_or_default();
        let id = String::from_utf8_lossy(line)
            .strip_prefix("object ")
            .and_then(|id| self.format.parse(id));
        id.ok_or(RepositoryGap::Unreadable)
    }

    pub(super) fn tree_entry(
        &self,
        tree: ObjectId,
        wanted: &str,
    ) -> Result<Option<TreeEntry>, RepositoryGap> {
        let object = self.read(tree)?;
        if object.kind != StoredKind::Tree {
            return Err(RepositoryGap::Unreadable);
        }
        let mut rest = &object.bytes[..];
        while !rest.is_empty() {
            let (entry, name, after) = self.next_entry(rest).ok_or(RepositoryGap::Unreadable)?;
            if name == wanted.as_bytes() {
                return Ok(Some(entry));
            }
            rest = after;
        }
        Ok(None)
    }

    fn next_entry<'t>(&self, tree: &'t [u8]) -> Option<(TreeEntry, &'t [u8], &'t [u8])> {
        let space = memchr::memchr(b' ', tree)?;
        let end = memchr::memchr(0, tree)?;
        let mode = std::str::from_utf8(tree.get(..space)?).ok()?;
        let name = tree.get(space + 1..end)?;
        let id = self.format.id(tree.get(end + 1..)?)?;
        let entry = TreeEntry {
            mode: u32::from_str_radix(mode, 8).ok()?,
            id,
        };
        Some((entry, name, tree.get(end + 1 + self.format.length()..)?))
    }

    /// The folders of objects. The first one is the repository's own.
    pub(super) fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    pub(super) fn pack_count(&self) -> usize {
        self.packs().len()
    }

    /// The objects whose ids begin with these digits, in lower case.
    pub(super) fn starting(&self, digits: &str) -> Result<Vec<ObjectId>, RepositoryGap> {
        let mut found = Vec::new();
        for folder in &self.folders {
            found.extend(loose::starting(folder, digits, self.format, &self.budget)?);
        }
        for pack in self.packs() {
            found.extend(pack.starting(digits, &self.budget)?);
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// The only commit whose id begins with these digits. None if missing, or if there are
    /// several.
    pub(super) fn complete(&self, digits: &str) -> Result<Option<ObjectId>, RepositoryGap> {
        let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_hex || digits.len() < DIGITS_AT_LEAST || digits.len() >= 2 * self.format.length() {
            return Ok(None);
        }
        let found = self.starting(&digits.to_ascii_lowercase())?;
        // Objects of other kinds with the same first digits do not count.
        let mut commits = Vec::new();
        for id in found {
            match self.read(id) {
                Ok(object) if object.kind == StoredKind::Commit => commits.push(id),
                Err(RepositoryGap::TooLarge) => return Err(RepositoryGap::TooLarge),
                _ => {}
            }
        }
        match commits[..] {
            [id] => Ok(Some(id)),
            _ => Ok(None),
        }
    }
}
