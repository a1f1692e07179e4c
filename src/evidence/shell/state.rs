//! What a shell keeps from one command to the next.

use super::trust::ShellTrust;

/// Most bytes of a path.
const PATH_AT_MOST: usize = 4096;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ShellState {
    pub(super) folder: Folder,
    /// `set -e`: the first command that fails ends the shell.
    pub(super) errexit: bool,
    /// `set -o pipefail`: a pipeline fails if one of its commands does.
    pub(super) pipefail: bool,
    /// Whether the shell's own errors may go elsewhere than to standard error.
    pub(super) is_muted: bool,
    /// What is uncertain about the commands that follow.
    pub(super) trust: ShellTrust,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Folder {
    /// `path` is empty for the folder in which the command line started.
    Known {
        path: String,
        certainty: Certainty,
    },
    Unknown,
}

/// Whether something happened if the whole command line ended with status 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Certainty {
    Open,
    /// If it did not happen, the shell wrote so to standard error.
    IfSilent,
    Certain,
}

impl Certainty {
    pub(super) fn only_if(self, is_so: bool) -> Self {
        if is_so { self } else { Self::Open }
    }
}

impl Default for Folder {
    fn default() -> Self {
        Self::Known {
            path: String::new(),
            certainty: Certainty::Certain,
        }
    }
}

impl Folder {
    /// A path relative to the folder in which the command line started, and whether that is certain.
    /// None if it is unknown or too long.
    pub(super) fn resolve(&self, path: &str) -> Option<(String, Certainty)> {
        if path.is_empty() || path.len() > PATH_AT_MOST {
            return None;
        }
        if path.starts_with('/') {
            return Some((path.to_owned(), Certainty::Certain));
        }
        match self {
            Self::Known {
                path: folder,
                certainty,
            } if folder.is_empty() => Some((path.to_owned(), *certainty)),
            Self::Known {
                path: folder,
                certainty,
            } if folder.len() + path.len() < PATH_AT_MOST => Some((
                format!("{}/{path}", folder.trim_end_matches('/')),
                *certainty,
            )),
            _ => None,
        }
    }

    /// Changes to a folder, as `cd` does. `path` is None if it is unknown.
    pub(super) fn enter(&mut self, path: Option<&str>, certainty: Certainty) {
        let entered = path
            .filter(|path| !path.starts_with(['-', '+']))
            .and_then(|path| self.resolve(path));
        *self = entered.map_or(Self::Unknown, |(path, known)| Self::Known {
            path,
            certainty: certainty.min(known),
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
                    'a' | 'u' | 'x' | 'v' | 'E' | 'f' | 'T' => {}
                    'o' => match *rest.next()? {
                        "errexit" => self.errexit = on,
                        "pipefail" => self.pipefail = on,
                        "allexport" | "nounset" | "xtrace" | "errtrace" | "noglob" => {}
                        _ => return None,
                    },
                    _ => return None,
                }
            }
        }
        Some(())
    }
}
