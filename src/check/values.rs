//! The values of the placeholders of a rule. A diagnostic that lacks one does not compile.

use crate::check::Value;
use crate::rule::Rule;

/// A rule with no other placeholders than these; see [`placeholders`](crate::rule::placeholders).
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
    pub(crate) [(&'static str, Value<'d>); COUNT],
);

/// Values of placeholders: `values![path = path, what = Value::Text(what)]`.
macro_rules! values {
    ($($placeholder:ident = $value:expr),* $(,)?) => {
        $crate::check::Values::<
            { $crate::rule::placeholders(&[$(stringify!($placeholder)),*]) },
            _,
        >([$((stringify!($placeholder), $crate::check::Value::from($value))),*])
    };
}

/// A rule whose texts have a value for each placeholder. This is checked when the program is compiled.
macro_rules! fitting {
    ($rule:expr) => {
        const { $crate::check::FittingRule::new(&$rule) }
    };
}

pub(crate) use {fitting, values};
