//! Packs: files with many objects, and the index of each. An object may be stored as a delta from another.

use std::fs::{self, File};
use std::io::{BufReader, Read, Seek as _, SeekFrom};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::super::id::{IdFormat, ObjectId};
use super::super::{OBJECT_AT_MOST, RepositoryGap, files};
use super::{NAME_COST, ObjectBudget, StoredKind, StoredObject, unpack};

/// The beginning of an index, version 2.
const MAGIC: [u8; 8] = [0xff, b't', b'O', b'c', 0, 0, 0, 2];
/// How many bytes of an index are before the ids: the magic number, and the fanout table with 256
/// counts.
const BEFORE_NAMES: usize = 8 + 4 * 256;
/// Longest delta chain. Git's default is 50, its limit 4095.
const DELTAS_AT_MOST: usize = 4095;
/// Most bytes of all deltas in the chain of one object.
const DELTA_BYTES_AT_MOST: u64 = OBJECT_AT_MOST;
/// Most files in the folder of packs that are looked at.
const FILES_AT_MOST: usize = 16 << 10;
/// Most objects with the same first digits that are looked at.
const STARTING_AT_MOST: u64 = 16;

#[derive(Debug)]
pub(super) struct Pack {
    format: IdFormat,
    /// For each byte, how many ids begin with that byte or a lower one.
    fanout: Vec<u32>,
    index: Mutex<File>,
    data: Mutex<File>,
}

enum Stored {
    Whole(StoredKind),
    /// A delta from the object at another offset.
    Delta(u64),
}

/// The packs of a folder that can be read.
pub(super) fn all(folder: &Path, format: IdFormat, most: usize) -> Vec<Pack> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let entries = entries.take(FILES_AT_MOST);
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let indexes = paths.filter(|path| path.extension().is_some_and(|it| it == "idx"));
    indexes
        .filter_map(|path| Pack::open(&path, format).ok().flatten())
        .take(most)
        .collect()
}

fn locked(file: &Mutex<File>) -> MutexGuard<'_, File> {
    file.lock().unwrap_or_else(PoisonError::into_inner)
}

fn read_at(file: &Mutex<File>, at: u64, bytes: &mut [u8]) -> Result<(), RepositoryGap> {
    let mut file = locked(file);
    file.seek(SeekFrom::Start(at))
        .and_then(|_| file.read_exact(bytes))
        .map_err(|_| RepositoryGap::Unreadable)
}

impl Pack {
    fn open(index: &Path, format: IdFormat) -> Result<Option<Self>, RepositoryGap> {
        let (Some(file), Some(data)) = (
            files::open(index)?,
            files::open(&index.with_extension("pack"))?,
        ) else {
            return Ok(None);
        };
        let index = Mutex::new(file);
        let mut head = [0; BEFORE_NAMES];
        read_at(&index, 0, &mut head)?;
        let (magic, counts) = head.split_at(MAGIC.len());
        let counts = counts
            .chunks_exact(4)
            .map(|bytes| bytes.try_into().map_or(0, u32::from_be_bytes));
        let fanout: Vec<u32> = counts.collect();
        if magic != MAGIC || !fanout.is_sorted() {
            return Err(RepositoryGap::Unsupported);
        }
        Ok(Some(Self {
            format,
            fanout,
            index,
            data: Mutex::new(data),
        }))
    }

    fn count(&self) -> u64 {
        self.fanout.last().copied().unwrap_or_default().into()
    }

    fn name(&self, position: u64) -> Result<ObjectId, RepositoryGap> {
        let length = self.format.length();
        let mut bytes = [0; 32];
        read_at(
            &self.index,
            BEFORE_NAMES as u64 + position * length as u64,
            &mut bytes[..length],
        )?;
        self.format.id(&bytes).ok_or(RepositoryGap::Unreadable)
    }

    /// The first position in the index whose id is not lower than `name`.
    fn position(&self, name: &[u8], budget: &ObjectBudget) -> Result<u64, RepositoryGap> {
        let first = name.first().copied().map_or(0, usize::from);
        let mut low = first
            .checked_sub(1)
            .map_or(0, |before| u64::from(self.fanout[before]));
        let mut high = u64::from(self.fanout[first]);
        while low < high {
            budget.spend(NAME_COST)?;
            let middle = low.midpoint(high);
            if self.name(middle)?.as_bytes() < name {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }

    /// The byte offset of an object in the pack. None if the pack does not have it.
    pub(super) fn find(
        &self,
        id: ObjectId,
        budget: &ObjectBudget,
    ) -> Result<Option<u64>, RepositoryGap> {
        let position = self.position(id.as_bytes(), budget)?;
        if position >= self.count() || self.name(position)? != id {
            return Ok(None);
        }
        let names = BEFORE_NAMES as u64 + self.count() * self.format.length() as u64;
        let offsets = names + 4 * self.count();
        let mut short = [0; 4];
        read_at(&self.index, offsets + 4 * position, &mut short)?;
        let short = u32::from_be_bytes(short);
        if short & 0x8000_0000 == 0 {
            return Ok(Some(short.into()));
        }
        let mut long = [0; 8];
        let at = offsets + 4 * self.count() + 8 * u64::from(short & 0x7fff_ffff);
        read_at(&self.index, at, &mut long)?;
        Ok(Some(u64::from_be_bytes(long)))
    }

    /// The objects whose ids begin with these digits.
    pub(super) fn starting(
        &self,
        digits: &str,
        budget: &ObjectBudget,
    ) -> Result<Vec<ObjectId>, RepositoryGap> {
        let width = 2 * self.format.length();
        let first = self.format.parse(&format!("{digits:0<width$}"));
        let first = first.ok_or(RepositoryGap::NoSuchCommit)?;
        let start = self.position(first.as_bytes(), budget)?;
        let mut found = Vec::new();
        for position in start..self.count().min(start + STARTING_AT_MOST) {
            let id = self.name(position)?;
            if !id.to_string().starts_with(digits) {
                break;
            }
            found.push(id);
        }
        Ok(found)
    }

    /// Reads the object at a byte offset, and applies its deltas.
    pub(super) fn read(
        &self,
        offset: u64,
        budget: &ObjectBudget,
    ) -> Result<StoredObject, RepositoryGap> {
        let mut deltas: Vec<Vec<u8>> = Vec::new();
        let mut size = 0;
        let mut at = offset;
        loop {
            let (stored, mut bytes) = self.stored(at, budget)?;
            match stored {
                Stored::Whole(kind) => {
                    for delta in deltas.iter().rev() {
                        bytes = apply(&bytes, delta)?;
                        budget.spend(bytes.len())?;
                    }
                    return Ok(StoredObject { kind, bytes });
                }
                Stored::Delta(base) => {
                    size += bytes.len() as u64;
                    if deltas.len() >= DELTAS_AT_MOST || size > DELTA_BYTES_AT_MOST {
                        return Err(RepositoryGap::TooLarge);
                    }
                    deltas.push(bytes);
                    at = base;
                }
            }
        }
    }

    fn stored(&self, at: u64, budget: &ObjectBudget) -> Result<(Stored, Vec<u8>), RepositoryGap> {
        let mut file = locked(&self.data);
        file.seek(SeekFrom::Start(at))
            .map_err(|_| RepositoryGap::Unreadable)?;
        let mut reader = BufReader::with_capacity(4 << 10, &mut *file);
        let (kind, size) = header(&mut reader)?;
        if size > OBJECT_AT_MOST {
            return Err(RepositoryGap::TooLarge);
        }
        let stored = match kind {
            1 => Stored::Whole(StoredKind::Commit),
            2 => Stored::Whole(StoredKind::Tree),
            3 => Stored::Whole(StoredKind::Blob),
            4 => Stored::Whole(StoredKind::Tag),
            6 => {
                let back = distance(&mut reader)?;
                let base = at.checked_sub(back).filter(|_| back > 0);
                Stored::Delta(base.ok_or(RepositoryGap::Unreadable)?)
            }
            7 => {
                let mut name = [0; 32];
                let name = &mut name[..self.format.length()];
                reader
                    .read_exact(name)
                    .map_err(|_| RepositoryGap::Unreadable)?;
                let id = self.format.id(name).ok_or(RepositoryGap::Unreadable)?;
                let base = self.find(id, budget)?;
                Stored::Delta(base.ok_or(RepositoryGap::ObjectMissing)?)
            }
            _ => return Err(RepositoryGap::Unreadable),
        };
        let bytes = unpack(&mut reader, size, budget)?;
        let is_whole = bytes.len() as u64 == size;
        is_whole
            .then_some((stored, bytes))
            .ok_or(RepositoryGap::Unreadable)
    }
}

fn byte(reader: &mut impl Read) -> Result<u8, RepositoryGap> {
    let mut byte = [0];
    reader
        .read_exact(&mut byte)
        .map_err(|_| RepositoryGap::Unreadable)?;
    Ok(byte[0])
}

/// Reads the kind and the unpacked size in bytes of what is stored.
fn header(reader: &mut impl Read) -> Result<(u8, u64), RepositoryGap> {
    let first = byte(reader)?;
    let mut size = u64::from(first & 0x0f);
    let mut next = first;
    let mut shift = 4;
    while next & 0x80 != 0 {
        if shift > 53 {
            return Err(RepositoryGap::Unreadable);
        }
        next = byte(reader)?;
        size |= u64::from(next & 0x7f) << shift;
        shift += 7;
    }
    Ok((first >> 4 & 7, size))
}

/// Reads how many bytes before a delta its base is.
fn distance(reader: &mut impl Read) -> Result<u64, RepositoryGap> {
    let mut next = byte(reader)?;
    let mut distance = u64::from(next & 0x7f);
    while next & 0x80 != 0 {
        next = byte(reader)?;
        let shifted = distance
            .checked_add(1)
            .and_then(|distance| distance.checked_mul(128));
        distance = shifted.ok_or(RepositoryGap::Unreadable)? | u64::from(next & 0x7f);
    }
    Ok(distance)
}

/// An object that is stored as a delta from another one, its base.
fn apply(base: &[u8], delta: &[u8]) -> Result<Vec<u8>, RepositoryGap> {
    result(base, delta).ok_or(RepositoryGap::Unreadable)
}

fn result(base: &[u8], delta: &[u8]) -> Option<Vec<u8>> {
    let mut rest = delta;
    let from = size(&mut rest)?;
    let to = size(&mut rest)?;
    if from != base.len() as u64 || to > OBJECT_AT_MOST {
        return None;
    }
    let mut bytes = Vec::new();
    while let Some((&instruction, after)) = rest.split_first() {
        rest = after;
        if instruction & 0x80 == 0 {
            let literal = rest
                .split_at_checked(usize::from(instruction))
                .filter(|_| instruction > 0)?;
            bytes.extend_from_slice(literal.0);
            rest = literal.1;
        } else {
            let start = number(&mut rest, instruction, 0..4)?;
            let length = match number(&mut rest, instruction >> 4, 0..3)? {
                0 => 0x1_0000,
                length => length,
            };
            bytes.extend_from_slice(base.get(start..start.checked_add(length)?)?);
        }
        if bytes.len() as u64 > to {
            return None;
        }
    }
    (bytes.len() as u64 == to).then_some(bytes)
}

/// Reads a size: seven bits in each byte, the lowest first.
fn size(rest: &mut &[u8]) -> Option<u64> {
    let mut size = 0_u64;
    for shift in (0..63).step_by(7) {
        let (&byte, after) = rest.split_first()?;
        *rest = after;
        size |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(size);
        }
    }
    None
}

/// Reads a number, the lowest byte first. Only bytes whose bit in `bits` is 1 are stored; the others are
/// 0.
fn number(rest: &mut &[u8], bits: u8, places: std::ops::Range<u32>) -> Option<usize> {
    let mut number = 0_usize;
    for place in places {
        if bits >> place & 1 == 1 {
            let (&byte, after) = rest.split_first()?;
            *rest = after;
            number |= usize::from(byte) << (8 * place);
        }
    }
    Some(number)
}
