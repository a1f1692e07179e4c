//! What the rules need: the facts of one return, and a place for what they find.

mod levels;

pub(crate) use levels::Levels;
