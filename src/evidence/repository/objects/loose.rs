//! Loose objects: each has a file of its own.

use std::fs;
use std::path::Path;

use super::super::id::{IdFormat, ObjectId};
use super::super::{OBJECT_AT_MOST, RepositoryGap, files};
use super::budget::Budget;
use super::{StoredKind, StoredObject, inflate};

/// What a name in a folder costs, in bytes of the budget.
const NAME_COST: usize = 256;
/// Most objects with the same first digits that are looked at.
const STARTING_AT_MOST: usize = 16;
/// Most bytes of the header of an object.
const HEADER_AT_MOST: u64 = 64;

pub(super) fn read(
    folder: &Path,
    id: ObjectId,
    budget: &Budget,
) -> Result<Option<StoredObject>, RepositoryGap> {
    let name = id.to_string();
    let (first, rest) = name.split_at(2);
    let Some(mut file) = files::open(&folder.join(first).join(rest))? else {
        return Ok(None);
    };
    let mut bytes = inflate::unpack(&mut file, OBJECT_AT_MOST + HEADER_AT_MOST, budget)?;
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

pub(super) fn starting(
    folder: &Path,
    digits: &str,
    format: IdFormat,
    budget: &Budget,
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
