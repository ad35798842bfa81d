//! Mapping of tasks to processors: decided once, when a task is created.
//!
//! A mapping sees what is the same in every run: the function of the task, its position among those
//! that its parent created, and the parent's processor. It decides where a task runs, and nothing
//! that the program can see.

mod table;

use std::path::Path;
use std::sync::Arc;

use crate::failure::Failure;
use table::Table;

/// A task that is about to be created.
#[derive(Clone, Copy, Debug)]
pub struct NewTask {
    /// Its function, without modules.
    pub name: &'static str,
    /// Position among the tasks that its parent created, from 0.
    pub nth: u32,
    /// Processor of the parent.
    pub parent_processor: usize,
}

/// Which processor runs a task.
#[derive(Clone, Default)]
pub struct Mapping(Kind);

type Function = dyn Fn(&NewTask, usize) -> usize + Send + Sync;

#[derive(Clone, Default)]
enum Kind {
    #[default]
    RoundRobin,
    Table(Arc<Table>),
    Function(Arc<Function>),
}

impl Mapping {
    /// The tasks that a task creates go to the processors after its own, one after another. A task
    /// that creates all others spreads them evenly, and so does a chain in which each task creates
    /// the next.
    #[must_use]
    pub fn round_robin() -> Self {
        Self(Kind::RoundRobin)
    }

    /// A function of the task and the number of processors. Results from that number on start from
    /// processor 0 again.
    #[must_use]
    pub fn function(function: impl Fn(&NewTask, usize) -> usize + Send + Sync + 'static) -> Self {
        Self(Kind::Function(Arc::new(function)))
    }

    /// A table, as a file has it; `source_name` is what errors call it.
    ///
    /// # Errors
    /// The first line that is wrong.
    pub fn table(source_name: &str, text: &str) -> Result<Self, Failure> {
        Ok(Self(Kind::Table(Arc::new(Table::parse(
            source_name,
            text,
        )?))))
    }

    /// A table in a file.
    ///
    /// # Errors
    /// A file that cannot be read, or the first line that is wrong.
    pub fn file(path: &Path) -> Result<Self, Failure> {
        let text = std::fs::read_to_string(path).map_err(|error| Failure::MapFile {
            path: path.to_owned(),
            error,
        })?;
        Self::table(&path.display().to_string(), &text)
    }

    /// The processor of a task, below `processors`.
    pub(crate) fn processor(&self, task: &NewTask, processors: usize) -> usize {
        let processor = match &self.0 {
            Kind::RoundRobin => round_robin(task),
            Kind::Table(table) => table.processor(task).unwrap_or_else(|| round_robin(task)),
            Kind::Function(function) => function(task, processors),
        };
        processor % processors
    }
}

fn round_robin(task: &NewTask) -> usize {
    (task.parent_processor + 1).wrapping_add(task.nth as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(nth: u32, parent_processor: usize) -> NewTask {
        NewTask {
            name: "worker",
            nth,
            parent_processor,
        }
    }

    #[test]
    fn round_robin_spreads_children_and_chains() {
        let mapping = Mapping::round_robin();
        let children: Vec<_> = (0..6)
            .map(|nth| mapping.processor(&task(nth, 0), 4))
            .collect();
        assert_eq!(children, [1, 2, 3, 0, 1, 2]);
        let next = |at: &usize| Some(mapping.processor(&task(0, *at), 4));
        let chain: Vec<_> = std::iter::successors(Some(0), next).take(6).collect();
        assert_eq!(chain, [0, 1, 2, 3, 0, 1]);
    }

    #[test]
    fn a_function_may_give_any_number() {
        let mapping = Mapping::function(|task, _| task.nth as usize + 7);
        assert_eq!(mapping.processor(&task(0, 0), 4), 3);
    }

    #[test]
    fn a_file_that_is_missing_is_named() {
        let Err(failure) = Mapping::file(Path::new("no/such.map")) else {
            panic!()
        };
        assert!(failure.to_string().contains("no/such.map"), "{failure}");
    }
}
