//! Indents JSON text. The bytes of keys and scalars do not change.

use crate::json::tokens::{Token, Walker};

/// How many levels are indented. Deeper values are on one line, so deep nesting cannot make the output
/// many times longer than the source. No profile has more levels.
const LEVELS: usize = 4;

/// The text with a line for each member and item, indented by two spaces for each level, and a final
/// newline.
pub(super) fn pretty(text: &str) -> String {
    let mut page = PrettyPrinter {
        text: String::with_capacity(text.len() + text.len() / 2),
        depth: 0,
        last: LastToken::Start,
    };
    for (token, span) in Walker::new(text) {
        page.write(token, &text[span.start..span.end]);
    }
    page.text.push('\n');
    page.text
}

struct PrettyPrinter {
    text: String,
    depth: usize,
    last: LastToken,
}

/// The kind of the token that was written last.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LastToken {
    Start,
    Open,
    Key,
    Value,
}

impl PrettyPrinter {
    fn write(&mut self, token: Token, text: &str) {
        if token == Token::Close {
            self.depth = self.depth.saturating_sub(1);
            if self.last != LastToken::Open && self.depth < LEVELS {
                self.line();
            }
            self.text.push_str(text);
            self.last = LastToken::Value;
            return;
        }
        self.separate();
        self.text.push_str(text);
        self.last = match token {
            Token::Open => {
                self.depth += 1;
                LastToken::Open
            }
            Token::Key => {
                self.text.push_str(": ");
                LastToken::Key
            }
            Token::Scalar | Token::Close => LastToken::Value,
        };
    }

    fn separate(&mut self) {
        if self.last == LastToken::Value {
            self.text.push(',');
        }
        if matches!(self.last, LastToken::Start | LastToken::Key) {
            return;
        }
        if self.depth <= LEVELS {
            self.line();
        } else if self.last == LastToken::Value {
            self.text.push(' ');
        }
    }

    fn line(&mut self) {
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n("  ", self.depth));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indenting_changes_only_white_space() {
        let text = r#"{"a\u0041":1e999,"b":[],"c":{},"d":[1,{"e":[[ [1,2],{"f":3} ]]}]}"#;
        let expected = r#"{
  "a\u0041": 1e999,
  "b": [],
  "c": {},
  "d": [
    1,
    {
      "e": [
        [[1, 2], {"f": 3}]
      ]
    }
  ]
}
"#;
        assert_eq!(pretty(text), expected);
        assert_eq!(pretty(expected), expected);
    }
}
