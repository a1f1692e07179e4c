//! What fuzz targets and benchmarks reach of the crate. It is not part of the API and may change at any
//! time.

use std::io::{self, Read};

use crate::clients::transcript;
use crate::document::{self, Form, ReadOptions};
use crate::laws;

/// Holds retval to the law with this name, for any bytes. Panics if the law is violated.
pub fn hold(name: &str, bytes: &[u8]) {
    laws::hold(name, bytes);
}

/// Reads a text as a return in the form of text. Returns whether it can be read.
#[must_use]
pub fn reads_text(text: &str) -> bool {
    document::read(Form::Text, text, &ReadOptions::default()).is_ok()
}

/// Reads a transcript. Returns the number of its runs.
///
/// # Errors
///
/// If it is no transcript.
pub fn read_transcript(source: impl Read) -> io::Result<usize> {
    let transcript = transcript::read(source).map_err(io::Error::other)?;
    Ok(transcript.runs.len())
}
