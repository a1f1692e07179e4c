//! Determines whether output is colored.

use crate::config::ColorChoice;

use crate::cli::terminal::{self, Stream};

pub(crate) fn is_used(choice: ColorChoice, stream: Stream) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto if anstyle_query::no_color() || stream == Stream::File => false,
        ColorChoice::Auto if is_forced() => true,
        ColorChoice::Auto if anstyle_query::clicolor() == Some(false) => false,
        ColorChoice::Auto => terminal::is_watched(stream) && anstyle_query::term_supports_color(),
    }
}

/// The setting of the configuration file. None if it has none, or if an environment variable for colors
/// takes precedence.
pub(crate) fn setting(choice: Option<ColorChoice>) -> Option<ColorChoice> {
    choice.filter(|_| !anstyle_query::no_color() && !is_forced())
}

/// Whether `FORCE_COLOR` or `CLICOLOR_FORCE` forces colors. Neither `0` nor an empty value does.
fn is_forced() -> bool {
    let is_on =
        |name| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
    is_on("CLICOLOR_FORCE") || is_on("FORCE_COLOR")
}
