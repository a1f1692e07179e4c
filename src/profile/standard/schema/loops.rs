//! Schemas that refer to themselves without a step into the value.

use std::collections::HashSet;

use jsonschema::{Draft, Registry, uri};
use referencing::Resolver;
use serde_json::Value;

use crate::text::escape::truncated;

/// The most schemas that are applied to one value, one within or behind the other.
const CHAIN_AT_MOST: usize = 100;

/// Refuses a schema that would be applied to one value again and again.
pub(super) fn refuse(registry: &Registry<'_>, base: &str) -> Result<(), String> {
    let Ok(uri) = uri::from_str(base) else {
        return Ok(());
    };
    let resolver = registry.resolver(uri);
    let Ok(whole) = resolver.lookup("") else {
        return Ok(());
    };
    let mut walk = LoopWalk::default();
    let (schema, resolver, draft) = whole.into_inner();
    walk.below(schema, &resolver, draft)
}

#[derive(Default)]
struct LoopWalk {
    /// The schemas that are applied to the value at hand, by address.
    chain: Vec<*const Value>,
    /// The schemas that are known to be no part of a loop.
    known: HashSet<*const Value>,
    /// The schemas whose parts were walked.
    walked: HashSet<*const Value>,
}

impl LoopWalk {
    /// Looks at a schema and at all in it and behind it.
    fn below<'r>(
        &mut self,
        schema: &'r Value,
        resolver: &Resolver<'r>,
        draft: Draft,
    ) -> Result<(), String> {
        let mut open = vec![(schema, resolver.clone(), draft)];
        while let Some((schema, resolver, draft)) = open.pop() {
            if !self.walked.insert(schema) {
                continue;
            }
            let draft = draft.detect(schema);
            let own = resolver.in_subresource(draft.create_resource_ref(schema));
            let resolver = own.unwrap_or(resolver);
            self.applied(schema, &resolver, draft)?;
            for part in draft.subresources_of(schema) {
                open.push((part, resolver.clone(), draft));
            }
            for reference in references(schema) {
                if let Ok(target) = resolver.lookup(reference) {
                    open.push(target.into_inner());
                }
            }
        }
        Ok(())
    }

    /// Follows whatever a schema applies to the same value.
    fn applied<'r>(
        &mut self,
        schema: &'r Value,
        resolver: &Resolver<'r>,
        draft: Draft,
    ) -> Result<(), String> {
        let address: *const Value = schema;
        if self.chain.len() >= CHAIN_AT_MOST {
            return Err(format!(
                "has more than {CHAIN_AT_MOST} schemas for one value in a chain"
            ));
        }
        if self.known.contains(&address) {
            return Ok(());
        }
        self.chain.push(address);
        for part in parts(schema) {
            let own = resolver.in_subresource(draft.create_resource_ref(part));
            self.applied(part, own.as_ref().unwrap_or(resolver), draft)?;
        }
        for reference in references(schema) {
            // A reference to nothing is reported when the schema is compiled.
            let Ok(target) = resolver.lookup(reference) else {
                continue;
            };
            let (schema, resolver, draft) = target.into_inner();
            if self.chain.contains(&std::ptr::from_ref(schema)) {
                let reference = truncated(reference);
                return Err(format!(
                    "refers to itself: following `$ref` {reference} never ends"
                ));
            }
            self.applied(schema, &resolver, draft)?;
        }
        self.chain.pop();
        self.known.insert(address);
        Ok(())
    }
}

/// The references of a schema.
fn references(schema: &Value) -> impl Iterator<Item = &str> {
    let keys = ["$ref", "$dynamicRef", "$recursiveRef"].into_iter();
    keys.filter_map(|key| schema.get(key)?.as_str())
}

/// The schemas in a schema that are applied to the same value.
fn parts(schema: &Value) -> impl Iterator<Item = &Value> {
    let one = ["not", "if", "then", "else"].into_iter();
    let one = one.filter_map(|key| schema.get(key));
    let lists = ["allOf", "anyOf", "oneOf"].into_iter();
    let lists = lists
        .filter_map(|key| schema.get(key)?.as_array())
        .flatten();
    let members = ["dependentSchemas", "dependencies"].into_iter();
    let members = members.filter_map(|key| schema.get(key)?.as_object());
    let members = members.flat_map(|members| members.values());
    one.chain(lists).chain(members).filter(|it| it.is_object())
}
