//! The parser: C99 and C11 with the GNU extensions, and UPC. It follows typedef names and scopes, types every
//! expression as it goes, and notes what must be changed.

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
