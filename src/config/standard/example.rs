//! The example of a standard, which must keep it.

use std::path::Path;

use toml::Spanned;

use crate::check::Checker;
use crate::check::rules::{Level, Step};
use crate::config::standard::build::Builder;
use crate::profile::Profile;
use crate::root::Root;
use crate::text::escape::truncated;

/// The most bytes of an example.
const BYTES_AT_MOST: u64 = 1024 * 1024;

impl Builder<'_, '_> {
    /// The text of an example. Its files need not be there.
    pub(super) fn example(&mut self, profile: &Profile, file: &Spanned<String>) -> Option<String> {
        let name = truncated(file.get_ref());
        let read = self.read_example(file.get_ref());
        let held = read.and_then(|(root, text)| {
            let report = Checker::new(profile, &root).check(&text);
            let mut findings = report.findings.iter();
            let wrong =
                findings.find(|it| it.level == Level::Error && it.rule.step != Step::Artifacts);
            wrong.map_or(Ok(()), |it| {
                let (line, column) = (it.position.line, it.position.column);
                Err(format!("{name}:{line}:{column}: {}", it.head()))
            })?;
            drop(report);
            Ok(text)
        });
        self.keep(file, held.map_err(|why| format!("`example`: {why}")))
    }

    fn read_example(&self, file: &str) -> Result<(Root, String), String> {
        let root = Root::open(self.folder()?).map_err(|error| error.to_string())?;
        let bytes = root.read(Path::new(file), BYTES_AT_MOST);
        let bytes = bytes.ok().filter(|it| it.len() as u64 <= BYTES_AT_MOST);
        let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
        let name = truncated(file);
        let why =
            "it is not a file below the folder of the configuration, of UTF-8 and at most 1 MiB";
        let text = text.ok_or_else(|| format!("cannot read {name}: {why}"))?;
        Ok((root, text))
    }
}
