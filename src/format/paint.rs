//! The colours of the text formats.

use anstyle::{AnsiColor, Style};

use crate::check::rules::Level;

/// Returns the style of each part of a text. All styles are empty if the text has no colours.
#[derive(Debug, Clone, Copy)]
pub(super) struct Paint {
    is_colored: bool,
}

impl Paint {
    pub(super) fn new(is_colored: bool) -> Self {
        Self { is_colored }
    }

    fn pick(self, style: Style) -> Style {
        if self.is_colored { style } else { Style::new() }
    }

    pub(super) fn strong(self) -> Style {
        self.pick(Style::new().bold())
    }

    pub(super) fn faint(self) -> Style {
        self.pick(Style::new().dimmed())
    }

    pub(super) fn gutter(self) -> Style {
        self.pick(AnsiColor::Blue.on_default().bold())
    }

    /// The style of a level and of what is marked with it.
    pub(super) fn mark(self, level: Level) -> Style {
        self.pick(match level {
            Level::Error => AnsiColor::Red.on_default().bold(),
            Level::Warning | Level::Off => AnsiColor::Yellow.on_default().bold(),
        })
    }

    /// Returns the lines under the head of a finding with styles for labels, places and rule ids.
    pub(super) fn below(self, lines: &str, indent: &str) -> String {
        if !self.is_colored {
            return lines.to_owned();
        }
        let (strong, faint) = (self.strong(), self.faint());
        let line = |line: &str| match line.strip_prefix(indent) {
            Some(rest) if rest.starts_with("at ") || rest.starts_with("rule: ") => {
                format!("{indent}{faint}{rest}{faint:#}\n")
            }
            Some(_) => format!("{line}\n"),
            None => match line.split_once(": ") {
                Some((label, rest)) => format!("{strong}{label}:{strong:#} {rest}\n"),
                None => format!("{line}\n"),
            },
        };
        lines.lines().map(line).collect()
    }
}
