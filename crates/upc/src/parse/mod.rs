//! The parser: C99 and C11 with the GNU extensions, and UPC. Methods of [`parser::Parser`] follow
//! typedef names and scopes, have every expression typed, and note what is to be lowered.

pub mod builtin;
pub mod decl;
pub mod declarator;
pub mod expr;
pub mod init;
pub mod parser;
pub mod record;
pub mod recover;
pub mod specs;
pub mod stmt;
