//! The limits of `OpenAI`'s strict mode: objects are closed, and every member is required. Optional
//! members are a union with null. There are no conditions and no free-form objects.

use crate::schema::constrained::TargetLimits;

/// From `OpenAI`'s guide to structured outputs, section "Supported schemas": 5,000 properties, 10
/// levels of nesting, 1,000 values of enums, and 120,000 characters of names and of these values.
pub(super) const LIMITS: TargetLimits = TargetLimits {
    optional: 0,
    nullable: usize::MAX,
    properties: 5_000,
    levels: 10,
    words: 1_000,
    characters: 120_000,
};
