//! Options that the command line left open.

use std::path::PathBuf;

use clap::ValueEnum as _;
use retval::config::SettingValue;
use retval::format::Format;

use crate::args::rules::RuleArgs;
use crate::check::args::{CheckArgs, ColorChoice};
use crate::convert::ConvertArgs;
use crate::hook::args::HookArgs;
use crate::instruct::InstructArgs;
use crate::schema::SchemaArgs;
use crate::settings::Settings;

impl Settings {
    fn open<T>(
        &self,
        name: &str,
        option: &mut Option<T>,
        meant: impl Fn(SettingValue) -> Option<T>,
    ) -> anyhow::Result<()> {
        if option.is_none() {
            *option = self.get(name)?.and_then(meant);
        }
        Ok(())
    }

    fn text(&self, name: &str, option: &mut Option<String>) -> anyhow::Result<()> {
        self.open(name, option, text)
    }

    fn path(&self, name: &str, option: &mut Option<PathBuf>) -> anyhow::Result<()> {
        self.open(name, option, |value| text(value).map(PathBuf::from))
    }

    fn number<N: TryFrom<u64>>(&self, name: &str, option: &mut Option<N>) -> anyhow::Result<()> {
        self.open(name, option, |value| match value {
            SettingValue::Number(number) => N::try_from(number).ok(),
            _ => None,
        })
    }

    fn switch(&self, name: &str, option: &mut Option<bool>) -> anyhow::Result<()> {
        self.open(name, option, |value| match value {
            SettingValue::Switch(is_on) => Some(is_on),
            _ => None,
        })
    }

    fn texts(&self, name: &str, option: &mut Vec<String>) -> anyhow::Result<()> {
        if option.is_empty()
            && let Some(SettingValue::Texts(texts)) = self.get(name)?
        {
            *option = texts;
        }
        Ok(())
    }

    fn demands(&self, options: &mut RuleArgs) -> anyhow::Result<()> {
        self.text("group", &mut options.group)?;
        self.switch("strict", &mut options.strict)?;
        self.number("max-bytes", &mut options.max_bytes)
    }

    /// Fills in what the command line left open.
    pub(crate) fn fill_check(&self, options: &mut CheckArgs) -> anyhow::Result<()> {
        self.text("profile", &mut options.profile)?;
        self.text("session", &mut options.session)?;
        self.text("agent", &mut options.agent)?;
        self.path("root", &mut options.root)?;
        self.demands(&mut options.demands)?;
        self.switch("fail-fast", &mut options.fail_fast)?;
        self.switch("extract", &mut options.extract)?;
        self.switch("statistics", &mut options.statistics)?;
        self.switch("no-progress", &mut options.no_progress)?;
        self.texts("include", &mut options.include)?;
        self.texts("exclude", &mut options.exclude)?;
        self.path("errors-json", &mut options.errors_json)?;
        self.path("baseline", &mut options.baseline)?;
        self.number("jobs", &mut options.jobs)?;
        let format = |value| Format::named(&text(value)?);
        self.open("format", &mut options.default_format, format)?;
        let color = |value| ColorChoice::from_str(&text(value)?, false).ok();
        // The variables that everybody knows are the environment's word on it.
        if anstyle_query::no_color() || anstyle_query::clicolor_force() {
            return Ok(());
        }
        self.open("color", &mut options.color, color)
    }

    pub(crate) fn fill_hook(&self, options: &mut HookArgs) -> anyhow::Result<()> {
        self.text("profile", &mut options.profile)?;
        self.text("session", &mut options.session)?;
        self.path("root", &mut options.root)?;
        self.demands(&mut options.demands)?;
        self.path("errors-json", &mut options.errors_json)?;
        self.texts("hook.agents", &mut options.agents)?;
        self.number("hook.retries", &mut options.retries)?;
        self.switch("hook.observe", &mut options.observe)?;
        self.switch("hook.fail-closed", &mut options.fail_closed)?;
        self.text("hook.return-file", &mut options.return_file)
    }

    pub(crate) fn fill_convert(&self, options: &mut ConvertArgs) -> anyhow::Result<()> {
        self.text("session", &mut options.session)?;
        self.text("agent", &mut options.agent)?;
        self.path("root", &mut options.root)?;
        self.number("max-bytes", &mut options.max_bytes)
    }

    pub(crate) fn fill_schema(&self, options: &mut SchemaArgs) -> anyhow::Result<()> {
        self.text("profile", &mut options.profile)
    }

    pub(crate) fn fill_instruct(&self, options: &mut InstructArgs) -> anyhow::Result<()> {
        self.text("profile", &mut options.profile)?;
        self.text("session", &mut options.session)?;
        self.text("agent", &mut options.agent)?;
        self.text("group", &mut options.group)
    }
}

fn text(value: SettingValue) -> Option<String> {
    match value {
        SettingValue::Text(text) => Some(text),
        _ => None,
    }
}
