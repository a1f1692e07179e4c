//! Objects of which some members are read.

use super::cursor::JsonCursor;

/// An object of which some members are read.
pub(super) trait ReadMembers<'a>: Default {
    /// Reads or skips the value of a member. `seen` has a bit for each that is read: an object that
    /// has one of them twice is not read, because nobody knows which one counts.
    fn member(&mut self, name: &str, seen: &mut u32, json: &mut JsonCursor<'a>) -> Option<()>;

    /// Reads the object that begins here.
    fn members(&mut self, json: &mut JsonCursor<'a>) -> Option<()> {
        let mut seen = 0;
        json.members(|json, name| self.member(name, &mut seen, json))
    }
}

impl<'a, T: ReadMembers<'a>> ReadMembers<'a> for Box<T> {
    fn member(&mut self, name: &str, seen: &mut u32, json: &mut JsonCursor<'a>) -> Option<()> {
        (**self).member(name, seen, json)
    }
}

/// Declares a record: its fields with the names of the members that they are read from.
macro_rules! record {
    ($(#[$about:meta])* struct $Record:ident $(<$a:lifetime>)? { $($(#[$field_about:meta])* $field:ident: $Type:ty = $($name:literal)|+,)* }) => {
        $(#[$about])*
        #[derive(Debug, Default)]
        pub(super) struct $Record $(<$a>)? {
            $($(#[$field_about])* pub(super) $field: $Type,)*
        }

        $crate::transcript::record::record!(@lifetime ($($a)?) $Record, $($field = $($name)|+,)*);
    };
    (@lifetime () $Record:ident, $($fields:tt)*) => {
        $crate::transcript::record::record!(@read 'a, $Record, $($fields)*);
    };
    (@lifetime ($a:lifetime) $Record:ident, $($fields:tt)*) => {
        $crate::transcript::record::record!(@read $a, $Record<$a>, $($fields)*);
    };
    (@read $a:lifetime, $Record:ty, $($field:ident = $($name:literal)|+,)*) => {
        impl<$a> $crate::transcript::record::ReadMembers<$a> for $Record {
            fn member(
                &mut self,
                name: &str,
                seen: &mut u32,
                json: &mut $crate::transcript::cursor::JsonCursor<$a>,
            ) -> Option<()> {
                #[allow(non_camel_case_types, reason = "they are the names of the fields")]
                enum FieldPlace { $($field,)* }
                match name {
                    $($($name)|+ => {
                        let bit = 1 << FieldPlace::$field as u32;
                        if *seen & bit != 0 {
                            return None;
                        }
                        *seen |= bit;
                        $crate::transcript::lenient::Lenient::read(&mut self.$field, json)
                    })*
                    _ => json.skip(),
                }
            }
        }
    };
}

pub(super) use record;
