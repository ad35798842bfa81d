//! The text as tokens.

pub mod lex;
pub mod token;
