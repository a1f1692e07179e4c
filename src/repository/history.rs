//! Commits and their parents.

use std::collections::{BinaryHeap, HashMap};
use std::time::{SystemTime, UNIX_EPOCH};

use super::id::ObjectId;
use super::objects::{Commit, Objects, StoredKind, TreeEntry};
use super::{COMMITS_AT_MOST, CommitId, RepositoryGap};

/// Tags that name one another.
const TAGS_AT_MOST: usize = 8;
/// The most `^` and `~` after a name.
const STEPS_AT_MOST: usize = 16;

/// One step back in the history.
#[derive(Debug, Clone, Copy)]
pub(super) enum HistoryStep {
    /// `~3`: so many first parents.
    First(usize),
    /// `^2`: the parent with that number.
    Parent(usize),
}

/// The steps that stand after a name.
pub(super) fn steps(text: &str) -> Result<Vec<HistoryStep>, RepositoryGap> {
    let mut steps = Vec::new();
    let mut rest = text;
    while let Some(sign) = rest.chars().next() {
        let digits = &rest[1..rest[1..].find(['^', '~']).map_or(rest.len(), |end| end + 1)];
        rest = &rest[1 + digits.len()..];
        let count = if digits.is_empty() {
            Ok(1)
        } else {
            digits.parse()
        };
        let count = count.ok().filter(|count| *count <= COMMITS_AT_MOST);
        let count = count.ok_or(RepositoryGap::NoSuchCommit)?;
        steps.push(if sign == '~' {
            HistoryStep::First(count)
        } else {
            HistoryStep::Parent(count)
        });
    }
    if steps.len() > STEPS_AT_MOST {
        return Err(RepositoryGap::NoSuchCommit);
    }
    Ok(steps)
}

pub(super) fn parent(
    objects: &Objects,
    id: CommitId,
    step: HistoryStep,
) -> Result<CommitId, RepositoryGap> {
    let nth = |id, number: usize| {
        let Some(index) = number.checked_sub(1) else {
            return Ok(id);
        };
        let commit = objects.commit(id)?;
        let parent = commit.parents.get(index);
        parent.copied().ok_or(RepositoryGap::NoSuchCommit)
    };
    match step {
        HistoryStep::Parent(number) => nth(id, number),
        HistoryStep::First(count) => (0..count).try_fold(id, |id, _| nth(id, 1)),
    }
}

/// The commit that an object is, or that a tag names.
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

/// The last commit on the way of the first parents that was made by then.
pub(super) fn last_before(
    objects: &Objects,
    head: CommitId,
    time: SystemTime,
) -> Result<CommitId, RepositoryGap> {
    let time = time
        .duration_since(UNIX_EPOCH)
        .map_or(0, |time| time.as_secs());
    let mut id = head;
    for _ in 0..COMMITS_AT_MOST {
        let commit = objects.commit(id)?;
        if commit.time <= time {
            return Ok(id);
        }
        id = *commit.parents.first().ok_or(RepositoryGap::NoSuchCommit)?;
    }
    Err(RepositoryGap::TooLarge)
}

/// What a commit has at a path.
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
            // A link or a submodule is what the path leads to.
            Some(entry) if index + 1 < names.len() => return Ok(Some(entry)),
            Some(_) => {}
        }
    }
    Ok(found)
}

/// A commit that waits to be looked at, the youngest first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Waiting {
    time: u64,
    id: CommitId,
}

/// The commits of `head` that the base does not have.
struct Since<'o> {
    objects: &'o Objects,
    waiting: BinaryHeap<Waiting>,
    /// Of each commit that was seen, whether the base has it.
    seen: HashMap<CommitId, bool>,
    /// Commits that wait and are not the base's.
    open: usize,
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
                self.open += usize::from(!is_old);
            }
            Some(true) => {
                self.seen.insert(id, true);
            }
            Some(false) if is_old => {
                if self.waiting.iter().any(|waiting| waiting.id == id) {
                    self.open -= 1;
                } else {
                    // Its clock was wrong: what it descends from is the base's, too.
                    let time = self.objects.commit(id)?.time;
                    self.waiting.push(Waiting { time, id });
                }
            }
            Some(false) => {}
        }
        Ok(())
    }
}

/// Whether a commit of `head` that the base does not have changes a path.
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
        open: 0,
    };
    since.add(base, true)?;
    since.add(head, false)?;
    let mut young: Vec<(CommitId, Commit)> = Vec::new();
    let mut meets_base = false;
    while since.open > 0 {
        let Some(Waiting { id, .. }) = since.waiting.pop() else {
            break;
        };
        let is_old = since.seen.get(&id).copied().unwrap_or_default();
        let commit = objects.commit(id)?;
        since.open -= usize::from(!is_old);
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
    // A commit may turn out late to be the base's.
    young.retain(|(id, _)| since.seen.get(id) == Some(&false));
    for (_, commit) in &young {
        let entry = entry_in(objects, commit.tree, names)?;
        let mut parents = commit.parents.iter();
        let is_parents = parents.try_fold(false, |same, parent| {
            Ok::<bool, RepositoryGap>(same || self::entry(objects, *parent, names)? == entry)
        })?;
        if !is_parents {
            return Ok(true);
        }
    }
    Ok(false)
}
