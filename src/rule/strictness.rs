//! Which warnings are errors.

use std::fmt::{self, Formatter};

use serde::de::{Deserialize, Deserializer, Error, Visitor};

/// Which warnings fail a return. `true` and `false` convert to all and none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strictness {
    /// None.
    #[default]
    Off,
    /// Those about what the document of the profile requires.
    Required,
    /// All.
    All,
}

impl Strictness {
    /// The word for [`Required`](Self::Required) in options and settings.
    pub const REQUIRED: &str = "required";
}

impl From<bool> for Strictness {
    fn from(is_strict: bool) -> Self {
        if is_strict { Self::All } else { Self::Off }
    }
}

impl<'de> Deserialize<'de> for Strictness {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct StrictnessVisitor;

        impl Visitor<'_> for StrictnessVisitor {
            type Value = Strictness;

            fn expecting(&self, out: &mut Formatter<'_>) -> fmt::Result {
                write!(out, "true, false or \"{}\"", Strictness::REQUIRED)
            }

            fn visit_bool<E: Error>(self, is_strict: bool) -> Result<Strictness, E> {
                Ok(is_strict.into())
            }

            fn visit_str<E: Error>(self, word: &str) -> Result<Strictness, E> {
                if word == Strictness::REQUIRED {
                    return Ok(Strictness::Required);
                }
                Err(E::invalid_type(serde::de::Unexpected::Str(word), &self))
            }
        }

        from.deserialize_any(StrictnessVisitor)
    }
}
