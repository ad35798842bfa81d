//! The means that each programming model has against a loss, as advice names them: one table for
//! each model. Advice that has no meaning in a model is absent in its table.

mod coarrays;
pub(crate) mod descriptions;
mod mpi;
mod openshmem;
mod upc;

use pgas_earl::PathId;
use pgas_trace::models::{self, Model};

use crate::model::paths::CallPaths;

/// Phrases and sentences of advice. Like all texts, they say "thread".
pub(crate) struct Means {
    /// A block transfer of another thread's data, with its article: "one upc_memget".
    pub get: &'static str,
    /// A block transfer to another thread: "one upc_memput".
    pub put: &'static str,
    /// A transfer of elements that lie apart from each other, if there is one.
    pub strided_get: Option<&'static str>,
    /// Memory of the thread alone: "private memory".
    pub private: &'static str,
    /// An update that nothing interrupts, with its article.
    pub atomic: &'static str,
    /// The function that reduces values of all threads to one.
    pub reduction: &'static str,
    /// Advice on single accesses to the thread's own data, before a colon and what that would save;
    /// `{loop}` is the place of the loop.
    pub own_single: &'static str,
    /// The same of block transfers.
    pub own_block: &'static str,
    /// The same in a sentence of its own.
    pub own_access: &'static str,
    /// Advice on large transfers that take long: on reading, and on writing.
    pub overlap: [&'static str; 2],
    /// Advice on the cost of barriers.
    pub barrier: &'static str,
    /// End of "The time for ... varies: divide it more finely, or let ...".
    pub weaker_barrier: &'static str,
    /// Advice on frequent small collective operations.
    pub frequent_collective: &'static str,
    /// Advice on other collective operations.
    pub collective: &'static str,
    /// Means by which threads leave a collective operation earlier.
    pub early_exit: &'static str,
    /// Advice on the cost of fences.
    pub fence: &'static str,
    /// Advice on waiting in a collective allocation that is made once or a few times.
    pub allocate_once: &'static str,
    /// By pattern: remedies in place of its own.
    remedies: &'static [(&'static str, &'static str)],
    /// Whether the language distributes arrays over the threads, and its accesses to the thread's
    /// own data are like others: without that, nothing follows from who uses which data.
    pub has_layouts: bool,
    /// Whether collective operations are called with the synchronisation that they are to do.
    pub has_sync_modes: bool,
}

impl Means {
    /// Those for the operation at a path, where `runtime` reported it.
    pub fn at(paths: &CallPaths, path: PathId, runtime: Option<Model>) -> &'static Means {
        let of_site = |site| models::of_site(site, runtime);
        let model = paths.site(path).and_then(of_site).or(runtime);
        Means::of(model.unwrap_or(Model::Upc))
    }

    /// Those of a model.
    pub fn of(model: Model) -> &'static Means {
        match model {
            Model::Upc => &upc::MEANS,
            Model::OpenShmem => &openshmem::MEANS,
            Model::Coarrays => &coarrays::MEANS,
            Model::Mpi => &mpi::MEANS,
            // Tasks share no data: none of the losses that have means occurs in them.
            Model::Tasks => &upc::MEANS,
        }
    }

    /// The remedy of a pattern; `own` is the one that it has in UPC.
    pub fn remedy(&self, pattern: &str, own: &'static str) -> &'static str {
        let mut remedies = self.remedies.iter();
        let known = remedies.find(|(id, _)| *id == pattern);
        known.map_or(own, |(_, remedy)| remedy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detectors::wait_states::patterns::PATTERNS;

    fn texts(means: &Means) -> Vec<&'static str> {
        let fixed = [
            means.get,
            means.put,
            means.strided_get.unwrap_or_default(),
            means.private,
            means.atomic,
            means.reduction,
            means.own_single,
            means.own_block,
            means.own_access,
            means.overlap[0],
            means.overlap[1],
            means.barrier,
            means.weaker_barrier,
            means.frequent_collective,
            means.collective,
            means.early_exit,
            means.fence,
            means.allocate_once,
        ];
        let remedies = PATTERNS.iter().map(|p| means.remedy(p.id, p.remedy));
        fixed.into_iter().chain(remedies).collect()
    }

    #[test]
    fn each_model_is_advised_in_its_own_terms() {
        const FOREIGN: [(Model, &[&str]); 4] = [
            (Model::Upc, &["shmem", "sync images", "[p]", "MPI_"]),
            (
                Model::OpenShmem,
                &["upc", "UPC", "pointer-to-shared", "sync images", "MPI_"],
            ),
            (Model::Coarrays, &["upc", "UPC", "pointer", "shmem", "MPI_"]),
            (
                Model::Mpi,
                &["upc", "UPC", "pointer-to-shared", "shmem", "sync images"],
            ),
        ];
        for (model, foreign) in FOREIGN {
            for text in texts(Means::of(model)) {
                for word in foreign {
                    assert!(!text.contains(word), "{model:?}: {text}");
                }
            }
        }
    }

    #[test]
    fn remedies_are_of_patterns() {
        for model in Model::ALL {
            for (id, _) in Means::of(model).remedies {
                assert!(PATTERNS.iter().any(|pattern| pattern.id == *id), "{id}");
            }
        }
    }
}
