//! The names of sources in a baseline. A path that is not UTF-8 has a name of its own, too: each byte
//! that is wrong stands as NUL and two digits, and no path has a NUL.

use std::path::{Path, PathBuf};

/// The name of a path.
#[cfg(unix)]
pub(super) fn encode(path: &Path) -> String {
    use std::fmt::Write as _;
    use std::os::unix::ffi::OsStrExt as _;
    let mut name = String::new();
    for chunk in path.as_os_str().as_bytes().utf8_chunks() {
        name.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let _ = write!(name, "\0{byte:02x}");
        }
    }
    name
}

/// The path of a name.
#[cfg(unix)]
pub(super) fn decode(name: &str) -> PathBuf {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt as _;
    let mut parts = name.split('\0');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at_checked(2).unwrap_or((part, ""));
        bytes.extend(u8::from_str_radix(digits, 16));
        bytes.extend_from_slice(rest.as_bytes());
    }
    OsString::from_vec(bytes).into()
}

// Elsewhere a name has no bytes of its own to show.
#[cfg(not(unix))]
pub(super) fn encode(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

// What [`encode`] wrote, there.
#[cfg(not(unix))]
pub(super) fn decode(name: &str) -> PathBuf {
    name.into()
}
