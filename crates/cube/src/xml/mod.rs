//! The XML that CUBE 3 and CUBE 4 have in common: the same trees, spelled a little differently.

mod build;
mod dialect;
mod document;
mod escape;
mod ids;
mod number;
mod parser;
mod plan;
mod steps;
mod text;
mod topologies;
mod trees;
mod unescape;
mod unfit;

pub(crate) use build::{Document, MetricData};
pub(crate) use dialect::Dialect;
pub(crate) use document::{parse, too_much};
pub(crate) use number::push as push_number;
pub(crate) use plan::Plan;
pub(crate) use steps::{Step, steps};
pub(crate) use text::{element, line};
use text::{line_number, paragraph};
pub(crate) use trees::Program4;

/// How much a file may contain before it is refused.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Bytes of the XML document, uncompressed.
    pub file_bytes: u64,
    /// Nesting of elements, and so of call paths.
    pub depth: usize,
    /// Metrics, regions, call paths, threads: each.
    pub entries: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            file_bytes: 16 << 30,
            depth: 1 << 16,
            entries: 1 << 24,
        }
    }
}
