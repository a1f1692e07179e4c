//! Skips values without recursion, because a transcript may nest them to any depth.

use super::cursor::JsonCursor;

impl JsonCursor<'_> {
    /// Skips a value. If the text is not JSON, the cursor does not move.
    pub(in crate::clients) fn skip(&mut self) -> Option<()> {
        let first = self.peek()?;
        let start = (self.at, self.line);
        let result = match first {
            b'"' => self.pass_string(),
            b'{' | b'[' => self.skip_nested(),
            _ => self.pass_scalar(),
        };
        if result.is_none() {
            (self.at, self.line) = start;
        }
        result
    }

    fn skip_nested(&mut self) -> Option<()> {
        let mut levels = EnclosingStack::default();
        loop {
            let enters = match self.peek()? {
                b'"' => {
                    self.pass_string()?;
                    false
                }
                b'{' => self.skip_into(&mut levels, Enclosing::Object)?,
                b'[' => self.skip_into(&mut levels, Enclosing::List)?,
                _ => {
                    self.pass_scalar()?;
                    false
                }
            };
            if !enters && self.skip_ends(&mut levels)? {
                return Some(());
            }
        }
    }

    /// Enters an object or list. Returns false if it is empty; the cursor is then behind it.
    fn skip_into(&mut self, levels: &mut EnclosingStack, level: Enclosing) -> Option<bool> {
        self.at += 1;
        if self.take(level.end()).is_some() {
            return Some(false);
        }
        levels.push(level);
        if level == Enclosing::Object {
            self.pass_name()?;
        }
        Some(true)
    }

    /// Moves from the end of a value to the next value, and leaves every object and list that ends in
    /// between. Returns true when the outermost one has ended.
    fn skip_ends(&mut self, levels: &mut EnclosingStack) -> Option<bool> {
        while let Some(level) = levels.last() {
            let byte = self.peek()?;
            self.at += 1;
            if byte == b',' {
                if level == Enclosing::Object {
                    self.pass_name()?;
                }
                return Some(false);
            }
            if byte != level.end() {
                return None;
            }
            levels.pop();
        }
        Some(true)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Enclosing {
    List,
    Object,
}

impl Enclosing {
    const fn end(self) -> u8 {
        match self {
            Self::List => b']',
            Self::Object => b'}',
        }
    }
}

/// The objects and lists around a value, one bit each, because there may be as many as a line has bytes.
#[derive(Debug, Default)]
struct EnclosingStack {
    outer: Vec<u64>,
    /// The innermost ones, up to 64. The innermost of all is the lowest bit.
    inner: u64,
    depth: u32,
}

impl EnclosingStack {
    fn push(&mut self, level: Enclosing) {
        if self.depth > 0 && self.depth.is_multiple_of(u64::BITS) {
            self.outer.push(self.inner);
        }
        self.inner = self.inner << 1 | u64::from(level == Enclosing::Object);
        self.depth += 1;
    }

    fn last(&self) -> Option<Enclosing> {
        (self.depth > 0).then_some(match self.inner & 1 {
            0 => Enclosing::List,
            _ => Enclosing::Object,
        })
    }

    fn pop(&mut self) {
        self.depth -= 1;
        self.inner >>= 1;
        if self.depth.is_multiple_of(u64::BITS)
            && let Some(inner) = self.outer.pop()
        {
            self.inner = inner;
        }
    }
}
