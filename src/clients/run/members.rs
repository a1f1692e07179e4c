//! Objects of which only some members are read.

use super::cursor::JsonCursor;

/// An object of which only some members are read.
pub(in crate::clients) trait ReadMembers<'a>: Default {
    /// Reads the members from here to the end of the object. `seen` has a bit for each field that was
    /// read. None if the object has a field twice, because it is not known which one counts.
    fn rest(&mut self, seen: &mut u32, json: &mut JsonCursor<'a>) -> Option<()>;

    /// Reads the object that begins here.
    fn members(&mut self, json: &mut JsonCursor<'a>) -> Option<()> {
        if json.enter(b'{', b'}')? {
            self.rest(&mut 0, json)
        } else {
            Some(())
        }
    }
}

impl<'a, T: ReadMembers<'a>> ReadMembers<'a> for Box<T> {
    fn rest(&mut self, seen: &mut u32, json: &mut JsonCursor<'a>) -> Option<()> {
        (**self).rest(seen, json)
    }
}

/// An object whose members are not read.
#[derive(Debug, Default)]
pub(in crate::clients) struct SomeObject;

impl<'a> ReadMembers<'a> for SomeObject {
    fn rest(&mut self, _: &mut u32, json: &mut JsonCursor<'a>) -> Option<()> {
        json.skip_members()
    }
}
