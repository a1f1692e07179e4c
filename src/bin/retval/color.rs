//! Determines whether output is colored.

use retval::internal::config::ColorChoice;

use crate::terminal::{self, Stream};

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
    choice.filter(|_| !anstyle_query::no_color() && !anstyle_query::clicolor_force())
}

/// Whether `CLICOLOR_FORCE` forces colors. `0` does not.
fn is_forced() -> bool {
    anstyle_query::clicolor_force()
        && std::env::var_os("CLICOLOR_FORCE").is_some_and(|value| value != "0")
}
