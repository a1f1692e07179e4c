//! The laws of the property tests, for inputs from a fuzzer.

#[path = "../../tests/laws/mod.rs"]
mod laws;
#[path = "../../tests/common/xml.rs"]
mod xml;

/// Checks the law with this name; panics if it does not hold.
pub fn hold(name: &str, bytes: &[u8]) {
    laws::hold(name, bytes);
}
