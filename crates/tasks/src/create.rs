//! Creation of tasks: gives each its identity and its processor, and sends it there.

use std::sync::Arc;

use async_task::Builder;
use futures_util::FutureExt;

use crate::channel::Message;
use crate::function::{Outcome, TaskFunction};
use crate::here::{self, Metadata, Parcel, Ready, Unbegun};
use crate::identity::{Identity, function_name};
use crate::machine::Machine;
use crate::mapping::NewTask;
use crate::observe::{Began, Event, begin, emit_since};
use crate::place::Place;

/// Creates a task that runs `function` with `arguments`.
///
/// It runs on the processor that the mapping of the program gives it, at any time from now on. The
/// function must not capture variables: all that a task has comes by its arguments and its ports.
///
/// # Panics
/// Outside of tasks.
#[track_caller]
pub fn create<F, A>(function: F, arguments: A)
where
    F: TaskFunction<A> + Send,
    F::Output: Outcome,
    A: Message,
{
    create_at(function_name::<F>(), function, arguments, Place::caller());
}

/// Creates a task for a binding to another language, which knows its name and the place.
///
/// # Panics
/// Outside of tasks.
pub fn create_at<F, A>(name: &'static str, function: F, arguments: A, place: Place)
where
    F: TaskFunction<A> + Send,
    F::Output: Outcome,
    A: Message,
{
    const {
        assert!(
            size_of::<F>() == 0,
            "the function of a task must not capture variables"
        )
    };
    let began = begin();
    let Some((machine, parent, nth)) = here::creator() else {
        panic!("a task can only be created by a task");
    };
    let new = NewTask {
        name,
        nth,
        parent_processor: parent.processor as usize,
    };
    let identity = identify(&machine, &new, parent.number, place);
    start(
        &machine,
        began,
        Creation {
            identity,
            function,
            arguments,
            keep: drop,
        },
    );
}

/// Creates the main task, on processor 0 unless the mapping has a line for it.
pub(crate) fn create_main<F, A>(
    machine: &Arc<Machine<Parcel>>,
    name: &'static str,
    function: F,
    arguments: A,
    place: Place,
    keep: impl FnOnce(F::Output) + Send + 'static,
) where
    F: TaskFunction<A> + Send,
    A: Message,
{
    // Round robin begins with the processor after that of the parent.
    let parent_processor = machine.transport.processors() - 1;
    let new = NewTask {
        name,
        nth: 0,
        parent_processor,
    };
    let identity = identify(machine, &new, 0, place);
    start(
        machine,
        begin(),
        Creation {
            identity,
            function,
            arguments,
            keep,
        },
    );
}

fn identify(machine: &Machine<Parcel>, new: &NewTask, parent: u64, created: Place) -> Identity {
    let processor = machine
        .mapping
        .processor(new, machine.transport.processors());
    let number = machine.number_task();
    let (name, nth) = (new.name, new.nth);
    Identity {
        number,
        name,
        created,
        parent,
        nth,
        processor: processor as u32,
    }
}

/// A task that is created, and what becomes of its result.
struct Creation<F, A, K> {
    identity: Identity,
    function: F,
    arguments: A,
    keep: K,
}

impl<F, A, K> Unbegun for Creation<F, A, K>
where
    F: TaskFunction<A> + Send,
    A: Message,
    K: FnOnce(F::Output) + Message,
{
    fn identity(&self) -> Identity {
        self.identity
    }

    fn begin(self: Box<Self>, machine: Arc<Machine<Parcel>>, key: usize) -> Ready {
        let Self {
            identity,
            function,
            arguments,
            keep,
        } = *self;
        let end = |output| {
            keep(output);
            here::mark_ended();
        };
        let task = |_: &Metadata| function.call(arguments).map(end);
        let metadata = Metadata {
            machine,
            identity,
            key,
        };
        let (ready, handle) = Builder::new()
            .metadata(metadata)
            .spawn_local(task, here::schedule);
        handle.detach();
        ready
    }
}

fn start(machine: &Arc<Machine<Parcel>>, began: Began, task: impl Unbegun + 'static) {
    emit_since(began, || Event::Create(task.identity()));
    here::schedule_new(machine, Box::new(task));
}
