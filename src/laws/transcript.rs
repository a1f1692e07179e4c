//! A transcript has the same runs in whatever pieces it is read, and they contain only what is in it.

use std::io::Read;

use crate::clients::Client;
use crate::clients::transcript::{self, Completeness, Run, Sidecar, Transcript};

/// A record of a type that no client has.
const UNKNOWN: &[u8] = b"{\"type\":\"unknown\",\"timestamp\":\"2026-01-01T00:00:00Z\"}\n\n";

/// The bytes are a transcript, or a sidecar, or neither.
pub(crate) fn hold(bytes: &[u8]) {
    let read = transcript::read(bytes).ok();
    let slowly = transcript::read(Slowly(bytes)).ok();
    assert_eq!(read, slowly, "{:?}", String::from_utf8_lossy(bytes));
    if let Some(transcript) = read {
        held(bytes, &transcript);
    }
    if let Some(sidecar) = Sidecar::read(bytes) {
        let mut run = Run::default();
        run.add_sidecar(&sidecar);
        assert_eq!(run.agent_type, sidecar.agent_type);
    }
}

fn held(bytes: &[u8], transcript: &Transcript) {
    let lines = bytes.split(|byte| *byte == b'\n').count() as u64;
    for run in &transcript.runs {
        let places: Vec<u64> = run.calls.iter().map(|call| call.line).collect();
        assert!(places.is_sorted(), "{places:?}");
        assert!(places.iter().all(|line| (1..=lines).contains(line)), "{places:?}");
        let found = run.calls.len() as u64;
        let is_counted = run.reported_calls.is_none_or(|reported| reported == found);
        let is_complete = run.completeness == Completeness::Complete;
        assert!(!is_complete || is_counted || run.resumed || found == 0, "{run:?}");
        let mut merged = run.clone();
        merged.add_reported(run);
        assert_eq!(merged.calls, run.calls);
    }
    let is_of_lines = matches!(transcript.client, Client::ClaudeCode | Client::Copilot);
    if is_of_lines && bytes.ends_with(b"\n") {
        let longer = transcript::read(bytes.chain(UNKNOWN)).expect("still a transcript");
        assert_eq!(&longer, transcript, "an unknown record changes nothing");
    }
}

/// Gives a few bytes at a time, as a pipe may.
struct Slowly<'a>(&'a [u8]);

impl Read for Slowly<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = buffer.len().min(7);
        self.0.read(&mut buffer[..count])
    }
}
