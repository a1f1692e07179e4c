//! The limits of `OpenAI`'s strict mode: closed objects, every member required, optional members as
//! a union with null; no conditions, no free-form objects.

use crate::schema::constrained::TargetLimits;

/// From the guide to structured outputs, "Supported schemas": 5,000 properties, 10 levels, 1,000
/// values of enums, and 120,000 characters of names and of these values.
pub(super) const LIMITS: TargetLimits = TargetLimits {
    optional: 0,
    nullable: usize::MAX,
    properties: 5_000,
    levels: 10,
    words: 1_000,
    characters: 120_000,
};
