//! Unpacks compressed data, but never more than the caller asks for or the budget allows.

use std::io::Read;

use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZError, MZFlush, MZStatus};

use super::super::RepositoryGap;
use super::budget::Budget;

/// Bytes that are read and unpacked at a time.
const CHUNK: usize = 16 << 10;

/// What each stream costs besides its bytes, in bytes of the budget.
const STREAM_COST: usize = 4 << 10;

/// Unpacks a stream. An error if it has more than `most` bytes. Packed bytes cost, too: an endless
/// stream may unpack to nothing.
pub(super) fn unpack(
    packed: &mut dyn Read,
    most: u64,
    budget: &Budget,
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
