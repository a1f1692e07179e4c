//! The text of a settings file: JSON, with comments where the client takes them.

use std::fmt::Display;
use std::fs;
use std::path::Path;

use crate::clients::HookSettings;
use anyhow::{anyhow, bail};
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstContainerNode, CstObject, CstObjectProp, CstRootNode};
use serde::de::IgnoredAny;
use serde_json::Value;

/// A byte-order mark, which the parser does not take.
const MARK: char = '\u{feff}';

/// The text as a tree that keeps every byte. Without an object in it, it is blank.
pub(super) struct SettingsText {
    root: CstRootNode,
    has_mark: bool,
}

impl SettingsText {
    /// # Errors
    ///
    /// If the text is neither a JSON object nor blank; the error says where.
    pub(super) fn parse(client: &HookSettings, text: &str) -> anyhow::Result<Self> {
        let bare = text.strip_prefix(MARK);
        let json = bare.unwrap_or(text);
        let takes_comments = client.takes_comments;
        let invalid = |error: &dyn Display| unchanged(&format!("it is not valid JSON: {error}"));
        // The parser of trees takes comments in some places, whatever its options say.
        if !takes_comments && !json.trim().is_empty() {
            serde_json::from_str::<IgnoredAny>(json).map_err(|error| invalid(&error))?;
        }
        let root =
            CstRootNode::parse(json, &options(takes_comments)).map_err(|error| invalid(&error))?;
        if root.value().is_some() && root.object_value().is_none() {
            return Err(unchanged("it is not a JSON object"));
        }
        Ok(Self {
            root,
            has_mark: bare.is_some(),
        })
    }

    /// None if the file is blank.
    pub(super) fn object(&self) -> Option<CstObject> {
        self.root.object_value()
    }

    /// The object of the file, which is created if the file is blank.
    pub(super) fn object_or_new(&self) -> CstObject {
        self.root.object_value_or_set()
    }

    pub(super) fn text(&self) -> String {
        let mark = self.has_mark.then_some(MARK);
        mark.into_iter().collect::<String>() + &self.root.to_string()
    }

    /// Whether nothing but white space is around the object.
    pub(super) fn is_object_alone(&self) -> bool {
        let children = self.root.children();
        !self.has_mark && children.iter().all(|child| !child.is_comment())
    }
}

/// The member of an object.
///
/// # Errors
///
/// If the key is there twice: clients differ in which one they read.
pub(super) fn member(object: &CstObject, key: &str) -> anyhow::Result<Option<CstObjectProp>> {
    let is_it = |member: &CstObjectProp| member.decoded_name().as_deref() == Some(key);
    let mut found = object.properties().into_iter().filter(is_it);
    match (found.next(), found.next()) {
        (_, Some(_)) => {
            bail!("it has the key `{key}` twice\n       nothing was changed: remove one of them")
        }
        (member, None) => Ok(member),
    }
}

pub(super) fn is_empty(container: &CstContainerNode) -> bool {
    let children = container.children();
    children
        .iter()
        .all(|child| !child.is_comment() && (child.is_trivia() || child.is_token()))
}

/// The error for a file that cannot be edited.
pub(super) fn unchanged(why: &str) -> anyhow::Error {
    anyhow!("{why}\n       nothing was changed: correct the file and try again")
}

/// Reads a JSON file, with or without comments. None if there is no such file, or if it is not JSON.
pub(super) fn read(path: &Path) -> Option<Value> {
    let text = fs::read_to_string(path).ok()?;
    let root = CstRootNode::parse(text.trim_start_matches(MARK), &options(true));
    root.ok()?.to_serde_value()
}

/// The grammar of JSON, and comments if they are taken.
fn options(takes_comments: bool) -> ParseOptions {
    ParseOptions {
        allow_comments: takes_comments,
        allow_loose_object_property_names: false,
        allow_trailing_commas: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}
