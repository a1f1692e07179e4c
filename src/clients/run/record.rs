//! A macro for the records of clients: it generates the struct and its reader.

/// Declares a record: its fields, and the keys that they are read from. A client writes the keys in the
/// same order each time. Declare the fields in that order: then most keys need only one comparison.
macro_rules! record {
    ($(#[$about:meta])* struct $Record:ident $(<$a:lifetime>)? { $($(#[$field_about:meta])* $field:ident: $Type:ty = $name:literal $(| $other:literal)*,)* }) => {
        $(#[$about])*
        #[derive(Debug, Default)]
        pub(in crate::clients) struct $Record $(<$a>)? {
            $($(#[$field_about])* pub(in crate::clients) $field: $Type,)*
        }

        $crate::clients::run::record::record!(@lifetime ($($a)?) $Record, $($field = $name $(| $other)*,)*);
    };
    (@lifetime () $Record:ident, $($fields:tt)*) => {
        $crate::clients::run::record::record!(@read 'a, $Record, $($fields)*);
    };
    (@lifetime ($a:lifetime) $Record:ident, $($fields:tt)*) => {
        $crate::clients::run::record::record!(@read $a, $Record<$a>, $($fields)*);
    };
    (@read $a:lifetime, $Record:ty, $($field:ident = $name:literal $(| $other:literal)*,)*) => {
        impl<$a> $crate::clients::run::members::ReadMembers<$a> for $Record {
            #[allow(non_camel_case_types, non_upper_case_globals, reason = "they are the names of the fields")]
            fn rest(
                &mut self,
                seen: &mut u32,
                json: &mut $crate::clients::run::cursor::JsonCursor<$a>,
            ) -> Option<()> {
                enum FieldPlace { $($field,)* }
                struct FieldNumber;
                impl FieldNumber {
                    $(const $field: u32 = FieldPlace::$field as u32;)*
                    const NONE: u32 = u32::MAX;
                }
                let mut next = 0;
                loop {
                    json.peek()?;
                    let is_next = match next {
                        $(FieldNumber::$field => json.take_prefix(concat!("\"", $name, "\":")),)*
                        _ => false,
                    };
                    let place = if is_next { next } else {
                        json.name_as(|name| match name {
                            $($name $(| $other)* => FieldNumber::$field,)*
                            _ => FieldNumber::NONE,
                        })?
                    };
                    if place == FieldNumber::NONE {
                        json.skip()?;
                    } else {
                        let bit = 1 << place;
                        if *seen & bit != 0 {
                            return None;
                        }
                        *seen |= bit;
                        next = place + 1;
                        match place {
                            $(FieldNumber::$field => $crate::clients::run::lenient::Lenient::read(&mut self.$field, json)?,)*
                            _ => {}
                        }
                    }
                    if !json.take_separator(b'}')? {
                        return Some(());
                    }
                }
            }
        }
    };
}

pub(in crate::clients) use record;
