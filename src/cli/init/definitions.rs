//! Agent definitions: Markdown with front matter, or TOML with the prompt in a string.

use std::fs::File;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, bail};
use serde::Deserialize;
use walkdir::{DirEntry, WalkDir};

use crate::cli::input::open_found;
use crate::clients::Client;
use crate::text::escape;

/// An agent definition.
#[derive(Debug)]
pub(super) struct Definition {
    /// The name of the agent.
    name: String,
    /// The prompt.
    body: String,
}

/// A file that was read.
pub(super) struct SourceFile {
    pub(super) path: PathBuf,
    /// Whether it was found in a folder for agents.
    is_agent: bool,
    /// Its text, or why it has none.
    pub(super) text: Result<String, &'static str>,
}

/// The strings of a TOML file that hold a prompt, by client.
#[derive(Deserialize)]
struct TomlDefinition {
    name: Option<String>,
    developer_instructions: Option<String>,
    instructions: Option<String>,
    prompt: Option<String>,
}

/// The most bytes of a definition: prompts are short.
pub(super) const BYTES_AT_MOST: u64 = 256 << 10;

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
        let agent = file.definition();
        agents.extend(agent.map(|it| (it.name, it.body.contains(mark))));
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
    let mut found = Vec::new();
    for folder in folders {
        found.extend(below(&folder)?);
    }
    Ok(found)
}

/// The definitions in a folder, or a file that a person says is one.
pub(super) fn below(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if !is_folder(path)? {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    each(path, |file| {
        if file.definition().is_some() {
            found.push(file.path);
        }
    })?;
    Ok(found)
}

fn is_folder(path: &Path) -> anyhow::Result<bool> {
    let found = path.metadata().with_context(|| cannot_read(path))?;
    Ok(found.is_dir())
}

fn cannot_read(path: &Path) -> String {
    format!("cannot read {}", escape::path(path))
}

/// Reads the files of a path one by one, in the order of their names: the file itself, or those below a
/// folder.
pub(super) fn each(path: &Path, mut take: impl FnMut(SourceFile)) -> anyhow::Result<()> {
    if !is_folder(path)? {
        let text = File::open(path).and_then(|file| text(file, BYTES_AT_MOST));
        take(SourceFile {
            path: path.to_owned(),
            is_agent: false,
            text: text.with_context(|| cannot_read(path))?,
        });
        return Ok(());
    }
    let mut count = 0;
    let walk = WalkDir::new(path).sort_by_file_name().into_iter();
    let is_entered =
        |entry: &DirEntry| !matches!(entry.file_name().to_str(), Some(".git" | "node_modules"));
    for entry in walk.filter_entry(is_entered) {
        let entry = entry.with_context(|| cannot_read(path))?;
        let extension = entry.path().extension().and_then(|it| it.to_str());
        if !entry.file_type().is_file() || !extension.is_some_and(|it| EXTENSIONS.contains(&it)) {
            continue;
        }
        count += 1;
        if count > FILES {
            let path = escape::path(path);
            bail!("{path} has more than {FILES} files: name a folder with fewer");
        }
        let text = open_found(entry.path()).and_then(|file| text(file, BYTES_AT_MOST));
        let text = text.with_context(|| cannot_read(entry.path()))?;
        // The folders from the named one to the file.
        let folders = entry.path().components().rev().skip(1);
        let mut folders = folders.take(entry.depth()).map(Component::as_os_str);
        take(SourceFile {
            is_agent: folders.any(|it| FOLDERS.iter().any(|own| it == *own)),
            path: entry.into_path(),
            text,
        });
    }
    Ok(())
}

/// The text of a file, or why it has none.
pub(super) fn text(file: File, most: u64) -> std::io::Result<Result<String, &'static str>> {
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Ok(Err("is too large"));
    }
    Ok(String::from_utf8(bytes).map_err(|_| "is not UTF-8"))
}

impl SourceFile {
    /// What the file defines. None if it is no definition. In a folder for agents, Markdown needs no front
    /// matter.
    pub(super) fn definition(&self) -> Option<Definition> {
        let text = self.text.as_ref().ok()?;
        let stem = self.path.file_stem()?.to_string_lossy();
        let stem = stem.split('.').next().unwrap_or_default();
        match self.path.extension()?.to_str()? {
            "toml" => from_toml(stem, text),
            "md" | "markdown" if !stem.eq_ignore_ascii_case("readme") => {
                from_markdown(stem, text, self.is_agent)
            }
            _ => None,
        }
    }
}

fn from_toml(stem: &str, text: &str) -> Option<Definition> {
    let table: TomlDefinition = toml::from_str(text).ok()?;
    let prompts = [table.developer_instructions, table.instructions, table.prompt];
    Some(Definition {
        name: table.name.unwrap_or_else(|| stem.to_owned()),
        body: prompts.into_iter().flatten().next()?,
    })
}

fn from_markdown(stem: &str, text: &str, is_agent: bool) -> Option<Definition> {
    let front = front_matter(text).unwrap_or(0);
    let fields = &text[..front];
    // By line: a third of the front matters in use has values that YAML does not take.
    let field = |name: &str| {
        let mut lines = fields.lines();
        lines.find_map(|it| it.strip_prefix(name)?.strip_prefix(':'))
    };
    if !is_agent && field("description").is_none() {
        return None;
    }
    let name = field("name").map(|it| it.trim().trim_matches(['"', '\'']));
    Some(Definition {
        name: name.filter(|it| !it.is_empty()).unwrap_or(stem).to_owned(),
        body: text[front..].to_owned(),
    })
}

/// Where the front matter ends. Comments may stand before it.
fn front_matter(text: &str) -> Option<usize> {
    let mut end = 0;
    let mut is_open = false;
    for line in text.split_inclusive('\n') {
        end += line.len();
        let line = line.trim_start_matches('\u{feff}').trim_end();
        match (line, is_open) {
            ("---", true) => return Some(end),
            ("---", false) => is_open = true,
            (_, false) if !line.is_empty() && !line.starts_with("<!--") => return None,
            _ => {}
        }
    }
    None
}
