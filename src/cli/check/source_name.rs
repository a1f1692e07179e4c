//! The names of sources in a baseline. In a path that is not UTF-8, each invalid byte is written as NUL
//! and two hexadecimal digits. This is unambiguous, because no path contains NUL.

use std::path::{Path, PathBuf};

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

// On other systems, the name is the path as text.
#[cfg(not(unix))]
pub(super) fn encode(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

// The reverse of [`encode`] on other systems.
#[cfg(not(unix))]
pub(super) fn decode(name: &str) -> PathBuf {
    name.into()
}
