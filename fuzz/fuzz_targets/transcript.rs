//! Fuzzes transcripts of agents.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| retval::testing::hold("transcript", bytes));
