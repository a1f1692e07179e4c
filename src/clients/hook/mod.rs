//! Hooks: the events that clients call them with, and the answers that clients take.

pub(super) mod answer;
pub(super) mod call;
pub(super) mod event;
pub(super) mod format;
mod members;
pub(super) mod moment;
pub(super) mod payload;
mod pick;
mod repair;
pub(super) mod settings;
