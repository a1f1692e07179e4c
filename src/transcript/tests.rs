//! What a transcript may contain besides records, and what one record says of a run.

use std::io::Read;

use super::{
    CallKind, Client, Completeness, End, Gap, LINE_AT_MOST, Outcome, Run, Sidecar, TranscriptError,
    read,
};

const PROMPT: &str = r#"{"type":"user","agentId":"a1","isSidechain":true,"timestamp":"2026-01-02T03:04:05Z","message":{"content":"Go."}}"#;
const WRITE: &str = r#"{"type":"assistant","agentId":"a1","isSidechain":true,"message":{"id":"m1","content":[{"type":"tool_use","id":"t1","name":"Write","input":{"file_path":"a.md"}}]}}"#;
const WRITTEN: &str = r#"{"type":"user","agentId":"a1","isSidechain":true,"message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]}}"#;
const DONE: &str = r#"{"type":"assistant","agentId":"a1","isSidechain":true,"message":{"id":"m2","content":[{"type":"text","text":"Done."}]}}"#;

/// The one run of a transcript.
fn run(bytes: impl AsRef<[u8]>) -> Run {
    let transcript = read(bytes.as_ref()).expect("a transcript");
    assert_eq!(transcript.client, Client::ClaudeCode);
    let [run] = <[Run; 1]>::try_from(transcript.runs).expect("one run");
    run
}

fn lines(lines: &[&str]) -> String {
    lines.join("\n") + "\n"
}

/// A message of the agent with that content.
fn says(content: &str) -> String {
    format!(
        r#"{{"type":"assistant","agentId":"a1","isSidechain":true,"message":{{"id":"m3",{content}}}}}"#
    )
}

/// A message to the agent with those members.
fn hears(members: &str) -> String {
    format!(r#"{{"type":"user","agentId":"a1","isSidechain":true,{members}}}"#)
}

#[test]
fn a_whole_run_is_complete() {
    let run = run(lines(&[PROMPT, WRITE, WRITTEN, DONE]));
    assert_eq!(run.prompt.as_deref(), Some("Go."));
    assert_eq!(run.calls[0].outcome, Outcome::Succeeded);
    assert_eq!(run.calls[0].line, 2);
    assert_eq!(run.final_message.as_deref(), Some("Done."));
    assert_eq!(
        (run.end, run.completeness),
        (End::Answered, Completeness::Complete)
    );
}

#[test]
fn a_half_line_at_the_end_makes_a_record_partial() {
    let whole = lines(&[PROMPT, WRITE, WRITTEN, DONE]);
    let half = run(format!("{whole}{}", &DONE[..40]));
    assert_eq!(half.completeness, Completeness::Partial(Gap::HalfLine));
    assert_eq!(
        half.final_message.as_deref(),
        Some("Done."),
        "what was whole is read"
    );
    let unended = run(whole.trim_end());
    assert_eq!(
        unended.completeness,
        Completeness::Complete,
        "only the line feed is missing"
    );
}

#[test]
fn two_objects_on_one_line_are_two_records() {
    let run = run(lines(&[PROMPT, &format!("{WRITE}{WRITTEN}"), DONE]));
    assert_eq!(
        (run.calls.len(), run.calls[0].outcome),
        (1, Outcome::Succeeded)
    );
    assert_eq!(run.completeness, Completeness::Complete);
}

#[test]
fn a_line_that_is_cut_makes_a_record_partial() {
    let run = run(lines(&[PROMPT, &WRITE[..90], DONE]));
    assert_eq!(
        run.completeness,
        Completeness::Partial(Gap::Unreadable { line: 2 })
    );
    assert_eq!(run.final_message.as_deref(), Some("Done."));
}

#[test]
fn a_line_that_is_too_long_is_passed_over() {
    let long = says(&format!(r#""content":"{}""#, "x".repeat(LINE_AT_MOST)));
    let run = run(lines(&[PROMPT, &long, WRITE, WRITTEN, DONE]));
    assert_eq!(
        run.completeness,
        Completeness::Partial(Gap::LongLine { line: 2 })
    );
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
    let run = run(lines(
        &[&[PROMPT], &odd[..], &[WRITE, WRITTEN, DONE]].concat(),
    ));
    assert_eq!(run.completeness, Completeness::Complete);
    assert_eq!(run.calls.len(), 1);
}

#[test]
fn half_a_surrogate_pair_does_not_lose_a_record() {
    let text = r#""content":[{"type":"text","text":"cut \ud83d, pair \ud83d\ude00, \\ud83d"}]"#;
    let run = run(lines(&[PROMPT, &says(text)]));
    assert_eq!(
        run.final_message.as_deref(),
        Some("cut \u{fffd}, pair \u{1f600}, \\ud83d")
    );
    assert_eq!(run.completeness, Completeness::Complete);
}

#[test]
fn bytes_that_are_not_utf_8_do_not_lose_a_record() {
    let mut bytes = lines(&[PROMPT, WRITE, WRITTEN, DONE]).into_bytes();
    let at = bytes.len() - 8;
    bytes[at] = 0xFF;
    assert_eq!(run(bytes).final_message.as_deref(), Some("Don\u{fffd}."));
}

#[test]
fn deep_nesting_is_passed_over() {
    let deep = format!("{}{}", "[".repeat(1 << 20), "]".repeat(1 << 20));
    let record = says(&format!(
        r#""content":[{{"type":"tool_use","id":"t2","name":"X","input":{{"a":{deep}}}}}]"#
    ));
    let run = run(lines(&[PROMPT, &record, DONE]));
    assert_eq!((run.calls.len(), run.calls[0].kind), (1, CallKind::Other));
}

#[test]
fn a_text_before_a_call_is_no_answer() {
    let text = says(r#""content":[{"type":"text","text":"I write."}]"#);
    let run = run(lines(&[PROMPT, &text, WRITE, WRITTEN]));
    assert_eq!((run.final_message, run.end), (None, End::Unknown));
    assert_eq!(run.completeness, Completeness::Partial(Gap::NoEnd));
}

#[test]
fn a_text_of_a_message_that_calls_a_tool_is_not_the_end() {
    let text = says(r#""stop_reason":"tool_use","content":[{"type":"text","text":"I write."}]"#);
    let run = run(lines(&[PROMPT, &text]));
    assert_eq!(run.completeness, Completeness::Partial(Gap::NoEnd));
}

#[test]
fn an_earlier_turn_has_no_final_message() {
    let feedback = hears(r#""isMeta":true,"message":{"content":"Stop hook feedback:\nNo."}"#);
    let run = run(lines(&[PROMPT, DONE, &feedback]));
    assert_eq!((run.final_message, run.resumed), (None, false));
}

#[test]
fn another_message_after_the_answer_resumes_the_agent() {
    let question = hears(r#""origin":{"kind":"coordinator"},"message":{"content":"Why?"}"#);
    let resumed = run(lines(&[PROMPT, DONE, &question, DONE]));
    assert!(resumed.resumed);
    assert_eq!(
        resumed.prompt.as_deref(),
        Some("Go."),
        "the first task is the prompt"
    );
    assert!(!run(lines(&[PROMPT, DONE])).resumed);
}

#[test]
fn texts_that_the_client_made_up_are_no_answer() {
    let made_up = says(
        r#""model":"<synthetic>","content":[{"type":"text","text":"No response requested."}]"#,
    );
    let run = run(lines(&[PROMPT, &made_up]));
    assert_eq!((run.final_message, run.end), (None, End::Unknown));
}

#[test]
fn an_error_of_the_client_ends_a_run_unless_it_goes_on() {
    let error = |text: &str, more: &str| {
        let message =
            format!(r#"{{"model":"<synthetic>","content":[{{"type":"text","text":"{text}"}}]}}"#);
        format!(
            r#"{{"type":"assistant","agentId":"a1","isSidechain":true,"isApiErrorMessage":true,{more}"message":{message}}}"#
        )
    };
    let overloaded = error("API Error: 529 overloaded", "");
    for (record, end) in [
        (&overloaded, End::ApiError),
        (
            &error("Claude AI usage limit reached|1767225600", ""),
            End::Limit,
        ),
        (&error("Try again", r#""apiErrorStatus":429,"#), End::Limit),
    ] {
        let run = run(lines(&[PROMPT, record]));
        assert_eq!((run.final_message, run.end), (None, end));
        assert_eq!(
            run.completeness,
            Completeness::Complete,
            "the end is in the record"
        );
    }
    let retried = run(lines(&[PROMPT, &overloaded, DONE]));
    assert_eq!(
        (retried.final_message.as_deref(), retried.end),
        (Some("Done."), End::Answered)
    );
}

#[test]
fn an_interruption_is_an_end_of_its_own() {
    let record =
        hears(r#""message":{"content":[{"type":"text","text":"[Request interrupted by user]"}]}"#);
    let run = run(lines(&[PROMPT, WRITE, &record]));
    assert_eq!(
        (run.end, run.calls[0].outcome),
        (End::Interrupted, Outcome::Unknown)
    );
}

#[test]
fn tokens_of_a_message_count_once() {
    let usage = |id: &str, output: u64| {
        format!(
            r#"{{"type":"assistant","agentId":"a1","isSidechain":true,"message":{{"id":"{id}","content":[],"usage":{{"input_tokens":10,"output_tokens":{output},"cache_read_input_tokens":100}}}}}}"#
        )
    };
    let records = [
        usage("m1", 1),
        usage("m1", 5),
        usage("m2", 7),
        usage("m1", 5),
    ];
    let records: Vec<&str> = records.iter().map(String::as_str).collect();
    let tokens = run(lines(&[&[PROMPT], &records[..]].concat())).tokens;
    assert_eq!(
        (tokens.input, tokens.output, tokens.cache, tokens.total),
        (20, 12, 200, 232)
    );
}

#[test]
fn a_call_without_a_result_keeps_a_record_open() {
    let run = run(lines(&[PROMPT, WRITE, DONE]));
    assert_eq!(run.calls[0].outcome, Outcome::Unknown);
    assert_eq!(run.completeness, Completeness::Partial(Gap::NoEnd));
}

#[test]
fn a_record_without_the_prompt_is_partial() {
    let run = run(lines(&[WRITE, WRITTEN, DONE]));
    assert_eq!(run.completeness, Completeness::Partial(Gap::NoStart));
}

#[test]
fn a_finished_sidecar_ends_a_record() {
    let mut run = run(lines(&[PROMPT, WRITE, WRITTEN]));
    let sidecar = br#"{"agentType":"planner","isBuiltIn":true,"parentAgentId":"a0","spawnDepth":2,"finished":true,"new":[]}"#;
    run.add_sidecar(&Sidecar::read(sidecar).expect("a sidecar"));
    assert_eq!(run.completeness, Completeness::Complete);
    assert_eq!(
        (run.parent.as_deref(), run.depth, run.is_builtin),
        (Some("a0"), Some(2), Some(true))
    );
    assert_eq!(Sidecar::read(b"[]"), None);
    assert_eq!(Sidecar::read(b"{\"agentType\":"), None);
}

#[test]
fn agents_that_the_client_starts_for_itself_are_left_out() {
    let warm = PROMPT.replace("Go.", "Warmup");
    let compacting = PROMPT.replace("a1", "acompact-3f21aa");
    for record in [warm, compacting] {
        assert_eq!(
            read(lines(&[&record]).as_bytes())
                .expect("a transcript")
                .runs,
            []
        );
    }
}

#[test]
fn what_is_no_transcript_is_refused() {
    for text in [
        "",
        "\n\n",
        "prose",
        "{}",
        "[]",
        "{\"status\":\"completed\"}",
        "{\"type\":",
        "null",
    ] {
        let result = read(text.as_bytes());
        assert!(matches!(result, Err(TranscriptError::Unknown)), "{text:?}");
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
    assert!(matches!(
        read(text.as_bytes().chain(Broken)),
        Err(TranscriptError::Read(_))
    ));
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
    let large = run(lines(&[&prompt, DONE]));
    assert_eq!(
        (large.prompt, large.completeness),
        (None, Completeness::Partial(Gap::TooMuch))
    );
}
