//! Simple commands: a program and its arguments.

use super::super::programs::wrapper::Wrapped;
use super::super::programs::{self, Effects, WriteMode, shells, wrapper};
use super::super::runners;
use super::super::state::Certainty;
use super::super::syntax::{Redirection, ShellWord, Unparsed, variable};
use super::super::trust::{self, ShellTrust};
use super::super::{Mask, TestRun};
use super::ScriptWalker;

impl ScriptWalker<'_> {
    pub(super) fn simple(
        &mut self,
        words: &[ShellWord],
        redirections: &[Redirection],
        is_fed: bool,
        mask: Option<Mask>,
    ) -> Result<(), Unparsed> {
        let is_piped = std::mem::take(&mut self.is_piped);
        if words.is_empty() {
            return Ok(());
        }
        let (inner, wrappers) = match wrapper::unwrap(words) {
            Wrapped::Command(inner) => (inner, &words[..words.len() - inner.len()]),
            Wrapped::Nothing => return Ok(()),
            Wrapped::Unknown => {
                self.has_ended |= words[0].is("exec");
                if wrapper::is_in_shell(&words[..1]) {
                    self.limit_trust(ShellTrust::Nothing);
                }
                self.unknown();
                return Ok(());
            }
        };
        for name in wrappers.iter().filter_map(variable) {
            self.set_variable(name);
        }
        let is_exec = |word: &ShellWord| word.literal() == Some("exec");
        self.has_ended |= wrappers.iter().any(is_exec);
        self.fallible += usize::from(!wrappers.is_empty());
        let [program, arguments @ ..] = inner else {
            return Ok(());
        };
        let is_in_shell = wrapper::is_in_shell(wrappers);
        let Some(name) = program.literal() else {
            if is_in_shell {
                self.limit_trust(ShellTrust::Nothing);
            }
            self.unknown();
            return Ok(());
        };
        if shells::is_shell(name) {
            return self.shell(arguments, mask);
        }
        if is_in_shell {
            self.limit_trust(trust::after(name, arguments));
            if self.builtin(name, arguments, mask) {
                return Ok(());
            }
        }
        self.fallible += usize::from(!programs::is_infallible(name));
        match programs::filter(name, arguments).filter(|_| is_piped) {
            Some(is_cutting) => self.is_cut |= is_cutting,
            None => self.printing += usize::from(!programs::is_silent(name)),
        }
        if let Some(found) = runners::runner(inner, self.test_runners) {
            self.script.may_write = true;
            let mut set = wrappers.iter().filter_map(variable);
            self.script.tests.push(TestRun {
                runner: found.name,
                mask,
                failure_shows: false,
                needs_summary: found.needs_summary || set.any(runners::passes_options),
                is_alone: false,
                is_cut: false,
            });
            return Ok(());
        }
        let mut effects = programs::effects(name, arguments, redirections);
        effects.is_certain &= is_fed || effects.mode != WriteMode::Append;
        self.effects(&effects, mask);
        Ok(())
    }

    fn effects(&mut self, effects: &Effects, mask: Option<Mask>) {
        self.script.may_write |= effects.may_write;
        self.script.commits |= effects.commits;
        for (change, path) in &effects.changes {
            let is_trusted = self.state.trust == ShellTrust::Programs;
            let is_certain = mask.is_none() && effects.is_certain && is_trusted;
            let certainty = Certainty::Certain.only_if(is_certain);
            self.change(*change, path, effects.by, certainty);
            let top = (effects.mode == WriteMode::FromTop).then(|| self.state.folder.resolve("."));
            if let (Some(top), Some(change)) = (top, self.script.changes.last_mut()) {
                change.top = top.map(|(path, _)| path);
            }
        }
    }

    fn shell(&mut self, arguments: &[ShellWord], mask: Option<Mask>) -> Result<(), Unparsed> {
        let Some((options, script)) = shells::script(arguments) else {
            self.unknown();
            return Ok(());
        };
        let is_exempt = std::mem::take(&mut self.place.is_exempt);
        self.apart(|walker| {
            walker.state.errexit = options.errexit;
            walker.state.pipefail = options.pipefail;
            if walker.state.trust < ShellTrust::Programs {
                walker.limit_trust(ShellTrust::Nothing);
            }
            walker.text(script, mask)
        })?;
        self.place.is_exempt = is_exempt;
        Ok(())
    }
}
