//! Recognizes files by their extension.

use std::path::Path;

/// Whether a file has one return per line, by its extension.
pub(super) fn is_stream(path: &Path) -> bool {
    has_extension(path, "ndjson") || has_extension(path, "jsonl")
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
