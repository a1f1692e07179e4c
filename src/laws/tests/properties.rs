//! Checks the laws with generated returns, with arbitrary bytes, and with inputs that fuzzing has found.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::clients::{Client, Event, Moment};
use crate::laws::demands::Demands;
use crate::laws::generated::seeds;
use crate::laws::generated::text::{returned, text};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};
use walkdir::WalkDir;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

#[test]
fn generated_returns_keep_the_laws_of_checks() {
    let inputs = (returned(), any::<u8>());
    seeds::hold(40, &inputs, |((profile, text), switches)| {
        let mut bytes = Demands::header(profile, switches).to_vec();
        bytes.extend_from_slice(text.as_bytes());
        crate::laws::hold("check", &bytes);
        crate::laws::hold("extract", &bytes);
        Ok(())
    });
}

#[test]
fn generated_returns_are_extracted_from_surrounding_text() {
    let mark = prop_oneof![Just("\n```\n"), Just("\n"), Just(""), Just("</think>")];
    let inputs = (returned(), any::<u8>(), (text(), text()), mark);
    seeds::hold(40, &inputs, |((profile, text), switches, (before, after), mark)| {
        let mut bytes = Demands::header(profile, switches).to_vec();
        bytes.extend_from_slice(format!("{before}{mark}{text}{mark}{after}").as_bytes());
        crate::laws::hold("extract", &bytes);
        Ok(())
    });
}

#[test]
fn any_bytes_keep_every_property() {
    let inputs = (vec(any::<u8>(), 0..200), text());
    seeds::hold(40, &inputs, |(bytes, text)| {
        for (name, _) in crate::laws::LAWS {
            crate::laws::hold(name, &bytes);
            crate::laws::hold(name, text.as_bytes());
        }
        Ok(())
    });
}

#[test]
fn a_payload_message_is_checked_byte_for_byte() {
    let inputs = (returned(), text(), any::<u8>());
    seeds::hold(40, &inputs, |((profile, message), agent, switches)| {
        for (client, payload) in payloads(&message, &agent) {
            let payload = payload.to_string();
            let event = Event::read(payload.as_bytes(), None).expect("JSON").expect("a payload");
            prop_assert_eq!(event.client, client);
            prop_assert_eq!(event.message.as_ref(), Some(&message));
            prop_assert_ne!(event.moment, Moment::Foreign);
            let mut bytes = Demands::header(profile, switches).to_vec();
            bytes.push(switches);
            bytes.extend_from_slice(payload.as_bytes());
            crate::laws::hold("hook", &bytes);
        }
        Ok(())
    });
}

#[test]
fn appending_keeps_the_rest_of_a_log() {
    seeds::hold(100, &(returned(), text()), |((_, kept), after)| {
        let is_json = serde_json::from_str::<Value>(&kept).is_ok();
        let kept = if is_json { kept } else { String::new() };
        for log in [
            format!("{{\"errors\": [{kept}]}}"),
            format!("{{\"x\": {}, \"errors\":[{kept}\n], \"y\": [1]}}\n", json!(after)),
            kept,
        ] {
            crate::laws::hold("error_log", log.as_bytes());
        }
        Ok(())
    });
}

#[test]
fn any_records_keep_the_laws_of_transcripts() {
    let records = recorded();
    let part = (0..records.len(), any::<u8>(), any::<bool>());
    seeds::hold(100, &vec(part, 1..12), |parts| {
        let mut bytes = Vec::new();
        for (index, cut, is_whole) in parts {
            let record = &records[index];
            let end = record.len() * usize::from(cut) / 255;
            bytes.extend_from_slice(if is_whole { record } else { &record[..end] });
            // Now and then two records on one line.
            if cut % 8 > 0 {
                bytes.push(b'\n');
            }
        }
        crate::laws::hold("transcript", &bytes);
        Ok(())
    });
}

/// The lines of the transcripts that are fixtures.
fn recorded() -> Vec<Vec<u8>> {
    let files = WalkDir::new(fixtures().join("transcripts")).sort_by_file_name();
    let files = files.into_iter().map(|file| file.expect("a file").into_path());
    let files = files.filter(|path| path.extension().is_some_and(|end| end == "jsonl"));
    let texts = files.map(|path| fs::read(path).expect("a fixture"));
    let lines = texts
        .flat_map(|text| text.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>());
    lines.filter(|line| !line.is_empty()).collect()
}

#[test]
fn any_configuration_is_accepted_or_its_error_has_a_position() {
    seeds::hold(100, &vec(line(), 0..12), |lines| {
        crate::laws::hold("config", lines.join("\n").as_bytes());
        Ok(())
    });
}

/// A final message as each client hands it over.
fn payloads(message: &str, agent: &str) -> [(Client, Value); 5] {
    [
        (
            Client::ClaudeCode,
            json!({"hook_event_name": "SubagentStop", "agent_type": agent, "last_assistant_message": message}),
        ),
        (
            Client::Codex,
            json!({"hook_event_name": "SubagentStop", "turn_id": "1", "last_assistant_message": message}),
        ),
        (
            Client::Copilot,
            json!({"sessionId": "1", "agentName": agent, "stopReason": "end_turn", "response": message}),
        ),
        (
            Client::Gemini,
            json!({
                "hook_event_name": "AfterTool",
                "tool_name": "invoke_agent",
                "tool_response": {"llmContent": message},
            }),
        ),
        (
            Client::Cursor,
            json!({"hook_event_name": "subagentStop", "conversation_id": "1", "result": message}),
        ),
    ]
}

/// A line of a configuration, good or bad.
fn line() -> impl Strategy<Value = String> {
    let key = prop_oneof![
        Just("profile"),
        Just("strict"),
        Just("root"),
        Just("extends"),
        Just("files"),
        Just("artifact-types"),
        Just("json-syntax"),
        Just("field-unknown"),
        Just("required"),
        Just("word"),
        Just("claim"),
        Just("max-bytes"),
        Just("retries"),
        Just("\"\\u202e\""),
    ];
    let value = prop_oneof![
        Just("\"return\"".to_owned()),
        Just("\"mine\"".to_owned()),
        Just("\"off\"".to_owned()),
        Just("true".to_owned()),
        Just("[\"a\", \"metadata.team\"]".to_owned()),
        any::<i64>().prop_map(|number| number.to_string()),
        text().prop_map(|text| json!(text).to_string()),
    ];
    prop_oneof![
        4 => (key, value).prop_map(|(key, value)| format!("{key} = {value}")),
        1 => Just("[rules]".to_owned()),
        1 => Just("[hook]".to_owned()),
        2 => Just("[profiles.mine]\nextends = \"return\"".to_owned()),
        1 => Just("[profiles.mine.rules]".to_owned()),
        1 => Just("[profiles.mine.limits]".to_owned()),
        1 => text(),
    ]
}

#[test]
fn inputs_found_by_fuzzing_keep_the_properties() {
    let seeds = fixtures().join("../fuzz/seeds");
    let mut held = 0;
    for (name, _) in crate::laws::LAWS {
        for seed in fs::read_dir(seeds.join(name)).expect("seeds") {
            let bytes = fs::read(seed.expect("a seed").path()).expect("a file");
            crate::laws::hold(name, &bytes);
            held += 1;
        }
    }
    assert!(held >= crate::laws::LAWS.len(), "{held}");
}

#[test]
fn every_property_has_a_fuzz_target() {
    let targets = fs::read_dir(fixtures().join("../fuzz/fuzz_targets")).expect("targets");
    let names = targets.map(|file| file.expect("a target").file_name().into_string());
    let names: BTreeSet<_> = names.map(|name| name.expect("UTF-8")).collect();
    let laws = crate::laws::LAWS.map(|(name, _)| format!("{name}.rs"));
    assert_eq!(names, BTreeSet::from(laws));
}
