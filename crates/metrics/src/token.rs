//! Splits the text of a definition into tokens.

use crate::error::DefinitionError;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Letters, digits, `_` and the characters of wildcards.
    Word(String),
    /// Text in double quotes, without these.
    Quoted(String),
    /// An integer, in nanoseconds where it has a unit.
    Number(u64),
    /// Punctuation and comparisons.
    Sign(&'static str),
    End,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    /// Characters before it.
    pub(crate) column: usize,
}

/// Longer signs first.
const SIGNS: [&str; 9] = ["==", "!=", "<=", ">=", "<", ">", "=", "(", ")"];
const UNITS: [(&str, u64); 4] = [
    ("ns", 1),
    ("us", 1000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
];

impl Token {
    /// The token as error messages show it.
    pub(crate) fn shown(&self) -> String {
        match &self.kind {
            Kind::Word(word) => format!("`{word}`"),
            Kind::Quoted(text) => format!("\"{text}\""),
            Kind::Number(number) => format!("the number {number}"),
            Kind::Sign(sign) => format!("`{sign}`"),
            Kind::End => "the end".to_owned(),
        }
    }
}

/// All tokens of `text`, and [`Kind::End`].
pub(crate) fn tokens(text: &str) -> Result<Vec<Token>, DefinitionError> {
    let characters: Vec<char> = text.chars().collect();
    let (mut tokens, mut at) = (Vec::new(), 0);
    while at < characters.len() {
        if characters[at].is_whitespace() {
            at += 1;
            continue;
        }
        let (kind, length) = next(text, &characters, at)?;
        tokens.push(Token { kind, column: at });
        at += length;
    }
    let column = characters.len();
    tokens.push(Token {
        kind: Kind::End,
        column,
    });
    Ok(tokens)
}

/// The token at `at`, and its number of characters.
fn next(text: &str, characters: &[char], at: usize) -> Result<(Kind, usize), DefinitionError> {
    let rest = &characters[at..];
    let begins_with = |sign: &&&str| rest.iter().copied().take(sign.len()).eq(sign.chars());
    if let Some(sign) = SIGNS.iter().find(begins_with) {
        return Ok((Kind::Sign(sign), sign.len()));
    }
    match rest[0] {
        '"' => quoted(text, rest, at),
        first if first.is_ascii_digit() => number(text, rest, at),
        first if is_of_word(first) => {
            let word: String = rest
                .iter()
                .copied()
                .take_while(|&c| is_of_word(c))
                .collect();
            let length = word.chars().count();
            Ok((Kind::Word(word), length))
        }
        other => Err(error(
            text,
            at,
            format!("`{other}`"),
            "a name, a number or one of ( ) = ! < >",
        )),
    }
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || "_*?[]:.-".contains(c)
}

fn quoted(text: &str, rest: &[char], at: usize) -> Result<(Kind, usize), DefinitionError> {
    let inner: String = rest[1..]
        .iter()
        .copied()
        .take_while(|&c| c != '"')
        .collect();
    let length = inner.chars().count() + 2;
    match rest.len() < length {
        true => Err(error(
            text,
            at,
            "text without an end".to_owned(),
            "a closing \"",
        )),
        false => Ok((Kind::Quoted(inner), length)),
    }
}

fn number(text: &str, rest: &[char], at: usize) -> Result<(Kind, usize), DefinitionError> {
    let digits: String = rest
        .iter()
        .copied()
        .take_while(char::is_ascii_digit)
        .collect();
    let after = rest[digits.len()..].iter().copied();
    let unit: String = after.take_while(|c| c.is_alphanumeric()).collect();
    let length = digits.len() + unit.chars().count();
    let factor = match UNITS.iter().find(|(name, _)| *name == unit) {
        _ if unit.is_empty() => 1,
        Some((_, factor)) => *factor,
        None => {
            let found = format!("the unit `{unit}`");
            return Err(error(
                text,
                at + digits.len(),
                found,
                "ns, us, ms, s or no unit",
            ));
        }
    };
    let value = digits
        .parse::<u64>()
        .ok()
        .and_then(|value| value.checked_mul(factor));
    let too_large = || error(text, at, format!("{digits}{unit}"), "a number below 2^64");
    Ok((Kind::Number(value.ok_or_else(too_large)?), length))
}

pub(crate) fn error(text: &str, column: usize, found: String, expected: &str) -> DefinitionError {
    DefinitionError {
        text: text.to_owned(),
        column,
        found,
        expected: expected.to_owned(),
        file: None,
    }
}
