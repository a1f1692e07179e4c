//! Fuzzes the extraction of returns from other text.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| retval::testing::hold("extract", bytes));
