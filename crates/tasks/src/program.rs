//! Runs of programs of tasks: starts processors and the main task, and waits for all tasks.

use std::ops::Range;
use std::sync::{Arc, Barrier, Once};
use std::thread::{self, JoinHandle};

use parking_lot::Mutex;

use crate::channel::{Message, number_from};
use crate::create::{begin_arrived, create_main};
use crate::failure::Failure;
use crate::function::TaskFunction;
use crate::here::{self, Parcel};
use crate::identity::{Identity, function_name};
use crate::machine::Machine;
use crate::mapping::Mapping;
use crate::note;
use crate::place::Place;
use crate::processor::Processor;
use crate::remote::join::{ONCE, job_size, join};
use crate::remote::{self, Local, Node, launch};
use crate::settings;
use crate::threads::Threads;
use crate::wait::WaitingTask;

/// Stack of a processor, for the calls of whichever task it runs.
const STACK_BYTES: usize = 8 << 20;

/// How a program runs: number of processors, and mapping of tasks.
#[derive(Clone, Default)]
pub struct Program {
    processors: Option<usize>,
    processes: Option<usize>,
    /// Why the program can run on one process only.
    alone: Option<&'static str>,
    mapping: Mapping,
}

/// Runs `main` as the main task, with the settings of the environment; see [`Program::run`].
///
/// # Errors
/// As [`Program::run`].
#[track_caller]
pub fn run<F, A>(main: F, arguments: A) -> Result<F::Output, Failure>
where
    F: TaskFunction<A> + Send,
    F::Output: Send,
    A: Message,
{
    Program::new().run(main, arguments)
}

impl Program {
    /// All processors of the machine, and round robin.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Runs on this many processors, unless `PGAS_TASK_PROCESSORS` says otherwise.
    #[must_use]
    pub fn processors(mut self, processors: usize) -> Self {
        self.processors = Some(processors);
        self
    }

    /// Runs on this many processes of this machine, unless `PGAS_TASK_PROCESSES` says otherwise.
    ///
    /// This process starts the others with the same arguments. They come to the same run, do their
    /// part, and end in it: only process 0 goes on.
    #[must_use]
    pub fn processes(mut self, processes: usize) -> Self {
        self.processes = Some(processes);
        self
    }

    /// Runs on one process only; if more are asked for, the run fails with this text.
    #[must_use]
    pub fn alone(mut self, why: &'static str) -> Self {
        self.alone = Some(why);
        self
    }

    /// Maps tasks so, unless `PGAS_TASK_MAP` names a file.
    #[must_use]
    pub fn mapping(mut self, mapping: Mapping) -> Self {
        self.mapping = mapping;
        self
    }

    /// Runs `main` as the main task, until it and all tasks have ended: what it returned.
    ///
    /// # Errors
    /// A task that panics, tasks that all wait, or settings that cannot be used. After a panic, all
    /// other tasks are ended, each within 128 operations on channels. One that computes without any
    /// is waited for.
    #[track_caller]
    pub fn run<F, A>(&self, main: F, arguments: A) -> Result<F::Output, Failure>
    where
        F: TaskFunction<A> + Send,
        F::Output: Send,
        A: Message,
    {
        self.run_at(function_name::<F>(), main, arguments, Place::caller())
    }

    /// Runs for a binding to another language, which knows the name of the main task and the place.
    ///
    /// # Errors
    /// As [`Program::run`].
    pub fn run_at<F, A>(
        &self,
        name: &'static str,
        main: F,
        arguments: A,
        place: Place,
    ) -> Result<F::Output, Failure>
    where
        F: TaskFunction<A> + Send,
        F::Output: Send,
        A: Message,
    {
        let processes = match job_size() {
            Some(processes) => processes,
            None => settings::processes(self.processes)?,
        };
        let processors = settings::processors(self.processors, processes)?;
        let mapping = settings::mapping(&self.mapping)?;
        if let (Some(why), true) = (self.alone, processes > 1) {
            return Err(Failure::Processes(why));
        }
        #[cfg(feature = "record")]
        if processes > 1 && crate::record::is_wanted() {
            return Err(Failure::Processes(crate::record::ALONE));
        }
        if remote::node().is_some() {
            return Err(ONCE);
        }
        let node = join(processes, processors)?;
        let part = Part::new(node, processors);
        let machine = Arc::new(part.machine(mapping));
        let result = Arc::new(Mutex::new(None));
        let keep = {
            let result = Arc::clone(&result);
            move |value| drop(result.lock().replace(value))
        };
        note::keep();
        note_places_of_panics();
        if let Some(node) = node {
            number_from(node.me);
            node.start(Arc::new(Host(Arc::clone(&machine))));
        }
        if part.process == 0 {
            create_main(&machine, name, main, arguments, place, keep);
        }
        let waiting = run_processors(&machine, &part);
        conclude(agree(node, &machine, waiting)?)?;
        let value = result.lock().take();
        // A run without failure and without waiting tasks has ended its main task.
        value.ok_or_else(|| Failure::Deadlock(Vec::new()))
    }
}

/// What this process has of the program.
struct Part {
    process: u32,
    own: Range<usize>,
    processors: usize,
}

impl Part {
    fn new(node: Option<&Node>, processors: usize) -> Self {
        Self {
            process: node.map_or(0, |node| node.me),
            own: node.map_or(0..processors, Node::own_processors),
            processors,
        }
    }

    fn machine(&self, mapping: Mapping) -> Machine<Parcel> {
        let report: fn() = || remote::node().into_iter().for_each(Node::report_idle);
        let several = self.own.len() < self.processors;
        let threads = Threads::part(self.own.clone(), self.processors, several.then_some(report));
        Machine::new(Box::new(threads), mapping, self.process)
    }
}

/// The machine, for what arrives from other processes.
struct Host(Arc<Machine<Parcel>>);

impl Local for Host {
    fn hold(&self) {
        self.0.transport.hold();
    }

    fn release(&self) -> bool {
        self.0.transport.release()
    }

    fn is_idle(&self) -> bool {
        self.0.transport.is_idle()
    }

    fn quiet(&self) {
        self.0.transport.quiet();
    }

    fn fail(&self, failure: Failure) {
        self.0.fail(failure);
    }

    fn begin(&self, identity: Identity, function: u64, arguments: &[u8]) -> Result<(), String> {
        begin_arrived(&self.0, identity, function, arguments)
    }
}

/// In process 0, the tasks that wait in all processes. The others end here.
fn agree(
    node: Option<&Node>,
    machine: &Machine<Parcel>,
    mut waiting: Vec<WaitingTask>,
) -> Result<Vec<WaitingTask>, Failure> {
    let Some(node) = node else {
        return machine.take_failure().map_or(Ok(waiting), Err);
    };
    node.settle(&mut waiting);
    let failure = machine.take_failure();
    node.finish();
    if node.me == 0 {
        let ends = launch::join();
        return failure.map_or(Ok(waiting), |failure| Err(failure.with_ends(&ends)));
    }
    let Some(failure) = failure else {
        std::process::exit(0)
    };
    // Process 0 reports all failures but its own end.
    if matches!(failure, Failure::Lost { process: 0, .. }) && node.me == 1 {
        eprintln!("{failure}");
    }
    std::process::exit(1)
}

fn conclude(mut waiting: Vec<WaitingTask>) -> Result<(), Failure> {
    if waiting.is_empty() {
        return Ok(());
    }
    waiting.sort_by_key(|waiting| waiting.task.number);
    Err(Failure::Deadlock(waiting))
}

/// The tasks that still wait when nothing moves any more.
fn run_processors(machine: &Arc<Machine<Parcel>>, part: &Part) -> Vec<WaitingTask> {
    let barrier = Arc::new(Barrier::new(part.own.len()));
    #[cfg(feature = "record")]
    let processors = part.processors;
    #[cfg(feature = "record")]
    let recording = crate::record::Run::begin();
    let threads: Vec<_> = (part.own.clone())
        .map_while(|me| {
            let run = processor(machine, me, &barrier);
            #[cfg(feature = "record")]
            let run = move || {
                let _recorded = recording.open(me, processors);
                run()
            };
            start_processor(machine, me, run)
        })
        .collect();
    let waiting = threads
        .into_iter()
        .flat_map(|thread| thread.join().unwrap_or_default());
    let waiting = waiting.collect();
    drop_rest(machine, &part.own);
    waiting
}

/// What the thread of a processor does.
fn processor(
    machine: &Arc<Machine<Parcel>>,
    me: usize,
    barrier: &Arc<Barrier>,
) -> impl FnOnce() -> Vec<WaitingTask> + Send + use<> {
    let (machine, barrier) = (Arc::clone(machine), Arc::clone(barrier));
    move || Processor::new(machine, me, barrier).run()
}

/// Without a thread, the machine fails.
fn start_processor(
    machine: &Arc<Machine<Parcel>>,
    me: usize,
    run: impl FnOnce() -> Vec<WaitingTask> + Send + 'static,
) -> Option<JoinHandle<Vec<WaitingTask>>> {
    let thread = thread::Builder::new()
        .name(format!("processor {me}"))
        .stack_size(STACK_BYTES);
    thread
        .spawn(run)
        .map_err(|error| {
            machine.fail(Failure::Processor {
                processor: me,
                error,
            })
        })
        .ok()
}

/// Tasks that reached processors that had ended already. Dropping them may wake others.
fn drop_rest(machine: &Machine<Parcel>, own: &Range<usize>) {
    let mut rest = std::collections::VecDeque::new();
    loop {
        own.clone()
            .for_each(|processor| machine.transport.collect(processor, &mut rest));
        if rest.is_empty() {
            return;
        }
        rest.clear();
    }
}

/// The place of a panic is known to hooks only. The hook that was there before prints as ever.
fn note_places_of_panics() {
    static NOTE: Once = Once::new();
    NOTE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if let (Some(_), Some(place)) = (here::current(), info.location()) {
                here::set_panic_place(place.to_string());
            }
            before(info);
        }));
    });
}
