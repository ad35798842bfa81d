//! Cartesian topologies: threads at the points of a grid, so that a viewer can draw a metric over
//! it.

use std::collections::BTreeMap;

/// One axis of a grid.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Dimension {
    /// May be empty.
    pub name: String,
    /// Points along it.
    pub size: usize,
    /// Whether the last point is a neighbour of the first.
    pub periodic: bool,
}

/// Where threads stand on a grid.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Topology {
    /// May be empty.
    pub name: String,
    /// At least one.
    pub dimensions: Vec<Dimension>,
    /// By thread: one coordinate per dimension, each smaller than the dimension's size. A thread
    /// that is not there is not on the grid.
    pub coordinates: BTreeMap<usize, Vec<usize>>,
}

impl Topology {
    /// Threads in a row: the topology that every program has.
    pub fn line(threads: usize) -> Self {
        Topology {
            name: "Threads".into(),
            dimensions: vec![Dimension {
                name: "thread".into(),
                size: threads,
                periodic: false,
            }],
            coordinates: (0..threads).map(|thread| (thread, vec![thread])).collect(),
        }
    }

    /// Fault of the topology for a cube of `threads` threads; `None` if there is none.
    pub fn problem(&self, threads: usize) -> Option<String> {
        if self.dimensions.is_empty() {
            return Some("it has no dimension".into());
        }
        for (&thread, at) in &self.coordinates {
            if thread >= threads {
                return Some(format!("it names thread {thread}, there are {threads}"));
            }
            let inside = at.len() == self.dimensions.len()
                && (at.iter().zip(&self.dimensions)).all(|(c, dimension)| *c < dimension.size);
            if !inside {
                return Some(format!("thread {thread} is outside of it"));
            }
        }
        None
    }
}
