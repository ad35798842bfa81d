//! Results of timed operations for people and other programs.
//!
//! [`results::Results`] is the content of a result file. All else is made from it by functions
//! without side effects: tables ([`text`]), rows for spreadsheets ([`csv`]), the file itself
//! ([`json`]), plots ([`plots`]), a page with all of these ([`page`]), models ([`models`]), and
//! comparisons ([`compare`]).

pub mod compare;
pub mod csv;
pub mod json;
pub mod models;
pub mod page;
pub mod plots;
pub mod results;
pub mod text;

pub use names::arguments;

mod check;
mod file;
mod names;
mod plot;
mod remarks;
mod rows;
