//! Fuzzes the texts of claims.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| retval::testing::hold("claims", bytes));
