//! Checks the laws of the property tests with inputs from a fuzzer.

#[path = "../../tests/laws/mod.rs"]
mod laws;
#[path = "../../tests/common/xml.rs"]
mod xml;

/// Checks the law with this name. Panics if it is violated.
pub fn hold(name: &str, bytes: &[u8]) {
    laws::hold(name, bytes);
}
