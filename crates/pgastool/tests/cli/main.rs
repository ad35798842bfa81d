//! The command line as its user sees it: the whole cycle, the contract that scripts rely on, and an
//! answer to every kind of trouble that a newcomer runs into. All of it with the real compiler,
//! recorder and analysis.

mod answers;
mod belonging;
mod bench;
mod busy;
mod caches;
mod collectives;
mod comparing;
mod compiling;
mod control;
mod convert;
mod counted;
mod cube;
mod cycle;
mod damage;
mod deep;
mod dialogues;
mod disagreement;
mod elsewhere;
mod events;
mod explaining;
mod exports;
mod filtering;
mod functions;
mod halves;
mod helpers;
mod interrupting;
mod launching;
mod limits;
mod model_names;
mod models;
#[path = "../measured/mpi.rs"]
mod mpi;
mod mpi_calls;
mod networks;
mod newcomer;
#[path = "../../../trace/tests/support/not_tested.rs"]
mod not_tested;
mod oshfort;
mod overhead;
mod prelinked;
mod recording;
mod resting;
mod running;
mod sampling;
mod scoring;
mod sites;
mod sourcing;
mod summed;
mod synchronization;
mod timing;
mod tour;
