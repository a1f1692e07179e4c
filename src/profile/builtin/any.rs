//! Any message that says something, of agents that nobody has told how to return.

use std::borrow::Cow;

use crate::document::part::PartMarks;
use crate::document::tree::Value;
use crate::profile::builtin::{Words, place, statuses};
use crate::profile::paths::is_filled_in;
use crate::profile::words::is_none;
use crate::profile::{Level, Profile, ReturnPart, Roles, Shape};
use crate::text::is_blank;

const NONE: Words = &[];

/// It asks for no form. Where the message, or the only fenced code in it, is an object with `status` and `artifacts`,
/// the files that it claims are checked. It is not one of [`PROFILES`](super::PROFILES), which describe documents.
pub(crate) static ANY: Profile = Profile {
    id: Cow::Borrowed("any"),
    document: Cow::Borrowed("any message that says something"),
    shape: Shape::Message,
    is_instructed: false,
    part: Some(ReturnPart {
        marks: PartMarks::Fence(Vec::new()),
        is_optional: true,
        is_last: false,
    }),
    roles: Roles {
        status: Some(place!["status"]),
        artifacts: Some(place!["artifacts" / "*", "artifacts" / "*" / "path"]),
        ..Roles::BASE
    },
    // What always means success in the documents, and the word for files that are still to come.
    statuses: statuses! {
        "completed": Success [] NONE, None;
        "researched": Success [] NONE, None;
        "planned": Success [] NONE, None;
        "implemented": Success [] NONE, None;
        "READY_FOR_QA": Success [] NONE, None;
        "READY_FOR_REVIEW": Success [] NONE, None;
        "PASS": Success [] NONE, None;
        "APPROVED": Success [] NONE, None;
        "BAZINGA": Success [] NONE, None;
        "PLANNING_COMPLETE": Success [] NONE, None;
        "ROOT_CAUSE_FOUND": Success [] NONE, None;
        "in_progress": Unfinished [] NONE, None;
    },
    // Nobody has told the agent that there must be files, nor how to write their paths.
    levels: Cow::Borrowed(&[
        ("artifact-none", Level::Off),
        ("artifact-path", Level::Off),
        ("artifact-not-relative", Level::Off),
    ]),
    ..Profile::BASE
};

/// Whether a value in a message claims files: an object with a status in words, and a list of nothing but paths.
pub(crate) fn claims_files(value: Value<'_, '_>) -> bool {
    let is_path = |item: Value<'_, '_>| {
        let text = item.text_of_message();
        let is_word = |text: &str| is_filled_in(text, true);
        let own = item.member("path").and_then(Value::text_of_message);
        let is_own = |text: &str| !is_none(text, &[]) && is_filled_in(text, false);
        text.is_some_and(|it| is_word(&it)) || own.is_some_and(|it| is_own(&it))
    };
    let status = value.text_of("status");
    let files = value.list_of("artifacts");
    status.is_some_and(|it| !is_blank(it)) && files.is_some_and(|mut it| it.all(is_path))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::ANY;
    use crate::profile::{Meaning, PROFILES, Status};

    #[test]
    fn success_is_what_it_is_in_the_documents() {
        let words = |all: Vec<&Status>| {
            let all = all.into_iter();
            let all = all.filter(|it| it.meaning == Meaning::Success);
            all.map(|it| it.word.to_string()).collect::<BTreeSet<_>>()
        };
        let documents = PROFILES.iter().flat_map(|it| it.statuses_of(None));
        assert_eq!(words(ANY.statuses_of(None).collect()), words(documents.collect()));
    }
}
