//! Step 2, metadata files: the file is in the right folder.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::{Component, Path};

use crate::check::{Collector, Value, values};
use crate::json::pointer::Pointer;
use crate::rule::{Example, Requirement, Rule, Step, ToAgent};

/// The folder that contains the folders of all tasks.
const SPECS: &str = "specs";

/// The form of the name of a task's folder.
const FORM: &str = "{N}_{slug}";

pub(super) static METADATA: Rule = Rule {
    id: "metadata-location",
    applies: |it| it.requires(Requirement::TaskFolder),
    message: "Metadata file is not in the folder of its task: {path} ({why})",
    help: "Fix {agent} to write the file as specs/{expected}/.return-meta.json",
    message_to_agent: ToAgent::Words(
        "Your metadata file is not in the folder of your task: {path} ({why})",
    ),
    advice_to_agent: "Write the file as specs/{expected}/.return-meta.json",
    explanation: "The orchestrator looks for the file in the folder of the task: specs, then the \
                  number of the task without leading zeros, an underscore, and the name of the \
                  task in snake_case. A file anywhere else is never read. The rule looks at files \
                  with the name of the profile, not at standard input.",
    source: "Return metadata file, file location (required)",
    example: Example::of_members("return-meta", "", "").with_each(
        "specs/007_Tide-Tables/.return-meta.json",
        "specs/7_tide_tables/.return-meta.json",
    ),
    ..Rule::warning(Step::Fields)
};

pub(super) fn check(collector: &mut Collector<'_, '_>) {
    let context = collector.context;
    let Some(path) = context.input.file.path else {
        return;
    };
    if !context.profile.matches_path(path) || !collector.is_enabled(&METADATA) {
        return;
    }
    let Some(why) = fault(&names(&with_folders(path))) else {
        return;
    };
    let shown = path.to_string_lossy();
    let values = values![
        path = &shown,
        why = Value::Text(why),
        expected = Value::Text(FORM),
    ];
    collector.report(&METADATA, Pointer::root(), &values);
}

/// The path itself, or the absolute path if it has fewer than three names to look at.
fn with_folders(path: &Path) -> Cow<'_, Path> {
    match names(path).len() {
        0..3 => std::path::absolute(path).map_or(Cow::Borrowed(path), Cow::Owned),
        _ => Cow::Borrowed(path),
    }
}

/// The names in a path. `..` takes back the name before it.
fn names(path: &Path) -> Vec<&OsStr> {
    let mut names = Vec::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => names.push(name),
            Component::ParentDir => {
                names.pop();
            }
            _ => {}
        }
    }
    names
}

/// Why the path with these names is not `specs/{N}_{slug}/FILE`. None if it is.
fn fault(names: &[&OsStr]) -> Option<&'static str> {
    let mut names = names.iter().rev().skip(1);
    let (task, specs) = (names.next(), names.next());
    if specs.is_none_or(|name| *name != SPECS) {
        return Some("its folder is not below specs");
    }
    let task = task.and_then(|name| name.to_str()).unwrap_or_default();
    let Some((number, slug)) = task.split_once('_') else {
        return Some("its folder has no number and name of a task");
    };
    let is_snake = |part: &str| {
        !part.is_empty()
            && part
                .bytes()
                .all(|it| it.is_ascii_lowercase() || it.is_ascii_digit())
    };
    if number.is_empty() || !number.bytes().all(|digit| digit.is_ascii_digit()) {
        Some("its folder does not begin with the number of a task")
    } else if number.len() > 1 && number.starts_with('0') {
        Some("the number of the task is padded with zeros")
    } else if !slug.split('_').all(is_snake) {
        Some("the name of the task is not in snake_case")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_folder_has_a_number_and_a_name_in_snake_case() {
        for path in [
            "specs/259_prove_completeness/m",
            "/a/specs/7_b2/m",
            "./specs/0_a/m",
            "specs/7_a/../7_a/m",
            "../specs/7_a/m",
            "specs/other/.././7_a/m",
        ] {
            assert_eq!(fault(&names(Path::new(path))), None, "{path}");
        }
        for (path, why) in [
            ("m", "below specs"),
            ("7_a/m", "below specs"),
            ("other/7_a/m", "below specs"),
            ("specs/m", "below specs"),
            ("specs/tides/m", "no number"),
            ("specs/a_7/m", "does not begin"),
            ("specs/_a/m", "does not begin"),
            ("specs/007_a/m", "padded"),
            ("specs/7_Foo/m", "snake_case"),
            ("specs/7_a-b/m", "snake_case"),
            ("specs/7_a__b/m", "snake_case"),
            ("specs/7_/m", "snake_case"),
            ("specs/7_a/../m", "below specs"),
        ] {
            let found = fault(&names(Path::new(path))).expect("a fault");
            assert!(found.contains(why), "{path}: {found}");
        }
    }
}
