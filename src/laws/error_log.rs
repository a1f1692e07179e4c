//! Appending to the error log changes nothing but the new record.

use std::io;

use crate::log::{Occurrence, add, record as record_of};
use crate::profile::RETURN;
use crate::report::Source;
use crate::{Checker, Report};
use serde_json::Value;

use super::demands::Demands;
use super::{clean, root};

fn occurrence(source: Source<'_>) -> Occurrence<'_> {
    Occurrence {
        id: "err_1".to_owned(),
        timestamp: "2026-01-01T00:00:00Z".to_owned(),
        source,
        returned: None,
        hook: None,
    }
}

/// `bytes` may or may not be a log.
pub(crate) fn hold(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let report = Checker::new(&RETURN, root()).check(text);
    let occurrence = Occurrence { returned: Some(bytes), ..occurrence(Source::new(text)) };
    let records = [record_of(&report, &occurrence), "{\"id\":\"err_2\"}".to_owned()];
    for record in &records {
        clean::line(record);
        assert!(record.len() < 64 * 1024, "{}", record.len());
    }
    let value: Value = records[0].parse().expect("a record");
    assert_eq!(value["returned"]["bytes"], bytes.len());
    let excerpt = value["returned"]["excerpt"].as_str().expect("a text");
    assert!(excerpt.chars().count() <= 2_000);
    if let Ok(new) = append(text, &records) {
        appended(text, &new, &records);
    } else {
        // A file with a duplicate key, in one spelling or several, is not a log either.
        let is_once = text.matches("errors").count() == 1 && !text.contains("\\u");
        let value = serde_json::from_str::<Value>(text);
        let is_log = value.is_ok_and(|value| value.is_object() && value["errors"].is_array());
        assert!(!(is_once && is_log), "{text}");
    }
}

/// Returns the log with records appended to its `errors`.
fn append(text: &str, records: &[String]) -> io::Result<String> {
    let mut new = Vec::new();
    let records = ",".to_owned() + &records.join(",");
    add(text, records.as_bytes(), &mut new)?;
    Ok(String::from_utf8(new).expect("UTF-8"))
}

fn appended(text: &str, new: &str, records: &[String]) {
    assert_eq!(append(text, records).expect("a log, again"), new);
    append(new, records).expect("still a log");
    let first = new.rfind(&records[0]).expect("the first record");
    let last = new.rfind(&records[1]).expect("the last record") + records[1].len();
    let kept = |part: &str| part.chars().filter(|it| !it.is_ascii_whitespace()).collect::<String>();
    let before = kept(&new[..first]);
    let before = before.strip_suffix(',').unwrap_or(&before);
    assert_eq!(before.to_owned() + &kept(&new[last..]), kept(text));
    let (Ok(mut old), Ok(new)) =
        (serde_json::from_str::<Value>(text), serde_json::from_str::<Value>(new))
    else {
        return;
    };
    let errors = old["errors"].as_array_mut().expect("an array");
    errors.extend(records.iter().map(|record| record.parse().expect("a record")));
    assert_eq!(old, new);
}

/// The record of an invalid return is one line of JSON that is safe to print and names the return.
pub(crate) fn record(demands: Demands, report: &Report) {
    let source = demands.source();
    let record = record_of(report, &occurrence(source));
    clean::line(&record);
    let record: Value = record.parse().expect("JSON");
    shows(&record["context"]["source"], source.name);
    assert_eq!(
        record["context"].get("line").map(ToString::to_string),
        source.line.map(|line| line.to_string())
    );
    shows(&record["context"]["agent_type"], &report.subagent);
    match report.session.as_deref() {
        Some(session) => shows(&record["context"]["session_id"], session),
        None => assert!(record["context"]["session_id"].is_null()),
    }
}

/// A value is a text, or its beginning and its length.
fn shows(value: &Value, text: &str) {
    let shown = value.as_str().expect("a text");
    let cut = format!("… ({} characters)", text.chars().count());
    let is_beginning = |shown: &str| text.starts_with(shown) && text.len() > 80;
    assert!(shown == text || shown.strip_suffix(&cut).is_some_and(is_beginning), "{shown}");
}
