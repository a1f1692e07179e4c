//! The settings files of the clients: where they are, what is in them, and how they are changed, as a whole or
//! not at all.

use std::env;
use std::fmt::Display;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use crate::clients::HookSettings;
use crate::text::escape;
use anyhow::{Context as _, anyhow, bail};
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstContainerNode, CstObject, CstObjectProp, CstRootNode};
use serde::de::IgnoredAny;

use crate::cli::files::{replace, target};

/// Whose settings a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    Project,
    /// Those of a user in one project.
    Local,
    User,
}

impl Reach {
    pub(super) const ALL: [Self; 3] = [Self::Project, Self::Local, Self::User];

    pub(super) fn others(self) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(move |other| *other != self)
    }

    pub(super) fn option(self) -> &'static str {
        match self {
            Self::Project => "--project",
            Self::Local => "--local",
            Self::User => "--user",
        }
    }
}

/// The new text of the file. None deletes it.
pub(super) struct NewText {
    pub(super) text: Option<String>,
    pub(super) old: Option<String>,
}

/// A client's settings file.
#[derive(Debug)]
pub(super) struct SettingsPlace {
    pub(super) path: PathBuf,
    /// The folder of the project or of the user. Folders below it are created and removed with the file.
    pub(super) base: PathBuf,
    pub(super) reach: Reach,
}

impl SettingsPlace {
    pub(super) fn of(client: &HookSettings, reach: Reach) -> anyhow::Result<Self> {
        if reach == Reach::User {
            let base = match client.folder_variable.and_then(variable_folder) {
                Some(folder) => folder,
                None => home(client)?.join(client.folder),
            };
            let path = base.join(client.file);
            return Ok(Self { path, base, reach });
        }
        let file = match (reach, client.local_file) {
            (Reach::Local, None) => bail!("{} has no local settings", client.client.as_str()),
            (Reach::Local, Some(file)) => file,
            _ => client.file,
        };
        let base = project()?;
        let path = base.join(client.project_folder).join(file);
        Ok(Self { path, base, reach })
    }
}

/// The nearest folder with `.git`, here or above, else this folder.
pub(super) fn project() -> anyhow::Result<PathBuf> {
    let here = env::current_dir().context("cannot find the current folder")?;
    let found = here.ancestors().find(|folder| folder.join(".git").exists());
    Ok(found.map_or_else(|| here.clone(), Path::to_owned))
}

fn home(client: &HookSettings) -> anyhow::Result<PathBuf> {
    let moved = client.home_variable.and_then(variable_folder);
    moved
        .or_else(env::home_dir)
        .filter(|home| !home.as_os_str().is_empty())
        .context("cannot find the home folder: set HOME")
}

fn variable_folder(name: &str) -> Option<PathBuf> {
    let value = env::var_os(name).filter(|value| !value.is_empty())?;
    std::path::absolute(value).ok()
}

/// Most bytes of a settings file. Those of the clients have a few thousand.
const BYTES_AT_MOST: u64 = 16 << 20;

/// How often a change is tried, if another program changes the file in the meantime.
const ATTEMPTS: usize = 20;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum SettingsChange {
    None,
    Created,
    /// `replaced` is the command that the file had before.
    Edited {
        replaced: Option<String>,
    },
    Deleted,
}

impl SettingsPlace {
    /// Replaces the file by what `edit` makes of its text.
    pub(super) fn change(
        &self,
        edit: impl Fn(Option<&str>) -> anyhow::Result<NewText>,
    ) -> anyhow::Result<SettingsChange> {
        let changed = self.try_change(edit);
        changed.with_context(|| escape::path(&self.path))
    }

    fn try_change(
        &self,
        edit: impl Fn(Option<&str>) -> anyhow::Result<NewText>,
    ) -> anyhow::Result<SettingsChange> {
        let target = target(&self.path);
        self.refuse_outside(&target)?;
        for _ in 0..ATTEMPTS {
            let old = read(&target)?;
            let folder = target.parent().context("it is no file")?;
            let new = edit(old.as_deref())?;
            if new.text == old {
                return Ok(SettingsChange::None);
            }
            let metadata = writable(&target)?;
            if new.text.is_some() {
                fs::create_dir_all(folder).context("cannot make its folder")?;
            }
            let _lock = lock(folder);
            if read(&target)? != old {
                continue;
            }
            return self.put(&target, old.is_some(), new, metadata.as_ref());
        }
        bail!("another program keeps changing it\n       nothing was changed: try again later")
    }

    /// Refuses a target outside the project. A symlink stays and its target is changed, but editing the
    /// settings of one project must not change anything outside of it.
    fn refuse_outside(&self, target: &Path) -> anyhow::Result<()> {
        let base = self.base.canonicalize();
        // `..` after a missing folder cannot be resolved.
        let goes_up = target.components().any(|part| part == Component::ParentDir);
        let is_outside = goes_up || base.is_ok_and(|base| !target.starts_with(base));
        if self.reach != Reach::User && is_outside {
            bail!(
                "it leads out of the project, to {}\n       nothing was changed: edit that file with --user or by hand",
                escape::path(target)
            );
        }
        Ok(())
    }

    fn put(
        &self,
        target: &Path,
        is_there: bool,
        new: NewText,
        old: Option<&Metadata>,
    ) -> anyhow::Result<SettingsChange> {
        // A link stays, and so does the file that it leads to.
        let rest = || self.path.is_symlink().then(|| "{}\n".to_owned());
        let Some(text) = new.text.or_else(rest) else {
            fs::remove_file(target).context("cannot delete it")?;
            self.remove_empty_folders(target);
            return Ok(SettingsChange::Deleted);
        };
        replace(target, text.as_bytes(), old).context("cannot write it")?;
        let replaced = new.old;
        Ok(if is_there {
            SettingsChange::Edited { replaced }
        } else {
            SettingsChange::Created
        })
    }

    /// Removes the folders of the file below that of the project or the user, if they are empty.
    fn remove_empty_folders(&self, target: &Path) {
        let folders = target.ancestors().skip(1);
        let is_below = |folder: &&Path| folder.starts_with(&self.base) && **folder != self.base;
        for folder in folders.take_while(is_below) {
            if fs::remove_dir(folder).is_err() {
                break;
            }
        }
    }
}

pub(super) fn read(path: &Path) -> anyhow::Result<Option<String>> {
    if let Ok(found) = fs::metadata(path) {
        if !found.is_file() {
            bail!("it is not a regular file");
        }
        if found.len() > BYTES_AT_MOST {
            bail!(
                "it has {} bytes; settings have at most {BYTES_AT_MOST}",
                found.len()
            );
        }
    }
    match fs::read(path) {
        Ok(bytes) => {
            let text = String::from_utf8(bytes);
            let text = text.map_err(|error| {
                let at = error.utf8_error().valid_up_to();
                anyhow!("it is not UTF-8 at byte {at}\n       nothing was changed: save the file as UTF-8 and try again")
            });
            text.map(Some)
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).context("cannot read it"),
    }
}

/// The metadata of the file, if there is one. Refuses a read-only file: replacing it needs no permission
/// to write to it, so it would succeed.
fn writable(path: &Path) -> anyhow::Result<Option<Metadata>> {
    let Ok(metadata) = fs::metadata(path) else {
        return Ok(None);
    };
    let is_closed = metadata.permissions().readonly();
    if is_closed || OpenOptions::new().write(true).open(path).is_err() {
        bail!("it is read-only\n       nothing was changed: make it writable and try again");
    }
    Ok(Some(metadata))
}

/// Keeps other calls from editing a file in this folder, on systems where folders can be locked.
fn lock(folder: &Path) -> Option<File> {
    let folder = File::open(folder).ok()?;
    folder.lock().ok()?;
    Some(folder)
}

/// A byte-order mark, which the parser does not take.
const MARK: char = '\u{feff}';

/// The text as a tree that keeps every byte. Without an object in it, it is blank.
pub(super) struct SettingsText {
    root: CstRootNode,
    has_mark: bool,
}

impl SettingsText {
    /// # Errors
    ///
    /// If the text is neither a JSON object nor blank; the error says where.
    pub(super) fn parse(client: &HookSettings, text: &str) -> anyhow::Result<Self> {
        let bare = text.strip_prefix(MARK);
        let json = bare.unwrap_or(text);
        let takes_comments = client.takes_comments;
        let invalid = |error: &dyn Display| unchanged(&format!("it is not valid JSON: {error}"));
        // The parser of trees takes comments in some places, whatever its options say.
        if !takes_comments && !json.trim().is_empty() {
            serde_json::from_str::<IgnoredAny>(json).map_err(|error| invalid(&error))?;
        }
        let root =
            CstRootNode::parse(json, &options(takes_comments)).map_err(|error| invalid(&error))?;
        if root.value().is_some() && root.object_value().is_none() {
            return Err(unchanged("it is not a JSON object"));
        }
        Ok(Self {
            root,
            has_mark: bare.is_some(),
        })
    }

    /// None if the file is blank.
    pub(super) fn object(&self) -> Option<CstObject> {
        self.root.object_value()
    }

    /// The object of the file, which is created if the file is blank.
    pub(super) fn object_or_new(&self) -> CstObject {
        self.root.object_value_or_set()
    }

    pub(super) fn text(&self) -> String {
        let mark = self.has_mark.then_some(MARK);
        mark.into_iter().collect::<String>() + &self.root.to_string()
    }

    /// Whether nothing but white space is around the object.
    pub(super) fn is_object_alone(&self) -> bool {
        let children = self.root.children();
        !self.has_mark && children.iter().all(|child| !child.is_comment())
    }
}

/// The member of an object.
///
/// # Errors
///
/// If the key is there twice: clients differ in which one they read.
pub(super) fn member(object: &CstObject, key: &str) -> anyhow::Result<Option<CstObjectProp>> {
    let is_it = |member: &CstObjectProp| member.decoded_name().as_deref() == Some(key);
    let mut found = object.properties().into_iter().filter(is_it);
    match (found.next(), found.next()) {
        (_, Some(_)) => {
            bail!("it has the key `{key}` twice\n       nothing was changed: remove one of them")
        }
        (member, None) => Ok(member),
    }
}

pub(super) fn is_empty(container: &CstContainerNode) -> bool {
    let children = container.children();
    children
        .iter()
        .all(|child| !child.is_comment() && (child.is_trivia() || child.is_token()))
}

/// The error for a file that cannot be edited.
pub(super) fn unchanged(why: &str) -> anyhow::Error {
    anyhow!("{why}\n       nothing was changed: correct the file and try again")
}

/// The grammar of JSON, and comments if they are taken.
fn options(takes_comments: bool) -> ParseOptions {
    ParseOptions {
        allow_comments: takes_comments,
        allow_loose_object_property_names: false,
        allow_trailing_commas: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}
