//! Values that count what is asked of them, so that to hold one to a schema ends after a known amount of work,
//! and not only after a time that grows with each level.

use std::borrow::Cow;
use std::cell::Cell;
use std::slice;

use jsonschema::JsonType;
use jsonschema::json::unique::is_unique;
use jsonschema::json::{Array, Json, Node, NodeIdentity, Object, SerdeJson};
use serde_json::{Map, Number, Value, map};

/// The most that the values of a return may cost: a few hundred milliseconds.
const WORK_AT_MOST: usize = 5_000_000;

/// What a mistake costs, which also takes memory.
const MISTAKE: usize = 40;

pub(super) struct Work {
    left: Cell<usize>,
    /// What each value costs more, as far as the schema alone tells.
    weight: usize,
}

impl Work {
    pub(super) fn new(weight: usize) -> Self {
        Self { left: Cell::new(WORK_AT_MOST), weight }
    }

    pub(super) fn on<'v>(&'v self, value: &'v Value) -> CountedValue<'v> {
        let work = Some(self);
        CountedValue { it: value, work }
    }

    /// Whether it was too much. What was found then says nothing.
    pub(super) fn is_used_up(&self) -> bool {
        self.left.get() == 0
    }
}

/// A value, or what is in one, with the work that it may still cost. A name has none: its object pays.
#[derive(Clone, Copy)]
pub(super) struct Counted<'v, T> {
    it: T,
    work: Option<&'v Work>,
}

type CountedValue<'v> = Counted<'v, &'v Value>;

impl<'v, T> Counted<'v, T> {
    #[inline]
    fn pay(&self, cost: usize) {
        if let Some(work) = self.work {
            work.left.set(work.left.get().saturating_sub(cost));
        }
    }

    /// A value in this one. When the work is used up, there are none, so that all soon ends.
    #[inline]
    fn inner(&self, it: &'v Value, name: &str) -> Option<CountedValue<'v>> {
        self.pay(1 + self.work?.weight * (name.len() + 64) / 1024);
        let work = self.work.filter(|work| !work.is_used_up());
        work.map(|_| Counted { it, work })
    }
}

fn size(value: &Value) -> usize {
    1 + match value {
        Value::String(text) => text.len() / 64,
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(members) => members.values().map(size).sum(),
        _ => 0,
    }
}

/// JSON whose values count what is asked of them.
pub(super) struct CountedJson;

impl Json for CountedJson {
    type Node<'v> = CountedValue<'v>;
    type PreparedKey = String;
    type StringBuffer = Value;

    const KEYS_PER_LOOKUP: usize = SerdeJson::KEYS_PER_LOOKUP;

    fn prepare_key(key: &str) -> String {
        key.to_owned()
    }

    fn with_string_node<T>(
        buffer: &mut Value,
        string: &str,
        then: impl FnOnce(CountedValue<'_>) -> T,
    ) -> T {
        SerdeJson::with_string_node(buffer, string, |it| then(Counted { it, work: None }))
    }
}

impl<'v> Node<'v, CountedJson> for CountedValue<'v> {
    type Object = Counted<'v, &'v Map<String, Value>>;
    type Array = Counted<'v, &'v [Value]>;
    type Number = &'v Number;

    fn as_object(&self) -> Option<Self::Object> {
        self.pay(1);
        let (it, work) = (self.it.as_object()?, self.work);
        Some(Counted { it, work })
    }

    fn as_array(&self) -> Option<Self::Array> {
        self.pay(1);
        let (it, work) = (self.it.as_array()?, self.work);
        Some(Counted { it, work })
    }

    fn as_string(&self) -> Option<Cow<'v, str>> {
        let text = self.it.as_str()?;
        self.pay(1 + text.len() / 8);
        Some(Cow::Borrowed(text))
    }

    fn as_number(&self) -> Option<&'v Number> {
        self.pay(1);
        self.it.as_number()
    }

    fn as_boolean(&self) -> Option<bool> {
        self.pay(1);
        self.it.as_bool()
    }

    fn is_null(&self) -> bool {
        self.pay(1);
        self.it.is_null()
    }

    fn json_type(&self) -> JsonType {
        self.pay(1);
        self.it.json_type()
    }

    fn equals_value(&self, expected: &Value) -> bool {
        self.pay(size(expected));
        self.it.equals_value(expected)
    }

    /// Only mistakes ask for it.
    fn to_value(&self) -> Cow<'v, Value> {
        self.pay(MISTAKE);
        Cow::Borrowed(self.it)
    }

    fn identity(&self) -> Option<NodeIdentity> {
        self.pay(1);
        self.it.identity()
    }
}

impl<'v> Object<'v, CountedJson> for Counted<'v, &'v Map<String, Value>> {
    type Node = CountedValue<'v>;
    type MemberName = &'v str;
    type MembersIter = Counted<'v, map::Iter<'v>>;

    fn len(&self) -> usize {
        self.it.len()
    }

    fn get(&self, key: &String) -> Option<CountedValue<'v>> {
        self.inner(self.it.get(key)?, "")
    }

    fn members(&self) -> Self::MembersIter {
        let (it, work) = (self.it.iter(), self.work);
        Counted { it, work }
    }
}

impl<'v> Iterator for Counted<'v, map::Iter<'v>> {
    type Item = (&'v str, CountedValue<'v>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (name, value) = self.it.next()?;
        Some((name, self.inner(value, name)?))
    }
}

impl<'v> Array<'v, CountedJson> for Counted<'v, &'v [Value]> {
    type Node = CountedValue<'v>;
    type ElementsIter = Counted<'v, slice::Iter<'v, Value>>;

    fn len(&self) -> usize {
        self.it.len()
    }

    fn elements(&self) -> Self::ElementsIter {
        let (it, work) = (self.it.iter(), self.work);
        Counted { it, work }
    }

    fn is_unique(&self) -> bool {
        self.pay(self.it.iter().map(size).sum());
        is_unique(self.it)
    }
}

impl<'v> Iterator for Counted<'v, slice::Iter<'v, Value>> {
    type Item = CountedValue<'v>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let value = self.it.next()?;
        self.inner(value, "")
    }
}
