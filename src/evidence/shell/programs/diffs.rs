//! Programs that apply a patch from the command line.

use super::super::FileChange;
use super::super::syntax::{RedirectedTo, Redirection, ShellWord};
use super::{Effects, WriteMode};
use crate::text::patch::{self, UnifiedDiff};

/// How many folders git removes from the paths of a diff.
const OF_GIT: usize = 1;

pub(super) fn effects(
    name: &str,
    arguments: &[ShellWord],
    redirections: &[Redirection],
) -> Option<Effects> {
    let by = match name {
        "apply_patch" | "applypatch" => "apply_patch",
        "patch" => "patch",
        _ => return None,
    };
    let known = if by == "patch" {
        diff(arguments, redirections)
    } else {
        let text = match arguments {
            [] => text_of(redirections),
            [text] => text.literal(),
            _ => None,
        };
        let files = text.map(patch::of_apply_patch);
        files.map(|files| {
            let changed = files.into_iter().filter(|file| file.is_changed);
            let files = changed.map(|file| (file.is_removed, file.path)).collect();
            changes(
                by,
                UnifiedDiff {
                    files,
                    is_certain: true,
                    is_of_git: false,
                },
            )
        })
    };
    Some(known.unwrap_or_else(Effects::unknown))
}

pub(super) fn git_apply(arguments: &[&str], redirections: &[Redirection]) -> Effects {
    let text = match arguments {
        [] | ["-"] => text_of(redirections),
        _ => None,
    };
    let known = text.map(|text| {
        let diff = patch::of_diff(text, OF_GIT);
        // In a folder of the repository, git takes such paths from its top, or passes over them.
        let is_from_top = diff.is_of_git || diff.files.iter().any(|(_, path)| path.contains('/'));
        Effects {
            mode: if is_from_top {
                WriteMode::FromTop
            } else {
                WriteMode::Replace
            },
            ..changes("git apply", diff)
        }
    });
    known.unwrap_or_else(Effects::unknown)
}

fn diff(arguments: &[ShellWord], redirections: &[Redirection]) -> Option<Effects> {
    let [option] = arguments else { return None };
    let folders = option.literal()?.strip_prefix("-p")?.parse::<u8>().ok()?;
    let text = text_of(redirections)?;
    Some(changes("patch", patch::of_diff(text, folders.into())))
}

fn changes(by: &'static str, diff: UnifiedDiff<'_>) -> Effects {
    let files = diff.files.into_iter();
    Effects {
        changes: files
            .map(|(is_removed, path)| {
                let change = if is_removed {
                    FileChange::Removed
                } else {
                    FileChange::Written
                };
                (change, path.to_owned())
            })
            .collect(),
        by,
        is_certain: diff.is_certain,
        may_write: !diff.is_certain,
        ..Effects::default()
    }
}

/// The text in the command line that a command reads. None if missing, if there are several, or if
/// it has expansions.
fn text_of(redirections: &[Redirection]) -> Option<&str> {
    let mut texts = redirections
        .iter()
        .filter_map(|redirection| match &redirection.stream {
            RedirectedTo::Text { text, .. } => Some(text.as_deref()),
            _ => None,
        });
    let text = texts.next()?;
    if texts.next().is_some() { None } else { text }
}
