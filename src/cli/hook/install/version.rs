//! The version of Claude Code: newer ones know events that make older ones ignore all settings.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use crate::clients::HookSettings;
use serde_json::Value;

use super::{program, settings_text};

/// The first version that knows the newer events.
const NEWER: ClientVersion = ClientVersion([2, 1, 78]);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ClientVersion([u64; 3]);

impl ClientVersion {
    pub(super) fn has_newer_events(self) -> bool {
        self >= NEWER
    }
}

impl fmt::Display for ClientVersion {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.0;
        write!(out, "{major}.{minor}.{patch}")
    }
}

impl FromStr for ClientVersion {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let expected = "expected three numbers, such as 2.1.78";
        // What follows the numbers, such as `-beta.1`, does not count.
        let numbers = text.split(['-', '+', ' ']).next().unwrap_or_default();
        let mut parts = numbers.split('.').map(|part| part.parse().ok());
        let mut next = || parts.next().flatten().ok_or(expected);
        let version = Self([next()?, next()?, next()?]);
        parts.next().map_or(Ok(version), |_| Err(expected))
    }
}

/// The version of the client on the `PATH`, from its files. The client is not run.
pub(super) fn found(client: &HookSettings) -> Option<ClientVersion> {
    let package = client.client.facts().package?;
    let program = program::find_client(client)?.canonicalize().ok()?;
    let name = program.file_name()?.to_str()?;
    let by_name = || name.parse().ok();
    let mut folders = program.ancestors().skip(1).take(3);
    folders
        .find_map(|folder| of_package(folder, package))
        .or_else(by_name)
}

fn of_package(folder: &Path, package: &str) -> Option<ClientVersion> {
    let found = settings_text::read(&folder.join("package.json"))?;
    let text = |key: &str| found.get(key).and_then(Value::as_str);
    let is_client = text("name")?.starts_with(package);
    text("version")?.parse().ok().filter(|_| is_client)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        for (text, is_newer) in [
            ("2.0.77", false),
            ("2.1.9", false),
            ("2.1.78", true),
            ("2.1.330-beta.1", true),
            ("10.0.0", true),
        ] {
            let version: ClientVersion = text.parse().expect("a version");
            assert_eq!(version.has_newer_events(), is_newer, "{text}");
        }
        for text in ["", "2.1", "2.1.x", "2.1.78.1", "v2.1.78", "-"] {
            assert!(text.parse::<ClientVersion>().is_err(), "{text}");
        }
    }
}
