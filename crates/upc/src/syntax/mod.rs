//! The text as tokens.

pub mod contextual_keywords;
pub mod lex;
pub mod literal;
pub mod token;
pub mod upc10_keywords;
