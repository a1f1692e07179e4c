//! What a return has at the places that its profile names.

use crate::document::tree::Value;
use crate::document::{Form, is_hollow};
use crate::profile::Place;
use crate::profile::Profile;
use crate::profile::role::{ClaimedTexts, Doubt, Piece, Pieces, ReadMessage};
use crate::text::is_blank;

/// A return that was read, with the texts at all places of its profile.
pub(crate) struct TakenValues<'d, 't> {
    pub(super) profile: &'t Profile,
    pub(crate) document: Value<'d, 't>,
    pub(super) status: Taken<'d, 't>,
    pub(super) session: Taken<'d, 't>,
    pub(super) agent: Taken<'d, 't>,
    pub(super) summary: Taken<'d, 't>,
    pub(super) artifacts: Taken<'d, 't>,
    pub(super) files: Taken<'d, 't>,
    pub(super) covers: Taken<'d, 't>,
    pub(super) given: Vec<(&'t str, Taken<'d, 't>)>,
    pub(super) cites: Vec<ClaimedTexts<'d, 't>>,
    pub(super) commits: Vec<ClaimedTexts<'d, 't>>,
    pub(super) tests: Vec<ClaimedTexts<'d, 't>>,
    pub(super) changed: Taken<'d, 't>,
}

/// What a role takes. Nothing if there is no such role.
pub(super) type Taken<'d, 't> = Option<(&'t Place, Pieces<'d, 't>)>;

impl<'d, 't> TakenValues<'d, 't> {
    /// Whether a value is a label, and code or a quotation stands directly below, which may be what the label lacks.
    pub(super) fn may_stand_below(&self, at: Value<'_, '_>, message: &str) -> bool {
        let span = at.span_around();
        let label = message.get(span.start..span.end).unwrap_or_default();
        let label = label.trim_end_matches(['*', '_', ' ']);
        let is_label = label.ends_with([':', '：']);
        let rest = message.get(span.end..).unwrap_or_default().trim_start();
        let fence = ["```", "~~~"].into_iter().find(|it| rest.starts_with(it));
        let lines = rest.lines().map(str::trim_start);
        let has_words = if let Some(fence) = fence {
            let mut inside = lines.skip(1).take_while(|it| !it.starts_with(fence));
            inside.any(|it| !is_blank(it))
        } else {
            let mut quoted = lines.map_while(|it| it.strip_prefix('>'));
            quoted.any(|it| !is_hollow(it.trim_start_matches(['>', ' '])))
        };
        self.profile.form == Form::Text && is_label && has_words
    }

    /// All values at the places of a role, but at those that are ambiguous.
    pub(super) fn values_at(&self, role: &Place) -> Vec<Value<'d, 't>> {
        let found = role.paths.iter();
        let found = found.filter_map(|it| it.find(self.document).ok());
        found.flatten().collect()
    }

    pub(super) fn message(&self, text: &'t str) -> ReadMessage<'t> {
        ReadMessage::new(self.profile.form, text)
    }

    pub(crate) fn of(profile: &'t Profile, document: Value<'d, 't>, text: &'t str) -> Self {
        let roles = &profile.roles;
        let message = ReadMessage::new(profile.form, text);
        let take = |role: &'t Place| Some((role, role.take(document, message)));
        let word = |role: &'t Place| {
            Some((role, role.take(document, message).map(|it| whole(it, role, document))))
        };
        // The members of the built-in formats have types, and are taken as they are.
        let gone = Some(&*profile.gone);
        let files = |role: &'t Option<Place>| -> Taken<'d, 't> {
            let role = role.as_ref().filter(|it| !it.is_of_texts)?;
            Some((role, role.take(document, ReadMessage { gone, ..message })))
        };
        let claims = |role: &'t Option<Place>| {
            let claims = role.as_ref().map(|role| role.claims(document, message));
            claims.unwrap_or_default()
        };
        let given = roles.given.iter();
        Self {
            profile,
            document,
            status: roles.status.as_ref().and_then(word),
            session: roles.session.as_ref().and_then(word),
            agent: roles.agent.as_ref().and_then(word),
            summary: roles.summary.as_ref().and_then(take),
            artifacts: files(&roles.artifacts),
            files: files(&roles.files),
            covers: files(&roles.covers),
            given: given.map(|(name, role)| (&**name, word(role))).collect(),
            cites: claims(&roles.cites),
            commits: claims(&roles.commits),
            tests: claims(&roles.tests),
            changed: files(&roles.changed),
        }
    }
}

/// The same, but of an object as a whole: no member of it is the one text that is meant.
fn whole<'d, 't>(
    pieces: Vec<Piece<'d, 't>>,
    role: &Place,
    document: Value<'d, 't>,
) -> Vec<Piece<'d, 't>> {
    if pieces.iter().all(|it| it.doubt != Some(Doubt::Member)) {
        return pieces;
    }
    let found = role.path().find(document).unwrap_or_default();
    let at = found.first().copied().unwrap_or(document);
    let text = serde_json::to_string(&at).unwrap_or_default();
    vec![Piece::new(at, text.clone().into(), text.into())]
}

/// The texts that a role takes. None if there is no such role, or if its place is ambiguous.
pub(super) fn pieces<'p, 'd, 't>(taken: &'p Taken<'d, 't>) -> Option<&'p [Piece<'d, 't>]> {
    let (_, pieces) = taken.as_ref()?;
    pieces.as_deref().ok()
}

/// The text of a role that has exactly one.
pub(super) fn first<'p, 'd, 't>(taken: &'p Taken<'d, 't>) -> Option<&'p Piece<'d, 't>> {
    match pieces(taken)? {
        [one] => Some(one),
        _ => None,
    }
}

/// The value of a role, or what should contain it.
pub(super) fn place_of<'d, 't>(
    document: Value<'d, 't>,
    (role, taken): (&Place, &Pieces<'d, 't>),
) -> Value<'d, 't> {
    let first = match taken {
        Ok(pieces) => pieces.first().map(|piece| piece.at),
        Err(twice) => Some(twice.0[0]),
    };
    first.unwrap_or_else(|| role.path().nearest_to(document))
}

/// How messages name a role: by its place.
pub(super) fn place_name(role: &Place) -> &str {
    match role.as_str() {
        "" => "/",
        text => text,
    }
}
