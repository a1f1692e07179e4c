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
pub use answer::{Answer, Reply};
pub use call::AgentCall;
pub use event::{Event, NotifiedAgent, RunningAgent};
pub(super) use format::HookFormat;
pub use moment::Moment;
pub(super) use payload::Payload;
pub use settings::{HookEvent, HookLine, HookSettings};
pub(super) use settings::{TIMEOUT, item, quoted};
