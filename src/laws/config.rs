//! A valid configuration has profiles that work. An invalid one has an error with its position.

use crate::Checker;
use crate::config::Config;
use crate::instruct::Instruction;
use crate::instruct::schema::Target;
use serde_json::Value;

use super::{clean, root};

/// `bytes` are a configuration.
pub(crate) fn hold(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    match (Config::parse(text), Config::parse(text)) {
        (Err(errors), again) => {
            let is_sorted = errors.as_slice().is_sorted_by_key(|error| error.at.offset);
            assert!(is_sorted && !errors.as_slice().is_empty(), "{errors}");
            for error in errors.as_slice() {
                clean::line(&error.message);
                let at = error.at;
                assert!(at.offset <= text.len() && text.is_char_boundary(at.offset), "{error:?}");
                let before = &text[..at.offset];
                assert_eq!(at.line, before.split('\n').count(), "{error:?}");
                let line = before.rsplit('\n').next().unwrap_or_default();
                assert_eq!(at.column, line.chars().count() + 1, "{error:?}");
            }
            assert_eq!(again.expect_err("errors, again"), errors);
        }
        (Ok(config), again) => {
            let again = again.expect("a configuration, again");
            assert_eq!(format!("{config:?}"), format!("{again:?}"));
            use_profiles(&config);
        }
    }
}

/// Custom profiles can check returns, instruct agents and be written as schemas.
fn use_profiles(config: &Config) {
    for custom in &config.profiles {
        let profile = &*custom.profile;
        for text in ["{}", "", "{\"status\":\"completed\",\"summary\":1,\"artifacts\":[{}]}"] {
            let report = Checker::new(profile, root()).check(text);
            assert_eq!(report.profile, profile.id);
        }
        let instruction = Instruction::new(profile);
        match instruction.text() {
            Ok(text) => clean::silent(&text),
            Err(error) => clean::silent(&error.to_string()),
        }
        for target in Target::ALL {
            match instruction.schema(target) {
                Ok(made) => {
                    clean::text(&made.text);
                    let _: Value = made.text.parse().expect("JSON");
                    made.losses.iter().for_each(|loss| clean::line(loss));
                }
                Err(error) => clean::silent(&error.to_string()),
            }
        }
    }
}
