//! One agent definition: Markdown with front matter, or TOML with the prompt in a string.

use std::path::Path;

use serde::Deserialize;
use toml::Spanned;

/// An agent definition.
#[derive(Debug)]
pub(super) struct Definition {
    /// The name of the agent.
    pub(super) name: String,
    /// The prompt.
    pub(super) body: String,
    /// Lines of the file before the prompt.
    pub(super) lines_before: usize,
}

/// The strings of a TOML file that hold a prompt, by client.
#[derive(Deserialize)]
struct TomlDefinition {
    name: Option<String>,
    developer_instructions: Option<Spanned<String>>,
    instructions: Option<Spanned<String>>,
    prompt: Option<Spanned<String>>,
}

/// Reads a file as a definition. None if it is not one. `is_named` is for a file that the user has named,
/// or that is in a folder for agents: there, Markdown needs no front matter.
pub(super) fn read(path: &Path, text: &str, is_named: bool) -> Option<Definition> {
    let stem = path.file_stem()?.to_string_lossy();
    let stem = stem.split('.').next().unwrap_or_default();
    match path.extension()?.to_str()? {
        "toml" => from_toml(stem, text),
        "md" | "markdown" if !stem.eq_ignore_ascii_case("readme") => {
            from_markdown(stem, text, is_named)
        }
        _ => None,
    }
}

fn from_toml(stem: &str, text: &str) -> Option<Definition> {
    let table: TomlDefinition = toml::from_str(text).ok()?;
    let prompts = [
        table.developer_instructions,
        table.instructions,
        table.prompt,
    ];
    let prompt = prompts.into_iter().flatten().next()?;
    let start = prompt.span().start;
    // The line break after the opening quotes is not part of the string.
    let quoted = &text[start..];
    let opens = ["\"\"\"", "'''"]
        .iter()
        .find_map(|it| quoted.strip_prefix(it));
    let is_below = opens.is_some_and(|rest| rest.starts_with(['\n', '\r']));
    Some(Definition {
        name: table.name.unwrap_or_else(|| stem.to_owned()),
        lines_before: text[..start].matches('\n').count() + usize::from(is_below),
        body: prompt.into_inner(),
    })
}

fn from_markdown(stem: &str, text: &str, is_named: bool) -> Option<Definition> {
    let front = front_matter(text);
    let fields = &text[..front.unwrap_or(0)];
    let field = |name: &str| {
        // By line: a third of the front matters in use has values that YAML does not take.
        let mut lines = fields.lines();
        let value = lines.find_map(|it| it.strip_prefix(name)?.strip_prefix(':'))?;
        let value = value.trim().trim_matches(['"', '\'']);
        (!value.is_empty()).then(|| value.to_owned())
    };
    let name = field("name");
    if !is_named && field("description").is_none() && !fields.contains("\ndescription:") {
        return None;
    }
    Some(Definition {
        name: name.unwrap_or_else(|| stem.to_owned()),
        lines_before: fields.matches('\n').count(),
        body: text[front.unwrap_or(0)..].to_owned(),
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
