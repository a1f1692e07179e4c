//! Programs that apply a patch from the command line.

use super::super::FileChange;
use super::super::patch;
use super::super::word::{RedirectedTo, Redirection, ShellWord};
use super::Conduct;

/// How many folders git removes from the paths of a diff.
const OF_GIT: usize = 1;

pub(super) fn conduct(
    name: &str,
    arguments: &[ShellWord],
    redirections: &[Redirection],
) -> Option<Conduct> {
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
            changes(by, changed.map(|file| (file.change, file.path)))
        })
    };
    Some(known.unwrap_or_else(Conduct::unknown))
}

/// `git apply` of a diff in the command line.
pub(super) fn git_apply(arguments: &[&str], redirections: &[Redirection]) -> Conduct {
    let text = match arguments {
        [] | ["-"] => text_of(redirections),
        _ => None,
    };
    let known = text.map(|text| changes("git apply", patch::of_diff(text, OF_GIT)));
    known.unwrap_or_else(Conduct::unknown)
}

fn diff(arguments: &[ShellWord], redirections: &[Redirection]) -> Option<Conduct> {
    let [option] = arguments else { return None };
    let folders = option.literal()?.strip_prefix("-p")?.parse::<u8>().ok()?;
    let text = text_of(redirections)?;
    Some(changes("patch", patch::of_diff(text, folders.into())))
}

fn changes<'t>(
    by: &'static str,
    files: impl IntoIterator<Item = (FileChange, &'t str)>,
) -> Conduct {
    let changes = files
        .into_iter()
        .map(|(change, path)| (change, path.to_owned()))
        .collect();
    Conduct {
        changes,
        by,
        is_certain: true,
        ..Conduct::default()
    }
}

/// The text in the command line that a command reads. None if there is none, if there are several, or if
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
