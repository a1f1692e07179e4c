//! The limits of the Claude API: closed objects, few optional members, few unions; no lengths, no
//! number bounds, no conditions.

use crate::schema::constrained::TargetLimits;

/// From Anthropic's documentation of structured outputs: at most 24 optional parameters and 16
/// parameters with a union of types in one schema.
pub(super) const LIMITS: TargetLimits = TargetLimits {
    optional: 24,
    nullable: 16,
    properties: usize::MAX,
    levels: usize::MAX,
    words: usize::MAX,
    characters: usize::MAX,
};
