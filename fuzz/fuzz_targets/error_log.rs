//! Fuzzes appending to the error log.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| retval::testing::hold("error_log", bytes));
