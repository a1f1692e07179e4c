//! Step 6: files have the lines and texts that the return cites.

use std::borrow::Cow;

use crate::check::Collector;
use crate::document::Form;
use crate::document::tree::Value;
use crate::evidence::claims::cite::{self, Cite};
use crate::profile::RoleMember;
use crate::profile::paths::{self, PathMention, range};
use crate::profile::role::{ClaimedTexts, Piece};
use crate::profile::words::is_none;
use crate::rule::{Claimed, Rule, Step, ToAgent};

pub(crate) static BEYOND_END: Rule = Rule {
    id: "cite-beyond-end",
    claim: Some((Claimed::Declared, "the file has the cited line")),
    message: "Cited line does not exist: {found} ({why})",
    help: "Fix {agent} subagent to cite lines that it has read",
    message_to_agent: ToAgent::Words("{found} does not exist: {why}"),
    advice_to_agent: "Open the file, and cite the line that you mean",
    ..Rule::of_own_profile(Step::Artifacts)
};

pub(crate) static NOT_THERE: Rule = Rule {
    id: "cite-not-there",
    claim: Some((Claimed::Declared, "the file has the quoted text")),
    message: "Quoted text is not in the file: {found} ({why})",
    help: "Fix {agent} subagent to quote what the file says",
    message_to_agent: ToAgent::Words("Your quote of {found} is wrong: {why}"),
    advice_to_agent: "Open the file, and quote what it says",
    ..Rule::of_own_profile(Step::Artifacts)
};

/// Whether a return names a file that it cites.
pub(in crate::check::rules) fn are_named(claims: &[ClaimedTexts<'_, '_>], form: Form) -> bool {
    let is_named = |claim: &ClaimedTexts<'_, '_>| {
        let Some(piece) = claim.whole_or(RoleMember::Path) else {
            return false;
        };
        if form == Form::Text {
            return named(piece, |_| {});
        }
        let path = paths::exactly(&piece.text).without_lines();
        piece.doubt.is_none() && matches!(path, PathMention::Path(..))
    };
    claims.iter().any(is_named)
}

/// Compares the cites of a return with the files.
pub(in crate::check::rules) fn check(
    collector: &mut Collector<'_, '_>,
    claims: &[ClaimedTexts<'_, '_>],
    form: Form,
    none: &[String],
) {
    let (mut cites, mut places) = (Vec::new(), Vec::new());
    for claim in claims {
        each(claim, form, none, |cite, place| {
            cites.push(cite);
            places.push(place);
        });
    }
    if cites.is_empty() {
        return;
    }
    let context = collector.context;
    let assessed = cite::assess(context.root, context.subject(), &cites);
    for ((cite, found), [line, quote]) in cites.iter().zip(assessed).zip(places) {
        let shown = match cite.lines {
            Some([first, last]) if first < last => format!("{}:{first}-{last}", cite.path),
            Some([line, _]) => format!("{}:{line}", cite.path),
            None => cite.path.clone().into_owned(),
        };
        if let Some(lines) = &found.lines {
            collector.assess(&BEYOND_END, line.into(), (None, &*shown), lines);
        }
        if let Some(quoted) = &found.quote {
            collector.assess(&NOT_THERE, quote.into(), (None, &*shown), quoted);
        }
    }
}

/// Passes each cite of a claim to `say`, with the places of its line and its quote. A text may name several.
fn each<'v, 't>(
    claim: &ClaimedTexts<'v, 't>,
    form: Form,
    none: &[String],
    mut say: impl FnMut(Cite<'t>, [Value<'v, 't>; 2]),
) {
    let Some(piece) = claim.whole_or(RoleMember::Path) else {
        return;
    };
    if is_none(&piece.text, none) {
        return;
    }
    let line = claim.get(RoleMember::Line);
    let quote = claim.get(RoleMember::Quote);
    let quote = quote.filter(|quote| !is_none(&quote.text, none));
    let mut take = |path: Cow<'t, str>| {
        let mut cite = Cite::read(path);
        if let Some(lines) = line.and_then(|line| range(line.text.trim())) {
            cite.lines = Some(lines);
        }
        cite.quote = quote.map(|quote| quote.text.clone());
        cite.doubt = doubt(&piece.source, &cite).filter(|_| line.is_none());
        say(cite, [line.unwrap_or(piece).at, quote.unwrap_or(piece).at]);
    };
    if form != Form::Text || !named(piece, &mut take) {
        // Where there is no path in a text, it is passed as it is: no file has that name.
        take(piece.source.clone());
    }
}

/// Why it is not certain which lines of a file a text cites: it has other numbers behind the path, or a remark
/// that speaks of another version.
fn doubt(text: &str, cite: &Cite<'_>) -> Option<&'static str> {
    const VERSIONS: [&str; 5] = ["branch", "commit", "patch", "revision", "version"];
    const TIMES: [&str; 6] = ["after", "before", "old", "original", "previous", "was"];
    let (before, behind) = text.split_once(&*cite.path)?;
    let is_digit = |it: char| it.is_ascii_digit();
    let is_of_lines = |it: char| is_digit(it) || "LC:#-\u{2013}".contains(it);
    let rest = match cite.lines {
        Some(_) => behind.trim_start_matches(is_of_lines),
        None => behind,
    };
    let has_others = match cite.lines {
        Some(_) => rest
            .strip_prefix(',')
            .is_some_and(|it| it.trim_start().starts_with(is_digit)),
        None => rest.contains(is_digit),
    };
    let remark = rest
        .trim_start_matches(['`', '*', ']', ')', ' '])
        .strip_prefix('(');
    let remark = remark
        .and_then(|it| it.split(')').next())
        .unwrap_or_default();
    let has = |text: &str, known: &[&str]| {
        let mut words = text.split(|it: char| !it.is_alphanumeric());
        words.any(|word| known.iter().any(|it| it.eq_ignore_ascii_case(word)))
    };
    if has_others {
        Some("it is not clear which lines are meant")
    } else if has(before, &VERSIONS) || has(remark, &VERSIONS) || has(remark, &TIMES) {
        Some("another version of the file may be meant")
    } else {
        None
    }
}

/// Passes the paths in a piece of text. Returns whether there is one.
fn named<'t>(piece: &Piece<'_, 't>, mut say: impl FnMut(Cow<'t, str>)) -> bool {
    let mut has_path = false;
    paths::each(&piece.source, &[], |named| {
        if let PathMention::Path(path, _) = named {
            has_path = true;
            say(path.into());
        }
    });
    has_path
}
