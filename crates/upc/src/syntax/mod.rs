//! The text as tokens.

pub mod lex;
pub mod token;
pub mod words;
