//! How a client calls a hook, and what it takes as an answer.

use crate::clients::hook::answer::{self, Answer, Reply};
use crate::clients::hook::event::Event;
use crate::clients::hook::moment::Moment;
use crate::clients::hook::payload::Payload;

#[derive(Debug)]
pub(in crate::clients) struct HookFormat {
    /// Members of its payloads that only it has and reads, as JSON pointers.
    pub(in crate::clients) members: &'static [&'static str],
    /// Whether the client sent a payload.
    pub(in crate::clients) is_own: fn(&Payload) -> bool,
    pub(in crate::clients) moment: fn(&Payload) -> Moment,
    /// Adds to an event what only payloads of this client tell.
    pub(in crate::clients) details: fn(&Payload, &mut Event),
    /// The result of an agent without what the client writes around and into it.
    pub(in crate::clients) unframed: fn(&str) -> String,
    /// An answer to a call at that moment, in the client's format.
    pub(in crate::clients) answer: fn(Answer, Moment) -> Reply,
}

impl HookFormat {
    /// What several clients have.
    pub(in crate::clients) const BASE: Self = Self {
        members: &[],
        is_own: |_| false,
        moment: |payload| payload.usual_moment(),
        details: |_, _| {},
        unframed: str::to_owned,
        answer: answer::usual,
    };
}
