//! Compressed data, of which no more is unpacked than was asked for.

use std::io::Read;

use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZError, MZFlush, MZStatus};

use super::super::RepositoryGap;

/// Bytes that are unpacked at a time.
const CHUNK: usize = 16 << 10;

/// Unpacks a stream of so many bytes at most.
pub(super) fn unpack(packed: &mut dyn Read, most: u64) -> Result<Vec<u8>, RepositoryGap> {
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
