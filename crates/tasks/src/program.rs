//! Runs of programs of tasks: starts processors and the main task, and waits for all tasks.

use std::sync::{Arc, Barrier, Once};
use std::thread::{self, JoinHandle};

use parking_lot::Mutex;

use crate::channel::Message;
use crate::create::create_main;
use crate::failure::Failure;
use crate::function::TaskFunction;
use crate::here::{self, Parcel};
use crate::identity::function_name;
use crate::machine::Machine;
use crate::mapping::Mapping;
use crate::note;
use crate::place::Place;
use crate::processor::Processor;
use crate::settings;
use crate::threads::Threads;
use crate::wait::WaitingTask;

/// Stack of a processor, for the calls of whichever task it runs.
const STACK_BYTES: usize = 8 << 20;

/// How a program runs: number of processors, and mapping of tasks.
#[derive(Clone, Default)]
pub struct Program {
    processors: Option<usize>,
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
        let processors = settings::processors(self.processors)?;
        let mapping = settings::mapping(&self.mapping)?;
        let machine = Arc::new(Machine::new(Box::new(Threads::new(processors)), mapping));
        let result = Arc::new(Mutex::new(None));
        let keep = {
            let result = Arc::clone(&result);
            move |value| drop(result.lock().replace(value))
        };
        note::keep();
        note_places_of_panics();
        create_main(&machine, name, main, arguments, place, keep);
        let waiting = run_processors(&machine, processors);
        conclude(&machine, waiting)?;
        let value = result.lock().take();
        // A run without failure and without waiting tasks has ended its main task.
        value.ok_or_else(|| Failure::Deadlock(Vec::new()))
    }
}

fn conclude(machine: &Machine<Parcel>, mut waiting: Vec<WaitingTask>) -> Result<(), Failure> {
    if let Some(failure) = machine.take_failure() {
        return Err(failure);
    }
    if waiting.is_empty() {
        return Ok(());
    }
    waiting.sort_by_key(|waiting| waiting.task.number);
    Err(Failure::Deadlock(waiting))
}

/// The tasks that still wait when nothing moves any more.
fn run_processors(machine: &Arc<Machine<Parcel>>, processors: usize) -> Vec<WaitingTask> {
    let barrier = Arc::new(Barrier::new(processors));
    #[cfg(feature = "record")]
    let recording = crate::record::Run::begin();
    let threads: Vec<_> = (0..processors)
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
    drop_rest(machine, processors);
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
fn drop_rest(machine: &Machine<Parcel>, processors: usize) {
    let mut rest = std::collections::VecDeque::new();
    loop {
        (0..processors).for_each(|processor| machine.transport.collect(processor, &mut rest));
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
