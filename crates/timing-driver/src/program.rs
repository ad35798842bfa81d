//! The program of a driver: its arguments, the job on all threads, one case after another.

use crate::case::{Checked, find, perform};
use crate::clock::Clock;
use crate::identity::Nodes;
use crate::interface::{Operation, Transport};
use crate::job;
use crate::list;
use crate::operation::Prepared;
use crate::output::Output;
use crate::processes::Timed;
use crate::simple;
use crate::threads::Threads;
use pgas_timing::job::{Case, Job};
use pgas_timing::record::{Record, Start, Timing};
use std::ffi::{CStr, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Status of a program that did what it was asked for; cases may have failed.
const DONE: i32 = 0;
/// Status of one that could not begin.
const FAILED: i32 = 1;
/// Status after arguments that it does not have.
const MISUSED: i32 = 2;
/// Status after an error of this program itself, as Rust has it.
const BROKEN: i32 = 101;

/// `pgas_time` of `pgas_timing.h`.
///
/// # Safety
/// As it says there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_time(
    through: *const Transport,
    operations: *const *const Operation,
    own: *const Operation,
    argc: c_int,
    argv: *const *const c_char,
) -> c_int {
    // SAFETY: as the caller promises.
    let (threads, operations, words) = unsafe {
        (
            Threads::new(&*through),
            all(operations, own),
            words(argc, argv),
        )
    };
    // Nothing may unwind into C, and the other threads would wait for this one forever.
    let done = catch_unwind(AssertUnwindSafe(|| run(threads, &operations, &words)));
    done.unwrap_or_else(|_| threads.end(BROKEN))
}

/// The driver's operations, and the one of the user's own.
///
/// # Safety
/// `operations` ends with null, and all live as long as the program.
unsafe fn all<'a>(
    operations: *const *const Operation,
    own: *const Operation,
) -> Vec<&'a Operation> {
    let mut all = Vec::new();
    // SAFETY: as the caller promises.
    unsafe {
        let mut next = operations;
        while let Some(operation) = (*next).as_ref() {
            all.push(operation);
            next = next.add(1);
        }
        all.extend(own.as_ref());
    }
    all
}

/// # Safety
/// `argv` are `argc` strings of C.
unsafe fn words(argc: c_int, argv: *const *const c_char) -> Vec<String> {
    // SAFETY: as the caller promises.
    let word = |i| unsafe { CStr::from_ptr(*argv.add(i)) };
    let words = (1..argc.max(0) as usize).map(|i| word(i).to_string_lossy().into_owned());
    words.collect()
}

fn run(threads: Threads, operations: &[&Operation], words: &[String]) -> i32 {
    match words {
        [list] if list == "--list" => {
            if threads.is_first() {
                // SAFETY: the operations of the driver.
                print!("{}", unsafe { list::lines(operations) });
            }
            DONE
        }
        [job, records] => match begin(threads, job, records) {
            Ok((job, output)) => time_all(threads, operations, &job, output),
            Err(reason) => {
                say(threads, &reason);
                FAILED
            }
        },
        _ => {
            say(threads, "arguments: JOB-FILE RECORD-FILE, or --list");
            MISUSED
        }
    }
}

/// One message for all threads.
fn say(threads: Threads, message: &str) {
    if threads.is_first() {
        eprintln!("pgas_time: {message}");
    }
}

fn begin<'a>(threads: Threads<'a>, job: &str, records: &str) -> Result<(Job, Output<'a>), String> {
    let job = job::read(threads, job)?;
    let output = Output::create(threads, records)?;
    Ok((job, output))
}

fn time_all(threads: Threads, operations: &[&Operation], job: &Job, mut output: Output) -> i32 {
    let places = Nodes::find(threads);
    let settings = &job.settings;
    let clock = Clock::new(
        threads,
        settings.timer,
        settings.fault,
        &places.with(threads.own()),
    );
    let clock = match crate::agreement::agreed(threads, clock) {
        Ok(clock) => clock,
        Err(reason) => {
            say(threads, &reason);
            return FAILED;
        }
    };
    let processes = Timed::new(threads, clock, &places);
    output.write(&Record::Start(start(&processes, job, &places)));
    for (number, case) in job.cases.iter().enumerate() {
        time_case(&processes, operations, job, number, case, &mut output);
    }
    output.write(&Record::End);
    DONE
}

fn start(processes: &Timed, job: &Job, places: &Nodes) -> Start {
    let threads = processes.threads();
    let (resolution, reading) = simple::reading(processes);
    Start {
        model: threads.model(),
        implementation: threads.implementation(),
        nodes: places.of.clone(),
        hosts: places.hosts.clone(),
        have_cores: places.have_cores,
        timer: job.settings.timer,
        resolution,
        reading,
    }
}

fn time_case(
    processes: &Timed,
    operations: &[&Operation],
    job: &Job,
    number: usize,
    case: &Case,
    output: &mut Output,
) {
    let time = |prepared: &mut Prepared, checked: Checked| {
        for repetition in 0..job.settings.repetitions.max(1) {
            let timing = simple::time(processes, prepared);
            if let Some(timing) = timing {
                output.write(&Record::Timing(Timing {
                    case: number,
                    what: case.clone(),
                    repetition,
                    repeats: checked.repeats,
                    verified: checked.verified,
                    ..timing
                }));
            }
        }
    };
    let timed = find(operations, case)
        .and_then(|operation| perform(processes, operation, case, &job.settings, time));
    if let Err(reason) = timed {
        output.write(&Record::Failed {
            case: number,
            reason,
        });
    }
}
