//! `--from`: proposes what past returns have in common. `--try`: counts how many returns keep each line.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::bail;

use super::definitions::each;
use crate::cli::args::values::built_in_names;
use crate::cli::session_file::read_sidecar;
use crate::config::Config;
use crate::form::document::{Content, PlacedValue};
use crate::form::{self, Form, ReadOptions};
use crate::text::escape;
use crate::{BYTES_AT_MOST, Checker, Root, transcript};

/// The most words of a status. What has more values is another field.
const WORDS: usize = 8;

/// Names of a status.
const STATUS: [&str; 6] = [
    "status", "verdict", "result", "outcome", "decision", "state",
];

/// Words that mean success to everybody.
const SUCCESS: [&str; 10] = [
    "done",
    "complete",
    "completed",
    "success",
    "succeeded",
    "pass",
    "passed",
    "ok",
    "approve",
    "approved",
];

/// What one past return says, by place.
struct SampleReturn {
    form: Form,
    values: Vec<(String, String)>,
}

/// A past return, and the agent that sent it if its transcript says so.
pub(super) struct PastReturn {
    text: String,
    agent: Option<String>,
}

/// One proposed line.
struct ProposedLine {
    text: String,
    /// How many returns have it.
    count: usize,
    note: &'static str,
    /// What a return is checked with to find out whether it keeps the line. Empty if none can break it.
    test: String,
}

/// The profile that the returns in a folder have in common, as TOML. `taken` has the names of other
/// profiles, and gets its own.
pub(super) fn propose(
    folder: &Path,
    tried: &[PastReturn],
    taken: &mut Vec<String>,
) -> anyhow::Result<String> {
    let (mut returns, mut definitions) = (Vec::new(), 0);
    each(folder, BYTES_AT_MOST, |file| {
        definitions += usize::from(file.definition().is_some());
        let is_yaml = file
            .path
            .extension()
            .is_some_and(|it| it == "yaml" || it == "yml");
        let text = file.text.iter().filter(|it| !it.trim().is_empty());
        returns.extend(text.map(|it| SampleReturn::read(it, is_yaml)));
    })?;
    let shown = escape::path(folder);
    if definitions > 0 {
        bail!(
            "{shown} has agent definitions, and --from reads returns: `retval init --prompt {shown}` prints a prompt with which your own agent writes profiles"
        );
    }
    if returns.is_empty() {
        bail!("{shown}: no returns");
    }
    let lines = common(&returns);
    let mut text = String::new();
    if lines.len() < 2 {
        let _ = writeln!(
            text,
            "# {shown}: these returns have nothing in common: no profile"
        );
        return Ok(text);
    }
    let name = name_of(folder, taken);
    let is_own = |it: &&PastReturn| it.agent.as_deref().is_none_or(|it| it == name);
    let tried: Vec<_> = tried.iter().filter(is_own).map(|it| &*it.text).collect();
    let _ = writeln!(text, "[profiles.{}]", toml_key(&name));
    for line in &lines {
        let is_item = line.text.starts_with("  ");
        if is_item && !text.contains("required = [") {
            text.push_str("required = [\n");
        }
        let (own, count, note) = (&line.text, line.count, line.note);
        let _ = write!(
            text,
            "{own} # {shown}: {count} of {} returns{note}",
            returns.len()
        );
        if !tried.is_empty() && !line.test.is_empty() {
            let (kept, all) = (kept(&lines[0].text, &line.test, &tried)?, tried.len());
            let _ = write!(text, ", kept by {kept} of {all}");
        }
        text.push('\n');
    }
    if text.contains("required = [") {
        text.push_str("]\n");
    }
    Ok(text)
}

/// A name of a profile that no other has.
fn name_of(folder: &Path, taken: &mut Vec<String>) -> String {
    let is_allowed = |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '_' | '.');
    let name = folder
        .file_name()
        .map_or("own".into(), |it| it.to_string_lossy());
    let visible = name.replace(|it| !is_allowed(it), "-");
    let numbered = (2..).map(|count| format!("{visible}-{count}"));
    let mut names = std::iter::once(visible.clone()).chain(numbered);
    let is_free = |it: &String| !taken.contains(it) && !built_in_names().contains(&&**it);
    let name = names.find(is_free).unwrap_or(visible);
    taken.push(name.clone());
    name
}

impl SampleReturn {
    fn read(text: &str, is_yaml: bool) -> Self {
        let forms = [(Form::Json, true), (Form::Yaml, is_yaml)];
        for (form, _) in forms.into_iter().filter(|it| it.1) {
            if let Ok(document) = form::read(form, text, &ReadOptions::default()) {
                let values = members(&document, "/");
                return Self { form, values };
            }
        }
        let document = form::read(Form::Text, text, &ReadOptions::default());
        let values = document.map_or_else(|_| Vec::new(), |it| names(&it));
        let form = Form::Text;
        Self { form, values }
    }

    fn value(&self, place: &str) -> Option<&str> {
        let found = self.values.iter().find(|it| it.0 == place);
        found.map(|it| &*it.1)
    }
}

/// The names of a text: its labels, tags and sections, also below a title of the whole.
fn names(document: &PlacedValue<'_>) -> Vec<(String, String)> {
    let groups = ["front_matter", "labels", "tags", "sections"];
    let below = |body: &PlacedValue<'_>, group: &str| {
        let object = body.member(group);
        object.map_or_else(Vec::new, |it| members(it, ""))
    };
    let of = |body| {
        groups
            .iter()
            .flat_map(move |it| below(body, it))
            .collect::<Vec<_>>()
    };
    let titles = document.member("sections").and_then(PlacedValue::object);
    let own = of(document);
    match (titles.map(|it| &*it.members), own.len()) {
        (Some([(_, title)]), 1) => of(title),
        _ => own,
    }
}

/// The members of an object with their values. What a text has there twice is an item, and no name.
fn members(value: &PlacedValue<'_>, before: &str) -> Vec<(String, String)> {
    let members = value.object().map(|it| &*it.members).unwrap_or_default();
    let once = members
        .iter()
        .filter(|it| !matches!(it.1.content, Content::Several(_)));
    let place = |name: &str| format!("{before}{}", name.replace('~', "~0").replace('/', "~1"));
    once.map(|(name, value)| {
        let text = match &value.content {
            Content::Text(text) => text.trim().to_owned(),
            Content::Null => String::new(),
            _ => serde_json::to_string(value).unwrap_or_default(),
        };
        (place(name), text)
    })
    .collect()
}

/// The lines of the profile that all returns keep. The first is the form.
fn common(returns: &[SampleReturn]) -> Vec<ProposedLine> {
    let all = |form: Form| returns.iter().filter(|it| it.form == form).count();
    let form = returns.first().map_or(Form::Text, |it| it.form);
    let form = if all(form) == returns.len() {
        form
    } else {
        Form::Text
    };
    let line = |text: String, count: usize, test: String| ProposedLine {
        text,
        count,
        note: "",
        test,
    };
    let text = format!("form = {}", quoted(form.as_str()));
    let mut lines = vec![line(text, all(form), String::new())];
    let (mut required, mut has_status) = (Vec::new(), false);
    for (place, _) in returns.first().map(|it| &*it.values).unwrap_or_default() {
        let values: Vec<_> = returns.iter().filter_map(|it| it.value(place)).collect();
        if values.len() < returns.len() || values.iter().any(|it| it.is_empty()) {
            continue;
        }
        let name = place.trim_start_matches('/').to_lowercase();
        let words = words(&values).filter(|_| STATUS.contains(&&*name) && !has_status);
        let Some(words) = words else {
            let place = quoted(place);
            let test = format!("required = [{place}]\n");
            required.push(line(format!("  {place},"), values.len(), test));
            continue;
        };
        has_status = true;
        let at = format!("at.status = {}", quoted(place));
        let first = lines.len();
        lines.push(line(at, values.len(), String::new()));
        for (word, count) in words {
            let is_success = SUCCESS.contains(&&*word.to_lowercase());
            let (meaning, note) = if is_success {
                ("success", "")
            } else {
                ("other", ", check")
            };
            let text = format!("statuses.{} = {}", toml_key(word), quoted(meaning));
            lines.push(ProposedLine {
                note,
                ..line(text, count, String::new())
            });
        }
        let texts = lines[first..].iter().map(|it| format!("{}\n", it.text));
        lines[first].test = texts.collect();
    }
    lines.extend(required);
    lines
}

/// The words of a status, if these are a few that come again, and one of them means success.
fn words<'v>(values: &[&'v str]) -> Option<Vec<(&'v str, usize)>> {
    let mut words: Vec<(&str, usize)> = Vec::new();
    for value in values {
        match words.iter_mut().find(|it| it.0 == *value) {
            Some(known) => known.1 += 1,
            None => words.push((value, 1)),
        }
    }
    let is_word = |it: &(&str, usize)| it.0.split(' ').count() <= 3 && it.0.chars().count() <= 40;
    let is_success = |it: &(&str, usize)| SUCCESS.contains(&&*it.0.to_lowercase());
    let are_few = words.len() <= WORDS && words.len() * 2 <= values.len();
    (are_few && words.iter().all(is_word) && words.iter().any(is_success)).then_some(words)
}

/// The returns in a folder or a file: the final messages of the agents in transcripts, and other files
/// as they are.
pub(super) fn past(path: &Path) -> anyhow::Result<Vec<PastReturn>> {
    let mut returns = Vec::new();
    each(path, BYTES_AT_MOST, |file| {
        let is_sidecar = file.path.to_string_lossy().ends_with(".meta.json");
        let Some(text) = file.text.ok().filter(|_| !is_sidecar) else {
            return;
        };
        let Ok(transcript) = transcript::read(text.as_bytes()) else {
            returns.push(PastReturn { text, agent: None });
            return;
        };
        let sidecar = read_sidecar(&file.path.with_extension("meta.json"));
        for mut run in transcript.runs {
            if let Some(sidecar) = &sidecar {
                run.add_sidecar(sidecar);
            }
            if let (Some(text), agent @ Some(_)) = (run.final_message, run.agent_type) {
                returns.push(PastReturn { text, agent });
            }
        }
    })?;
    Ok(returns)
}

/// How many texts keep a line.
fn kept(form: &str, test: &str, texts: &[&str]) -> anyhow::Result<usize> {
    let config = Config::parse(&format!("[profiles.tried]\n{form}\n{test}"))?;
    let root = Root::open(".")?;
    let mut checkers = config
        .profiles
        .iter()
        .map(|it| Checker::new(&it.profile, &root));
    let checker = checkers.next();
    let is_kept = |it: &&&str| {
        checker
            .as_ref()
            .is_some_and(|own| own.check(**it).is_valid())
    };
    Ok(texts.iter().filter(is_kept).count())
}

/// A key of TOML.
fn toml_key(name: &str) -> String {
    let is_bare = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '-');
    if !name.is_empty() && name.chars().all(is_bare) {
        name.to_owned()
    } else {
        quoted(name)
    }
}

/// A string of TOML.
fn quoted(text: &str) -> String {
    let text = serde_json::Value::from(text).to_string();
    text.replace('\u{7f}', "\\u007f")
}
