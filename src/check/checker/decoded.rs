//! The typed document that the text of a return is decoded into.

use serde::de::DeserializeSeed as _;
use serde_json::de::StrRead;

use crate::json::decode::state::DecodeState;
use crate::json::decode::{Decode, FieldSeed};
use crate::json::field::{Field, Kind};
use crate::json::reader::JsonReader;
use crate::profile::Shape;
use crate::profile::document::{Handoff, Return, Returned};

/// The record that a return is decoded into. It is large, so it is never moved.
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
            Shape::Return | Shape::Message => Self::Return(Field::Missing),
            Shape::Handoff => Self::Handoff(Field::Missing),
        }
    }

    /// Decodes a text with the quick reader, which copies strings to `buffer`. None if that reader cannot
    /// read it.
    pub(super) fn read_quickly(
        &mut self,
        text: &'t str,
        buffer: &'t mut [u8],
        names_unknown: bool,
    ) -> Option<DecodeState> {
        let state = DecodeState::new(names_unknown);
        match self {
            Self::Return(field) => read_quickly(field, JsonReader::new(text, buffer), &state)?,
            Self::Handoff(field) => read_quickly(field, JsonReader::new(text, buffer), &state)?,
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

    /// The typed return. If the text is not an object, the type of its value.
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
    mut reader: JsonReader<'r>,
    state: &DecodeState,
) -> Option<()> {
    FieldSeed::new(state, field).deserialize(&mut reader).ok()?;
    reader.end().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::variants;

    /// What a reader made of a text: the members, and whether one was there twice or of a wrong type.
    type Outcome<'t> = Option<(Field<Return<'t>>, bool, bool)>;

    fn outcome(record: Decoded<'_>, state: Option<DecodeState>) -> Outcome<'_> {
        let (Decoded::Return(returned), state) = (record, state?) else {
            return None;
        };
        Some((returned, state.has_duplicate(), state.has_wrong()))
    }

    #[track_caller]
    fn compare(text: &str) {
        let mut quick = Decoded::new(Shape::Return);
        let state = quick.read_quickly(text, &mut [], true);
        let mut slow = Decoded::new(Shape::Return);
        let expected = slow.read(serde_json::Deserializer::from_str(text), true);
        let expected = outcome(slow, expected.ok());
        assert_eq!(outcome(quick, state), expected, "{text}");
    }

    const TEXTS: [&str; 4] = [
        // In the order of the record, but for some members.
        r#"{"status":"done","summary":"é","artifacts":[{"type":"plan","path":"a.md","summary":""},{"path":"b.md","type":"x"}],"metadata":{"session_id":"s","duration_seconds":9,"agent_type":"a","delegation_depth":1,"delegation_path":["a","b"],"own":{"status":1,"status":2}},"errors":[],"next_steps":"n"}"#,
        // Members twice, in other records, null, of other types.
        r#"{"summary":"a","status":"b","summary":"c","type":"d","metadata":{"status":"e","session_id":null,"phases_total":2},"artifacts":{"path":1},"errors":[null,{"type":true,"recoverable":true}],"status":0}"#,
        // With space, and with keys that are written otherwise.
        "{ \"status\" : \"a\",\n  \"summary\": \"b\", \"next_steps\":\"c\" ,\"st\\u0061tus\":\"d\",\"\":{},\"status\":\"\"}",
        r#"{"completion_data":{"roadmap_items":["a",1],"claudemd_suggestions":"b"},"partial_progress":{"stage":"c","phases_completed":1.5},"started_at":"d"}"#,
    ];

    /// What is put in at every place, and in place of every character.
    const PIECES: [&str; 12] = [
        "",
        " ",
        "\n",
        "\"",
        "\\",
        ",",
        ":",
        "{",
        "}",
        "null,",
        "\"status\":",
        "\"status\":\"x\",",
    ];

    #[test]
    fn both_readers_make_the_same_of_a_return_whatever_is_changed_in_it() {
        for text in TEXTS {
            variants::each(text, &PIECES, compare);
        }
    }
}
