//! Hooks: the events that clients call them with, and the answers that clients take.

mod answer;
mod event;
mod payload;
mod pick;
mod settings;

pub(super) use answer::cut;
pub(crate) use answer::{Answer, Reply};
pub(super) use event::HookFormat;
pub(crate) use event::{AgentCall, Event, NotifiedAgent, RunningAgent};
pub(crate) use payload::Moment;
pub(super) use payload::Payload;
pub(crate) use settings::{HookLine, HookSettings};
pub(super) use settings::{TIMEOUT, item, quoted};
