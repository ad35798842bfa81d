//! The documentation keeps its promises: every page is in the book, every link leads somewhere, the
//! reference is that of the command line as it is, and every command that a page shows works and
//! prints what the page says.
//!
//! The commands take some minutes and are run by `scripts/test` in a step of its own:
//! `cargo test --release -p pgastool --test docs -- --ignored --nocapture`. With `DOC_PAGE=running`
//! only pages whose name contains that are run.

mod blocks;
mod book;
mod commands;
mod reference;
mod shape;
