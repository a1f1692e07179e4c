//! The laws of the property tests, for inputs that a fuzzer makes.

#[path = "../../tests/laws/mod.rs"]
mod laws;
#[path = "../../tests/common/xml.rs"]
mod xml;

/// Holds retval to the law of that name; panics where it is broken.
pub fn hold(name: &str, bytes: &[u8]) {
    laws::hold(name, bytes);
}
