//! One case of the job, on all threads together: prepared, verified, timed, cleaned up.

use crate::agreement::agree;
use crate::arguments::{Told, refuse};
use crate::interface::{self, text};
use crate::messages::broadcast;
use crate::operation::Prepared;
use crate::processes::Timed;
use crate::threads::Threads;
use pgas_timing::job::{Case, Settings};
use std::ffi::c_int;
use std::time::{Duration, Instant};

/// Buffers of one size at most.
const MOST_BUFFERS: u64 = 4096;
/// Part of the host's memory that the buffers of all its threads may take together.
const MEMORY_SHARE: u64 = 4;
/// Buffers for data that is sent and for data that arrives.
const SIDES: u64 = 2;

const PAGE: usize = 4096;
/// Drivers begin each buffer at a cache line.
const SMALLEST_BUFFER: usize = 64;
const LONGEST_TOUCH: Duration = Duration::from_millis(500);
/// Launches between two looks at the clock.
const BETWEEN_LOOKS: usize = 16;

/// The operation of a case, if the driver has it and takes the arguments.
pub fn find<'a>(
    operations: &[&'a interface::Operation],
    case: &Case,
) -> Result<&'a interface::Operation, String> {
    let name = &case.operation;
    // SAFETY: the names of operations are strings of C.
    let named = |o: &&&interface::Operation| unsafe { text(o.name) } == *name;
    let Some(operation) = operations.iter().find(named) else {
        return Err(format!("there is no operation `{name}`"));
    };
    match (case.bytes, operation.sized != 0) {
        (Some(_), false) => return Err(format!("{name} has no size, but one was given")),
        (None, true) => return Err(format!("{name} needs a size")),
        _ => {}
    }
    match refuse(operation, &case.arguments) {
        Some(reason) => Err(format!("{name}: {reason}")),
        None => Ok(operation),
    }
}

/// Times a case of an operation. `time` gets the operation when its result has been checked, and
/// how often a launch performs it. The result is the same on all threads, as far as it is an error.
pub fn perform<T>(
    processes: &Timed,
    operation: &interface::Operation,
    case: &Case,
    settings: &Settings,
    time: impl FnOnce(&mut Prepared, Checked) -> T,
) -> Result<T, String> {
    let told = Told::new(operation, &case.arguments);
    let nodes = processes.nodes();
    let with = interface::Case {
        thread: processes.threads().own() as c_int,
        threads: processes.threads().number() as c_int,
        nodes: nodes.as_ptr(),
        bytes: case.bytes.unwrap_or(0) as usize,
        buffers: buffers(processes, case, settings) as c_int,
        driver: (&raw const told).cast_mut().cast(),
    };
    // SAFETY: the driver's operation; `with` and `told` live until the end of this function.
    let prepared = unsafe { Prepared::new(operation, &with, &told) };
    let mut reasons = told.take_complaints();
    if prepared.is_none() && reasons.is_empty() {
        reasons.push("it could not be prepared".to_string());
    }
    agree(processes.threads(), &reasons)?;
    let Some(mut prepared) = prepared else {
        return Err("it could not be prepared".to_string());
    };
    let verified = verify(processes, &mut prepared, &told);
    let result = verified.map(|verified| {
        touch(
            processes.threads(),
            &mut prepared,
            with.buffers as u64,
            with.bytes,
        );
        let repeats = told.repeats();
        time(&mut prepared, Checked { verified, repeats })
    });
    prepared.finish();
    result
}

/// An operation that is ready to be timed.
#[derive(Debug, Clone, Copy)]
pub struct Checked {
    /// Its result was checked and right; `None` if there is no check.
    pub verified: Option<bool>,
    /// How often a launch performs it.
    pub repeats: u64,
}

/// Performs one launch and checks its result. Threads may leave an operation before others have
/// its result, hence the barrier.
fn verify(processes: &Timed, prepared: &mut Prepared, told: &Told) -> Result<Option<bool>, String> {
    let threads = processes.threads();
    threads.barrier();
    prepared.perform(0);
    threads.barrier();
    let right = prepared.check();
    let mut reasons = told.take_complaints();
    if right == Some(false) && reasons.is_empty() {
        reasons.push("its result is wrong".to_string());
    }
    agree(threads, &reasons).map_err(|reason| format!("wrong result: {reason}"))?;
    Ok(right)
}

/// Performs the operation once in each page of its buffers: the first access of a process to a page
/// of another one's memory takes longer than most operations. Takes no longer than
/// [`LONGEST_TOUCH`], by the clock of thread 0.
fn touch(threads: Threads, prepared: &mut Prepared, buffers: u64, bytes: usize) {
    let each = bytes.max(1).next_multiple_of(SMALLEST_BUFFER);
    let step = (PAGE / each).max(1);
    let launches: Vec<u64> = (0..buffers).step_by(step).skip(1).collect();
    let begin = Instant::now();
    for some in launches.chunks(BETWEEN_LOOKS) {
        some.iter().for_each(|number| prepared.perform(*number));
        let goes_on = u8::from(begin.elapsed() < LONGEST_TOUCH);
        if broadcast(threads, vec![goes_on]) == [0] {
            break;
        }
    }
}

/// Buffers that exceed the cache twice, as far as there is memory for them.
fn buffers(processes: &Timed, case: &Case, settings: &Settings) -> u64 {
    let bytes = match case.bytes {
        Some(bytes) if bytes > 0 && !settings.warm => bytes,
        _ => return 1,
    };
    let enough = (2 * settings.cache_bytes).div_ceil(bytes);
    let fit = processes.memory() / MEMORY_SHARE / processes.most_on_a_node() / SIDES / bytes;
    enough.clamp(1, MOST_BUFFERS).min(fit.max(1))
}
