//! Creation of tasks: gives each its identity and its processor, and sends it there.

use std::sync::Arc;

use async_task::Builder;
use futures_util::FutureExt;

use crate::anchor;
use crate::channel::Message;
use crate::function::{Outcome, TaskFunction};
use crate::here::{self, Metadata, Parcel, Ready, Unbegun};
use crate::identity::{Identity, function_name};
use crate::machine::Machine;
use crate::mapping::NewTask;
use crate::observe::{Began, Event, begin, emit_since};
use crate::place::Place;
use crate::remote;

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
    if create_away::<F, A>(identity, &arguments) {
        emit_since(began, || Event::Create(identity));
        return;
    }
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
    let mut identity = identify(machine, &new, 0, place);
    // Its result is for process 0, and its arguments and result need not be bytes.
    if remote::node().is_some_and(|node| node.process_of(identity.processor as usize) != 0) {
        identity.processor = 0;
    }
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

/// Creates a task in the process that has its processor, if that is another one.
fn create_away<F, A>(identity: Identity, arguments: &A) -> bool
where
    F: TaskFunction<A> + Send,
    F::Output: Outcome,
    A: Message,
{
    let Some(node) = remote::node() else {
        return false;
    };
    let process = node.process_of(identity.processor as usize);
    if process == node.me {
        return false;
    }
    match remote::pack(process, arguments) {
        Ok(bytes) => {
            let function = anchor::offset(arrived::<F, A> as Arrived as usize);
            node.begin(process, identity, function, &bytes);
        }
        Err(error) => panic!("at {}: {error}", identity.created),
    }
    true
}

/// Makes a task of what another process sent.
type Arrived = fn(Identity, &[u8]) -> Result<Box<dyn Unbegun>, String>;

fn arrived<F, A>(identity: Identity, bytes: &[u8]) -> Result<Box<dyn Unbegun>, String>
where
    F: TaskFunction<A> + Send,
    F::Output: Outcome,
    A: Message,
{
    let arguments = postcard::from_bytes::<A>(bytes)
        .map_err(|error| format!("arguments of {identity} cannot be read: {error}"))?;
    const { assert!(size_of::<F>() == 0) };
    // SAFETY: it is a function without captured variables, which has no bytes; the creator had one.
    let function = unsafe { std::ptr::NonNull::<F>::dangling().read() };
    Ok(Box::new(Creation {
        identity,
        function,
        arguments,
        keep: drop,
    }))
}

/// Begins a task that another process created.
pub(crate) fn begin_arrived(
    machine: &Arc<Machine<Parcel>>,
    identity: Identity,
    function: u64,
    arguments: &[u8],
) -> Result<(), String> {
    let function = anchor::address(function);
    // SAFETY: a process of the same executable has such a function there.
    let function = unsafe { std::mem::transmute::<usize, Arrived>(function) };
    here::schedule_new(machine, function(identity, arguments)?);
    Ok(())
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
    K: FnOnce(F::Output) + Send + 'static,
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
