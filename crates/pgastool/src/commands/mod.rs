//! The commands, a module each: its arguments, and the calls of libraries that it is made of.

pub mod agent;
pub mod analyze;
pub mod compile;
pub mod convert;
pub mod cube;
pub mod demo;
pub mod diff;
pub mod doctor;
pub mod events;
pub mod explain;
pub mod include;
pub mod report;
pub mod run;
pub mod score;
pub mod script;
pub mod time;
pub mod view;
pub mod watch;
