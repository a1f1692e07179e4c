//! `retval check` and the commands next to it, at the process boundary.

mod accepted;
mod any;
mod baseline;
mod bounds;
mod cli;
mod client_failures;
#[path = "../common/mod.rs"]
mod common;
mod completions;
mod config;
mod containment;
mod corpus;
mod envelopes;
mod error_log;
mod escapes;
mod exit_zero;
mod explain;
mod extract;
mod failed_return;
mod faults;
mod file_sizes;
mod fixtures;
mod formats;
#[path = "../generated/mod.rs"]
mod generated;
mod handoffs;
mod hostile;
mod init;
mod instruct;
mod invisible;
mod library;
mod logs;
mod many;
mod metadata;
mod next;
mod options;
mod outputs;
mod overrides;
mod own_schemas;
mod own_standards;
mod own_values;
mod paths;
mod paths_of_claims;
mod phantom;
mod pipeline;
mod pipeline_page;
mod place;
mod read;
mod reports;
mod rule_url;
mod schema;
mod scripts;
mod since;
mod skipped_steps;
mod standards;
mod standards_paths;
mod standards_texts;
#[cfg(target_os = "linux")]
#[path = "../../benches/measure/traced.rs"]
mod traced;
mod usage;
mod value;
mod verdicts;
mod wrong_profile;
