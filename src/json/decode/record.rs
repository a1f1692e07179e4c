//! Declares the objects of the profiles: a macro generates the struct, its deserializer and its walk.

/// Declares a record: a struct of [`Field`](crate::json::field::Field)s, each with its JSON key.
/// Everything that depends on the list of fields is generated from it.
macro_rules! record {
    (
        $(#[$about:meta])*
        $vis:vis struct $Record:ident<'t> {
            $($(#[doc = $field_about:literal])+ $key:literal => pub $field:ident: $Type:ty,)*
        }
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Default)]
        $vis struct $Record<'t> {
            $($(#[doc = $field_about])+ pub $field: $crate::json::field::Field<$Type>,)*
            /// Unknown members; empty unless a rule needs them.
            pub unknown: Vec<$crate::json::field::Unknown<'t>>,
        }

        impl<'t> $crate::json::field::ExpectedType for $Record<'t> {
            const EXPECTED: $crate::json::field::Expected = $crate::json::field::Expected::Object;

            fn form() -> $crate::json::field::TypeTree {
                use $crate::json::field::ExpectedType;
                $crate::json::field::TypeTree::Record(vec![$(($key, <$Type as ExpectedType>::form()),)*])
            }

            fn about(at: &str, say: &mut dyn FnMut(&str, &'static str)) {
                use $crate::json::field::ExpectedType;
                $({
                    let below = $crate::json::pointer::below(at, $key);
                    say(&below, concat!($($field_about),+).trim_ascii());
                    <$Type as ExpectedType>::about(&below, say);
                })*
            }
        }

        impl<'t> $crate::json::decode::Decode<'t> for $Record<'t> {
            fn object<A: ::serde::de::MapAccess<'t>>(
                mut object: A,
                reader: $crate::json::decode::FieldSeed<'_, Self>,
            ) -> Result<(), A::Error> {
                let watch = reader.watch;
                let record = reader.field.insert(Self::default());
                let mut keys = None;
                while let Some(key) = object.next_key_seed($crate::json::decode::skip::KeySeed)? {
                    match key.as_ref() {
                        $($key => {
                            if !matches!(record.$field, $crate::json::field::Field::Missing) {
                                watch.saw_duplicate();
                            }
                            let reader = $crate::json::decode::FieldSeed::new(watch, &mut record.$field);
                            object.next_value_seed(reader)?;
                        })*
                        _ => {
                            let kept = (&mut keys, &mut record.unknown);
                            $crate::json::decode::skip::unknown(key, &mut object, kept, watch)?;
                        }
                    }
                }
                Ok(())
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $Record<'de> {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                use ::serde::de::Error as _;
                match $crate::json::field::Field::deserialize(deserializer)? {
                    $crate::json::field::Field::Present(record) => Ok(record),
                    _ => Err(D::Error::custom("expected an object")),
                }
            }
        }

        impl $crate::json::field::Node for $Record<'_> {
            fn expected(&self) -> $crate::json::field::Expected {
                $crate::json::field::Expected::Object
            }

            fn member(&self, key: &str) -> Option<&dyn $crate::json::field::Node> {
                match key {
                    $($key => Some(&self.$field),)*
                    _ => None,
                }
            }

            fn unknown(&self) -> &[$crate::json::field::Unknown<'_>] {
                &self.unknown
            }

            fn each<'n>(
                &'n self,
                visit: &mut dyn FnMut($crate::json::pointer::Segment<'n>, &'n dyn $crate::json::field::Node),
            ) {
                $(visit($crate::json::pointer::Segment::Key(::std::borrow::Cow::Borrowed($key)), &self.$field);)*
            }
        }
    };
}

pub(crate) use record;
