//! The settings of a run: how the configuration file is found and read, and the environment, which takes
//! precedence over it.
//!
//! A command parses its arguments and combines them with the settings once, into a struct of plain
//! values (`CheckOptions`, `HookOptions`). Other code does not read the settings.

pub(crate) mod checker;
pub(crate) mod config_folder;
pub(crate) mod overrides;
pub(crate) mod profiles;

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::Position;
use crate::config::{AgentSettings, Config, FILE_NAME, SETTINGS, Setting, SettingValues};
use crate::text::escape;
use crate::text::is_blank;
use anyhow::{Context as _, anyhow, bail};

use crate::cli::args::config::ConfigArgs;
use crate::cli::folder;
use crate::cli::output::target;
use crate::cli::regular_file::{self, Links};
use crate::cli::stderr::note;

#[derive(Clone)]
pub(crate) struct Settings {
    pub(crate) file: Option<PathBuf>,
    /// The folder that the paths and globs of the configuration file are relative to.
    pub(crate) folder: Option<PathBuf>,
    /// Whether the file was found, not named. Somebody else may have written it.
    is_found: bool,
    pub(crate) config: Arc<Config>,
    /// The values of the environment, or those of the file where the environment sets none.
    pub(crate) values: SettingValues,
    /// The settings that the environment sets.
    variables: Vec<&'static Setting>,
    /// The settings that the command line or the agent's own table sets.
    given: Vec<&'static Setting>,
}

/// The source of a value.
pub(crate) enum SettingSource {
    Variable(&'static str),
    File(Position),
    Default,
}

impl Settings {
    pub(crate) fn load(args: &ConfigArgs) -> anyhow::Result<Self> {
        Self::load_of(args, FileKinds::Any, None)
    }

    /// The settings that apply in another folder. Its options may have been written by someone other
    /// than the person who runs this command, so only regular files are read.
    pub(crate) fn load_for_others(args: &ConfigArgs, folder: &Path) -> anyhow::Result<Self> {
        Self::load_of(args, FileKinds::Regular, Some(folder))
    }

    /// Loads the settings that apply in a folder, or in the current folder if it is None.
    fn load_of(args: &ConfigArgs, named: FileKinds, folder: Option<&Path>) -> anyhow::Result<Self> {
        let at = folder.unwrap_or(Path::new(""));
        let (file, kinds) = match &args.config {
            Some(path) => (Some(at.join(path)), named),
            None if args.no_config => (None, named),
            None => (find_upwards(folder)?, FileKinds::Regular),
        };
        // A file that was found, not named, is a regular file.
        let is_passing = |path: &PathBuf| args.config.is_some() && !regular_file::is_lasting(path);
        let folder = file.as_ref().map(|path| match path.parent() {
            Some(folder) if !is_passing(path) => folder.to_owned(),
            _ => at.to_owned(),
        });
        let file = file.zip(folder);
        let config = file
            .as_ref()
            .map(|(file, folder)| read(file, folder, kinds));
        let config = config.transpose()?.unwrap_or_default();
        let settings = Self::new(file, config, |name| std::env::var_os(name))?;
        Ok(Self {
            is_found: args.config.is_none(),
            ..settings
        })
    }

    /// The settings of an environment, and of a configuration file if there is one. `file` is its path
    /// and the folder that its paths are relative to.
    pub(crate) fn new(
        file: Option<(PathBuf, PathBuf)>,
        config: Config,
        environment: impl Fn(&str) -> Option<OsString>,
    ) -> anyhow::Result<Self> {
        let mut values = config.settings.values.clone();
        let (file, folder) = file.unzip();
        if let Some(folder) = &folder {
            values.resolve_paths(folder);
        }
        let mut variables = Vec::new();
        for setting in &SETTINGS {
            if let Some(name) = setting.variable
                && set_variable(setting, name, &mut values, &environment)?
            {
                variables.push(setting);
            }
        }
        Ok(Self {
            file,
            folder,
            is_found: false,
            config: Arc::new(config),
            values,
            variables,
            given: Vec::new(),
        })
    }

    /// Records which settings the command line sets.
    pub(crate) fn given<const N: usize>(mut self, settings: [(&str, bool); N]) -> Self {
        let given = settings.into_iter().filter(|(_, is_given)| *is_given);
        (self.given).extend(given.filter_map(|(name, _)| Setting::named(name)));
        self
    }

    /// The path of an output: the one of the command line, or the value of this setting.
    pub(crate) fn output(
        &self,
        given: Option<PathBuf>,
        name: &str,
        value: Option<PathBuf>,
    ) -> anyhow::Result<Option<PathBuf>> {
        if let (true, None, Some(path)) = (self.is_found, &given, &value)
            && let (Some(file), Some(folder)) = (&self.file, &self.folder)
            && let Some(at) = Setting::named(name).and_then(|it| self.config.settings.position(it))
            && !target(path).starts_with(target(&folder.join(".")))
        {
            let file = escape::path(file);
            bail!(
                "{file}:{}:{}: `{name}` leads out of the folder of this file: only a file that \
                 --config names may do that",
                at.line,
                at.column
            );
        }
        Ok(given.or(value))
    }

    /// The root: the one of the command line, or the value of its setting, or the folder of the file if
    /// that was found, or the current folder.
    pub(crate) fn root(&self, given: Option<PathBuf>) -> PathBuf {
        let of_file = self.folder.clone().filter(|_| self.is_found);
        let root = given.or_else(|| self.values.root.clone()).or(of_file);
        root.filter(|root| !root.as_os_str().is_empty())
            .unwrap_or_else(|| ".".into())
    }

    /// Whether a setting takes precedence over the overrides of the configuration file.
    fn is_decided(&self, setting: &'static Setting) -> bool {
        let mut deciding = [&self.variables, &self.given].into_iter();
        deciding.any(|settings| is_in(settings, setting))
    }

    /// The hook settings for an agent: the first table whose glob matches its name.
    pub(crate) fn hook_agent(&self, agent: &str) -> Option<&AgentSettings> {
        self.config.hook_agent(agent)
    }

    /// These settings for the returns of one agent, or of the one that they name.
    pub(crate) fn for_agent(self, agent: Option<&str>) -> Self {
        let agent = agent.or(self.values.agent.as_deref());
        let own = agent.and_then(|agent| self.hook_agent(agent));
        own.map(|own| self.with_own(own)).unwrap_or(self)
    }

    /// These settings with those of an agent's own table, which take precedence.
    pub(crate) fn with_own(&self, own: &AgentSettings) -> Self {
        let mut settings = self.clone();
        settings.values.overlay(&own.settings.values);
        let positions = own.settings.positions.iter();
        settings
            .given
            .extend(positions.map(|(setting, _)| *setting));
        settings
    }

    /// The variable that sets a setting. None if something else does.
    pub(crate) fn variable(&self, name: &str) -> Option<&'static str> {
        match self.source(Setting::named(name)?) {
            SettingSource::Variable(name) => Some(name),
            SettingSource::File(_) | SettingSource::Default => None,
        }
    }

    pub(crate) fn source(&self, setting: &'static Setting) -> SettingSource {
        let variable = setting.variable.filter(|_| is_in(&self.variables, setting));
        let file = || {
            self.config
                .settings
                .position(setting)
                .map(SettingSource::File)
        };
        let source = variable.map(SettingSource::Variable).or_else(file);
        source.unwrap_or(SettingSource::Default)
    }
}

/// Whether a flag is given or, if not, its setting is on.
pub(crate) fn is_on(flag: Option<bool>, setting: Option<bool>) -> bool {
    flag.or(setting).unwrap_or(false)
}

/// Reads the environment variable of a setting. Returns whether it sets a value: a variable without
/// visible characters does not. An error is safe to print.
fn set_variable(
    setting: &Setting,
    name: &str,
    values: &mut SettingValues,
    environment: impl Fn(&str) -> Option<OsString>,
) -> anyhow::Result<bool> {
    let Some(text) = environment(name) else {
        return Ok(false);
    };
    let Ok(text) = text.into_string() else {
        bail!("the environment variable {name} is not UTF-8");
    };
    if is_blank(&text) {
        return Ok(false);
    }
    let set = setting.set_variable(values, &text);
    set.map_err(|error| anyhow!("the environment variable {name}: {error}"))?;
    Ok(true)
}

fn is_in(settings: &[&'static Setting], setting: &'static Setting) -> bool {
    settings.iter().any(|it| std::ptr::eq(*it, setting))
}

/// The most bytes of a configuration file. No one writes that much by hand.
const BYTES_AT_MOST: u64 = 1024 * 1024;

/// The nearest configuration file, in a folder or one of its parents. Without `start`, the search begins
/// in the current folder and the path is relative.
fn find_upwards(start: Option<&Path>) -> anyhow::Result<Option<PathBuf>> {
    let Some(folder) = start.or(folder::current()) else {
        return Ok(None);
    };
    let mut path = start.map_or_else(PathBuf::new, Path::to_owned);
    for _ in folder.ancestors() {
        let candidate = path.join(FILE_NAME);
        match stat(&candidate) {
            Ok(found) if found.is_file => {
                let of_folder = stat(&path.join("."));
                if !found.is_world_writable && !of_folder.is_ok_and(|it| it.is_world_writable) {
                    return Ok(Some(candidate));
                }
                let name = escape::path(&candidate);
                note(&format!(
                    "{name} is ignored because everyone can write to it: name it with --config to use it"
                ));
            }
            Ok(_) => note(&format!(
                "{} is ignored because it is not a regular file",
                escape::path(&candidate)
            )),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                return Err(error)
                    .with_context(|| format!("cannot read {}", escape::path(&candidate)));
            }
        }
        path.push("..");
    }
    Ok(None)
}

struct Candidate {
    is_file: bool,
    /// Whether everyone can write to it. If so, another user could have written the settings.
    is_world_writable: bool,
}

// Calls `stat` directly. The standard library tries `statx` first and makes another system call if that
// fails, to find out whether it is supported at all. Here it nearly always fails, because the file is
// missing.
#[cfg(unix)]
fn stat(path: &Path) -> io::Result<Candidate> {
    use rustix::fs::{FileType, Mode, stat};
    let mode = stat(path)?.st_mode;
    Ok(Candidate {
        is_file: FileType::from_raw_mode(mode) == FileType::RegularFile,
        is_world_writable: Mode::from_raw_mode(mode).contains(Mode::WOTH),
    })
}

// On other systems, the permissions of a file do not tell who can write to it.
#[cfg(not(unix))]
fn stat(path: &Path) -> io::Result<Candidate> {
    Ok(Candidate {
        is_file: path.metadata()?.is_file(),
        is_world_writable: false,
    })
}

/// The kinds of files that a configuration may be read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FileKinds {
    /// Any file, such as a pipe or `/dev/null`: the person who runs the command chose it.
    Any,
    /// Regular files only. Somebody else chose the path, and reading a pipe could block.
    Regular,
}

/// Reads a configuration. What it names is read below `folder`.
fn read(path: &Path, folder: &Path, kinds: FileKinds) -> anyhow::Result<Config> {
    let name = escape::path(path);
    let mut bytes = Vec::new();
    let file = match kinds {
        FileKinds::Any => File::open(path),
        FileKinds::Regular => {
            regular_file::open(path, OpenOptions::new().read(true), Links::Followed)
        }
    };
    let file = file.with_context(|| format!("cannot read {name}"))?;
    file.take(BYTES_AT_MOST + 1)
        .read_to_end(&mut bytes)
        .with_context(|| format!("cannot read {name}"))?;
    if bytes.len() as u64 > BYTES_AT_MOST {
        bail!("{name} is larger than {BYTES_AT_MOST} bytes, too large for a configuration");
    }
    let Ok(text) = String::from_utf8(bytes) else {
        bail!("{name} is not UTF-8");
    };
    // A path without a folder has an empty one.
    let here = Path::new(".");
    let folder = if folder.as_os_str().is_empty() {
        here
    } else {
        folder
    };
    Config::parse_in(&text, folder).map_err(|errors| {
        let errors = errors.as_slice().iter();
        let lines: Vec<_> = errors.map(|error| format!("{name}:{error}")).collect();
        anyhow!(lines.join("\nerror: "))
    })
}
