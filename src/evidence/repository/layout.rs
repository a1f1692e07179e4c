//! Where the parts of a repository are, and where else it is checked out.

use std::fs;
use std::path::{Path, PathBuf};

use super::id::IdFormat;
use super::{RepositoryGap, files};
use crate::root::collapsed;

/// Most bytes of a file that names a folder or a working tree.
const POINTER_AT_MOST: u64 = 8 << 10;
/// Most bytes of a configuration.
const CONFIG_AT_MOST: u64 = 1 << 20;
/// Most working trees that are looked for.
const TREES_AT_MOST: usize = 256;

#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct RepositoryLayout {
    /// The folder in which `.git` is.
    pub(super) work_tree: PathBuf,
    /// The path from `work_tree` to the folder from which the repository was searched.
    pub(super) prefix: PathBuf,
    /// The folder of what belongs to this work tree alone, such as `HEAD`.
    pub(super) git: PathBuf,
    /// The folder of what all work trees share, such as objects and branches.
    pub(super) common: PathBuf,
    pub(super) format: IdFormat,
    pub(super) is_shallow: bool,
    /// Whether the clone is partial, so that objects may be missing.
    pub(super) is_partial: bool,
    /// Whether the configuration names a file of attributes, or more configuration, that is not read
    /// here.
    pub(super) has_attributes_elsewhere: bool,
    /// Whether the permission to execute a file counts.
    pub(super) has_modes: bool,
}

impl RepositoryLayout {
    pub(super) fn find(folder: &Path) -> Result<Self, RepositoryGap> {
        let folder = folder
            .canonicalize()
            .map_err(|_| RepositoryGap::NoRepository)?;
        for work_tree in folder.ancestors() {
            let Some(git) = git_folder(work_tree)? else {
                continue;
            };
            let common = match files::read_text(&git.join("commondir"), POINTER_AT_MOST)? {
                Some(path) => git.join(path.trim_end()),
                None => git.clone(),
            };
            let prefix = folder.strip_prefix(work_tree).unwrap_or(Path::new(""));
            let mut layout = Self {
                work_tree: work_tree.to_owned(),
                prefix: prefix.to_owned(),
                format: IdFormat::Sha1,
                is_partial: false,
                has_attributes_elsewhere: false,
                has_modes: true,
                is_shallow: fs::symlink_metadata(common.join("shallow")).is_ok(),
                git,
                common,
            };
            layout.configure()?;
            return Ok(layout);
        }
        Err(RepositoryGap::NoRepository)
    }

    /// Reads the configuration. An error if it sets something that is not supported.
    fn configure(&mut self) -> Result<(), RepositoryGap> {
        let mut config = String::new();
        for place in [self.common.join("config"), self.git.join("config.worktree")] {
            let text = files::read_text(&place, CONFIG_AT_MOST)?.unwrap_or_default();
            config.push_str(text.trim_start_matches('\u{feff}'));
            config.push_str("\n\n");
        }
        let mut section = String::new();
        let mut before = "";
        for whole in config.lines().map(str::trim) {
            let mut line = whole;
            while let Some(rest) = line.strip_prefix('[') {
                // The bracket may be part of a value that continues from the previous line.
                if before.ends_with('\\') {
                    return Err(RepositoryGap::Unsupported);
                }
                let (name, after) = header(rest);
                section = name.to_ascii_lowercase();
                line = after.trim_start();
            }
            before = whole;
            let (key, value) = line.split_once('=').unwrap_or((line, ""));
            let (key, value) = (
                key.trim().to_ascii_lowercase(),
                value.trim().to_ascii_lowercase(),
            );
            match (section.as_str(), key.as_str()) {
                ("extensions", "objectformat") => match value.as_str() {
                    "sha1" => {}
                    "sha256" => self.format = IdFormat::Sha256,
                    _ => return Err(RepositoryGap::Unsupported),
                },
                ("extensions", "refstorage") if value != "files" => {
                    return Err(RepositoryGap::Unsupported);
                }
                ("extensions", "partialclone") => self.is_partial = true,
                ("core", "worktree") => return Err(RepositoryGap::Unsupported),
                ("core", "filemode") => {
                    self.has_modes = !["false", "no", "off", "0"].contains(&value.as_str());
                }
                ("core", "attributesfile") | ("include", "path") => {
                    self.has_attributes_elsewhere = true;
                }
                (section, "path") if section.starts_with("includeif") => {
                    self.has_attributes_elsewhere = true;
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// The repository of a work tree: `.git`, or the folder that the file `.git` names. None if there is
/// none.
fn git_folder(work_tree: &Path) -> Result<Option<PathBuf>, RepositoryGap> {
    let place = work_tree.join(".git");
    let Ok(data) = fs::symlink_metadata(&place) else {
        return Ok(None);
    };
    let git = if data.is_file() {
        let text = files::read_text(&place, POINTER_AT_MOST)?.unwrap_or_default();
        let Some(path) = text.strip_prefix("gitdir:") else {
            return Ok(None);
        };
        work_tree.join(path.trim())
    } else {
        place
    };
    Ok(git.join("HEAD").is_file().then_some(git))
}

/// The name of a section with its subsection, and what follows on the line. A quoted subsection may
/// have brackets.
fn header(text: &str) -> (&str, &str) {
    let (mut is_quoted, mut is_escaped) = (false, false);
    let end = text.find(|letter| {
        if is_escaped {
            is_escaped = false;
            return false;
        }
        is_escaped = is_quoted && letter == '\\';
        is_quoted ^= letter == '"';
        letter == ']' && !is_quoted
    });
    end.map_or((text, ""), |end| (&text[..end], &text[end + 1..]))
}

/// The folder that the layout was found by, as a path in each of the other working trees.
pub(super) fn other_folders(layout: &RepositoryLayout) -> Vec<PathBuf> {
    if layout.git != layout.common {
        return Vec::new();
    }
    let Ok(entries) = fs::read_dir(layout.common.join("worktrees")) else {
        return Vec::new();
    };
    let entries = entries.take(TREES_AT_MOST).flatten();
    let trees = entries.filter_map(|entry| work_tree(&entry.path()));
    let others = trees.filter(|tree| !layout.work_tree.starts_with(tree));
    others.map(|tree| tree.join(&layout.prefix)).collect()
}

/// The working tree for which the repository has this folder.
fn work_tree(folder: &Path) -> Option<PathBuf> {
    let text = files::read_text(&folder.join("gitdir"), POINTER_AT_MOST).ok()??;
    // The file has the path of `.git` in the working tree, which may be relative to `folder`.
    Some(
        collapsed(&folder.join(text.trim_end()))
            .parent()?
            .to_owned(),
    )
}
