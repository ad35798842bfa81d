//! Words and modules of results follow from the models of the operations that a program calls.

use crate::common::{FILE, analyse, description, find};
use pgas_analyze::search::Stretch;
use pgas_analyze::{Analysis, Description, conclude};
use pgas_earl::StreamBuilder;
use pgas_trace::model::{Attributes, Operation, Site};
use pgas_trace::models::Model;

/// Two threads that meet in a barrier of this name, to which the second comes late.
fn meeting(names: &[&str]) -> Vec<StreamBuilder> {
    let stream = |late: u64| {
        let mut stream = StreamBuilder::new();
        stream.call(0, "main", FILE, 1);
        for (round, name) in (0..).zip(names) {
            let site = Site {
                name: (*name).into(),
                ..Site::operation(Operation::Barrier, FILE, 10 + round)
            };
            let begin = 100 * u64::from(round) + 10;
            let barrier = Attributes::Barrier { value: None };
            stream.enter(begin + late, site, barrier);
            stream.exit(begin + 60, Attributes::None);
        }
        stream.exit(100 * names.len() as u64, Attributes::None);
        stream
    };
    vec![stream(0), stream(50)]
}

fn analysed(names: &[&str], runtime: Option<Model>) -> Analysis {
    let sources = meeting(names).iter().map(StreamBuilder::source).collect();
    let description = Description {
        runtime,
        ..description(2)
    };
    conclude(
        &find(sources, Stretch::default()),
        1.0,
        description,
        Vec::new(),
    )
}

fn modules(analysis: &Analysis) -> Vec<(&str, &str)> {
    let regions = analysis
        .cube
        .regions
        .iter()
        .filter(|region| region.begin_line == 0);
    let named = regions.map(|region| (region.name.as_str(), region.module.as_str()));
    named.filter(|(_, module)| !module.is_empty()).collect()
}

fn why(analysis: &Analysis) -> &str {
    let mut findings = analysis.summary.findings.iter();
    let wait = findings.find(|finding| finding.metric == "wait_at_barrier");
    &wait.expect("a wait at a barrier").cause
}

#[test]
fn a_program_of_one_model_has_its_word() {
    let shmem = analysed(&["shmem_barrier_all"], None);
    assert_eq!(shmem.summary.models, ["openshmem"]);
    assert_eq!(modules(&shmem), [("shmem_barrier_all", "OpenSHMEM")]);
    assert!(why(&shmem).starts_with("PE 1 came last"), "{}", why(&shmem));
    assert_eq!(shmem.cube.threads[1].name, "PE 1");

    let coarrays = analysed(&["sync all"], Some(Model::Coarrays));
    assert_eq!(coarrays.summary.models, ["coarrays"]);
    assert_eq!(modules(&coarrays), [("sync all", "coarrays")]);
    assert!(
        why(&coarrays).starts_with("Image 2 came last"),
        "{}",
        why(&coarrays)
    );
    assert_eq!(coarrays.summary.findings[0].culprit_thread, Some(1));
    assert_eq!(coarrays.cube.threads[1].name, "Image 2");

    let upc = analyse(&meeting(&[""]));
    assert_eq!(upc.summary.models, ["upc"]);
    assert_eq!(modules(&upc), [("upc_barrier", "UPC")]);
    assert!(why(&upc).starts_with("Thread 1 came last"), "{}", why(&upc));
}

#[test]
fn a_mixed_program_shows_all_its_models_and_speaks_of_threads() {
    let mixed = analysed(&["", "shmem_barrier_all"], None);
    assert_eq!(mixed.summary.models, ["upc", "openshmem"]);
    let modules = modules(&mixed);
    assert_eq!(
        modules,
        [("upc_barrier", "UPC"), ("shmem_barrier_all", "OpenSHMEM")]
    );
    assert!(
        why(&mixed).starts_with("Thread 1 came last"),
        "{}",
        why(&mixed)
    );
}

#[test]
fn calls_of_mpi_do_not_change_the_word_of_another_model() {
    let both = analysed(&["sync all", "MPI_Barrier"], Some(Model::Coarrays));
    assert_eq!(both.summary.models, ["coarrays", "mpi"]);
    assert_eq!(
        modules(&both),
        [("sync all", "coarrays"), ("MPI_Barrier", "MPI")]
    );
    assert_eq!(both.cube.threads[0].name, "Image 1");
    let alone = analysed(&["MPI_Barrier"], None);
    assert_eq!(alone.cube.threads[1].name, "Rank 1");
    assert!(
        why(&alone).starts_with("Rank 1 came last"),
        "{}",
        why(&alone)
    );
}
