//! Fuzzes shell command lines.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| retval::testing::hold("shell", bytes));
