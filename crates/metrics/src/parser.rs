//! Parser of definitions, by recursive descent.

use pgas_filter::Pattern;

use crate::condition::{Comparison, Condition, Value};
use crate::definition::{Definition, MOST_REGIONS, Measure, Region};
use crate::error::DefinitionError;
use crate::token::{Kind, Token, error, tokens};

/// Nesting of conditions, so that no text exhausts the stack.
const DEEPEST: usize = 64;
/// Longest name of a metric in bytes, which live pages have room for.
const LONGEST_NAME: usize = 40;
/// Words with a meaning of their own.
const RESERVED: [&str; 10] = [
    "if", "and", "or", "not", "inside", "time", "count", "bytes", "thread", "threads",
];

type Parsed<T> = Result<T, DefinitionError>;

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    regions: &'a mut Vec<Region>,
}

/// The definition in `text`, and the column of its name. Its regions are added to `regions`.
pub(crate) fn parse(text: &str, regions: &mut Vec<Region>) -> Parsed<(Definition, usize)> {
    let mut parser = Parser {
        text,
        tokens: tokens(text)?,
        at: 0,
        depth: 0,
        regions,
    };
    let column = parser.token().column;
    let name = parser.metric_name("the name of the metric")?;
    parser.sign("=", "`=` after the name")?;
    let measure = parser.measure()?;
    let condition = match parser.takes_word("if") {
        true => Some(parser.any()?),
        false => None,
    };
    match parser.token().kind {
        Kind::End => {}
        _ if condition.is_none() => return parser.fail("`if` or the end"),
        _ => return parser.fail("`and`, `or` or the end"),
    }
    let definition = Definition {
        name,
        measure,
        condition,
    };
    Ok((definition, column))
}

impl Parser<'_> {
    fn token(&self) -> &Token {
        &self.tokens[self.at]
    }

    fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    fn fail<T>(&self, expected: &str) -> Parsed<T> {
        let token = self.token();
        Err(error(self.text, token.column, token.shown(), expected))
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.token().kind, Kind::Sign(found) if found == sign)
    }

    fn sign(&mut self, sign: &str, expected: &str) -> Parsed<()> {
        match self.is_sign(sign) {
            true => {
                self.advance();
                Ok(())
            }
            false => self.fail(expected),
        }
    }

    fn word(&self) -> Option<&str> {
        match &self.token().kind {
            Kind::Word(word) => Some(word),
            _ => None,
        }
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let is_there = self.word() == Some(word);
        if is_there {
            self.advance();
        }
        is_there
    }

    fn metric_name(&mut self, expected: &str) -> Parsed<String> {
        let Some(word) = self.word().map(str::to_owned) else {
            return self.fail(expected);
        };
        if RESERVED.contains(&&*word) {
            return self.fail(&format!("{expected}, which no keyword can be"));
        }
        let is_name = word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_name || word.len() > LONGEST_NAME {
            let characters = format!("{expected}: at most {LONGEST_NAME} letters, digits and `_`");
            return self.fail(&characters);
        }
        self.advance();
        Ok(word)
    }

    fn measure(&mut self) -> Parsed<Measure> {
        const EXPECTED: &str = "time(…), count(…) or bytes(…)";
        let what = match self.word() {
            Some(what @ ("time" | "count" | "bytes")) => what.to_owned(),
            _ => return self.fail(EXPECTED),
        };
        self.advance();
        self.sign("(", &format!("`(` after {what}"))?;
        if what == "time" && self.is_sign(")") {
            self.advance();
            return Ok(Measure::Time(None));
        }
        let region = self.region()?;
        Ok(match &*what {
            "time" => Measure::Time(Some(region)),
            "count" => Measure::Count(region),
            _ => Measure::Bytes(region),
        })
    }

    /// A region and the closing parenthesis.
    fn region(&mut self) -> Parsed<usize> {
        const EXPECTED: &str = "the name of a function, region or operation";
        let text = match &self.token().kind {
            Kind::Word(text) | Kind::Quoted(text) if !text.is_empty() => text.clone(),
            _ => return self.fail(EXPECTED),
        };
        let Ok(pattern) = Pattern::parse(&text) else {
            return self.fail("a name, or wildcards such as upc_mem* and [a-z]*");
        };
        let known = self.regions.iter().position(|region| region.text == text);
        let index = known.unwrap_or(self.regions.len());
        if index >= MOST_REGIONS {
            return self.fail(&format!("at most {MOST_REGIONS} names in all definitions"));
        }
        if known.is_none() {
            self.regions.push(Region { text, pattern });
        }
        self.advance();
        self.sign(")", "`)`")?;
        Ok(index)
    }

    fn any(&mut self) -> Parsed<Condition> {
        let first = self.all()?;
        let mut all = vec![first];
        while self.takes_word("or") {
            all.push(self.all()?);
        }
        Ok(joined(all, Condition::Any))
    }

    fn all(&mut self) -> Parsed<Condition> {
        let first = self.one()?;
        let mut all = vec![first];
        while self.takes_word("and") {
            all.push(self.one()?);
        }
        Ok(joined(all, Condition::All))
    }

    fn one(&mut self) -> Parsed<Condition> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.fail(&format!(
                "at most {DEEPEST} conditions inside of each other"
            ));
        }
        let condition = self.simple();
        self.depth -= 1;
        condition
    }

    fn simple(&mut self) -> Parsed<Condition> {
        if self.takes_word("not") {
            return Ok(Condition::Not(Box::new(self.one()?)));
        }
        if self.takes_word("inside") {
            self.sign("(", "`(` after inside")?;
            return Ok(Condition::Inside(self.region()?));
        }
        if self.is_sign("(") {
            self.advance();
            let inner = self.any()?;
            self.sign(")", "`and`, `or` or `)`")?;
            return Ok(inner);
        }
        let left = self.value("a condition, such as inside(solve) or phase == 2")?;
        let Some(comparison) = self.comparison() else {
            return self.fail("one of == != < <= > >=");
        };
        self.advance();
        let right = self.value("a number, a metric, thread or threads")?;
        Ok(Condition::Compare(left, comparison, right))
    }

    fn comparison(&self) -> Option<Comparison> {
        let mut all = Comparison::ALL.iter();
        all.find(|(sign, _)| self.is_sign(sign))
            .map(|(_, comparison)| *comparison)
    }

    fn value(&mut self, expected: &str) -> Parsed<Value> {
        if let Kind::Number(number) = self.token().kind {
            self.advance();
            return Ok(Value::Number(number));
        }
        if self.takes_word("thread") {
            return Ok(Value::Thread);
        }
        if self.takes_word("threads") {
            return Ok(Value::Threads);
        }
        self.metric_name(expected).map(Value::Metric)
    }
}

fn joined(mut all: Vec<Condition>, join: fn(Vec<Condition>) -> Condition) -> Condition {
    match all.len() {
        1 => all.remove(0),
        _ => join(all),
    }
}
