//! The typed document that the text of a return is decoded into.

use serde::de::DeserializeSeed as _;
use serde_json::de::StrRead;

use crate::document::{Handoff, Return, Returned};
use crate::json::decode::quick::QuickReader;
use crate::json::decode::state::DecodeState;
use crate::json::decode::{Decode, FieldSeed};
use crate::json::field::{Field, Kind};
use crate::profile::Shape;

/// The record that a return is decoded into. It is large, and stays where it was made.
#[allow(
    clippy::large_enum_variant,
    reason = "one is made for each return, and none is moved"
)]
pub(super) enum Decoded<'t> {
    Return(Field<Return<'t>>),
    Handoff(Field<Handoff<'t>>),
}

impl<'t> Decoded<'t> {
    pub(super) fn new(shape: Shape) -> Self {
        match shape {
            Shape::Return => Self::Return(Field::Missing),
            Shape::Handoff => Self::Handoff(Field::Missing),
        }
    }

    /// Decodes a text the quick way. None if it is not for that reader.
    pub(super) fn read_quickly(
        &mut self,
        text: &'t str,
        names_unknown: bool,
    ) -> Option<DecodeState> {
        let state = DecodeState::new(names_unknown);
        match self {
            Self::Return(field) => read_quickly(field, text, &state)?,
            Self::Handoff(field) => read_quickly(field, text, &state)?,
        }
        Some(state)
    }

    /// Decodes a text. `names_unknown` says whether members that the records do not name are kept.
    pub(super) fn read(
        &mut self,
        source: serde_json::Deserializer<StrRead<'t>>,
        names_unknown: bool,
    ) -> serde_json::Result<DecodeState> {
        let state = DecodeState::new(names_unknown);
        match self {
            Self::Return(field) => read_field(field, source, &state)?,
            Self::Handoff(field) => read_field(field, source, &state)?,
        }
        Ok(state)
    }

    /// The typed return, or the type of the value that is no object.
    pub(super) fn returned(&self) -> Result<Returned<'_, 't>, Kind> {
        match self {
            Self::Return(Field::Present(returned)) => Ok(Returned::Return(returned)),
            Self::Handoff(Field::Present(handoff)) => Ok(Returned::Handoff(handoff)),
            Self::Return(Field::Wrong(kind)) | Self::Handoff(Field::Wrong(kind)) => Err(*kind),
            Self::Return(_) | Self::Handoff(_) => Err(Kind::Null),
        }
    }
}

fn read_field<'r, T: Decode<'r>>(
    field: &mut Field<T>,
    mut source: serde_json::Deserializer<StrRead<'r>>,
    state: &DecodeState,
) -> serde_json::Result<()> {
    FieldSeed::new(state, field).deserialize(&mut source)?;
    source.end()
}

fn read_quickly<'r, T: Decode<'r>>(
    field: &mut Field<T>,
    text: &'r str,
    state: &DecodeState,
) -> Option<()> {
    let mut reader = QuickReader::new(text);
    FieldSeed::new(state, field).deserialize(&mut reader).ok()?;
    reader.end().ok()
}
