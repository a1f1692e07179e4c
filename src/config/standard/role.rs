//! Where the values of a role stand, as the file writes it.

use std::fmt::{self, Formatter};

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use toml::Spanned;

use crate::config::nodes::{OneOrMore, toml_types};
use crate::config::standard::{PlaceText, RoleTable};
use crate::schema::json_schema::SchemaNode;

/// A place, several places, or a table with places and what is taken there.
#[derive(Debug, Clone)]
pub(in crate::config) enum RoleValue {
    One(String),
    All(Vec<PlaceText>),
    Table(Box<RoleTable>),
}

/// One place, or several.
#[derive(Debug, Clone)]
pub(in crate::config) struct PlaceTexts(pub(in crate::config) Vec<PlaceText>);

impl<'de> Deserialize<'de> for RoleValue {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct RoleVisitor;

        impl<'de> Visitor<'de> for RoleVisitor {
            type Value = RoleValue;

            fn expecting(&self, out: &mut Formatter<'_>) -> fmt::Result {
                out.write_str("a place, an array of places or a table")
            }

            fn visit_str<E: Error>(self, place: &str) -> Result<RoleValue, E> {
                Ok(RoleValue::One(place.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, places: A) -> Result<RoleValue, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(places)).map(RoleValue::All)
            }

            fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<RoleValue, A::Error> {
                let table = RoleTable::deserialize(MapAccessDeserializer::new(table))?;
                Ok(RoleValue::Table(Box::new(table)))
            }
        }

        from.deserialize_any(RoleVisitor)
    }
}

impl<'de> Deserialize<'de> for PlaceTexts {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value: Spanned<RoleValue> = Spanned::deserialize(from)?;
        let span = value.span();
        match value.into_inner() {
            RoleValue::One(place) => Ok(Self(vec![Spanned::new(span, place)])),
            RoleValue::All(places) => Ok(Self(places)),
            RoleValue::Table(_) => Err(D::Error::custom("expected a place or an array of places")),
        }
    }
}

toml_types! {
    RoleValue => {
        let place = String::schema;
        SchemaNode::any_of([place(), SchemaNode::array(place()), RoleTable::schema()])
    };
    PlaceTexts => OneOrMore::schema();
}
