//! `retval help`: the help of a command, or a page of the manual.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command as Program, Stdio};

use clap::builder::{PossibleValue, StringValueParser, StyledStr, TypedValueParser};
use clap::{Arg, Args, Command};

use crate::cli::manual::{PAGES, Page, PageSection};
use crate::cli::output::{Exit, OutputPlace, print_stdout};
use crate::config::ColorChoice;
use crate::text::suggest::nearest;
use crate::text::{escape, is_blank};

const NAME: &str = "retval";

#[derive(Debug, Args)]
pub(crate) struct HelpArgs {
    /// Command, manual page, or a word to look for in the manual [default: a list of commands and pages]
    #[arg(hide_possible_values = true, value_parser = TopicName)]
    pub(crate) topic: Vec<String>,
}

/// The name of a command or a page. The commands are only known after all of them are built, so
/// completions offer only the pages.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TopicName;

impl TypedValueParser for TopicName {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let pages = PAGES.iter();
        Some(Box::new(pages.map(|page| PossibleValue::new(page.name))))
    }
}

pub(crate) fn run(options: &HelpArgs, mut all: Command) -> anyhow::Result<Exit> {
    if options.topic.is_empty() {
        let list = all.after_help(pages_listed()).render_help();
        return print_stdout(styled(&list));
    }
    // The pages of `man` have the same names: `hook-install` is `hook install`.
    let topic = options.topic.join("-");
    let help = help_of(&mut all, &topic);
    let page = Page::named(&topic).map(Page::text);
    // A command and a page can have the same name.
    match (help, page) {
        (None, None) => {
            let words = options.topic.join(" ");
            // Several words may be a misspelled command of a command.
            let is_slip = options.topic.len() > 1 && meant(&all, &words).is_some();
            match found(&words).filter(|_| !is_slip) {
                Some(list) => print_stdout(list),
                None => Err(unknown(&all, &words)),
            }
        }
        (Some(help), None) => print_stdout(help),
        (help, Some(page)) => {
            let texts: Vec<_> = help.into_iter().chain([page]).collect();
            show(&texts.join("\n"))
        }
    }
}

/// The sections of the manual that have a word in their titles, or else in their texts. None if there
/// are none.
fn found(word: &str) -> Option<String> {
    let word = word.to_lowercase();
    let has_word = |text: &str| text.to_lowercase().contains(&word);
    let pages = PAGES.iter().filter(|page| page.is_for_users());
    let sections = pages.flat_map(Page::sections);
    let (mut list, others): (Vec<_>, Vec<_>) = sections.partition(|it| has_word(it.title));
    let mut place = " in their titles";
    if list.is_empty() {
        place = "";
        list.extend(others.into_iter().filter(|it| has_word(it.text)));
    }
    if list.is_empty() || is_blank(&word) {
        return None;
    }
    let width = list.iter().map(|it| it.page.len()).max()?;
    let word = escape::truncated(&word);
    let mut text = format!("Sections of the manual with `{word}`{place}:\n");
    for PageSection { page, title, .. } in list {
        let _ = writeln!(text, "  retval help {page:width$}  {title}");
    }
    Some(text)
}

fn help_of(all: &mut Command, topic: &str) -> Option<String> {
    let mut words = vec![NAME.to_owned()];
    words.extend(command_paths(all).find(|path| path.join("-") == topic)?);
    words.push("--help".to_owned());
    if topic == "check" {
        return Some(styled(&check_help(all)?));
    }
    let help = all.try_get_matches_from_mut(words).err()?;
    Some(styled(&help.render()))
}

/// The help of `check`: a line an option, all of them, so that it is not much longer than a screen.
pub(crate) fn check_help(all: &Command) -> Option<StyledStr> {
    let check = all.find_subcommand("check")?.clone();
    let check = check.mut_arg("help", |arg| {
        arg.help("Print help; -h has the most used options alone")
    });
    let shown = check.mut_args(|arg| arg.hide_short_help(false));
    Some(
        shown
            .after_help(include_str!("examples/check.txt").trim_ascii_end())
            .render_help(),
    )
}

/// The words that call each command: `check`, or `hook` and `install`.
fn command_paths(all: &Command) -> impl Iterator<Item = Vec<String>> {
    all.get_subcommands().flat_map(|command| {
        let name = command.get_name().to_owned();
        let inner = command.get_subcommands().map(Command::get_name);
        let inner = inner.map(|inner| vec![command.get_name().to_owned(), inner.to_owned()]);
        std::iter::once(vec![name]).chain(inner)
    })
}

/// The command that a name such as `check` or `hook-install` means. None if missing.
pub(crate) fn command_named<'c>(all: &'c Command, name: &str) -> Option<&'c Command> {
    let path = command_paths(all).find(|path| path.join("-") == name)?;
    path.iter()
        .try_fold(all, |command, word| command.find_subcommand(word))
}

/// Help as text, with colors if standard output shows them.
pub(crate) fn styled(help: &StyledStr) -> String {
    if OutputPlace::Stdout.is_colored(ColorChoice::Auto) {
        help.ansi().to_string()
    } else {
        help.to_string()
    }
}

/// The error for a name that is neither a command nor a page.
pub(crate) fn unknown(all: &Command, topic: &str) -> anyhow::Error {
    let advice = meant(all, topic).map(|meant| format!(": did you mean {meant}?"));
    let advice = advice.unwrap_or_default();
    anyhow::anyhow!(
        "no command or manual page is called {}{advice}\n       `retval help` lists them",
        escape::truncated(topic)
    )
}

/// The command or page with a name like this.
fn meant(all: &Command, topic: &str) -> Option<String> {
    let commands: Vec<_> = command_paths(all).map(|path| path.join(" ")).collect();
    let commands = commands.iter().map(String::as_str);
    let names = commands.chain(PAGES.iter().map(|page| page.name));
    nearest(topic, names).map(str::to_owned)
}

fn pages_listed() -> String {
    let longest = PAGES.iter().map(|page| page.name.len()).max();
    let width = longest.unwrap_or_default();
    let pages = PAGES.iter();
    let lines = pages.map(|page| format!("\n  {:width$}  {}", page.name, page.title()));
    "Manual pages (retval help PAGE):".to_owned() + &lines.collect::<String>()
}

/// Prints a text, on a terminal through the pager that `PAGER` names, or `less`. Without a pager that
/// can be started, and with an empty `PAGER`, the text is printed as it is.
fn show(text: &str) -> anyhow::Result<Exit> {
    if OutputPlace::Stdout.is_watched() && paged(text).is_some() {
        return Ok(Exit::Valid);
    }
    print_stdout(text)
}

/// None if there is no pager.
fn paged(text: &str) -> Option<()> {
    let command = std::env::var("PAGER").unwrap_or_else(|_| "less".to_owned());
    let words = shlex::split(&command)?;
    let (program, arguments) = words.split_first()?;
    let mut pager = Program::new(program);
    pager.args(arguments).stdin(Stdio::piped());
    if std::env::var_os("LESS").is_none() {
        // As git does: quit if the text fits the screen, show colors, leave the text there.
        pager.env("LESS", "FRX");
    }
    let mut pager = pager.spawn().ok()?;
    // A pager that is left before the end closes the pipe, which is not an error.
    let _ = pager.stdin.take()?.write_all(text.as_bytes());
    let _ = pager.wait();
    Some(())
}
