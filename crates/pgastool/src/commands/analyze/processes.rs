//! Several processes for one analysis: whether this one was started together with others, by mpirun
//! or the like, and how it reaches them. Without the feature `mpi` they cannot reach each other,
//! and must not all do the same work.

use crate::failure::{Failure, Outcome};
use crate::terminal::Ui;
use pgas_analyze::distributed::Team;
use pgas_trace::Interruption;
use rayon::ThreadPool;

/// Environment variables that launchers set for each process: the number of processes, and the rank
/// of this one.
const LAUNCHERS: [(&str, &str); 3] = [
    ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"),
    ("PMI_SIZE", "PMI_RANK"),
    // `srun --mpi=pmix`; of a batch script itself, only the first is set.
    ("SLURM_STEP_NUM_TASKS", "PMIX_RANK"),
];

/// Place of this process among several that were started together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    rank: usize,
    size: usize,
}

/// `None`: it was started alone. `variable` looks into the environment.
fn place(variable: impl Fn(&str) -> Option<String>) -> Option<Place> {
    let number = |name| variable(name)?.trim().parse::<usize>().ok();
    LAUNCHERS.into_iter().find_map(|(size, rank)| {
        let (size, rank) = (number(size)?, number(rank)?);
        (size > 1).then_some(Place { rank, size })
    })
}

/// Runs `lead` in a process that was started alone, or that leads others, with the team of these.
/// In all others, helps that one, and says nothing unless it loses it.
pub fn run(
    cores: &ThreadPool,
    interruption: &Interruption,
    ui: &Ui,
    lead: impl FnOnce(Option<&mut Team>) -> Outcome,
) -> Outcome {
    match place(|name| std::env::var(name).ok()) {
        None => lead(None),
        Some(place) => together(place, cores, interruption, ui, lead),
    }
}

#[cfg(feature = "mpi")]
fn together(
    _: Place,
    cores: &ThreadPool,
    interruption: &Interruption,
    ui: &Ui,
    lead: impl FnOnce(Option<&mut Team>) -> Outcome,
) -> Outcome {
    use crate::failure::UNUSABLE;
    use pgas_analyze::distributed::{Exchange, help};
    use pgas_mpi_exchange::MpiExchange;

    let mut exchange = MpiExchange::connect()?;
    if exchange.rank() > 0 {
        if let Err(error) = help(&mut exchange, cores, interruption) {
            // The one that leads waits for this one, and cannot be told.
            ui.failure(&Failure::from(error));
            exchange.abort(UNUSABLE);
        }
        return Ok(0);
    }
    let mut team = Team::new(&mut exchange, cores, interruption);
    let outcome = lead(Some(&mut team));
    let dismissed = team.dismiss();
    let outcome = outcome?;
    dismissed?;
    Ok(outcome)
}

#[cfg(not(feature = "mpi"))]
fn together(
    place: Place,
    _: &ThreadPool,
    _: &Interruption,
    _: &Ui,
    _: impl FnOnce(Option<&mut Team>) -> Outcome,
) -> Outcome {
    use crate::failure::UNUSABLE;

    if place.rank > 0 {
        // One message is enough.
        return Ok(UNUSABLE);
    }
    let failure = Failure::new(format!(
        "started as {} processes, which would all do the same: this pgastool was built without MPI",
        place.size
    ));
    Err(failure.help(
        "start it once; or build it with `cargo build --release --workspace --features \
         pgastool/mpi` (Debian: libopenmpi-dev openmpi-bin libclang-dev), and the processes share \
         the work",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(variables: &[(&str, &str)]) -> Option<Place> {
        let found = |name: &str| variables.iter().find(|(known, _)| *known == name);
        place(|name| found(name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn processes_that_were_started_together_know_it() {
        let two = Some(Place { rank: 1, size: 2 });
        assert_eq!(of(&[]), None);
        assert_eq!(
            of(&[("OMPI_COMM_WORLD_SIZE", "2"), ("OMPI_COMM_WORLD_RANK", "1")]),
            two
        );
        assert_eq!(of(&[("PMI_SIZE", "2"), ("PMI_RANK", "1")]), two);
        assert_eq!(
            of(&[("SLURM_STEP_NUM_TASKS", "2"), ("PMIX_RANK", "1")]),
            two
        );
        // One process is alone, and a batch script is no process of the job's.
        assert_eq!(
            of(&[("OMPI_COMM_WORLD_SIZE", "1"), ("OMPI_COMM_WORLD_RANK", "0")]),
            None
        );
        assert_eq!(of(&[("SLURM_STEP_NUM_TASKS", "8")]), None);
    }
}
