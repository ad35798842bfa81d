//! Collects Cartesian topologies, whose coordinates name threads or processes by the ids of the
//! file.

use std::collections::HashMap;

use super::unfit::{Unfit, unfit};
use crate::topology::{Dimension, Topology};

/// Owner of coordinates, by its id in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    Thread(usize),
    Process(usize),
}

/// A topology as the file has it.
#[derive(Default)]
struct Pending {
    topology: Topology,
    declared_dimensions: usize,
    coordinates: Vec<(Owner, Vec<usize>)>,
}

/// Those of the file so far.
#[derive(Default)]
pub(super) struct Topologies {
    all: Vec<Pending>,
    coordinates: usize,
}

impl Topologies {
    /// Coordinates of all of them.
    pub fn len(&self) -> usize {
        self.coordinates
    }

    pub fn open(&mut self, name: String, dimensions: usize) {
        self.all.push(Pending {
            topology: Topology {
                name,
                ..Topology::default()
            },
            declared_dimensions: dimensions,
            coordinates: Vec::new(),
        });
    }

    pub fn dimension(&mut self, dimension: Dimension) {
        if let Some(open) = self.all.last_mut() {
            open.topology.dimensions.push(dimension);
        }
    }

    pub fn coordinate(&mut self, owner: Owner, text: &str) -> Result<(), Unfit> {
        let Some(open) = self.all.last_mut() else {
            return Ok(());
        };
        let mut at = Vec::new();
        for word in text.split_ascii_whitespace() {
            match word.parse() {
                Ok(number) => at.push(number),
                Err(_) => return unfit(format!("coordinate {word:?}"), "a natural number"),
            }
        }
        self.coordinates += 1;
        open.coordinates.push((owner, at));
        Ok(())
    }

    pub fn close(&mut self) -> Result<(), Unfit> {
        let Some(open) = self.all.last() else {
            return Ok(());
        };
        let count = open.topology.dimensions.len();
        if count == 0 || count != open.declared_dimensions {
            return unfit(
                format!("{count} <dim> where ndims is {}", open.declared_dimensions),
                "as many, and at least one",
            );
        }
        let sizes = || open.topology.dimensions.iter().map(|d| d.size);
        for (_, at) in &open.coordinates {
            if at.len() != count || at.iter().zip(sizes()).any(|(&c, size)| c >= size) {
                return unfit(
                    format!("coordinates {at:?}"),
                    format!("one for each of {count} dimensions, inside of it"),
                );
            }
        }
        Ok(())
    }

    /// With indices of threads: `order` is that of the entries, whose ids and whose processes' ids
    /// the others are. A process's coordinates are those of its first thread.
    pub fn finish(
        self,
        thread_ids: &[usize],
        order: &[usize],
        process_ids: &[Option<usize>],
    ) -> Result<Vec<Topology>, Unfit> {
        let mut of_thread = HashMap::new();
        let mut of_process = HashMap::new();
        for (index, &entry) in order.iter().enumerate() {
            of_thread.insert(thread_ids[entry], index);
            if let Some(process) = process_ids[entry] {
                of_process.entry(process).or_insert(index);
            }
        }
        let mut topologies = Vec::new();
        for mut pending in self.all {
            for (owner, at) in pending.coordinates {
                let thread = match owner {
                    Owner::Thread(id) => of_thread.get(&id),
                    Owner::Process(id) => of_process.get(&id),
                };
                match thread {
                    Some(&thread) => pending.topology.coordinates.insert(thread, at),
                    None => return unfit(format!("coordinates of {owner:?}"), "the id of one"),
                };
            }
            topologies.push(pending.topology);
        }
        Ok(topologies)
    }
}
