//! The rules of a user about files that no repository tracks.

use std::path::{Path, PathBuf};

use super::Repository;
use super::files::read_text;

/// Most bytes of a file of settings or rules.
const TEXT_AT_MOST: u64 = 1 << 20;

/// Where installations of git keep the settings of all users.
const OF_SYSTEM: [&str; 3] = [
    "/etc/gitconfig",
    "/usr/local/etc/gitconfig",
    "/opt/homebrew/etc/gitconfig",
];

/// The folders below which the settings of a user are.
#[derive(Debug)]
pub(crate) struct UserFolders {
    pub(crate) home: Option<PathBuf>,
    pub(crate) settings: Option<PathBuf>,
}

impl Repository {
    /// The ignore rules that no commit has: those of a user, which hold in all repositories, and those of
    /// this repository. None if some may be in a file that settings of git name, or cannot be read.
    pub(crate) fn ignore_rules(&self, user: &UserFolders) -> Option<String> {
        let home = user.home.as_deref();
        let settings = user.settings.clone();
        let settings = settings.or_else(|| Some(home?.join(".config")));
        let git = settings.map(|it| it.join("git"));
        let own = home.map(|home| home.join(".gitconfig"));
        let files = own
            .into_iter()
            .chain(git.as_ref().map(|git| git.join("config")));
        let files = files.chain(OF_SYSTEM.map(PathBuf::from));
        let files = files.chain([
            self.layout.common.join("config"),
            self.layout.git.join("config.worktree"),
        ]);
        for file in files {
            let text = read(&file)?.to_ascii_lowercase();
            if text.contains("excludesfile") || text.contains("[include") {
                return None;
            }
        }
        let own = read(&self.layout.common.join("info/exclude"))?;
        let of_user = git.map_or_else(|| Some(String::new()), |git| read(&git.join("ignore")))?;
        Some(own + "\n" + &of_user)
    }
}

/// The text of a file. None if it cannot be read; empty if there is none.
fn read(path: &Path) -> Option<String> {
    let text = read_text(path, TEXT_AT_MOST).ok()?;
    Some(text.unwrap_or_default())
}
