//! Parse and check, with any profile and options, in every format.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| retval_fuzz::hold("check", bytes));
