//! How often `retval audit` is right about runs that were labelled by hand.
//!
//! `fixtures/accuracy/labels.tsv` and `unseen.tsv` have a line for each run: its id, what came back, and
//! whether the file that its return claims was written.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::fs;

use serde_json::Value;

use crate::{retval, root, text};

/// How many answers are right, unknown and wrong.
struct Answers {
    right: u64,
    unknown: u64,
    wrong: u64,
}

impl Answers {
    const NONE: Self = Self { right: 0, unknown: 0, wrong: 0 };

    /// `said` is None if retval says that it cannot tell.
    fn add(&mut self, label: &str, said: Option<&str>) {
        *match said {
            None => &mut self.unknown,
            Some(said) if said == label => &mut self.right,
            Some(_) => &mut self.wrong,
        } += 1;
    }
}

/// Runs on which retval was corrected, and runs that were labelled before it had seen one of them.
const SEEN: (&str, &[&str]) = ("labels.tsv", &["lab", "public"]);
const UNSEEN: (&str, &[&str]) = ("unseen.tsv", &["unseen"]);

/// The tables of the page `evidence`.
pub(crate) fn tables() -> String {
    format!(
        "Labelled before retval had read them (`unseen`):\n\n{}Labelled later (`lab` and `public`):\n\n{}",
        table(UNSEEN),
        table(SEEN)
    )
}

fn table(set: (&str, &[&str])) -> String {
    let mut table =
        "| labelled as | runs | right | unknown | wrong |\n|---|---:|---:|---:|---:|\n".to_owned();
    let [outcomes, claims] = answers(set);
    for (label, answers) in outcomes.iter().chain(&claims) {
        let Answers { right, unknown, wrong } = answers;
        let runs = right + unknown + wrong;
        let _ = writeln!(table, "| {label} | {runs} | {right} | {unknown} | {wrong} |");
    }
    table + "\n"
}

/// The answers by outcome, and those by what was claimed.
fn answers((labels, folders): (&str, &[&str])) -> [BTreeMap<String, Answers>; 2] {
    let accuracy = root().join("fixtures/accuracy");
    let labels = fs::read_to_string(accuracy.join(labels)).expect("labels");
    let labels = labels.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let mut labels: HashMap<_, _> =
        labels.map(|it| (it[0].to_owned(), [it[1], it[2]].map(str::to_owned))).collect();
    let folders = folders.iter().map(|it| format!("fixtures/accuracy/{it}"));
    let folders: Vec<_> = folders.collect();
    let mut words = vec!["audit"];
    words.extend(folders.iter().map(String::as_str));
    words.extend("--no-config --profile return --format jsonl".split(' '));
    let output = retval(&words);
    let mut answers = [BTreeMap::new(), BTreeMap::new()];
    for line in text(output.stdout).lines() {
        let run: Value = serde_json::from_str(line).expect("JSON");
        let ids = ["agent_id", "call_id"].map(|id| run[id].as_str().unwrap_or_default());
        let label = ids.iter().find_map(|id| labels.remove(*id));
        let [outcome, claim] = label.unwrap_or_else(|| panic!("no label: {line}"));
        let said = run["outcome"].as_str().filter(|it| *it == outcome || *it != "no-end");
        let of = &mut answers[0];
        of.entry(format!("`{outcome}`")).or_insert(Answers::NONE).add(&outcome, said);
        if claim != "-" {
            let name = format!(
                "a claimed file that was {}written",
                if claim == "written" { "" } else { "not " }
            );
            let of = &mut answers[1];
            of.entry(name).or_insert(Answers::NONE).add(&claim, claimed(&run["claims"]));
        }
    }
    assert!(labels.is_empty(), "runs that were not found: {labels:?}");
    answers
}

/// What retval says of the files that a return claims. None if it cannot tell.
fn claimed(claims: &Value) -> Option<&'static str> {
    let count = |value: &str| {
        let rules = ["artifact-unwritten", "work-none"].iter();
        rules.filter_map(|rule| claims[rule][value].as_u64()).sum::<u64>()
    };
    match (count("shown"), count("contradicted")) {
        (0, 0) => None,
        (_, 0) => Some("written"),
        _ => Some("unwritten"),
    }
}

#[test]
fn nothing_is_said_that_a_label_denies() {
    for answers in answers(SEEN) {
        for (label, answers) in answers {
            assert_eq!(answers.wrong, 0, "{label}");
        }
    }
    // No honest agent among the unseen runs is accused.
    let [outcomes, claims] = answers(UNSEEN);
    for (label, answers) in claims.iter().chain(outcomes.get_key_value("`returned`")) {
        assert_eq!(answers.wrong, 0, "{label}");
    }
}
