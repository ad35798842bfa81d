//! The program of a driver: its arguments, the job on all threads, one case after another.

use crate::agreement::{agree, agreed};
use crate::case::{Checked, find, perform};
use crate::clock::Clock;
use crate::identity::Nodes;
use crate::interface::{Operation, Transport};
use crate::job;
use crate::list;
use crate::operation::Prepared;
use crate::output::Output;
use crate::processes::Timed;
use crate::repeats::divide;
use crate::threads::Threads;
use pgas_timing::job::{Case, Job};
use pgas_timing::record::{Record, Start};
use pgas_timing::session::Session;
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
    families: *const *const *const Operation,
    own: *const Operation,
    argc: c_int,
    argv: *const *const c_char,
) -> c_int {
    // SAFETY: as the caller promises.
    let (threads, operations, words) = unsafe {
        (
            Threads::new(&*through),
            all(families, own),
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
/// The list of families and each family end with null, and all live as long as the program.
unsafe fn all<'a>(
    families: *const *const *const Operation,
    own: *const Operation,
) -> Vec<&'a Operation> {
    // SAFETY: as the caller promises.
    unsafe {
        let families = until_null(families).into_iter();
        let all = families.flat_map(|family| until_null(family));
        let all = all.chain((!own.is_null()).then_some(own));
        all.map(|operation| &*operation).collect()
    }
}

/// The pointers of a table.
///
/// # Safety
/// It ends with null.
unsafe fn until_null<T>(table: *const *const T) -> Vec<*const T> {
    // SAFETY: as the caller promises, each element up to the null is there.
    let all = (0..).map(|i| unsafe { *table.add(i) });
    all.take_while(|element| !element.is_null()).collect()
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

fn time_all(threads: Threads, operations: &[&Operation], job: &Job, output: Output) -> i32 {
    let places = Nodes::find(threads);
    let settings = &job.settings;
    let node = places.with(threads.own());
    let clock = Clock::new(threads, settings.timer, settings.fault, &node);
    let clock = match agreed(threads, clock) {
        Ok(clock) => clock,
        Err(reason) => {
            say(threads, &reason);
            return FAILED;
        }
    };
    let processes = Timed::new(threads, clock, &places);
    let session = Session::begin(&processes, settings);
    let mut cases = Cases {
        processes: &processes,
        session,
        operations,
        job,
        output,
    };
    cases.begin(&places);
    if cases.may_use_timer() {
        for (number, case) in job.cases.iter().enumerate() {
            cases.time_case(number, case);
        }
    }
    cases.output.write(&Record::End);
    DONE
}

/// State of one thread that goes through the cases.
struct Cases<'a> {
    processes: &'a Timed<'a>,
    session: Session<'a, Timed<'a>>,
    operations: &'a [&'a Operation],
    job: &'a Job,
    output: Output<'a>,
}

impl Cases<'_> {
    fn begin(&mut self, places: &Nodes) {
        let threads = self.processes.threads();
        let reading = self.session.reading();
        self.output.write(&Record::Start(Start {
            model: threads.model(),
            implementation: threads.implementation(),
            nodes: places.of.clone(),
            hosts: places.hosts.clone(),
            have_cores: places.have_cores,
            timer: self.job.settings.timer,
            resolution: Some(reading.resolution).filter(|step| step.is_finite()),
            reading: reading.cost,
        }));
        self.write_clocks();
    }

    /// Writes the comparisons of clocks since the last call.
    fn write_clocks(&mut self) {
        while let Some(clocks) = self.session.clocks() {
            self.output.write(&Record::Clocks(clocks));
        }
    }

    /// Tries the timer on operations of known length; the answer is the same on all threads.
    fn may_use_timer(&mut self) -> bool {
        if !self.job.settings.check_timer {
            return true;
        }
        let check = self.session.check_timer();
        let refused = check.as_ref().map(|check| check.refused.clone());
        if let Some(check) = check {
            self.output.write(&Record::Timer(check));
        }
        self.write_clocks();
        agree(self.processes.threads(), &refused.unwrap_or_default()).is_ok()
    }

    fn time_case(&mut self, number: usize, case: &Case) {
        let operation = find(self.operations, case);
        let (processes, settings) = (self.processes, &self.job.settings);
        let timed = operation.and_then(|operation| {
            perform(processes, operation, case, settings, |prepared, checked| {
                for repetition in 0..settings.repetitions.max(1) {
                    self.time(number, case, repetition, prepared, checked);
                }
            })
        });
        if let Err(reason) = timed {
            self.fail(number, reason);
        }
    }

    fn time(
        &mut self,
        case: usize,
        what: &Case,
        repetition: u32,
        prepared: &mut Prepared,
        checked: Checked,
    ) {
        let output = &mut self.output;
        let mut progress = |launches| output.write(&Record::Progress { case, launches });
        let measured = self.session.time(prepared, &mut progress);
        self.write_clocks();
        match measured {
            None => {}
            Some(Err(few)) => self.fail(case, few.to_string()),
            Some(Ok(measured)) => {
                let timing = measured.into_timing(case, what.clone(), repetition, checked.verified);
                let timing = divide(timing, checked.repeats);
                self.output.write(&Record::Timing(timing));
            }
        }
    }

    fn fail(&mut self, case: usize, reason: String) {
        self.output.write(&Record::Failed { case, reason });
    }
}
