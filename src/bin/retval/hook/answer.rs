//! Prints answers: JSON to standard output, text that the JSON cannot hold to standard error.

use retval::clients::{Answer, Client};

use crate::output::Sink;
use crate::stderr;

pub(super) fn give(answer: Answer, client: Client) -> anyhow::Result<()> {
    let reply = answer.reply(client);
    if let Some(text) = reply.aside {
        stderr::error(&anyhow::Error::msg(text));
    }
    reply.json.map_or(Ok(()), |json| print(&json))
}

pub(super) fn print(text: &str) -> anyhow::Result<()> {
    Sink::Stdout.write(text.as_bytes())
}
