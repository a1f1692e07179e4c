//! Options of commands, as tables of words.

/// Known options, separated by spaces. After a `:`, the value is the next word, unless it is given after
/// `=`. With a `?`, the option may leave nothing to run. An entry with `=` has that value only.
pub(super) struct Options(pub(super) &'static str);

/// Options that all runners take, and with which tests run.
const COMMON: Options =
    Options("-- --verbose --quiet --color: --colors --colour: --no-color --no-colors");

#[derive(Clone, Copy)]
pub(super) struct KnownOption {
    /// How many of the next words are its value.
    pub(super) values: usize,
    /// Whether tests run with it.
    pub(super) is_harmless: bool,
}

impl Options {
    /// What is known of the option in a word. Nothing is known of most options, so that tests may not run
    /// with them.
    pub(super) fn of(&self, word: &str) -> KnownOption {
        let known = self.find(word).or_else(|| COMMON.find(word));
        known.unwrap_or(KnownOption {
            values: 0,
            is_harmless: word.starts_with('+') || self.is_cluster(word),
        })
    }

    fn find(&self, word: &str) -> Option<KnownOption> {
        let (name, has_value) = match word.split_once('=') {
            Some((name, _)) => (name, true),
            None => (word, false),
        };
        self.0.split_ascii_whitespace().find_map(|entry| {
            let bare = entry.trim_end_matches([':', '?']);
            (bare == word || bare == name).then(|| KnownOption {
                values: usize::from(!has_value && entry.contains(':')),
                is_harmless: !entry.ends_with('?'),
            })
        })
    }

    /// Whether a word is several options of one letter each, the last one maybe with a number: `-vv`,
    /// `-j4`.
    fn is_cluster(&self, word: &str) -> bool {
        let letters = word.strip_prefix('-').unwrap_or_default();
        let letters = letters.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let is_known = |letter: char| {
            let known = letter.is_ascii_alphabetic().then(|| format!("-{letter}"));
            known.is_some_and(|option| self.find(&option).is_some_and(|it| it.is_harmless))
        };
        !letters.is_empty() && letters.chars().all(is_known)
    }
}
