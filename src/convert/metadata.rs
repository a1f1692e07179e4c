//! `metadata`: who answers whom, and the place of all that has no other (seed 001, migration guide).

use std::borrow::Cow;
use std::collections::HashSet;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::convert::Supplied;
use crate::convert::changes::{Changes, UNMAPPED};
use crate::convert::note::NoteKind;
use crate::convert::raw::{Leaf, SourceMembers, is_unfilled, made, text};
use crate::document;
use crate::json::field::{Field, Node as _, State};
use crate::json::pointer::Pointer;
use crate::json::tokens::with_bounded_numbers;

/// Why the source's own member of that name is kept apart.
const RESERVED: &str = "by that name metadata holds what could not be mapped";

/// The metadata of any of the three standards.
#[derive(Default, Serialize)]
pub(super) struct AnyMetadata<'t> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) session_id: Leaf<'t>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) duration_seconds: Leaf<'t>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) agent_type: Leaf<'t>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) delegation_depth: Leaf<'t>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) delegation_path: Leaf<'t>,
    /// SourceMembers that only some standards name, and those that none does.
    #[serde(flatten)]
    rest: SourceMembers<'t>,
    #[serde(skip_serializing_if = "SourceMembers::is_empty")]
    unmapped: SourceMembers<'t>,
}

pub(super) fn at(key: impl Into<Cow<'static, str>>) -> Pointer {
    Pointer::root().key("metadata").key(key)
}

impl<'t> AnyMetadata<'t> {
    pub(super) fn read(value: Option<&'t RawValue>, ledger: &mut Changes<'t>) -> Self {
        let mut members = match value.map(|value| (value, SourceMembers::of(value))) {
            None => SourceMembers::default(),
            Some((_, Some(members))) => members,
            Some((value, None)) => {
                let why = "it is no object, and metadata must be one";
                ledger.keep(&Pointer::root().key("metadata"), value, why);
                SourceMembers::default()
            }
        };
        take_up_earlier(&mut members, ledger);
        for (key, _) in &members.0 {
            ledger.copied(&at(key.clone().into_owned()));
        }
        Self {
            session_id: members.take("session_id"),
            duration_seconds: members.take("duration_seconds"),
            agent_type: members.take("agent_type"),
            delegation_depth: members.take("delegation_depth"),
            delegation_path: members.take("delegation_path"),
            rest: members,
            unmapped: SourceMembers::default(),
        }
    }

    /// Takes in members of the root that the target does not name, each under its own name where
    /// that is free and the standards give it no other type.
    pub(super) fn adopt(&mut self, custom: SourceMembers<'t>, ledger: &mut Changes<'t>) {
        let mut taken: HashSet<_> = self.rest.0.iter().map(|(key, _)| key.clone()).collect();
        for (key, value) in custom.0 {
            let from = Pointer::root().key(key.clone().into_owned());
            if !fits(&key, value) {
                ledger.keep(&from, value, "that name has another type in metadata");
                continue;
            }
            if key == UNMAPPED {
                ledger.keep(&from, value, RESERVED);
                continue;
            }
            if taken.contains(&key) {
                ledger.keep(&from, value, "metadata has one already");
                continue;
            }
            if let Some(own) = self.own(&key) {
                if own.is_some() {
                    ledger.keep(&from, value, "metadata has one already");
                    continue;
                }
                *own = Some(Cow::Borrowed(value));
            } else {
                taken.insert(key.clone());
                self.rest.0.push((key.clone(), value));
            }
            let why = format!("{} names no such member at the root", ledger.to.id);
            let to = at(key.into_owned());
            ledger.note(NoteKind::Kept, (Some(&from), Some(&to)), why);
        }
    }

    fn own(&mut self, key: &str) -> Option<&mut Leaf<'t>> {
        match key {
            "session_id" => Some(&mut self.session_id),
            "duration_seconds" => Some(&mut self.duration_seconds),
            "agent_type" => Some(&mut self.agent_type),
            "delegation_depth" => Some(&mut self.delegation_depth),
            "delegation_path" => Some(&mut self.delegation_path),
            _ => None,
        }
    }

    /// Fills in what the source lacks and the caller knows.
    pub(super) fn supply(&mut self, supplied: &Supplied<'_>, ledger: &mut Changes<'t>) {
        let path = (!supplied.delegation_path.is_empty()).then_some(&supplied.delegation_path);
        for (key, option, value) in [
            ("session_id", "--session", supplied.session.and_then(made)),
            (
                "duration_seconds",
                "--duration-seconds",
                supplied.duration_seconds.as_ref().and_then(made),
            ),
            ("agent_type", "--agent", supplied.agent.and_then(made)),
            (
                "delegation_depth",
                "--delegation-depth",
                supplied.delegation_depth.and_then(|it| made(&it)),
            ),
            ("delegation_path", "--delegation-path", path.and_then(made)),
        ] {
            self.fill(key, value, NoteKind::Supplied, option, ledger);
        }
    }

    /// Fills in what nobody knows.
    pub(super) fn default(
        &mut self,
        key: &'static str,
        value: Leaf<'static>,
        why: impl Into<Cow<'static, str>>,
        ledger: &mut Changes<'t>,
    ) {
        self.fill(key, value, NoteKind::Defaulted, why, ledger);
    }

    fn fill(
        &mut self,
        key: &'static str,
        value: Leaf<'static>,
        kind: NoteKind,
        why: impl Into<Cow<'static, str>>,
        ledger: &mut Changes<'t>,
    ) {
        let Some(own) = self.own(key) else { return };
        if value.is_none() || !is_unfilled(own) {
            return;
        }
        ledger.uncopy(&at(key));
        let from = own.is_some().then(|| at(key));
        ledger.note(kind, (from.as_ref(), Some(&at(key))), why);
        *own = value;
    }

    /// The agent, if it is named.
    pub(super) fn agent(&self) -> Option<String> {
        text(&self.agent_type).filter(|_| !is_unfilled(&self.agent_type))
    }

    /// Takes in what has no other place.
    pub(super) fn close(&mut self, unmapped: SourceMembers<'t>) {
        self.unmapped = unmapped;
    }
}

/// What an earlier conversion kept; something else by that name is no such thing.
fn take_up_earlier<'t>(members: &mut SourceMembers<'t>, ledger: &mut Changes<'t>) {
    let Some(value) = members.take_borrowed(UNMAPPED) else {
        return;
    };
    match SourceMembers::of(value) {
        Some(earlier) => ledger.take_up(earlier),
        None => ledger.keep(
            &at(UNMAPPED),
            value,
            "conversions keep what they cannot map by that name",
        ),
    }
}

/// Whether the standards have another type for a member of the metadata.
fn fits(key: &str, value: &RawValue) -> bool {
    if document::Metadata::default().member(key).is_none() {
        return true;
    }
    let Ok(key_text) = serde_json::to_string(key) else {
        return false;
    };
    let object = with_bounded_numbers(&format!("{{{key_text}:{}}}", value.get()));
    let read = serde_json::from_str::<Field<document::Metadata<'_>>>(&object);
    // What is nested too deep for one level more is none of their types.
    let Ok(Field::Present(metadata)) = read else {
        return false;
    };
    metadata
        .member(key)
        .is_none_or(|member| !matches!(member.state(), State::Wrong(_)))
}
