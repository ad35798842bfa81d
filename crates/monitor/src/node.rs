//! The threads of a run on this machine, looked at again and again.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use pgas_live::{LivePage, Problem, page, place};
use pgas_trace::metadata::Metadata;
use serde::{Deserialize, Serialize};

use crate::thread::{Seen, Thread};

/// The pages of a run on this machine.
#[derive(Debug)]
pub struct NodeBoard {
    place: PathBuf,
    key: String,
    experiment: PathBuf,
    metadata: Option<Metadata>,
    threads: BTreeMap<u32, Thread>,
}

/// A way to look at a thread.
type See = fn(&mut Thread, Option<(&Path, &Metadata)>) -> Result<Seen, Problem>;

/// What a node sees of a run.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct NodePart {
    /// Identifier of the run; empty if there is no page.
    pub run: String,
    /// What the program's runtime calls itself; empty if it does not say.
    pub runtime: String,
    /// Threads of the program, on all nodes; 0 if there is no page.
    pub threads: u32,
    /// The threads on this node.
    pub seen: Vec<Seen>,
    /// Number of threads that were killed and left their pages behind.
    pub killed: usize,
    /// Pages that cannot be read, and why.
    pub problems: Vec<String>,
}

impl NodeBoard {
    /// Of the run whose files in the directory `place` are named by `key`.
    pub fn new(place: &Path, key: &str, experiment: &Path) -> Self {
        NodeBoard {
            place: place.to_owned(),
            key: key.to_owned(),
            experiment: experiment.to_owned(),
            metadata: Metadata::load(experiment).ok(),
            threads: BTreeMap::new(),
        }
    }

    /// What the threads do now, and did since the last look.
    ///
    /// # Errors
    /// If the directory of the pages cannot be read.
    pub fn look(&mut self) -> io::Result<NodePart> {
        self.see(Thread::look)
    }

    /// The same, but the next look does not begin here.
    ///
    /// # Errors
    /// As [`NodeBoard::look`].
    pub fn peek(&mut self) -> io::Result<NodePart> {
        self.see(Thread::peek)
    }

    fn see(&mut self, see: See) -> io::Result<NodePart> {
        let mut part = NodePart {
            problems: self.add_new()?,
            ..NodePart::default()
        };
        let header = self.threads.values().next();
        if let Some(header) = header.map(|thread| thread.page().header()) {
            (part.run, part.threads) = (page::text(&header.run), header.threads);
            part.runtime = page::text(&header.runtime);
        }
        let description = self
            .metadata
            .as_ref()
            .map(|metadata| (&*self.experiment, metadata));
        for thread in self.threads.values_mut() {
            match see(thread, description) {
                Ok(seen) => part.seen.push(seen),
                Err(Problem::Stale { .. }) => part.killed += 1,
                Err(problem) => part.problems.push(problem.to_string()),
            }
        }
        Ok(part)
    }

    /// Opens pages that are new. Returns why some cannot be read.
    fn add_new(&mut self) -> io::Result<Vec<String>> {
        let mut problems = Vec::new();
        for found in place::all(&self.place)? {
            if found.key != self.key || self.threads.contains_key(&found.thread) {
                continue;
            }
            match LivePage::open(&found.path) {
                Ok(page) => {
                    self.threads.insert(found.thread, Thread::new(page));
                }
                Err(Problem::Beginning { .. }) => {}
                Err(Problem::Io { error, .. }) if error.kind() == io::ErrorKind::NotFound => {}
                Err(problem) => problems.push(problem.to_string()),
            }
        }
        Ok(problems)
    }
}
