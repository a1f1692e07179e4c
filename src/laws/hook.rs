//! Payloads of any client, and the answers to them.

use crate::clients::{Answer, Client, Event};
use crate::report::{Audience, feedback};
use serde_json::Value;

use super::clean;
use super::demands::Demands;

/// Two bytes select the demands, and the third the client; the rest is the payload.
pub(crate) fn hold(bytes: &[u8]) {
    let Some((demands, [client, payload @ ..])) = Demands::split(bytes) else {
        return;
    };
    // One more choice: the client is detected from the payload.
    let forced = Client::ALL.get(usize::from(*client) % (Client::ALL.len() + 1));
    let forced = forced.copied();
    let Ok(event) = Event::read(payload, forced) else {
        assert!(serde_json::from_slice::<Value>(payload).is_err());
        return;
    };
    assert_eq!(event, Event::read(payload, forced).expect("a payload, again"));
    let Some(event) = event else {
        assert!(payload.trim_ascii().is_empty());
        return;
    };
    assert!(forced.is_none_or(|forced| forced == event.client));
    answered(demands, &event);
}

fn answered(demands: Demands, event: &Event) {
    let message = event.message.as_deref().unwrap_or_default();
    let checker = demands.extracting(true).checker();
    let report = checker.agent(event.agent.as_deref()).check(message);
    let texts = [Audience::Subagent, Audience::Caller]
        .map(|reader| feedback(&report, demands.profile, reader));
    for text in &texts {
        clean::silent(text);
    }
    let mut instruction = demands.instruction();
    instruction.agent = event.agent.as_deref();
    let instruction = instruction.text().expect("an instruction");
    clean::silent(&instruction);
    for text in texts.into_iter().chain([instruction]) {
        for answer in [Answer::Block, Answer::Note, Answer::Context] {
            let json = answer(text.clone()).reply(event.client, event.moment).0;
            if !json.is_empty() {
                assert_eq!(json.find('\n'), Some(json.len() - 1));
                clean::silent(&json);
                let value: Value = json.parse().expect("JSON");
                assert!(value.is_object());
            }
        }
    }
}
