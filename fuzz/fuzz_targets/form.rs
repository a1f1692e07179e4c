//! Fuzzes the reading of messages in every form.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| retval::testing::hold("form", bytes));
