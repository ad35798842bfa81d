//! The text as tokens.

pub mod lex;
pub mod literal;
pub mod old_words;
pub mod token;
pub mod words;
