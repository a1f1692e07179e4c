//! Fuzzes payloads of hooks, and the answers to them.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| retval::testing::hold("hook", bytes));
