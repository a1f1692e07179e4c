//! The steps of a standard of one's own.

pub(super) mod agreement;
pub(super) mod artifacts;
pub(super) mod fields;
pub(super) mod found;
pub(super) mod length;
mod place;
pub(super) mod read;
pub(crate) mod schema;
pub(super) mod session;
mod status;
pub(super) mod values;

pub(crate) use read::{UNREADABLE, not_utf8, refused, wrapped};

use std::borrow::Cow;

use crate::check::returned::{Field, Return};
use crate::check::rules::claims;
use crate::check::{Collector, Context, Ran};
use crate::document::Form;
use crate::document::tree::Value;
use crate::profile::Status;
use crate::profile::standard::paths::{NO_FILE, UNCLEAR};
use crate::profile::standard::role::{ClaimedTexts, Piece, Pieces, ReadMessage};
use crate::profile::standard::{Place, Standard};
use crate::rule::Step;

/// A return that was read in the form of its standard, with the texts of all roles.
pub(crate) struct OwnDocument<'d, 't> {
    standard: &'t Standard,
    pub(crate) document: Value<'d, 't>,
    status: Taken<'d, 't>,
    session: Taken<'d, 't>,
    agent: Taken<'d, 't>,
    summary: Taken<'d, 't>,
    artifacts: Taken<'d, 't>,
    files: Taken<'d, 't>,
    given: Vec<(&'t str, Taken<'d, 't>)>,
    cites: Vec<ClaimedTexts<'d, 't>>,
    commits: Vec<ClaimedTexts<'d, 't>>,
    tests: Vec<ClaimedTexts<'d, 't>>,
    changed: Taken<'d, 't>,
}

/// What a role takes. Nothing if there is no such role.
type Taken<'d, 't> = Option<(&'t Place, Pieces<'d, 't>)>;

impl<'d, 't> OwnDocument<'d, 't> {
    /// Whether a value is a label without one, and code or a quotation stands directly below: that may be what
    /// the label lacks.
    fn may_stand_below(&self, at: Value<'_, '_>, message: &str) -> bool {
        const MARKS: [&str; 3] = ["```", "~~~", ">"];
        let span = at.span_around();
        let (label, rest) = (message.get(span.start..span.end), message.get(span.end..));
        let is_label =
            label.is_some_and(|it| it.trim_end_matches(['*', '_', ' ']).ends_with([':', '：']));
        let rest = rest.unwrap_or_default().trim_start();
        self.standard.form == Form::Text && is_label && MARKS.iter().any(|it| rest.starts_with(it))
    }

    /// The message that it was read from.
    fn message(&self, text: &'t str) -> ReadMessage<'t> {
        ReadMessage {
            form: self.standard.form,
            text,
            gone: None,
        }
    }

    pub(crate) fn new(standard: &'t Standard, document: Value<'d, 't>, text: &'t str) -> Self {
        let roles = &standard.roles;
        let form = standard.form;
        let message = ReadMessage {
            form,
            text,
            gone: None,
        };
        let take = |role: &'t Option<Place>| -> Taken<'d, 't> {
            let role = role.as_ref()?;
            Some((role, role.take(document, message)))
        };
        let files = |role: &'t Option<Place>| -> Taken<'d, 't> {
            let role = role.as_ref()?;
            Some((role, role.take_files(document, message, &standard.gone)))
        };
        let given = roles.given.iter();
        let claims = |role: &'t Option<Place>| {
            let role = role.as_ref();
            role.map_or_else(Vec::new, |role| role.claims(document, message))
        };
        Self {
            cites: claims(&roles.cites),
            commits: claims(&roles.commits),
            tests: claims(&roles.tests),
            changed: files(&roles.changed),
            standard,
            document,
            status: take(&roles.status),
            session: take(&roles.session),
            agent: take(&roles.agent),
            summary: take(&roles.summary),
            artifacts: files(&roles.artifacts),
            files: files(&roles.files),
            given: given
                .map(|(name, role)| {
                    let taken = role.take(document, message);
                    (&**name, Some((role, taken)))
                })
                .collect(),
        }
    }

    /// The values of the roles, and the status that the profile knows.
    pub(crate) fn returned(
        &self,
        context: &Context<'_, 't>,
    ) -> (Return<'d, 't>, Option<&'t Status>) {
        let own = first(&self.agent).map(|it| &*it.text);
        let agent = context.expected.agent.or(own);
        let (status, known) = status::of(self, context.profile, agent);
        let places = [
            ("status", &self.status),
            ("session", &self.session),
            ("agent", &self.agent),
            ("summary", &self.summary),
            ("artifacts", &self.artifacts),
            ("changed", &self.changed),
        ];
        let claimed = [("tests", &self.tests), ("commits", &self.commits)];
        let mut own = Return {
            status,
            summary: summary(&self.summary),
            session: first(&self.session).map(|it| it.text.clone()),
            agent: first(&self.agent).map(|it| it.text.clone()),
            tests: claims::counted_tests::passed(&self.tests),
            has_commits: claims::commits::are_named(&self.commits),
            places: places
                .into_iter()
                .filter_map(|(name, taken)| {
                    let (role, taken) = taken.as_ref()?;
                    Some((name, place::of(self.document, (role, taken))))
                })
                .chain(
                    claimed
                        .into_iter()
                        .filter_map(|(name, claims)| Some((name, claims.first()?.at()))),
                )
                .collect(),
            ..Return::default()
        };
        let mut unreadable;
        (own.artifacts, unreadable) = artifacts::paths(&self.artifacts, self.standard);
        own.artifacts.retain(|it| {
            let doubt = artifacts::doubt(it, context);
            // No remark is a way around the check, but one that says that a file may be gone.
            let is_named = doubt.is_some_and(|why| ![UNCLEAR, NO_FILE].contains(&why));
            unreadable += usize::from(is_named);
            doubt.is_none()
        });
        own.claimed = Some(own.artifacts.len() + unreadable);
        (own, known)
    }
}

/// The texts that a role takes. None if there is no such role, or if its place is ambiguous.
fn pieces<'p, 'd, 't>(taken: &'p Taken<'d, 't>) -> Option<&'p [Piece<'d, 't>]> {
    let (_, pieces) = taken.as_ref()?;
    pieces.as_deref().ok()
}

/// The text of a role that has exactly one.
fn first<'p, 'd, 't>(taken: &'p Taken<'d, 't>) -> Option<&'p Piece<'d, 't>> {
    match pieces(taken)? {
        [one] => Some(one),
        _ => None,
    }
}

/// The texts of a summary, one below the other.
fn summary<'t>(taken: &Taken<'_, 't>) -> Field<Cow<'t, str>> {
    match pieces(taken) {
        None | Some([]) => Field::Missing,
        Some([one]) => Field::Present(one.text.clone()),
        Some(several) => {
            let texts: Vec<_> = several.iter().map(|it| &*it.text).collect();
            Field::Present(texts.join("\n").into())
        }
    }
}

/// Runs the checks of one step. The first step is the reading itself.
pub(crate) fn check<'t>(
    step: Step,
    own: &OwnDocument<'_, 't>,
    collector: &mut Collector<'_, 't>,
) -> Ran {
    match step {
        Step::Json => Ran::Checked,
        Step::Fields => fields::check(own, collector),
        Step::Status => status::check(own, collector),
        Step::Session => session::check(own, collector),
        Step::Summary => length::check(own, collector),
        Step::Artifacts => artifacts::check(own, collector),
    }
}
