//! Values that are set aside as they stand in the JSON, and read only if somebody needs them.

use serde::Deserialize;
use serde_json::value::RawValue;

/// Reads a value that was set aside.
pub(super) fn later<'a, T: Deserialize<'a> + Default>(raw: Option<&'a RawValue>) -> T {
    raw.and_then(|raw| serde_json::from_str(raw.get()).ok())
        .unwrap_or_default()
}
