//! `retval help`: the help of a command, or a page of the manual, which is part of the program.

use clap::builder::StyledStr;
use clap::{Args, Command};

use crate::cli::args::OneOf;
use crate::cli::manual::laid_out;
use crate::cli::output::{Exit, OutputPlace, print_stdout, terminal};
use crate::config::ColorChoice;
use crate::text::escape;
use crate::text::suggest::nearest;

#[derive(Debug, Args)]
pub(crate) struct HelpArgs {
    /// Command, or page of the manual [default: a list of both]
    #[arg(hide_possible_values = true, value_parser = topic_name())]
    topic: Vec<String>,
}

/// The name of a command or a page. The commands are only known after all of them are built, so
/// completions offer only the pages.
fn topic_name() -> OneOf<String> {
    let pages = || PAGES.iter().map(|page| page.0).collect();
    OneOf::new(pages, |name| Ok(name.to_owned()))
}

/// The most columns of a page on a terminal.
const WIDTH: usize = 80;

macro_rules! pages {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../manual/", $name, ".md")))),*]
    };
}

/// All pages in reading order: the name, and Markdown, whose first line is the title.
static PAGES: &[(&str, &str)] = pages!["start" "shell" "hooks" "clients" "ci" "many-returns"
    "your-profile" "profiles" "configuration" "rules" "formats" "evidence" "audit" "security"
    "conformance" "changelog"];

pub(crate) fn run(args: &HelpArgs, all: Command) -> anyhow::Result<Exit> {
    if args.topic.is_empty() {
        let list = all.after_help(pages_listed()).render_help();
        return print_stdout(styled(&list));
    }
    // The pages of `man` have the same names: `hook-install` is `hook install`.
    let topic = args.topic.join("-");
    let help = command_named(&all, &topic).map(|it| styled(&long_help(it)));
    let page = PAGES.iter().find(|page| page.0 == topic);
    let page = page.map(|page| {
        // Comments mark the parts that tests generate.
        let lines = page.1.lines().filter(|line| !line.starts_with("<!--"));
        let text: String = lines.flat_map(|line| [line, "\n"]).collect();
        if !OutputPlace::Stdout.is_watched() {
            return text;
        }
        let width = terminal::columns().map_or(WIDTH, |columns| columns.min(WIDTH));
        laid_out(&text, width)
    });
    // A command and a page can have the same name.
    let texts: Vec<String> = help.into_iter().chain(page).collect();
    if texts.is_empty() {
        return Err(unknown(&all, &args.topic.join(" ")));
    }
    print_stdout(texts.join("\n"))
}

/// The help of a command. That of `check` has a line an option, so that it is not much longer than a screen.
pub(crate) fn long_help(command: &Command) -> StyledStr {
    let mut command = command.clone();
    if command.get_name() != "check" {
        return command.render_long_help();
    }
    command
        .mut_args(|arg| arg.hide_short_help(false))
        .mut_arg("help", |arg| arg.help("Print help; -h has the most used options alone"))
        .after_help(include_str!("examples/check.txt").trim_ascii_end())
        .render_help()
}

/// The names of all commands, such as `check` and `hook install`.
fn command_names(all: &Command) -> impl Iterator<Item = String> {
    all.get_subcommands().flat_map(|command| {
        let name = command.get_name();
        let inner = command.get_subcommands();
        let inner = inner.map(move |inner| format!("{name} {}", inner.get_name()));
        std::iter::once(name.to_owned()).chain(inner)
    })
}

/// The command that a name such as `check` or `hook-install` means.
pub(crate) fn command_named<'c>(all: &'c Command, name: &str) -> Option<&'c Command> {
    let words = command_names(all).find(|words| words.replace(' ', "-") == name)?;
    let mut words = words.split(' ');
    words.try_fold(all, |command, word| command.find_subcommand(word))
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
    let commands: Vec<_> = command_names(all).collect();
    let names = commands.iter().map(String::as_str);
    let names = names.chain(PAGES.iter().map(|page| page.0));
    let advice = nearest(topic, names).map(|it| format!(": did you mean {it}?"));
    anyhow::anyhow!(
        "no command or manual page is called {}{}\n       `retval help` lists them",
        escape::truncated(topic),
        advice.unwrap_or_default()
    )
}

fn pages_listed() -> String {
    let longest = PAGES.iter().map(|page| page.0.len()).max();
    let width = longest.unwrap_or_default();
    let lines = PAGES.iter().map(|(name, markdown)| {
        let title = markdown.lines().next().unwrap_or_default();
        format!("\n  {name:width$}  {}", title.trim_start_matches("# "))
    });
    "Manual pages (retval help PAGE):".to_owned() + &lines.collect::<String>()
}
