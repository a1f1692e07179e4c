//! Reads the payload. If it cannot be read completely, its beginning still tells which agent it is
//! about.

use std::io::Read as _;

use crate::clients::{Answer, Client, Event, Moment};
use crate::text::is_blank;
use anyhow::{Context as _, anyhow};

use crate::cli::hook::options::FailurePolicy;
use crate::cli::hook::short_strings::ShortStrings;
use crate::cli::hook::{block_or_note, fail, failure};
use crate::cli::stderr;
use crate::cli::terminal::is_input_typed;

/// The most bytes of a payload.
const PAYLOAD_AT_MOST: u64 = 256 * 1024 * 1024;

/// Most bytes that a client writes around a message.
const FRAME_AT_MOST: u64 = 64 * 1024;

/// A note for a person who starts the hook in a terminal, where it would otherwise wait silently.
const TYPED: &str = "retval hook: reading the payload of a client from standard input; \
                     `retval hook install CLIENT` lets a client call it";

/// A payload that could not be read completely.
pub(super) struct Unread {
    error: anyhow::Error,
    /// What the beginning of the payload tells.
    pub(super) event: Event,
    is_too_large: bool,
}

impl Unread {
    /// Why it could not be read.
    pub(super) fn why(&self) -> String {
        format!("{:#}", self.error)
    }

    /// The answer. A payload that is too large counts as an invalid return; anything else is a failure
    /// of the hook.
    pub(super) fn answer(&self, policy: FailurePolicy) -> Answer {
        if !is_ours(&self.event) {
            return Answer::Note(failure(&self.error));
        }
        if self.is_too_large && !policy.is_observing {
            return block_or_note(failure(&self.error), &self.event, policy);
        }
        fail(policy, &self.event, &self.error)
    }
}

/// Reads the event. None if there is none. A message with more than `most` bytes is
/// cut, but stays long enough to be refused.
pub(super) fn read(client: Option<Client>, most: u64) -> Result<Option<Event>, Box<Unread>> {
    if is_input_typed() {
        stderr::note(TYPED);
    }
    let mut bytes = Vec::new();
    let mut input = std::io::stdin().lock().take(PAYLOAD_AT_MOST + 1);
    let longest = usize::try_from(most.saturating_add(FRAME_AT_MOST)).unwrap_or(usize::MAX);
    let read = ShortStrings::new(&mut input, longest).read_to_end(&mut bytes);
    let is_too_large = input.limit() == 0;
    let event = match read {
        Err(error) => Err(anyhow!(error).context("cannot read the payload")),
        Ok(_) if is_too_large => Err(anyhow!(
            "the payload is larger than {PAYLOAD_AT_MOST} bytes"
        )),
        Ok(_) => {
            if bytes.trim_ascii().is_empty() {
                stderr::note("retval hook: there is no payload on standard input");
            }
            Event::read(&bytes, client).context("the payload is not JSON")
        }
    };
    match event {
        Ok(event) => Ok(event),
        Err(error) => Err(Box::new(Unread {
            error,
            event: Event::read_beginning(&bytes, client),
            is_too_large,
        })),
    }
}

/// Events without an agent are ignored, whatever else is wrong.
pub(super) fn is_ours(event: &Event) -> bool {
    // Claude Code 2.0 names the agent only in the transcript of its caller.
    let is_traced = event.moment == Moment::Stop && event.agent_transcript.is_some();
    let has_agent = if let Some(agent) = &event.agent {
        !is_blank(agent)
    } else {
        // Qwen Code gives the id of the agent that makes a call alone, whose name may be known from before.
        let is_known = event.agent_id.is_some() || event.client.facts().hides_callers;
        let is_hidden = event.moment == Moment::Call && is_known;
        is_traced || is_hidden || event.moment.names_no_agent()
    };
    has_agent && event.moment != Moment::Foreign
}
