//! Parses lexemes into the structure of a command line.

use std::iter::Peekable;
use std::vec::IntoIter;

use super::state::decides;
use super::syntax::{
    Chain, CommandKind, Lexeme, Link, Operator, Redirection, Sequence, ShellCommand, ShellWord,
    Unparsed, variable,
};

/// How deeply groups may be nested.
const DEPTH_AT_MOST: usize = 32;

/// Words that end a part of a compound command.
const CLOSING: &[&str] = &["then", "elif", "else", "fi", "do", "done", "}", "esac"];

pub(super) fn parse(lexemes: Vec<Lexeme>) -> Result<Sequence, Unparsed> {
    let mut parser = Parser {
        rest: lexemes.into_iter().peekable(),
        depth: 0,
    };
    let sequence = parser.sequence()?;
    match parser.rest.next() {
        None => Ok(sequence),
        Some(_) => Err(Unparsed),
    }
}

struct Parser {
    rest: Peekable<IntoIter<Lexeme>>,
    depth: usize,
}

impl Parser {
    fn skip(&mut self, operator: Operator) -> bool {
        let is_it = |lexeme: &Lexeme| matches!(lexeme, Lexeme::Operator(next) if *next == operator);
        self.rest.next_if(is_it).is_some()
    }

    fn skip_ends(&mut self) {
        while self.skip(Operator::End) {}
    }

    fn reserved(&mut self, words: &[&'static str]) -> Option<&'static str> {
        let found = match self.rest.peek() {
            Some(Lexeme::Word(word)) => words.iter().find(|reserved| word.is(reserved)).copied(),
            _ => None,
        };
        if found.is_some() {
            self.rest.next();
        }
        found
    }

    fn expect(&mut self, words: &[&'static str]) -> Result<&'static str, Unparsed> {
        self.reserved(words).ok_or(Unparsed)
    }

    /// Parses commands up to what closes them, which is not consumed.
    fn sequence(&mut self) -> Result<Sequence, Unparsed> {
        if self.depth >= DEPTH_AT_MOST {
            return Err(Unparsed);
        }
        self.depth += 1;
        let mut chains = Vec::new();
        loop {
            self.skip_ends();
            match self.rest.peek() {
                None | Some(Lexeme::Operator(Operator::Close)) => break,
                Some(Lexeme::Word(word)) if CLOSING.iter().any(|closing| word.is(closing)) => break,
                Some(_) => {}
            }
            let mut chain = self.chain()?;
            chain.is_background = self.skip(Operator::Background);
            let ends = chain.is_background || self.skip(Operator::End);
            chains.push(chain);
            if !ends {
                break;
            }
        }
        self.depth -= 1;
        Ok(Sequence(chains))
    }

    fn chain(&mut self) -> Result<Chain, Unparsed> {
        let mut links = vec![self.link(false)?];
        loop {
            let is_alternative = self.skip(Operator::Or);
            if !is_alternative && !self.skip(Operator::And) {
                return Ok(Chain {
                    links,
                    is_background: false,
                });
            }
            self.skip_ends();
            links.push(self.link(is_alternative)?);
        }
    }

    fn link(&mut self, is_alternative: bool) -> Result<Link, Unparsed> {
        let mut is_negated = false;
        while self.reserved(&["!"]).is_some() {
            is_negated = true;
        }
        let mut commands = vec![self.command()?];
        while self.skip(Operator::Pipe) {
            self.skip_ends();
            commands.push(self.command()?);
        }
        Ok(Link {
            is_alternative,
            is_negated,
            commands,
        })
    }

    fn command(&mut self) -> Result<ShellCommand, Unparsed> {
        const OPENING: &[&str] = &[
            "{", "if", "while", "until", "for", "select", "function", "[[", "case",
        ];
        if self.depth >= DEPTH_AT_MOST {
            return Err(Unparsed);
        }
        let kind = match self.rest.peek() {
            Some(Lexeme::Operator(Operator::Open)) => {
                self.rest.next();
                let body = self.sequence()?;
                if !self.skip(Operator::Close) {
                    return Err(Unparsed);
                }
                CommandKind::Subshell(body)
            }
            Some(Lexeme::Arithmetic) => {
                self.rest.next();
                CommandKind::Arithmetic
            }
            Some(_) => match self.reserved(OPENING) {
                Some(opening) => self.compound(opening)?,
                None => return self.simple(),
            },
            None => return Err(Unparsed),
        };
        let redirections = self.redirections();
        Ok(ShellCommand { kind, redirections })
    }

    fn redirections(&mut self) -> Vec<Redirection> {
        let mut redirections = Vec::new();
        while let Some(Lexeme::Redirection(_)) = self.rest.peek() {
            if let Some(Lexeme::Redirection(redirection)) = self.rest.next() {
                redirections.push(redirection);
            }
        }
        redirections
    }

    fn compound(&mut self, opening: &str) -> Result<CommandKind, Unparsed> {
        match opening {
            "{" => {
                let body = self.sequence()?;
                self.expect(&["}"])?;
                Ok(CommandKind::Group(body))
            }
            "if" => {
                let mut branches = Vec::new();
                loop {
                    branches.push(self.sequence()?);
                    if self.expect(&["then", "elif", "else", "fi"])? == "fi" {
                        return Ok(CommandKind::Branches(branches));
                    }
                }
            }
            "while" | "until" | "for" | "select" => {
                let mut branches = Vec::new();
                if matches!(opening, "while" | "until") {
                    branches.push(self.sequence()?);
                    self.expect(&["do"])?;
                } else {
                    self.loop_header()?;
                }
                branches.push(self.sequence()?);
                self.expect(&["done"])?;
                Ok(CommandKind::Branches(branches))
            }
            "function" => {
                self.rest.next();
                if self.skip(Operator::Open) && !self.skip(Operator::Close) {
                    return Err(Unparsed);
                }
                self.function()
            }
            "[[" => {
                while self.reserved(&["]]"]).is_none() {
                    self.rest.next().ok_or(Unparsed)?;
                }
                Ok(CommandKind::Test)
            }
            _ => Err(Unparsed),
        }
    }

    /// Skips the variable and the words of a loop. Fails if the variable decides what commands do, as `PATH`
    /// does.
    fn loop_header(&mut self) -> Result<(), Unparsed> {
        if matches!(self.rest.peek(), Some(Lexeme::Word(word)) if decides(&word.text)) {
            return Err(Unparsed);
        }
        while self.reserved(&["do"]).is_none() {
            match self.rest.next() {
                Some(Lexeme::Word(_) | Lexeme::Arithmetic | Lexeme::Operator(Operator::End)) => {}
                _ => return Err(Unparsed),
            }
        }
        Ok(())
    }

    fn function(&mut self) -> Result<CommandKind, Unparsed> {
        self.skip_ends();
        self.depth += 1;
        let body = self.command()?;
        self.depth -= 1;
        Ok(CommandKind::Function(Box::new(body)))
    }

    fn simple(&mut self) -> Result<ShellCommand, Unparsed> {
        let mut variables = Vec::new();
        let mut words: Vec<ShellWord> = Vec::new();
        let mut redirections = Vec::new();
        loop {
            match self.rest.peek() {
                Some(Lexeme::Word(_)) => {
                    let Some(Lexeme::Word(word)) = self.rest.next() else {
                        break;
                    };
                    match variable(&word) {
                        Some(name) if words.is_empty() => variables.push(name.to_owned()),
                        _ => words.push(word),
                    }
                }
                Some(Lexeme::Redirection(_)) => redirections.extend(self.redirections()),
                Some(Lexeme::Operator(Operator::Open)) => {
                    self.rest.next();
                    if words.len() != 1 || !variables.is_empty() || !self.skip(Operator::Close) {
                        return Err(Unparsed);
                    }
                    return Ok(ShellCommand {
                        kind: self.function()?,
                        redirections,
                    });
                }
                _ => break,
            }
        }
        if words.is_empty() && variables.is_empty() && redirections.is_empty() {
            return Err(Unparsed);
        }
        Ok(ShellCommand {
            kind: CommandKind::Simple { variables, words },
            redirections,
        })
    }
}
