//! A set of texts that is cheap while it is small.

use std::borrow::Cow;
use std::collections::HashSet;

/// The most texts that are compared without a hash set.
const FEW: usize = 8;

/// A set of texts. A few are compared one by one without allocation; more are kept in a hash set, so
/// hostile input takes linear time.
#[derive(Default)]
pub(crate) struct StringSet<'t> {
    few: [&'t str; FEW],
    count: usize,
    many: Option<HashSet<Cow<'t, str>>>,
}

impl<'t> StringSet<'t> {
    /// Adds `text`, and returns whether it is new to the set.
    pub(crate) fn insert(&mut self, text: impl Into<Cow<'t, str>>) -> bool {
        let text = text.into();
        if self.few[..self.count].contains(&text.as_ref()) {
            return false;
        }
        match text {
            Cow::Borrowed(text) if self.count < FEW && self.many.is_none() => {
                self.few[self.count] = text;
                self.count += 1;
                true
            }
            text => self.many.get_or_insert_default().insert(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_few_and_many_strings() {
        let texts: Vec<String> = (0..50).map(|number| number.to_string()).collect();
        let mut set = StringSet::default();
        for (index, text) in texts.iter().enumerate() {
            let text = if index % 3 == 0 {
                Cow::Owned(text.clone())
            } else {
                Cow::Borrowed(text.as_str())
            };
            assert!(set.insert(text));
        }
        assert!(texts.iter().all(|text| !set.insert(text.as_str())));
    }
}
