//! Tests how an agent's records make up its run.

use super::{DONE, PROMPT, WRITE, WRITTEN, hears, lines, run, says};
use crate::clients::run::Outcome;
use crate::clients::transcript::{Completeness, End, Gap, Sidecar, read};

#[test]
fn a_whole_run_is_complete() {
    let run = run(lines(&[PROMPT, WRITE, WRITTEN, DONE]));
    assert_eq!(run.prompt.as_deref(), Some("Go."));
    assert_eq!(run.calls[0].outcome, Outcome::Succeeded);
    assert_eq!(run.calls[0].line, 2);
    assert_eq!(run.final_message.as_deref(), Some("Done."));
    assert_eq!((run.end, run.completeness), (End::Answered, Completeness::Complete));
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
fn a_text_without_a_stop_reason_is_the_end_only_where_there_are_none() {
    let text = says(r#""content":[{"type":"text","text":"I write."}]"#);
    let first = says(r#""stop_reason":"end_turn","content":[{"type":"text","text":"a"}]"#);
    let old = run(lines(&[PROMPT, &text]));
    assert_eq!(old.completeness, Completeness::Complete);
    let new = run(lines(&[PROMPT, &first, &text]));
    assert_eq!(new.completeness, Completeness::Partial(Gap::NoEnd));
}

#[test]
fn a_text_whose_stop_reason_is_null_is_not_the_end() {
    let text = says(r#""stop_reason":null,"content":[{"type":"text","text":"I write."}]"#);
    let run = run(lines(&[PROMPT, &text]));
    assert_eq!(run.completeness, Completeness::Partial(Gap::NoEnd));
}

#[test]
fn tokens_of_a_message_without_an_id_count_once_for_each_record() {
    let says = |uuid: &str| {
        format!(
            r#"{{"type":"assistant","agentId":"a1","uuid":"{uuid}","message":{{"content":"Yes.","usage":{{"input_tokens":3}}}}}}"#
        )
    };
    let run = run(lines(&[PROMPT, &says("1"), &says("2"), &says("1")]));
    assert_eq!(run.tokens.input, 6);
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
    assert_eq!(resumed.prompt.as_deref(), Some("Go."), "the first task is the prompt");
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
        (&error("Claude AI usage limit reached|1767225600", ""), End::Limit),
        (&error("Try again", r#""apiErrorStatus":429,"#), End::Limit),
    ] {
        let run = run(lines(&[PROMPT, record]));
        assert_eq!((run.final_message, run.end), (None, end));
        assert_eq!(run.completeness, Completeness::Complete, "the end is in the record");
    }
    let retried = run(lines(&[PROMPT, &overloaded, DONE]));
    assert_eq!((retried.final_message.as_deref(), retried.end), (Some("Done."), End::Answered));
}

#[test]
fn an_interruption_is_an_end_of_its_own() {
    let record =
        hears(r#""message":{"content":[{"type":"text","text":"[Request interrupted by user]"}]}"#);
    let run = run(lines(&[PROMPT, WRITE, &record]));
    assert_eq!((run.end, run.calls[0].outcome), (End::Interrupted, Outcome::Unknown));
}

#[test]
fn tokens_of_a_message_count_once() {
    let usage = |id: &str, output: u64| {
        format!(
            r#"{{"type":"assistant","agentId":"a1","isSidechain":true,"message":{{"id":"{id}","content":[],"usage":{{"input_tokens":10,"output_tokens":{output},"cache_read_input_tokens":100}}}}}}"#
        )
    };
    let records = [usage("m1", 1), usage("m1", 5), usage("m2", 7), usage("m1", 5)];
    let records: Vec<&str> = records.iter().map(String::as_str).collect();
    let tokens = run(lines(&[&[PROMPT], &records[..]].concat())).tokens;
    assert_eq!((tokens.input, tokens.output, tokens.cache, tokens.total), (20, 12, 200, 232));
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
fn a_finished_sidecar_does_not_end_a_record() {
    let mut run = run(lines(&[PROMPT, WRITE, WRITTEN]));
    let sidecar = br#"{"agentType":"planner","isBuiltIn":true,"parentAgentId":"a0","spawnDepth":2,"finished":true,"new":[]}"#;
    run.add_sidecar(&Sidecar::read(sidecar).expect("a sidecar"));
    assert_eq!(run.completeness, Completeness::Partial(Gap::NoEnd));
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
        let found = read(lines(&[&record]).as_bytes()).expect("a transcript");
        assert_eq!((found.runs.len(), found.of_client.len()), (0, 1));
    }
}
