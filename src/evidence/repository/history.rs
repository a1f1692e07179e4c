//! Commits and their parents.

use std::collections::{BinaryHeap, HashMap};

use super::id::ObjectId;
use super::objects::{Commit, Objects, StoredKind, TreeEntry};
use super::{COMMITS_AT_MOST, CommitId, RepositoryGap};

/// Most tags in a row, each of which names the next.
const TAGS_AT_MOST: usize = 8;
/// Most `^` and `~` after a name.
const STEPS_AT_MOST: usize = 16;

/// The commit to which steps such as `^2~3` lead from another one: `~3` goes three times to the first parent,
/// `^2` to the second parent.
pub(super) fn ancestor(
    objects: &Objects,
    mut id: CommitId,
    steps: &str,
) -> Result<CommitId, RepositoryGap> {
    let parent = |id, number: usize| {
        let Some(index) = number.checked_sub(1) else {
            return Ok(id);
        };
        let commit = objects.commit(id)?;
        let parent = commit.parents.get(index);
        parent.copied().ok_or(RepositoryGap::NoSuchCommit)
    };
    for (index, (at, sign)) in steps.match_indices(['^', '~']).enumerate() {
        let digits = steps[at + 1..].split(['^', '~']).next().unwrap_or_default();
        let count = if digits.is_empty() {
            Ok(1)
        } else {
            digits.parse()
        };
        let count = count
            .ok()
            .filter(|it| *it <= COMMITS_AT_MOST && index < STEPS_AT_MOST);
        let count = count.ok_or(RepositoryGap::NoSuchCommit)?;
        id = match sign {
            "~" => (0..count).try_fold(id, |id, _| parent(id, 1))?,
            _ => parent(id, count)?,
        };
    }
    Ok(id)
}

/// The commit that an id leads to: that of the commit itself, or of a tag that names it.
pub(super) fn peel(objects: &Objects, mut id: ObjectId) -> Result<CommitId, RepositoryGap> {
    for _ in 0..TAGS_AT_MOST {
        let object = objects.read(id)?;
        match object.kind {
            StoredKind::Commit => return Ok(CommitId(id)),
            StoredKind::Tag => id = objects.tagged(&object)?,
            _ => return Err(RepositoryGap::NoSuchCommit),
        }
    }
    Err(RepositoryGap::NoSuchCommit)
}

pub(super) fn entry(
    objects: &Objects,
    id: CommitId,
    names: &[String],
) -> Result<Option<TreeEntry>, RepositoryGap> {
    entry_in(objects, objects.commit(id)?.tree, names)
}

fn entry_in(
    objects: &Objects,
    tree: ObjectId,
    names: &[String],
) -> Result<Option<TreeEntry>, RepositoryGap> {
    let mut tree = tree;
    let mut found = None;
    for (index, name) in names.iter().enumerate() {
        found = objects.tree_entry(tree, name)?;
        match found {
            None => return Ok(None),
            Some(entry) if entry.is_tree() => tree = entry.id,
            // The path goes through something that is not a folder, such as a symlink or a submodule.
            Some(entry) if index + 1 < names.len() => return Ok(Some(entry)),
            Some(_) => {}
        }
    }
    Ok(found)
}

/// A commit in the queue. The latest one comes first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Waiting {
    time: u64,
    id: CommitId,
}

/// The search for the new commits: ancestors of `head` that are not ancestors of the base. The base and
/// its ancestors are old.
struct Since<'o> {
    objects: &'o Objects,
    waiting: BinaryHeap<Waiting>,
    /// For each visited commit, whether it is old.
    seen: HashMap<CommitId, bool>,
    new_waiting: usize,
}

impl Since<'_> {
    fn add(&mut self, id: CommitId, is_old: bool) -> Result<(), RepositoryGap> {
        match self.seen.insert(id, is_old) {
            None => {
                if self.seen.len() > COMMITS_AT_MOST {
                    return Err(RepositoryGap::TooLarge);
                }
                let time = self.objects.commit(id)?.time;
                self.waiting.push(Waiting { time, id });
                self.new_waiting += usize::from(!is_old);
            }
            Some(true) => {
                self.seen.insert(id, true);
            }
            Some(false) if is_old => {
                if self.waiting.iter().any(|waiting| waiting.id == id) {
                    self.new_waiting -= 1;
                } else {
                    // Already visited as new, because commit times are out of order: queue it again, so
                    // that its ancestors are marked old too.
                    let time = self.objects.commit(id)?.time;
                    self.waiting.push(Waiting { time, id });
                }
            }
            Some(false) => {}
        }
        Ok(())
    }
}

/// Whether a commit that `head` has and the base does not have changes a path. A merge changes it only
/// if it differs from all its parents.
pub(super) fn is_changed_since(
    objects: &Objects,
    head: CommitId,
    base: CommitId,
    names: &[String],
) -> Result<bool, RepositoryGap> {
    if head == base {
        return Ok(false);
    }
    let mut since = Since {
        objects,
        waiting: BinaryHeap::new(),
        seen: HashMap::new(),
        new_waiting: 0,
    };
    since.add(base, true)?;
    since.add(head, false)?;
    let mut young: Vec<(CommitId, Commit)> = Vec::new();
    let mut meets_base = false;
    while since.new_waiting > 0 {
        let Some(Waiting { id, .. }) = since.waiting.pop() else {
            break;
        };
        let is_old = since.seen.get(&id).copied().unwrap_or_default();
        let commit = objects.commit(id)?;
        since.new_waiting -= usize::from(!is_old);
        for parent in &commit.parents {
            meets_base |= !is_old && *parent == base;
            since.add(*parent, is_old)?;
        }
        if !is_old {
            young.push((id, commit));
        }
    }
    if !meets_base {
        return Err(RepositoryGap::Diverged);
    }
    // Drop commits that were marked old later.
    young.retain(|(id, _)| since.seen.get(id) == Some(&false));
    for (_, commit) in &young {
        let entry = entry_in(objects, commit.tree, names)?;
        let mut parents = commit.parents.iter();
        let is_unchanged = parents.try_fold(false, |same, parent| {
            Ok::<bool, RepositoryGap>(same || self::entry(objects, *parent, names)? == entry)
        })?;
        if !is_unchanged {
            return Ok(true);
        }
    }
    Ok(false)
}
