//! Tests transcripts with lines that are not complete records of a known kind.

use std::io::Read;

use super::{DONE, PROMPT, WRITE, WRITTEN, hears, lines, run, says};
use crate::clients::Client;
use crate::clients::run::Outcome;
use crate::clients::transcript::detect::LINE_AT_MOST;
use crate::clients::transcript::{Completeness, Gap, TranscriptError, read};

#[test]
fn a_half_line_at_the_end_makes_a_record_partial() {
    let whole = lines(&[PROMPT, WRITE, WRITTEN, DONE]);
    let half = run(format!("{whole}{}", &DONE[..40]));
    assert_eq!(half.completeness, Completeness::Partial(Gap::Unreadable { line: 5 }));
    assert_eq!(half.final_message.as_deref(), Some("Done."), "what was whole is read");
    let unended = run(whole.trim_end());
    assert_eq!(unended.completeness, Completeness::Complete, "only the line feed is missing");
}

#[test]
fn two_objects_on_one_line_are_two_records() {
    let run = run(lines(&[PROMPT, &format!("{WRITE}{WRITTEN}"), DONE]));
    assert_eq!((run.calls.len(), run.calls[0].outcome), (1, Outcome::Succeeded));
    assert_eq!(run.completeness, Completeness::Complete);
}

#[test]
fn a_line_that_is_cut_makes_a_record_partial() {
    let run = run(lines(&[PROMPT, &WRITE[..90], DONE]));
    assert_eq!(run.completeness, Completeness::Partial(Gap::Unreadable { line: 2 }));
    assert_eq!(run.final_message.as_deref(), Some("Done."));
}

#[test]
fn a_line_that_is_too_long_is_passed_over() {
    let long = says(&format!(r#""content":"{}""#, "x".repeat(LINE_AT_MOST)));
    let run = run(lines(&[PROMPT, &long, WRITE, WRITTEN, DONE]));
    assert_eq!(run.completeness, Completeness::Partial(Gap::Unreadable { line: 2 }));
    assert_eq!((run.calls.len(), run.calls[0].line), (1, 3));
}

#[test]
fn a_long_line_below_the_limit_is_read() {
    let long = says(&format!(r#""content":"{}""#, "x".repeat(2 << 20)));
    let run = run(lines(&[PROMPT, WRITE, WRITTEN, &long]));
    assert_eq!(run.final_message.map(|text| text.len()), Some(2 << 20));
    assert_eq!(run.completeness, Completeness::Complete);
}

#[test]
fn unknown_records_and_values_of_other_types_are_passed_over() {
    let odd = [
        r#"{"type":"brand-new","agentId":7,"message":[1,{"a":null}]}"#,
        r#"{"type":"user","agentId":"a1","isSidechain":true,"message":"text","toolUseResult":"text"}"#,
        r#"{"type":"assistant","agentId":"a1","isSidechain":true,"message":{"id":3,"content":[1,"a",{"type":"new"}],"usage":[]}}"#,
        "",
        "   ",
    ];
    let run = run(lines(&[&[PROMPT], &odd[..], &[WRITE, WRITTEN, DONE]].concat()));
    assert_eq!(run.completeness, Completeness::Complete);
    assert_eq!(run.calls.len(), 1);
}

#[test]
fn half_a_surrogate_pair_does_not_lose_a_record() {
    let text = r#""content":[{"type":"text","text":"cut \ud83d, pair \ud83d\ude00, \\ud83d"}]"#;
    let run = run(lines(&[PROMPT, &says(text)]));
    assert_eq!(run.final_message.as_deref(), Some("cut \u{fffd}, pair \u{1f600}, \\ud83d"));
    assert_eq!(run.completeness, Completeness::Complete);
}

#[test]
fn half_a_surrogate_pair_in_capitals_does_not_lose_a_record() {
    let text = r#""content":[{"type":"text","text":"\uD83D\uDE00 \uDE00 \uD83D"}]"#;
    let run = run(lines(&[PROMPT, &says(text)]));
    assert_eq!(run.final_message.as_deref(), Some("\u{1f600} \u{fffd} \u{fffd}"));
    assert_eq!(run.completeness, Completeness::Complete);
}

#[test]
fn lines_may_have_another_end_and_no_order() {
    let prompt = r#"{"message":{"content":"Go."},"isSidechain":true,"agentId":"a1","type":"user"}"#;
    let write = WRITE.replace("\"type\"", "\"t\\u0079pe\"").replace(':', " :\t");
    let text = [prompt, &write, WRITTEN, DONE].join("\r\n");
    let run = run(text);
    assert_eq!(run.prompt.as_deref(), Some("Go."));
    assert_eq!(run.calls[0].outcome, Outcome::Succeeded);
    assert_eq!(run.completeness, Completeness::Complete);
}

#[test]
fn what_is_no_json_makes_a_record_partial_wherever_it_is() {
    for wrong in [
        r#""x":"\x""#,
        r#""x":[1,]"#,
        r#""x":01"#,
        r#""x":nul"#,
        "\"x\":\"a\0b\"",
        r#""x":{"y" 1}"#,
    ] {
        let record = hears(&format!(r#"{wrong},"message":{{"content":"Go."}}"#));
        let run = run(lines(&[PROMPT, WRITE, WRITTEN, &record, DONE]));
        assert_eq!(run.completeness, Completeness::Partial(Gap::Unreadable { line: 4 }), "{wrong}");
    }
}

#[test]
fn bytes_that_are_not_utf_8_do_not_lose_a_record() {
    let mut bytes = lines(&[PROMPT, WRITE, WRITTEN, DONE]).into_bytes();
    let at = bytes.len() - 8;
    bytes[at] = 0xFF;
    assert_eq!(run(bytes).final_message.as_deref(), Some("Don\u{fffd}."));
}

#[test]
fn deep_nesting_is_not_read() {
    let deep = format!("{}{}", "[".repeat(1 << 20), "]".repeat(1 << 20));
    let record = says(&format!(
        r#""content":[{{"type":"tool_use","id":"t2","name":"X","input":{{"a":{deep}}}}}]"#
    ));
    let run = run(lines(&[PROMPT, &record, DONE]));
    assert_eq!(run.calls.len(), 0);
    assert_eq!(run.completeness, Completeness::Partial(Gap::Unreadable { line: 2 }));
}

#[test]
fn what_is_no_transcript_is_refused() {
    for text in ["prose", "{}", "[]", "{\"status\":\"completed\"}", "null"] {
        let result = read(text.as_bytes());
        assert!(matches!(result, Err(TranscriptError::Unknown)), "{text:?}");
    }
    for text in ["", "\n\n"] {
        assert!(matches!(read(text.as_bytes()), Err(TranscriptError::Empty)));
    }
    for text in ["{\"type\":", "\n{\"info\": {},\n\"mess"] {
        assert!(matches!(read(text.as_bytes()), Err(TranscriptError::Cut)), "{text:?}");
    }
    let endless = std::io::repeat(b'[').take(64 << 20);
    assert!(matches!(read(endless), Err(TranscriptError::Unknown)));
    let large = b"{\"info\":{},\"messages\":[".chain(std::io::repeat(b'1').take(64 << 20));
    assert!(matches!(read(large), Err(TranscriptError::TooLarge)));
}

#[test]
fn a_transcript_that_cannot_be_read_is_an_error() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("broken"))
        }
    }
    let text = lines(&[PROMPT]);
    assert!(matches!(read(Broken), Err(TranscriptError::Read(_))));
    assert!(matches!(read(text.as_bytes().chain(Broken)), Err(TranscriptError::Read(_))));
}

#[test]
fn more_calls_and_texts_than_are_kept_make_a_record_partial() {
    let call = |id: usize| WRITE.replace("t1", &format!("t{id}"));
    let calls: Vec<String> = (0..20_000).map(call).collect();
    let records: Vec<&str> = calls.iter().map(String::as_str).collect();
    let many = run(lines(&[&[PROMPT], &records[..], &[DONE]].concat()));
    assert_eq!(many.completeness, Completeness::Partial(Gap::TooMuch));
    assert!(many.calls.len() < 20_000);
    let prompt = PROMPT.replace("Go.", &"x".repeat(LINE_AT_MOST - 1_000));
    let answer = DONE.replace("Done.", &"x".repeat(2 << 20));
    let large = run(lines(&[&[&*prompt], &records[..6_000], &[&*answer]].concat()));
    assert_eq!(
        (large.final_message, large.completeness),
        (None, Completeness::Partial(Gap::TooMuch))
    );
}

#[test]
fn a_document_on_several_lines_may_have_much_before_its_messages() {
    let info = format!(r#"{{"id": "a1", "summary": "{}"}}"#, "n".repeat(100 << 10));
    for end in ["\n", "\r\n"] {
        let members =
            ["{".to_owned(), format!(r#""info": {info},"#), r#""messages": []}"#.to_owned()];
        let transcript = read(members.join(end).as_bytes()).expect("a transcript");
        assert_eq!(transcript.client, Client::OpenCode);
    }
}
