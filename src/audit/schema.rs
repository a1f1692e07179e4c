//! The JSON Schema of the report and of the record of a run, made from the types that are written.

use std::collections::BTreeMap;

use crate::audit::{AuditReport, GroupBy, RunOutcome, RunRecord};
use crate::clients::Client;
use crate::clients::run::ClientStatus;
use crate::schema::DRAFT_2020_12;
use crate::schema::json_schema::{NodeMembers, Others, SchemaNode};

/// The schema of what `retval audit` prints with `--format json` and `jsonl`, in draft 2020-12.
pub(crate) fn schema() -> SchemaNode {
    let mut definitions = NodeMembers::default();
    let report = AuditReport::node(&mut definitions);
    let record = RunRecord::node(&mut definitions);
    SchemaNode {
        draft: Some(DRAFT_2020_12),
        title: Some("retval: audit".to_owned()),
        definitions,
        ..SchemaNode::any_of([
            report.described("What --format json prints."),
            record.described("A line of what --format jsonl prints."),
        ])
    }
}

/// A type that a report has.
pub(super) trait Described {
    /// The schema of its values. Objects are added to the definitions, each once.
    fn node(definitions: &mut NodeMembers) -> SchemaNode;
}

/// Declares an object of a report. The text above a member is its description in the schema.
macro_rules! described {
    (
        #[derive($($derive:ident),+)]
        $(#[doc = $text:literal])+
        pub struct $object:ident $(<$life:lifetime>)? {
            $(
                $(#[doc = $about:literal])+
                $(#[serde($($serde:tt)+)])?
                $visible:vis $field:ident: $type:ty,
            )+
        }
    ) => {
        $(#[doc = $text])+
        #[derive($($derive),+)]
        #[allow(clippy::struct_field_names, reason = "they are the members of a record")]
        pub(crate) struct $object $(<$life>)? {
            $($(#[doc = $about])+ $(#[serde($($serde)+)])? $visible $field: $type,)+
        }

        impl $(<$life>)? $crate::audit::schema::Described for $object $(<$life>)? {
            fn node(
                definitions: &mut $crate::schema::json_schema::NodeMembers,
            ) -> $crate::schema::json_schema::SchemaNode {
                use $crate::schema::json_schema::SchemaNode;
                let name = stringify!($object);
                if definitions.0.iter().all(|(known, _)| known != name) {
                    let at = definitions.0.len();
                    definitions.0.push((name.to_owned(), SchemaNode::default()));
                    // A member with an attribute of serde may be missing.
                    let members = [$((
                        stringify!($field),
                        concat!($(stringify!($($serde)+))?).is_empty(),
                        <$type>::node(definitions).described(concat!($($about),+).trim()),
                    ),)+];
                    let text = concat!($($text),+).trim();
                    definitions.0[at].1 = SchemaNode::object(members).described(text);
                }
                SchemaNode {
                    reference: Some(concat!("#/$defs/", stringify!($object))),
                    ..SchemaNode::default()
                }
            }
        }
    };
}
pub(super) use described;

/// Says what each type is in JSON.
macro_rules! described_types {
    ($($type:ty => $node:expr;)*) => {
        $(impl Described for $type {
            fn node(_: &mut NodeMembers) -> SchemaNode {
                $node
            }
        })*
    };
}

described_types! {
    bool => SchemaNode::of_type("boolean");
    u64 => SchemaNode { minimum: Some(0), ..SchemaNode::of_type("integer") };
    // A share.
    f64 => SchemaNode { minimum: Some(0), maximum: Some(1), ..SchemaNode::of_type("number") };
    String => SchemaNode::of_type("string");
    &str => SchemaNode::of_type("string");
    RunOutcome => SchemaNode::one_of(Self::ALL.map(Self::as_str));
    GroupBy => SchemaNode::one_of(Self::ALL.map(Self::as_str));
    Client => SchemaNode::one_of(Self::ALL.map(Self::as_str));
    ClientStatus => SchemaNode::one_of(Self::ALL.map(Self::as_str));
}

impl<T: Described> Described for Option<T> {
    fn node(definitions: &mut NodeMembers) -> SchemaNode {
        T::node(definitions).or_null()
    }
}

impl<T: Described> Described for Vec<T> {
    fn node(definitions: &mut NodeMembers) -> SchemaNode {
        SchemaNode::array(T::node(definitions))
    }
}

impl<T: Described> Described for &[T] {
    fn node(definitions: &mut NodeMembers) -> SchemaNode {
        Vec::<T>::node(definitions)
    }
}

impl<K, T: Described> Described for BTreeMap<K, T> {
    fn node(definitions: &mut NodeMembers) -> SchemaNode {
        SchemaNode {
            others: Some(Others::Like(Box::new(T::node(definitions)))),
            ..SchemaNode::of_type("object")
        }
    }
}

impl<T: Described> Described for &T {
    fn node(definitions: &mut NodeMembers) -> SchemaNode {
        T::node(definitions)
    }
}
