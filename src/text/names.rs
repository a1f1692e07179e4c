//! Declares enums whose values have names.

use std::str::FromStr;

use serde::Deserialize as _;
use serde::de::{Deserializer, Error as _};

use super::escape;
use super::suggest::unknown_name;

/// The error for a name that is not in a fixed list. What it displays is safe to print.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown {kind} {}", escape::truncated(name))]
pub struct NameError {
    kind: &'static str,
    name: String,
}

impl NameError {
    pub(crate) fn new(kind: &'static str, name: &str) -> Self {
        Self { kind, name: name.to_owned() }
    }
}

pub(crate) fn read_name<'de, T: FromStr, D: Deserializer<'de>>(
    from: D,
    names: &'static [&'static str],
) -> Result<T, D::Error> {
    let name = String::deserialize(from)?;
    name.parse().map_err(|_| D::Error::custom(unknown_name("value", &name, names.iter().copied())))
}

pub(crate) trait Named: FromStr {
    fn names() -> Vec<&'static str>;
}

/// Declares an enum and the name of each of its values. It also generates `ALL`, `as_str`, `FromStr`,
/// [`Named`], and serde's `Serialize` and `Deserialize`. What follows the colon is what one value is called in errors.
macro_rules! names {
    (
        $(#[$about:meta])*
        $visible:vis enum $type:ident: $kind:literal {
            $($(#[$about_value:meta])* $value:ident = $name:literal,)+
        }
    ) => {
        $(#[$about])*
        $visible enum $type {
            $($(#[$about_value])* $value,)+
        }

        impl $type {
            /// Every value.
            #[allow(dead_code, reason = "some names are only read and written")]
            $visible const ALL: [Self; [$($name),+].len()] = [$(Self::$value),+];

            /// Returns its name, as options, settings and reports write it.
            #[must_use]
            $visible const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$value => $name),+
                }
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::text::NameError;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                match name {
                    $($name => Ok(Self::$value),)+
                    _ => Err($crate::text::NameError::new($kind, name)),
                }
            }
        }

        impl $crate::text::Named for $type {
            fn names() -> Vec<&'static str> {
                vec![$($name),+]
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                $crate::text::read_name(from, &[$($name),+])
            }
        }
    };
}

pub(crate) use names;
