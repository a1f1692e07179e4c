//! Returns, and the transcripts that they are held against.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| retval_fuzz::hold("evidence", bytes));
