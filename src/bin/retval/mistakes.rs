//! Mistakes in a command line and its settings. Those that do not depend on each other are reported
//! together, so that they can be corrected in one go.

/// The mistakes found so far.
#[derive(Debug, Default)]
pub(crate) struct Mistakes(Vec<String>);

impl Mistakes {
    /// The value of a result. None if it is an error, which is then added to the mistakes.
    pub(crate) fn keep<T>(&mut self, result: anyhow::Result<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                let text = format!("{error:#}");
                // Two options can cause the same error, such as two that name the same folder.
                if !self.0.contains(&text) {
                    self.0.push(text);
                }
                None
            }
        }
    }

    /// All mistakes as one error, each on a line of its own.
    pub(crate) fn into_error(self) -> anyhow::Error {
        anyhow::anyhow!(self.0.join("\nerror: "))
    }

    /// Returns the value, or all mistakes as an error if there are any.
    pub(crate) fn or<T>(self, value: T) -> anyhow::Result<T> {
        if self.0.is_empty() {
            Ok(value)
        } else {
            Err(self.into_error())
        }
    }

    /// The texts of the mistakes, safe to print.
    pub(crate) fn into_texts(self) -> Vec<String> {
        self.0
    }
}
