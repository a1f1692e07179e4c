//! Determines whether output is colored.

use std::io::IsTerminal as _;

use retval::config::ColorChoice;

/// The destination of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stream {
    Stdout,
    Stderr,
    File,
}

/// Whether text for a stream is colored.
pub(crate) fn is_used(choice: ColorChoice, stream: Stream) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto if anstyle_query::no_color() || stream == Stream::File => false,
        ColorChoice::Auto if is_forced() => true,
        ColorChoice::Auto if anstyle_query::clicolor() == Some(false) => false,
        ColorChoice::Auto => is_terminal(stream) && anstyle_query::term_supports_color(),
    }
}

/// The setting of the configuration file, unless the standard environment variables take
/// precedence.
pub(crate) fn setting(choice: Option<ColorChoice>) -> Option<ColorChoice> {
    choice.filter(|_| !anstyle_query::no_color() && !anstyle_query::clicolor_force())
}

/// Whether a person watches the stream.
pub(crate) fn is_terminal(stream: Stream) -> bool {
    match stream {
        Stream::Stdout => std::io::stdout().is_terminal(),
        Stream::Stderr => std::io::stderr().is_terminal(),
        Stream::File => false,
    }
}

/// `CLICOLOR_FORCE=0` forces nothing.
fn is_forced() -> bool {
    anstyle_query::clicolor_force()
        && std::env::var_os("CLICOLOR_FORCE").is_some_and(|value| value != "0")
}
