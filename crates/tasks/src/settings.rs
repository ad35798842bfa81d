//! Settings of a run from the environment, which outrank those of the program.

use std::env;
use std::num::NonZeroUsize;
use std::path::Path;
use std::thread;

use crate::failure::Failure;
use crate::mapping::Mapping;

const PROCESSORS: &str = "PGAS_TASK_PROCESSORS";
const MAP: &str = "PGAS_TASK_MAP";
const PROCESSES: &str = "PGAS_TASK_PROCESSES";
/// Each is a thread.
const MOST: usize = 4096;
/// Each has a socket to each other one.
const MOST_PROCESSES: usize = 64;

/// Number of processors: by `PGAS_TASK_PROCESSORS`, by the program, or all that this process may
/// use; one for each process at least.
pub(crate) fn processors(program: Option<usize>, processes: usize) -> Result<usize, Failure> {
    let Some(value) = env::var_os(PROCESSORS) else {
        let all = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
        return Ok(program.unwrap_or_else(all).clamp(processes, MOST));
    };
    let number = value.to_str().and_then(|value| value.trim().parse().ok());
    let number = number
        .filter(|number| (1..=MOST).contains(number))
        .ok_or_else(|| Failure::Variable {
            variable: PROCESSORS,
            value: value.to_string_lossy().into_owned(),
            expected: "a number from 1 to 4096",
        })?;
    if number < processes {
        return Err(Failure::Variable {
            variable: PROCESSORS,
            value: number.to_string(),
            expected: "the number of processes at least, each of which has a processor",
        });
    }
    Ok(number)
}

/// Number of processes: by `PGAS_TASK_PROCESSES`, by the program, or one.
pub(crate) fn processes(program: Option<usize>) -> Result<usize, Failure> {
    let Some(value) = env::var_os(PROCESSES) else {
        return Ok(program.unwrap_or(1).clamp(1, MOST_PROCESSES));
    };
    let number = value.to_str().and_then(|value| value.trim().parse().ok());
    number
        .filter(|number| (1..=MOST_PROCESSES).contains(number))
        .ok_or_else(|| Failure::Variable {
            variable: PROCESSES,
            value: value.to_string_lossy().into_owned(),
            expected: "a number from 1 to 64",
        })
}

/// Mapping of tasks: by the file that `PGAS_TASK_MAP` names, or by the program.
pub(crate) fn mapping(program: &Mapping) -> Result<Mapping, Failure> {
    match env::var_os(MAP) {
        Some(path) if !path.is_empty() => Mapping::file(Path::new(&path)),
        _ => Ok(program.clone()),
    }
}
