//! The schemas are valid, agree with the checks, and use only what their readers support.

mod agreement;
mod config;
mod targets;

use jsonschema::Validator;
use serde_json::Value;

use crate::config::Config;
use crate::instruct::Instruction;
use crate::instruct::schema::{Made, SchemaError, Target};
use crate::profile::{PROFILES, Profile};

/// What a schema is asked for.
#[derive(Debug, Clone, Copy)]
struct Request<'r> {
    profile: &'r Profile,
    target: Target,
    session: Option<&'r str>,
    agent: Option<&'r str>,
}

impl<'r> Request<'r> {
    fn new(profile: &'r Profile, target: Target) -> Self {
        Self { profile, target, session: None, agent: None }
    }

    fn session(self, session: Option<&'r str>) -> Self {
        Self { session, ..self }
    }

    fn agent(self, agent: Option<&'r str>) -> Self {
        Self { agent, ..self }
    }

    fn make(&self) -> Result<Made, SchemaError> {
        let instruction = Instruction {
            session: self.session,
            agent: self.agent,
            ..Instruction::new(self.profile)
        };
        instruction.schema(self.target)
    }
}

/// What the library makes, as its readers get it.
fn made(request: &Request<'_>) -> (Value, Made) {
    let made = request.make().expect("it can be expressed");
    let schema = serde_json::from_str(&made.text).expect("JSON");
    (schema, made)
}

fn validator(schema: &Value) -> Validator {
    jsonschema::validator_for(schema).expect("a schema")
}

/// Every schema that the command can print for a built-in profile.
fn requests() -> Vec<Request<'static>> {
    let mut requests = Vec::new();
    for profile in PROFILES {
        let agents = profile.agents.iter().map(|agent| Some(&*agent.name));
        for agent in agents.chain([None, Some("planner")]) {
            for session in [None, profile.roles.session.as_ref().map(|_| "sess_1")] {
                requests.extend(
                    Target::ALL
                        .map(|target| Request::new(profile, target).session(session).agent(agent)),
                );
            }
        }
    }
    requests
}

/// The profile of a configuration that has one.
fn custom(toml: &str) -> Profile {
    let config = Config::parse(toml).expect("a configuration");
    Profile::clone(&config.profiles[0].profile)
}

#[test]
fn every_schema_is_valid_itself() {
    for request in requests() {
        let (schema, _) = made(&request);
        assert!(jsonschema::meta::is_valid(&schema), "{request:?}");
    }
}

#[test]
fn a_requirement_that_a_target_cannot_express_is_refused() {
    let profile = custom("[profiles.mine]\nextends = \"handoff\"\nrequired = [\"artifacts\"]\n");
    for target in Target::ALL {
        let name = target.as_str();
        let request = Request::new(&profile, target);
        let made = request.make();
        if matches!(target, Target::ClaudeApi | Target::OpenAiStrict) {
            let error = made.expect_err("it cannot").to_string();
            assert_eq!(
                error,
                format!(
                    "--target {name} cannot express artifacts, which the profile mine requires: it is an object with arbitrary keys; use --target full or claude-cli"
                )
            );
        } else {
            assert_eq!(made.expect("it can").losses, [""; 0], "{name}");
        }
    }
}
