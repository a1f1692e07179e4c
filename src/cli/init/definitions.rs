//! Agent definitions: Markdown with front matter, or TOML with the prompt in a string.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, bail};
use toml::Table;
use walkdir::{DirEntry, WalkDir};

use crate::cli::files::read_regular;
use crate::cli::input::open_found;
use crate::clients::Client;
use crate::text::escape;

/// A text that was read.
pub(super) struct SourceFile {
    pub(super) path: PathBuf,
    /// Whether it was found in a folder for agents.
    is_agent: bool,
    pub(super) text: String,
}

/// The most bytes of a definition, a return or a configuration.
pub(super) const BYTES_AT_MOST: u64 = 1 << 20;

/// The most files that are read below one folder.
const FILES: usize = 10_000;

/// Names of files that can be definitions or returns.
const EXTENSIONS: [&str; 8] = ["md", "markdown", "toml", "json", "yaml", "yml", "txt", "jsonl"];

/// The folders that clients read agents from: opencode has either.
const FOLDERS: [&str; 2] = ["agents", "agent"];

/// The names of the agents that the files of a folder define, as far as they can be read, and whether the
/// prompt of each has `mark`.
pub(crate) fn agents(folder: &Path, mark: &str) -> Vec<(String, bool)> {
    let mut agents = Vec::new();
    let read = each(folder, |file| {
        agents.extend(file.definition().map(|(name, prompt)| (name, prompt.contains(mark))));
    });
    // What was read before a failure is of use, too.
    drop(read);
    agents
}

/// The definitions in the current folder, in the folders of each client.
pub(super) fn of_project() -> anyhow::Result<Vec<PathBuf>> {
    let clients = Client::with_hooks().map(|it| it.project_folder);
    let folders = clients.flat_map(|client| FOLDERS.map(|name| Path::new(client).join(name)));
    let mut folders: Vec<_> = folders.filter(|it| it.is_dir()).collect();
    folders.sort();
    folders.dedup();
    let found: anyhow::Result<Vec<_>> = folders.iter().map(|it| below(it)).collect();
    Ok(found?.concat())
}

/// The definitions in a folder, or a file that a person says is one.
pub(super) fn below(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let is_named = path.is_file();
    each(path, |file| {
        if is_named || file.definition().is_some() {
            found.push(file.path);
        }
    })?;
    Ok(found)
}

/// Reads the files of a path one by one, in the order of their names: the file itself, or those below a
/// folder that are texts.
pub(super) fn each(path: &Path, mut take: impl FnMut(SourceFile)) -> anyhow::Result<()> {
    let cannot_read = || format!("cannot read {}", escape::path(path));
    if !path.metadata().with_context(cannot_read)?.is_dir() {
        let text = read_regular(path).and_then(text).with_context(cannot_read)?;
        take(SourceFile { path: path.to_owned(), is_agent: false, text });
        return Ok(());
    }
    let mut count = 0;
    let walk = WalkDir::new(path).sort_by_file_name().into_iter();
    let is_entered =
        |entry: &DirEntry| !matches!(entry.file_name().to_str(), Some(".git" | "node_modules"));
    for entry in walk.filter_entry(is_entered) {
        let entry = entry.with_context(cannot_read)?;
        let extension = entry.path().extension().and_then(|it| it.to_str());
        if !entry.file_type().is_file() || !extension.is_some_and(|it| EXTENSIONS.contains(&it)) {
            continue;
        }
        count += 1;
        if count > FILES {
            let path = escape::path(path);
            bail!("{path} has more than {FILES} files: name a folder with fewer");
        }
        // The folders from the named one to the file.
        let folders = entry.path().components().rev().skip(1);
        let mut folders = folders.take(entry.depth()).map(Component::as_os_str);
        let is_agent = folders.any(|it| FOLDERS.iter().any(|own| it == *own));
        if let Ok(text) = open_found(entry.path()).and_then(text) {
            take(SourceFile { path: entry.into_path(), is_agent, text });
        }
    }
    Ok(())
}

/// The text of a file.
pub(super) fn text(file: File) -> io::Result<String> {
    let mut text = String::new();
    if file.take(BYTES_AT_MOST + 1).read_to_string(&mut text)? as u64 > BYTES_AT_MOST {
        return Err(io::Error::other("it is too large"));
    }
    Ok(text)
}

impl SourceFile {
    /// The name and the prompt of the agent that the file defines. None if it is no definition. In a folder
    /// for agents, Markdown needs no front matter.
    fn definition(&self) -> Option<(String, String)> {
        let stem = self.path.file_stem()?.to_string_lossy();
        let stem = stem.split('.').next().unwrap_or_default();
        match self.path.extension()?.to_str()? {
            "toml" => {
                let table: Table = self.text.parse().ok()?;
                let text = |key: &str| Some(table.get(key)?.as_str()?.to_owned());
                let prompts = ["developer_instructions", "instructions", "prompt"];
                let prompt = prompts.into_iter().find_map(text)?;
                Some((text("name").unwrap_or_else(|| stem.to_owned()), prompt))
            }
            "md" | "markdown" if !stem.eq_ignore_ascii_case("readme") => {
                let front = self.text.strip_prefix("---").and_then(|it| it.split_once("\n---"));
                let (fields, prompt) = front.unwrap_or(("", &self.text));
                // By line: a third of the front matters in use has values that YAML does not take.
                let field = |name: &str| {
                    let mut lines = fields.lines();
                    lines.find_map(|it| it.strip_prefix(name)?.strip_prefix(':'))
                };
                if !self.is_agent && field("description").is_none() {
                    return None;
                }
                let name = field("name").map(|it| it.trim().trim_matches(['"', '\'']));
                let name = name.filter(|it| !it.is_empty()).unwrap_or(stem);
                Some((name.to_owned(), prompt.to_owned()))
            }
            _ => None,
        }
    }
}
