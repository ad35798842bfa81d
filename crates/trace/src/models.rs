//! Programming models of an experiment: those of the operations that its threads called.

use std::collections::BTreeSet;

pub use pgas_base::models::{Model, Words, names};

use crate::model::{Operation, Site};
use crate::properties::RUNTIME;
use crate::reader::{Experiment, Stream};

/// The model that the operation at a site is of, where `runtime` reported it; `None` for functions
/// of the program, for memory of the C library and for standstills.
pub fn of_site(site: &Site, runtime: Option<Model>) -> Option<Model> {
    use Operation::{Malloc, MallocFree, Realloc};
    let operation = site.operation;
    if operation == Operation::Task || operation == Operation::Idle || operation.is_of_tasks() {
        return Some(Model::Tasks);
    }
    let is_other = operation.is_user()
        || operation.is_standstill()
        || matches!(operation, Malloc | Realloc | MallocFree);
    (!is_other).then(|| Model::of_operation(&site.name, runtime))
}

/// The models of a program: that of its runtime, if it is known, and those of its operations, in
/// the order of [`Model::ALL`].
pub fn of_program<'a>(
    runtime: Option<Model>,
    sites: impl IntoIterator<Item = &'a Site>,
) -> Vec<Model> {
    let operations = sites.into_iter();
    let models = operations.filter_map(|site| of_site(site, runtime));
    let models: BTreeSet<Model> = runtime.into_iter().chain(models).collect();
    models.into_iter().collect()
}

/// The model of the runtime that reported the events of some streams; `None` if they do not say
/// it, as those of UPC's runtimes.
pub fn of_runtime<'a>(streams: impl IntoIterator<Item = &'a Stream>) -> Option<Model> {
    let mut streams = streams.into_iter();
    streams.find_map(|stream| Model::from_id(stream.property(RUNTIME)?))
}

impl Experiment {
    /// The models of the program.
    pub fn models(&self) -> Vec<Model> {
        let sites = self.streams().iter().flat_map(Stream::sites);
        of_program(of_runtime(self.streams()), sites)
    }

    /// The words of the program for its threads.
    pub fn words(&self) -> Words {
        Words::of(&self.models())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(operation: Operation, name: &str) -> Site {
        Site {
            name: name.into(),
            ..Site::operation(operation, "a.c", 1)
        }
    }

    #[test]
    fn a_program_is_of_the_models_that_it_calls() {
        let main = Site::function("shmem_like_function", "a.c", 1);
        let malloc = call(Operation::Malloc, "");
        let put = call(Operation::Put, "shmem_int_p");
        let sync = call(Operation::Barrier, "sync all");
        let barrier = call(Operation::Barrier, "");
        let send = call(Operation::LibraryCall, "MPI_Send");
        assert_eq!(of_program(None, [&main, &malloc]), []);
        assert_eq!(of_program(None, [&main, &put]), [Model::OpenShmem]);
        assert_eq!(
            of_program(Some(Model::Coarrays), [&main, &sync, &send]),
            [Model::Coarrays, Model::Mpi]
        );
        assert_eq!(
            of_program(None, [&put, &barrier]),
            [Model::Upc, Model::OpenShmem]
        );
        assert_eq!(of_program(Some(Model::OpenShmem), []), [Model::OpenShmem]);
        let (task, idle) = (call(Operation::Task, "upc_like"), call(Operation::Idle, ""));
        assert_eq!(of_program(None, [&task, &idle, &malloc]), [Model::Tasks]);
    }
}
