//! Recognizes files by their extension.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use crate::clients::starts_stream;

/// Whether a file has one return per line, by its extension.
pub(super) fn is_stream(path: &Path) -> bool {
    has_extension(path, "ndjson") || has_extension(path, "jsonl")
}

/// The most bytes of a stream that are looked at. The first event of a client may list all its tools.
const FIRST: u64 = 256 * 1024;

/// Whether a regular file is a client's stream of events, by its first line. It is one return.
pub(super) fn is_client_stream(path: &Path) -> bool {
    let mut first = Vec::new();
    let is_regular = path.metadata().is_ok_and(|found| found.is_file());
    let file = is_regular.then(|| File::open(path).ok()).flatten();
    let read = file.map(|file| file.take(FIRST).read_to_end(&mut first));
    let valid = first.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    matches!(read, Some(Ok(_))) && starts_stream(valid)
}

/// Compares bytes for speed: this is called several times per file, and `Path` would parse the path
/// each time.
pub(super) fn has_extension(path: &Path, extension: &str) -> bool {
    let stem = path.as_os_str().as_encoded_bytes();
    let stem = stem.strip_suffix(extension.as_bytes());
    let stem = stem.and_then(|stem| stem.strip_suffix(b"."));
    stem.and_then(<[u8]>::last)
        .is_some_and(|last| !std::path::is_separator(char::from(*last)))
}
