//! The steps of a pointer.

use std::ops::Deref;

use super::Segment;

/// The most steps that are stored without allocation. Few pointers have more.
const FEW: usize = 3;

/// A list of steps. With a `SmallVec`, everything that a pointer is used with would have to live exactly
/// as long as its keys.
#[derive(Debug, Clone)]
pub(super) enum Steps<'p> {
    /// The number of steps, and room for them. What follows the last step is unused.
    Few(usize, [Segment<'p>; FEW]),
    Many(Vec<Segment<'p>>),
}

impl<'p> Steps<'p> {
    pub(super) fn push(&mut self, step: Segment<'p>) {
        match self {
            Self::Few(count, few) if *count < FEW => {
                few[*count] = step;
                *count += 1;
            }
            Self::Few(_, few) => {
                let mut many = few.to_vec();
                many.push(step);
                *self = Self::Many(many);
            }
            Self::Many(many) => many.push(step),
        }
    }
}

impl Default for Steps<'_> {
    fn default() -> Self {
        Self::Few(0, [const { Segment::Index(0) }; FEW])
    }
}

impl<'p> Deref for Steps<'p> {
    type Target = [Segment<'p>];

    fn deref(&self) -> &[Segment<'p>] {
        match self {
            Self::Few(count, few) => &few[..*count],
            Self::Many(many) => many,
        }
    }
}

impl PartialEq for Steps<'_> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<'p> FromIterator<Segment<'p>> for Steps<'p> {
    fn from_iter<I: IntoIterator<Item = Segment<'p>>>(steps: I) -> Self {
        let mut all = Self::default();
        for step in steps {
            all.push(step);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_of_steps_is_kept() {
        let mut steps = Steps::default();
        let mut expected = Vec::new();
        for index in 0..4 * FEW {
            assert_eq!(*steps, expected);
            steps.push(Segment::Index(index));
            expected.push(Segment::Index(index));
        }
        assert_eq!(steps, expected.into_iter().collect());
    }
}
