//! Objects: files, folders, commits and tags. Each is loose, in a file of its own, or in a pack.

mod pack;

use std::collections::HashMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZError, MZFlush, MZStatus};

use super::id::{CommitId, IdFormat, ObjectId};
use super::{OBJECT_AT_MOST, RepositoryGap, files};
use pack::Pack;

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
    budget: ObjectBudget,
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
            folders: with_alternates(folder),
            format,
            is_shallow,
            packs: OnceLock::new(),
            budget: ObjectBudget::default(),
            recent: RecentObjects::default(),
            last_pack: AtomicUsize::new(0),
        }
    }

    /// Renews the budget and forgets recent objects, for the next return.
    pub(super) fn renew(&self) {
        self.budget.renew();
        self.recent.clear();
    }

    pub(super) fn budget(&self) -> &ObjectBudget {
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
            if let Some(object) = read_loose(folder, id, &self.budget)? {
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
            found.extend(loose_starting(folder, digits, self.format, &self.budget)?);
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

/// Most bytes of a list of such folders.
const LIST_AT_MOST: u64 = 64 << 10;
/// Most folders of one repository. Others are not looked at.
const FOLDERS_AT_MOST: usize = 16;

/// A folder of objects, those that its list names, and those that their lists name in turn.
fn with_alternates(own: PathBuf) -> Vec<PathBuf> {
    let mut folders = vec![own];
    let mut at = 0;
    while let Some(folder) = folders.get(at).cloned() {
        let list = files::read_text(&folder.join("info/alternates"), LIST_AT_MOST);
        let list = list.ok().flatten().unwrap_or_default();
        let lines = list
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#'));
        for path in lines.map(|line| folder.join(line)) {
            if folders.len() < FOLDERS_AT_MOST && !folders.contains(&path) {
                folders.push(path);
            }
        }
        at += 1;
    }
    folders
}

/// What a name in a folder or in an index costs, in bytes of the budget.
const NAME_COST: usize = 256;
/// Most objects with the same first digits that are looked at.
const STARTING_AT_MOST: usize = 16;
/// Most bytes of the header of an object.
const HEADER_AT_MOST: u64 = 64;

/// Reads a loose object, which has a file of its own. None if there is none.
fn read_loose(
    folder: &Path,
    id: ObjectId,
    budget: &ObjectBudget,
) -> Result<Option<StoredObject>, RepositoryGap> {
    let name = id.to_string();
    let (first, rest) = name.split_at(2);
    let Some(mut file) = files::open(&folder.join(first).join(rest))? else {
        return Ok(None);
    };
    let mut bytes = unpack(&mut file, OBJECT_AT_MOST + HEADER_AT_MOST, budget)?;
    let end = memchr::memchr(0, &bytes).ok_or(RepositoryGap::Unreadable)?;
    let header = std::str::from_utf8(&bytes[..end])
        .ok()
        .and_then(|header| header.split_once(' '));
    let (kind, size) = header.ok_or(RepositoryGap::Unreadable)?;
    let kind = match kind {
        "commit" => StoredKind::Commit,
        "tree" => StoredKind::Tree,
        "blob" => StoredKind::Blob,
        "tag" => StoredKind::Tag,
        _ => return Err(RepositoryGap::Unreadable),
    };
    let size = size.parse::<usize>().ok();
    bytes.drain(..=end);
    if size != Some(bytes.len()) {
        return Err(RepositoryGap::Unreadable);
    }
    Ok(Some(StoredObject { kind, bytes }))
}

/// The loose objects whose ids begin with these digits.
fn loose_starting(
    folder: &Path,
    digits: &str,
    format: IdFormat,
    budget: &ObjectBudget,
) -> Result<Vec<ObjectId>, RepositoryGap> {
    let (first, rest) = digits.split_at(2);
    let Ok(entries) = fs::read_dir(folder.join(first)) else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    for entry in entries.flatten() {
        budget.spend(NAME_COST)?;
        let name = entry.file_name();
        let name = name.to_str().filter(|name| name.starts_with(rest));
        found.extend(name.and_then(|name| format.parse(&format!("{first}{name}"))));
        if found.len() == STARTING_AT_MOST {
            break;
        }
    }
    Ok(found)
}

/// Most bytes of all objects that are kept.
const KEPT_AT_MOST: usize = 4 << 20;
/// Bytes that each object takes besides its content.
const ENTRY: usize = 128;

/// A cache of commits and folders: the files of one return share most of them.
#[derive(Debug, Default)]
struct RecentObjects(Mutex<KeptObjects>);

#[derive(Debug, Default)]
struct KeptObjects {
    objects: HashMap<ObjectId, Arc<StoredObject>>,
    bytes: usize,
}

impl RecentObjects {
    fn clear(&self) {
        *self.kept() = KeptObjects::default();
    }

    fn get(&self, id: ObjectId) -> Option<Arc<StoredObject>> {
        self.kept().objects.get(&id).cloned()
    }

    /// Keeps an object if it may be read again, as long as there is room.
    fn add(&self, id: ObjectId, object: &Arc<StoredObject>) {
        let size = object.bytes.len() + ENTRY;
        let mut kept = self.kept();
        let is_shared = matches!(object.kind, StoredKind::Commit | StoredKind::Tree);
        if is_shared && kept.bytes + size <= KEPT_AT_MOST {
            kept.bytes += size;
            kept.objects.insert(id, Arc::clone(object));
        }
    }

    fn kept(&self) -> MutexGuard<'_, KeptObjects> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Most bytes that are read and unpacked for one return, until the budget is renewed: about a second of work.
const WORK_AT_MOST: u64 = 256 << 20;

/// A limit of the work for one return: a small hostile repository can unpack to any size.
///
/// How many bytes have been read and unpacked. Other work counts as the number of bytes that take the
/// same time.
#[derive(Debug, Default)]
pub(super) struct ObjectBudget(AtomicU64);

impl ObjectBudget {
    fn renew(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    pub(super) fn spend(&self, bytes: usize) -> Result<(), RepositoryGap> {
        let bytes = bytes as u64;
        let spent = self.0.fetch_add(bytes, Ordering::Relaxed);
        if spent.saturating_add(bytes) > WORK_AT_MOST {
            Err(RepositoryGap::TooLarge)
        } else {
            Ok(())
        }
    }
}

/// Bytes that are read and unpacked at a time.
const CHUNK: usize = 16 << 10;

/// What each stream costs besides its bytes, in bytes of the budget.
const STREAM_COST: usize = 4 << 10;

/// Unpacks a compressed stream. An error if it has more than `most` bytes. Packed bytes cost, too: an endless
/// stream may unpack to nothing.
fn unpack(
    packed: &mut dyn Read,
    most: u64,
    budget: &ObjectBudget,
) -> Result<Vec<u8>, RepositoryGap> {
    budget.spend(STREAM_COST)?;
    let mut state = InflateState::new_boxed(DataFormat::Zlib);
    let mut input = vec![0; CHUNK];
    let mut output = vec![0; CHUNK];
    let (mut start, mut end) = (0, 0);
    let mut bytes = Vec::new();
    loop {
        if start == end {
            start = 0;
            end = packed
                .read(&mut input)
                .map_err(|_| RepositoryGap::Unreadable)?;
        }
        let is_cut = start == end;
        let step = inflate(&mut state, &input[start..end], &mut output, MZFlush::None);
        budget.spend(step.bytes_consumed + step.bytes_written)?;
        start += step.bytes_consumed;
        bytes.extend_from_slice(&output[..step.bytes_written]);
        if bytes.len() as u64 > most {
            return Err(RepositoryGap::TooLarge);
        }
        match step.status {
            Ok(MZStatus::StreamEnd) => return Ok(bytes),
            Ok(_) | Err(MZError::Buf) if !is_cut || step.bytes_written > 0 => {}
            _ => return Err(RepositoryGap::Unreadable),
        }
    }
}
