//! Fuzzes returns together with the transcripts that they are compared with.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| retval::testing::hold("evidence", bytes));
