//! What a schema can cost: refuses one that is applied to one value again and again, or in too many ways.

use std::collections::{HashMap, HashSet};

use jsonschema::{Draft, Registry, Uri, uri};
use referencing::{List, Resolver};
use serde_json::Value;

use crate::text::escape::truncated;

/// The most schemas, each counted for every way through the resources to it: that is how they are compiled.
const SCHEMAS_AT_MOST: usize = 50_000;

/// The most schemas that are applied to one value, one within or behind the other.
const CHAIN_AT_MOST: usize = 100;

/// The most schemas that are applied to one value.
const APPLIED_AT_MOST: usize = 10_000;

/// What holding a name to a pattern costs, beside a schema that is applied to a value.
const PATTERN: usize = 64;

/// How many times the parts of a schema are applied, at most, if it asks which of their values they evaluate.
const EVALUATED: usize = 3;

/// What a value can cost at most by a schema, or why nothing can be said of it.
pub(super) fn weight(registry: &Registry<'_>, base: &str) -> Result<usize, String> {
    let mut graph = SchemaGraph::default();
    if let Ok(uri) = uri::from_str(base)
        && let Ok(whole) = registry.resolver(uri).lookup("")
    {
        let (schema, resolver, draft) = whole.into_inner();
        graph.below(schema, resolver, draft)?;
    }
    Ok(graph.weight)
}

/// A schema by its address, and the resources on the way to it.
type SchemaPlace = (*const Value, List<Uri<String>>);

#[derive(Default)]
struct SchemaGraph {
    weight: usize,
    /// The schemas that are applied to the value at hand, by address.
    chain: Vec<*const Value>,
    /// How many schemas are applied to a value by one that is no part of a loop.
    known: HashMap<SchemaPlace, usize>,
    /// The schemas whose parts were walked.
    walked: HashSet<SchemaPlace>,
    /// The schemas that the one at hand is in or behind.
    around: HashSet<*const Value>,
    compiled: usize,
}

enum WalkStep<'r> {
    Into(&'r Value, Resolver<'r>, Draft),
    OutOf(*const Value),
}

impl SchemaGraph {
    /// Looks at a schema and at all in it and behind it.
    fn below<'r>(
        &mut self,
        schema: &'r Value,
        resolver: Resolver<'r>,
        draft: Draft,
    ) -> Result<(), String> {
        let mut open = vec![WalkStep::Into(schema, resolver, draft)];
        while let Some(step) = open.pop() {
            let (schema, resolver, draft) = match step {
                WalkStep::Into(schema, resolver, draft) => (schema, resolver, draft),
                WalkStep::OutOf(schema) => {
                    self.around.remove(&schema);
                    continue;
                }
            };
            let draft = draft.detect(schema);
            let own = resolver.in_subresource(draft.create_resource_ref(schema));
            let resolver = own.unwrap_or(resolver);
            let place: SchemaPlace = (schema, resolver.dynamic_scope());
            if self.around.contains(&place.0) || !self.walked.insert(place) {
                continue;
            }
            self.around.insert(schema);
            open.push(WalkStep::OutOf(schema));
            self.count(schema, &resolver, draft)?;
            for part in draft.subresources_of(schema) {
                open.push(WalkStep::Into(part, resolver.clone(), draft));
            }
            for (_, (schema, resolver, draft)) in references(schema, &resolver) {
                open.push(WalkStep::Into(schema, resolver, draft));
            }
        }
        Ok(())
    }

    fn count<'r>(
        &mut self,
        schema: &'r Value,
        resolver: &Resolver<'r>,
        draft: Draft,
    ) -> Result<(), String> {
        let applied = self.applied(schema, resolver, draft)?;
        let patterns = schema.get("patternProperties").and_then(Value::as_object);
        let mut patterns = patterns.map_or(0, serde_json::Map::len);
        if let Some(names) = schema.get("propertyNames") {
            patterns += self.applied(names, resolver, draft)?;
        }
        self.weight = self.weight.max(applied + patterns * PATTERN);
        self.compiled += if asks_for_evaluated(schema) { applied } else { 1 };
        if self.compiled > SCHEMAS_AT_MOST {
            return Err(format!(
                "has more than {SCHEMAS_AT_MOST} schemas, counted for each way to them"
            ));
        }
        Ok(())
    }

    /// Follows whatever a schema applies to the same value.
    fn applied<'r>(
        &mut self,
        schema: &'r Value,
        resolver: &Resolver<'r>,
        draft: Draft,
    ) -> Result<usize, String> {
        let place: SchemaPlace = (schema, resolver.dynamic_scope());
        if self.chain.len() >= CHAIN_AT_MOST {
            return Err(format!("has more than {CHAIN_AT_MOST} schemas for one value in a chain"));
        }
        if let Some(known) = self.known.get(&place) {
            return Ok(*known);
        }
        self.chain.push(schema);
        let mut all = 1;
        for part in parts(schema, draft) {
            let own = resolver.in_subresource(draft.create_resource_ref(part));
            all += self.applied(part, own.as_ref().unwrap_or(resolver), draft)?;
        }
        for (reference, (schema, resolver, draft)) in references(schema, resolver) {
            if self.chain.contains(&std::ptr::from_ref(schema)) {
                let reference = truncated(reference);
                return Err(format!("refers to itself: following `$ref` {reference} never ends"));
            }
            all += self.applied(schema, &resolver, draft)?;
        }
        if asks_for_evaluated(schema) {
            all *= EVALUATED;
        }
        if all > APPLIED_AT_MOST {
            return Err(format!("applies more than {APPLIED_AT_MOST} schemas to one value"));
        }
        self.chain.pop();
        self.known.insert(place, all);
        Ok(all)
    }
}

fn asks_for_evaluated(schema: &Value) -> bool {
    ["unevaluatedProperties", "unevaluatedItems"].iter().any(|key| schema.get(key).is_some())
}

/// The references of a schema, with what they lead to. A reference to nothing is reported when the schema is compiled.
fn references<'r>(
    schema: &'r Value,
    resolver: &Resolver<'r>,
) -> impl Iterator<Item = (&'r str, (&'r Value, Resolver<'r>, Draft))> {
    ["$ref", "$dynamicRef", "$recursiveRef"].into_iter().filter_map(move |key| {
        let reference = schema.get(key)?.as_str()?;
        let target = match key {
            "$recursiveRef" => resolver.lookup_recursive_ref(),
            _ => resolver.lookup(reference),
        };
        Some((reference, target.ok()?.into_inner()))
    })
}

/// The schemas in a schema that are applied to the same value. The older drafts know nothing beside a reference.
fn parts(schema: &Value, draft: Draft) -> impl Iterator<Item = &Value> {
    let is_reference = draft < Draft::Draft201909 && schema.get("$ref").is_some();
    let one = ["not", "if", "then", "else"].into_iter();
    let one = one.filter_map(|key| schema.get(key));
    let lists = ["allOf", "anyOf", "oneOf"].into_iter();
    let lists = lists.filter_map(|key| schema.get(key)?.as_array()).flatten();
    let members = ["dependentSchemas", "dependencies"].into_iter();
    let members = members.filter_map(|key| schema.get(key)?.as_object());
    let members = members.flat_map(|members| members.values());
    let all = one.chain(lists).chain(members);
    all.filter(move |it| it.is_object() && !is_reference)
}
