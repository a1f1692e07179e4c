//! Objects that are stored as a delta from another object, their base.

use super::super::{OBJECT_AT_MOST, RepositoryGap};

pub(super) fn apply(base: &[u8], delta: &[u8]) -> Result<Vec<u8>, RepositoryGap> {
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
