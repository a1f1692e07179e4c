//! The words of a command line, with their quotes and expansions.

use super::Mask;
use super::reader::{ENDS, ShellReader, ShellWord, is_plain};

impl ShellReader<'_> {
    pub(super) fn word(&mut self) -> Option<ShellWord> {
        let mut word = ShellWord::default();
        let start = self.rest;
        if self.eat("<(") || self.eat(">(") {
            self.commands(&mut word)?;
        } else if self.eat("~") {
            word.opens(true);
        }
        while let Some(letter) = self.rest.chars().next().filter(|it| !ENDS.contains(it)) {
            self.rest = &self.rest[letter.len_utf8()..];
            match letter {
                '`' => return None,
                '$' if self.rest.starts_with(['\'', '"']) => return None,
                '$' => self.dollar(&mut word)?,
                '\'' => {
                    let (text, rest) = self.rest.split_once('\'')?;
                    word.text += text;
                    self.rest = rest;
                }
                '"' => self.double_quotes(&mut word)?,
                '\\' if self.eat("\n") => {}
                '\\' => self.escaped(&mut word),
                _ => {
                    // A bracket alone is the command `[`, and an empty pair stays as it is.
                    let is_empty = letter == '{' && self.rest.starts_with('}');
                    let is_alone = is_empty || self.rest.is_empty() || self.rest.starts_with(ENDS);
                    if matches!(letter, '*' | '?') || matches!(letter, '[' | '{') && !is_alone {
                        word.opens(false);
                    }
                    word.text.push(letter);
                }
            }
        }
        // Part of a function, or a character that shells read otherwise.
        let is_unread = self.rest.starts_with(['(', '\r']);
        // A name for a descriptor.
        let is_named = word.text.starts_with('{') && self.rest.starts_with(['<', '>']);
        (self.rest.len() < start.len() && !is_unread && !is_named).then_some(word)
    }

    fn double_quotes(&mut self, word: &mut ShellWord) -> Option<()> {
        loop {
            let (text, rest) = self.rest.split_at(self.rest.find(['"', '$', '`', '\\'])?);
            word.text += text;
            self.rest = &rest[1..];
            match rest.as_bytes()[0] {
                b'"' => return Some(()),
                b'$' => self.dollar(word)?,
                b'`' => return None,
                _ if self.eat("\n") => {}
                _ if self.rest.starts_with(['$', '`', '"', '\\']) => self.escaped(word),
                _ => word.text.push('\\'),
            }
        }
    }

    fn escaped(&mut self, word: &mut ShellWord) {
        let mut letters = self.rest.chars();
        word.text.extend(letters.next());
        self.rest = letters.as_str();
    }

    /// Reads what follows a `$`.
    fn dollar(&mut self, word: &mut ShellWord) -> Option<()> {
        let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_';
        if self.rest.starts_with("((") || self.rest.starts_with('[') {
            return None;
        } else if self.eat("(") {
            return self.commands(word);
        } else if self.eat("{") {
            let (inner, rest) = self.rest.split_once('}')?;
            self.rest = is_plain(inner).then_some(rest)?;
        } else if self.rest.starts_with(['@', '*', '#', '?', '$', '!', '-']) {
            self.rest = &self.rest[1..];
        } else if self.rest.starts_with(is_part) {
            self.rest = self.rest.trim_start_matches(is_part);
        } else {
            word.text.push('$');
            return Some(());
        }
        word.opens(true);
        Some(())
    }

    /// Reads the commands of a substitution, whose bracket is open.
    fn commands(&mut self, word: &mut ShellWord) -> Option<()> {
        let waiting = std::mem::take(&mut self.waiting);
        let (start, folder) = (self.found.len(), self.folder.clone());
        self.list()?;
        self.hide(start, None, Mask::Conditional);
        (self.waiting, self.folder) = (waiting, folder);
        word.opens(true);
        self.eat(")").then_some(())
    }
}
