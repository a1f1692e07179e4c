//! The manual page of a command, generated from the clap definitions.

use clap::builder::PossibleValue;
use clap::{Arg, Command};
use retval::config::SETTINGS;

use crate::manual::PAGES;
use crate::manual::roff::Roff;

/// The headings in the text after a command's help that become sections in `man`.
const EXIT_CODES: &str = "Exit codes:\n";
const EXAMPLES: &str = "Examples:\n";

/// The exit codes on the page of `retval` itself.
const EXIT_OF_ALL: &str = "\
0  success: every return is valid
1  at least one return is invalid
2  an error, described on standard error";

/// The exit codes of a command whose help lists none.
const EXIT_OF_OTHERS: &str = "\
0  success
2  an error, described on standard error";

/// The page of `retval` itself.
pub(super) fn root(all: &Command) -> String {
    let mut roff = start("retval", "retval <COMMAND>", all);
    roff.section("Commands");
    for command in all.get_subcommands() {
        roff.tagged(&name(command), &about(command));
    }
    options(&mut roff, all);
    exit_status(&mut roff, EXIT_OF_ALL);
    environment_and_files(&mut roff, "", |_| true);
    let commands: Vec<_> = all.get_subcommands().map(name).collect();
    let pages: Vec<_> = PAGES.iter().map(|page| page_name(page.name)).collect();
    let commands = commands.iter().map(|name| (name.as_str(), 1));
    roff.see_also(commands.chain(pages.iter().map(|name| (name.as_str(), 7))));
    roff.0
}

/// The page of a command.
pub(super) fn command(command: &Command) -> String {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ");
    let mut roff = start(&name(command), usage, command);
    let after = command.get_after_long_help().map(ToString::to_string);
    let parts = after.as_deref().unwrap_or_default().split("\n\n");
    let parts: Vec<_> = parts.map(str::to_owned).collect();
    let part = |heading: &str| parts.iter().find_map(|part| part.strip_prefix(heading));
    for text in &parts {
        if !text.starts_with(EXIT_CODES) && !text.starts_with(EXAMPLES) {
            roff.paragraph(&text.replace('\n', " "));
        }
    }
    if command.has_subcommands() {
        roff.section("Commands");
    }
    for command in command.get_subcommands() {
        roff.tagged(&name(command), &about(command));
    }
    options(&mut roff, command);
    exit_status(&mut roff, part(EXIT_CODES).unwrap_or(EXIT_OF_OTHERS));
    let has = |option: &str| {
        let mut arguments = command.get_arguments();
        arguments.any(|argument| argument.get_long() == Some(option))
    };
    environment_and_files(&mut roff, command.get_name(), has);
    if let Some(examples) = part(EXAMPLES) {
        roff.section("Examples");
        roff.verbatim(examples.lines().map(str::trim_start));
    }
    let pages = PAGES.iter();
    let pages = pages.filter(|page| page.commands.contains(&command.get_name()));
    let pages: Vec<_> = pages.map(|page| page_name(page.name)).collect();
    let pages = pages.iter().map(|name| (name.as_str(), 7));
    roff.see_also([("retval", 1)].into_iter().chain(pages));
    roff.0
}

/// The name of a command's page. The page of a subcommand has the names of both commands.
fn name(command: &Command) -> String {
    let name = command.get_display_name().map(str::to_owned);
    name.unwrap_or_else(|| page_name(command.get_name()))
}

fn page_name(name: &str) -> String {
    format!("retval-{name}")
}

fn about(command: &Command) -> String {
    let about = command.get_about().map(ToString::to_string);
    about.unwrap_or_default()
}

/// Starts a page with the sections for the name, the synopsis and the description.
fn start(name: &str, usage: &str, command: &Command) -> Roff {
    let about = about(command);
    let mut roff = Roff::new(name, 1);
    roff.section("Name");
    roff.line(&format!("{name} - {about}"));
    roff.section("Synopsis");
    let arguments = usage.find(['<', '[']).unwrap_or(usage.len());
    let (typed, arguments) = usage.split_at(arguments);
    roff.synopsis(typed.trim_end(), arguments);
    roff.section("Description");
    roff.line(&format!("{about}."));
    roff
}

fn options(roff: &mut Roff, command: &Command) {
    let shown = |arg: &&Arg| !arg.is_hide_set();
    let (positional, named): (Vec<_>, Vec<_>) = command
        .get_arguments()
        .filter(shown)
        .partition(|arg| arg.is_positional());
    for (title, arguments) in [("Arguments", positional), ("Options", named)] {
        if !arguments.is_empty() {
            roff.section(title);
        }
        for argument in arguments {
            roff.tagged(&signature(argument), &described(argument));
        }
    }
}

/// An option with its names and value, such as `-j, --jobs N`.
fn signature(argument: &Arg) -> String {
    let short = argument.get_short().map(|short| format!("-{short}"));
    let long = argument.get_long().map(|long| format!("--{long}"));
    let names: Vec<_> = short.into_iter().chain(long).collect();
    let values = match argument.get_value_names() {
        Some(names) if takes_value(argument) => names.join(" "),
        _ => String::new(),
    };
    format!("{} {values}", names.join(", ")).trim().to_owned()
}

fn takes_value(argument: &Arg) -> bool {
    let count = argument.get_num_args();
    argument.is_positional() || count.is_some_and(|count| count.takes_values())
}

fn described(argument: &Arg) -> String {
    let help = argument.get_long_help().or_else(|| argument.get_help());
    let help = help.map(ToString::to_string).unwrap_or_default();
    if argument.is_hide_possible_values_set() || !takes_value(argument) {
        return help;
    }
    let values = argument.get_possible_values();
    let values: Vec<_> = values.iter().map(PossibleValue::get_name).collect();
    if values.is_empty() {
        return help;
    }
    format!("{help} [possible values: {}]", values.join(", "))
}

/// Adds the section with the exit codes that a help text lists, one per line.
fn exit_status(roff: &mut Roff, listed: &str) {
    roff.section("Exit status");
    for line in listed.lines() {
        if let Some((code, meaning)) = line.trim().split_once("  ") {
            roff.tagged(code, meaning);
        }
    }
}

/// Adds the sections with the environment variables and files that a command reads or writes.
fn environment_and_files(roff: &mut Roff, command: &str, has: impl Fn(&str) -> bool) {
    let settings = SETTINGS.iter().filter(|setting| has(setting.name));
    let settings: Vec<_> = settings
        .filter_map(|setting| Some((setting.variable?, setting.name)))
        .map(|(variable, option)| (variable, format!("Default of --{option}.")))
        .collect();
    let settings = settings.iter().map(|(name, about)| (*name, about.as_str()));
    let others = known(&VARIABLES, command, &has);
    tagged_section(roff, "Environment", settings.chain(others));
    tagged_section(roff, "Files", known(&FILES, command, &has));
}

fn tagged_section<'k>(
    roff: &mut Roff,
    title: &str,
    entries: impl Iterator<Item = (&'k str, &'k str)>,
) {
    let mut entries = entries.peekable();
    if entries.peek().is_some() {
        roff.section(title);
    }
    for (name, about) in entries {
        roff.tagged(name, about);
    }
}

/// An environment variable or a file. It belongs to a command that has `option`, or whose name is
/// `command`.
struct Known {
    name: &'static str,
    about: &'static str,
    option: &'static str,
    command: &'static str,
}

static VARIABLES: [Known; 4] = [
    Known {
        name: "NO_COLOR",
        about: "Print no colour, unless --color asks for it.",
        option: "color",
        command: "help",
    },
    Known {
        name: "CLICOLOR",
        about: "0: print no colour, unless --color asks for it.",
        option: "color",
        command: "",
    },
    Known {
        name: "CLICOLOR_FORCE",
        about: "Other than 0: print colour, even into a pipe.",
        option: "color",
        command: "",
    },
    Known {
        name: "XDG_RUNTIME_DIR",
        about: "Folder of the retry counters.",
        option: "retries",
        command: "hook",
    },
];

static FILES: [Known; 2] = [
    Known {
        name: "retval.toml",
        about: "Configuration, from the current folder or the nearest folder above it.",
        option: "config",
        command: "",
    },
    Known {
        name: "$XDG_RUNTIME_DIR/retval-hook-UID/",
        about: "How often each agent was sent back, where the client does not count. Without the \
                variable in the folder for temporary files.",
        option: "retries",
        command: "hook",
    },
];

fn known<'k>(
    table: &'k [Known],
    command: &str,
    has: impl Fn(&str) -> bool,
) -> impl Iterator<Item = (&'k str, &'k str)> {
    let entries = table
        .iter()
        .filter(move |known| has(known.option) || known.command == command);
    entries.map(|known| (known.name, known.about))
}
