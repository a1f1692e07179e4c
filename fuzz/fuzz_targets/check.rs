//! Fuzzes parsing and checking, with all profiles and options, in every format.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| retval::testing::hold("check", bytes));
