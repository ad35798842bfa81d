//! The viewer without a terminal: keys go in, and text of a screen comes out.

mod keys;
mod screens;
mod support;
mod tasks;
