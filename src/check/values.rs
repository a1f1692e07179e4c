//! The values of the placeholders of a rule. A diagnostic that lacks one does not compile.

use crate::check::Value;
use crate::rule::{Placeholder, Rule};

/// A rule with no other placeholders than these, of which each is a bit.
#[derive(Clone, Copy)]
pub(crate) struct FittingRule<const PLACEHOLDERS: u32>(pub(super) &'static Rule);

impl<const PLACEHOLDERS: u32> FittingRule<PLACEHOLDERS> {
    pub(crate) const fn new(rule: &'static Rule) -> Self {
        let lacks = rule.placeholders() & !PLACEHOLDERS;
        assert!(
            lacks == 0,
            "a text of the rule has a placeholder without a value"
        );
        Self(rule)
    }
}

/// Values by their placeholders, which are also in the type. Made by [`values`].
pub(crate) struct Values<'d, const PLACEHOLDERS: u32, const COUNT: usize>(
    pub(crate) [(Placeholder, Value<'d>); COUNT],
);

/// The set of these placeholders.
pub(crate) const fn placeholders(all: &[Placeholder]) -> u32 {
    let (mut set, mut index) = (0, 0);
    while index < all.len() {
        set |= all[index].bit();
        index += 1;
    }
    set
}

/// Values of placeholders: `values![Path = path, What = Value::Text(what)]`.
macro_rules! values {
    ($($placeholder:ident = $value:expr),* $(,)?) => {
        $crate::check::Values::<
            { $crate::check::placeholders(&[$($crate::rule::Placeholder::$placeholder),*]) },
            _,
        >([$(($crate::rule::Placeholder::$placeholder, $crate::check::Value::from($value))),*])
    };
}

/// A rule whose texts have a value for each placeholder. This is checked when the program is compiled.
macro_rules! fitting {
    ($rule:expr) => {
        const { $crate::check::FittingRule::new(&$rule) }
    };
}

pub(crate) use {fitting, values};
