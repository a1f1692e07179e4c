//! Hooks: the events that clients call them with, and the answers that clients take.

mod answer;
mod call;
mod event;
mod format;
mod members;
mod moment;
mod payload;
mod pick;
mod repair;
mod settings;

pub(super) use answer::cut;
pub(crate) use answer::{Answer, Reply};
pub(crate) use call::AgentCall;
pub(crate) use event::{Event, NotifiedAgent, RunningAgent};
pub(super) use format::HookFormat;
pub(crate) use moment::Moment;
pub(super) use payload::Payload;
pub(crate) use settings::{HookLine, HookSettings, TrustAdvice};
pub(super) use settings::{TIMEOUT, item, quoted};
