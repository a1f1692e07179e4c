//! What a shell keeps from one command to the next.

use super::distrust::Distrust;

/// Most bytes of a path.
const PATH_AT_MOST: usize = 4096;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ShellState {
    pub(super) folder: Folder,
    /// `set -e`: the first command that fails ends the shell.
    pub(super) errexit: bool,
    /// `set -o pipefail`: a pipeline fails if one of its commands does.
    pub(super) pipefail: bool,
    /// What is uncertain about the commands that follow.
    pub(super) distrust: Distrust,
}

/// The folder in which a command is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Folder {
    /// `path` is empty for the folder in which the command line started.
    Known {
        path: String,
        is_certain: bool,
    },
    Unknown,
}

impl Default for Folder {
    fn default() -> Self {
        Self::Known {
            path: String::new(),
            is_certain: true,
        }
    }
}

impl Folder {
    /// A path relative to the folder in which the command line started, and whether that is certain.
    /// None if it is unknown or too long.
    pub(super) fn resolve(&self, path: &str) -> Option<(String, bool)> {
        if path.is_empty() || path.len() > PATH_AT_MOST {
            return None;
        }
        if path.starts_with('/') {
            return Some((path.to_owned(), true));
        }
        match self {
            Self::Known {
                path: folder,
                is_certain,
            } if folder.is_empty() => Some((path.to_owned(), *is_certain)),
            Self::Known {
                path: folder,
                is_certain,
            } if folder.len() + path.len() < PATH_AT_MOST => Some((
                format!("{}/{path}", folder.trim_end_matches('/')),
                *is_certain,
            )),
            _ => None,
        }
    }

    /// Changes to a folder, as `cd` does. `path` is None if it is unknown.
    pub(super) fn enter(&mut self, path: Option<&str>, is_certain: bool) {
        let entered = path
            .filter(|path| !path.starts_with(['-', '+']))
            .and_then(|path| self.resolve(path));
        *self = entered.map_or(Self::Unknown, |(path, known)| Self::Known {
            path,
            is_certain: is_certain && known,
        });
    }
}

impl ShellState {
    /// Applies options of `set` or of a shell. None if an option is unknown.
    pub(super) fn set(&mut self, arguments: &[&str]) -> Option<()> {
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            if *argument == "--" {
                return Some(());
            }
            let (on, letters) = match argument.split_at_checked(1)? {
                ("-", letters) => (true, letters),
                ("+", letters) => (false, letters),
                _ => return None,
            };
            for letter in letters.chars() {
                match letter {
                    'e' => self.errexit = on,
                    'u' | 'x' | 'v' | 'E' | 'f' | 'T' => {}
                    'o' => match *rest.next()? {
                        "errexit" => self.errexit = on,
                        "pipefail" => self.pipefail = on,
                        "nounset" | "xtrace" | "errtrace" | "noglob" => {}
                        _ => return None,
                    },
                    _ => return None,
                }
            }
        }
        Some(())
    }
}
