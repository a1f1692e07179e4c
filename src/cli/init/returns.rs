//! `--from`: proposes what past returns have in common. `--try`: counts how many returns keep each line.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::bail;

use crate::cli::args::built_in_names;
use crate::cli::evidence::read_sidecar;
use crate::cli::init::definitions::each;
use crate::clients::transcript;
use crate::config::Config;
use crate::config::{key, quoted};
use crate::document::tree::Value;
use crate::document::{self, Form, ReadOptions};
use crate::text::escape;
use crate::{Checker, Root};

/// Names of a status.
const STATUS: [&str; 6] = ["status", "verdict", "result", "outcome", "decision", "state"];

/// Words that mean success to everybody.
const SUCCESS: [&str; 8] =
    ["done", "complete", "completed", "success", "pass", "passed", "ok", "approved"];

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

/// The profile that the returns in a folder have in common, as TOML.
pub(super) fn propose(folder: &Path, tried: &[PastReturn]) -> anyhow::Result<String> {
    let mut returns = Vec::new();
    each(folder, |file| {
        let text = Some(&file.text).filter(|it| !it.trim().is_empty());
        returns.extend(text.map(|it| SampleReturn::read(it)));
    })?;
    let shown = escape::path(folder);
    let Some(first) = returns.first() else {
        bail!("{shown}: no returns");
    };
    let total = returns.len();
    let of_form = returns.iter().filter(|it| it.form == first.form).count();
    let form = format!("form = {}", quoted(first.form.as_str()));
    let mut common: Vec<_> = first
        .values
        .iter()
        .map(|(place, _)| (place, values(&returns, place)))
        .filter(|(_, values)| values.len() == total)
        .collect();
    if common.is_empty() {
        return Ok(format!("# {shown}: these returns have nothing in common: no profile\n"));
    }
    let name = name_of(folder);
    let is_own = |it: &&PastReturn| it.agent.as_deref().is_none_or(|it| it == name);
    let tried: Vec<_> = tried.iter().filter(is_own).map(|it| &*it.text).collect();
    let source = |count: usize| format!(" # {shown}: {count} of {total} returns");
    // How many returns keep a line, which these lines of TOML test.
    let kept = |test: &str| match tried.len() {
        0 => Ok(String::new()),
        all => {
            kept(&format!("{form}\n{test}"), &tried).map(|it| format!(", kept by {it} of {all}"))
        }
    };
    let mut text = format!("[profiles.{}]\n{form}{}\n", key(&name), source(of_form));
    let status = common.iter().position(|(place, values)| is_status(place, values));
    if let Some((place, values)) = status.map(|it| common.remove(it)) {
        let at = format!("at.status = {}", quoted(place));
        let (mut keys, mut lines) = (at.clone(), String::new());
        for (word, count) in words(&values) {
            let (meaning, note) =
                if is_success(word) { ("success", "") } else { ("other", ", check") };
            let line = format!("statuses.{} = {}", key(word), quoted(meaning));
            let _ = writeln!(lines, "{line}{}{note}", source(count));
            let _ = write!(keys, "\n{line}");
        }
        let _ = write!(text, "{at}{}{}\n{lines}", source(total), kept(&keys)?);
    }
    if !common.is_empty() {
        text.push_str("required = [\n");
        for (place, _) in common {
            let place = quoted(place);
            let kept = kept(&format!("required = [{place}]"))?;
            let _ = writeln!(text, "  {place},{}{kept}", source(total));
        }
        text.push_str("]\n");
    }
    Ok(text)
}

/// The name of the folder, as that of a profile which is not built in.
fn name_of(folder: &Path) -> String {
    let is_allowed = |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '_' | '.');
    let name = folder.file_name().map_or("own".into(), |it| it.to_string_lossy());
    let name = name.replace(|it| !is_allowed(it), "-");
    if built_in_names().contains(&&*name) { name + "-2" } else { name }
}

impl SampleReturn {
    fn read(text: &str) -> Self {
        let read = |form| document::read(form, text, &ReadOptions::default()).ok();
        if let Some(document) = read(Form::Json) {
            return Self { form: Form::Json, values: members(document.root(), "/") };
        }
        let values = read(Form::Text).map_or_else(Vec::new, |it| text_values(it.root()));
        Self { form: Form::Text, values }
    }
}

/// What the returns say at a place, if they say something.
fn values<'r>(returns: &'r [SampleReturn], place: &str) -> Vec<&'r str> {
    let value = |it: &'r SampleReturn| it.values.iter().find(|it| it.0 == place);
    let found = returns.iter().filter_map(value).map(|it| &*it.1);
    found.filter(|it| !it.is_empty()).collect()
}

/// What a text says below its names: its labels, tags and sections, also those below a title of the whole.
fn text_values(document: Value<'_, '_>) -> Vec<(String, String)> {
    let groups = ["front_matter", "labels", "tags", "sections"];
    let below = |body: Value<'_, '_>| {
        let groups = groups.iter().filter_map(|it| body.member(it));
        groups.flat_map(|it| members(it, "")).collect::<Vec<_>>()
    };
    let sections = document.member("sections").into_iter();
    let sections: Vec<_> = sections.flat_map(Value::members).collect();
    let own = below(document);
    match (&sections[..], own.len()) {
        ([title], 1) => below(*title),
        _ => own,
    }
}

/// The members of an object with their values. What a text has there twice is an item, and no name.
fn members(value: Value<'_, '_>, before: &str) -> Vec<(String, String)> {
    let once = value.members().filter(|it| !it.is_several());
    let place = |name: &str| format!("{before}{}", name.replace('~', "~0").replace('/', "~1"));
    once.map(|it| {
        let text = match it.text() {
            Some(text) => text.trim().to_owned(),
            None if it.is_null() => String::new(),
            None => serde_json::to_string(&it).unwrap_or_default(),
        };
        (place(it.key()), text)
    })
    .collect()
}

/// Whether values are those of a status: a few words that come again, one of which means success.
fn is_status(place: &str, values: &[&str]) -> bool {
    let name = place.trim_start_matches('/').to_lowercase();
    let words = words(values);
    STATUS.contains(&&*name)
        && words.len() <= values.len() / 2
        && words.iter().any(|it| is_success(it.0))
}

fn is_success(word: &str) -> bool {
    SUCCESS.contains(&&*word.to_lowercase())
}

/// Each of the values, and how often it is there.
fn words<'v>(values: &[&'v str]) -> Vec<(&'v str, usize)> {
    let mut words: Vec<(&str, usize)> = Vec::new();
    for value in values {
        match words.iter_mut().find(|it| it.0 == *value) {
            Some(known) => known.1 += 1,
            None => words.push((value, 1)),
        }
    }
    words
}

/// The returns in a folder or a file: the final messages of the agents in transcripts, and other files
/// as they are.
pub(super) fn past(path: &Path) -> anyhow::Result<Vec<PastReturn>> {
    let mut returns = Vec::new();
    each(path, |file| {
        if file.path.to_string_lossy().ends_with(".meta.json") {
            return;
        }
        let Ok(transcript) = transcript::read(file.text.as_bytes()) else {
            returns.push(PastReturn { text: file.text, agent: None });
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

/// How many texts a profile with these lines accepts.
fn kept(lines: &str, texts: &[&str]) -> anyhow::Result<usize> {
    let config = Config::parse(&format!("[profiles.tried]\n{lines}\n"))?;
    let root = Root::open(".")?;
    let checker = Checker::new(&config.profiles[0].profile, &root);
    let is_kept = |it: &&&str| checker.check(**it).is_valid();
    Ok(texts.iter().filter(is_kept).count())
}
