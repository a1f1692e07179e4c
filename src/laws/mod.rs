//! Laws: invariants of retval for every input. A law takes bytes and panics if it is violated. The
//! property tests and the fuzz targets check the same laws.

mod baseline;
mod check;
mod claims;
mod clean;
mod config;
pub(crate) mod demands;
mod error_log;
mod evidence;
mod extract;
mod facts;
mod form;
mod formats;
#[cfg(test)]
pub(crate) mod generated;
mod hook;
mod machine;
mod places;
mod reading;
mod shell;
#[cfg(test)]
mod tests;
mod transcript;
mod xml;

use std::path::Path;
use std::sync::LazyLock;

use crate::Root;

/// Panics if retval violates it.
type Law = fn(&[u8]);

/// Every law, by the name of its fuzz target. Each decides what it can do with an input.
pub(crate) const LAWS: [(&str, Law); 11] = [
    ("baseline", baseline::hold),
    ("check", check::hold),
    ("claims", claims::hold),
    ("config", config::hold),
    ("error_log", error_log::hold),
    ("evidence", evidence::hold),
    ("extract", extract::hold),
    ("form", form::hold),
    ("hook", hook::hold),
    ("shell", shell::hold),
    ("transcript", transcript::hold),
];

/// Checks the law with this name.
pub(crate) fn hold(name: &str, bytes: &[u8]) {
    let law = LAWS.iter().find(|(known, _)| *known == name);
    let (_, law) = law.unwrap_or_else(|| panic!("no law is called {name}"));
    law(bytes);
}

/// The folder that contains the artifacts of the fixtures.
fn root() -> &'static Root {
    static ROOT: LazyLock<Root> = LazyLock::new(|| {
        let project = Path::new(env!("CARGO_MANIFEST_DIR"))
            .ancestors()
            .map(|folder| folder.join("fixtures/project"))
            .find(|folder| folder.is_dir());
        Root::open(project.expect("the fixtures")).expect("a root")
    });
    &ROOT
}
