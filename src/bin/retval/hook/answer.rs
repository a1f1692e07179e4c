//! Prints answers: JSON to standard output, text that the JSON cannot hold to standard error.

use retval::harness::{Answer, Harness};

use crate::output::Sink;
use crate::stderr;

pub(super) fn give(answer: Answer, harness: Harness) -> anyhow::Result<()> {
    let reply = answer.reply(harness);
    if let Some(text) = reply.aside {
        stderr::error(&anyhow::Error::msg(text));
    }
    reply.json.map_or(Ok(()), |json| print(&json))
}

pub(super) fn print(text: &str) -> anyhow::Result<()> {
    Sink::Stdout.write(text.as_bytes())
}
