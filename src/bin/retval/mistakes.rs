//! Mistakes of a command line and its settings. Those that do not depend on each other are told
//! together, so that a person mends them in one go.

/// What is wrong so far.
#[derive(Debug, Default)]
pub(crate) struct Mistakes(Vec<String>);

impl Mistakes {
    /// The value of a step; none if it failed, which is a mistake to tell.
    pub(crate) fn keep<T>(&mut self, result: anyhow::Result<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                let text = format!("{error:#}");
                // Two options can have the same mistake, such as a folder that is named twice.
                if !self.0.contains(&text) {
                    self.0.push(text);
                }
                None
            }
        }
    }

    /// All of them as one error, each with a line of its own.
    pub(crate) fn into_error(self) -> anyhow::Error {
        anyhow::anyhow!(self.0.join("\nerror: "))
    }

    /// The value, unless something is wrong.
    pub(crate) fn or<T>(self, value: T) -> anyhow::Result<T> {
        if self.0.is_empty() {
            Ok(value)
        } else {
            Err(self.into_error())
        }
    }

    /// The text of each, safe to print.
    pub(crate) fn into_texts(self) -> Vec<String> {
        self.0
    }
}
