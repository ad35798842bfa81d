//! What runs on this thread: processor, task, tasks that are ready, and how long the task may go
//! on.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::sync::Arc;
use std::task::Context;

use async_task::Runnable;

use crate::identity::Identity;
use crate::machine::Machine;
use crate::wait::Wait;

/// Operations on channels after which a task lets others run.
const OPERATIONS: u64 = 128;

/// What the executor keeps with a task.
pub(crate) struct Metadata {
    pub machine: Arc<Machine<Parcel>>,
    pub identity: Identity,
    /// Where its processor has it.
    pub key: usize,
}

/// A task that can run.
pub(crate) type Ready = Runnable<Metadata>;

/// A task that has not begun: its function and arguments. It begins on its processor, so that only
/// these travel, and what it has later may be bound to its thread.
pub(crate) trait Unbegun: Send {
    fn identity(&self) -> Identity;

    /// The task, ready to run on this thread.
    fn begin(self: Box<Self>, machine: Arc<Machine<Parcel>>, key: usize) -> Ready;
}

/// What processors send to each other.
pub(crate) enum Parcel {
    Begin(Box<dyn Unbegun>),
    GoOn(Ready),
}

/// State of the thread of a processor.
#[derive(Default)]
struct Here {
    /// Address of the machine, and processor: read at each wake-up.
    processor: Cell<Option<(usize, u32)>>,
    machine: RefCell<Option<Arc<Machine<Parcel>>>>,
    ready: RefCell<VecDeque<Parcel>>,
    task: Cell<Option<Identity>>,
    children: Cell<u32>,
    ended: Cell<bool>,
    waits: RefCell<Option<Vec<Wait>>>,
    panic_place: Cell<Option<String>>,
}

thread_local! {
    static HERE: Here = Here::default();
    /// Without limit where tasks are run by another executor.
    static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
}

/// Counts an operation. If the task has run for long enough, it is woken up for later, and must
/// return to its processor without the operation.
#[inline]
pub(crate) fn may_go_on(context: &Context<'_>) -> bool {
    let left = LEFT.get();
    if left == 0 {
        context.waker().wake_by_ref();
        return false;
    }
    LEFT.set(left - 1);
    true
}

/// Puts a task that was woken where it will run.
pub(crate) fn schedule(ready: Ready) {
    let processor = ready.metadata().identity.processor;
    let machine = Arc::as_ptr(&ready.metadata().machine);
    if is_here(machine, processor) {
        with_ready(|queue| queue.push_back(Parcel::GoOn(ready)));
    } else {
        let machine = Arc::clone(&ready.metadata().machine);
        machine
            .transport
            .carry(processor as usize, Parcel::GoOn(ready));
    }
}

/// Puts a new task where it will run.
pub(crate) fn schedule_new(machine: &Arc<Machine<Parcel>>, task: Box<dyn Unbegun>) {
    let processor = task.identity().processor;
    if is_here(Arc::as_ptr(machine), processor) {
        with_ready(|queue| queue.push_back(Parcel::Begin(task)));
    } else {
        machine
            .transport
            .carry(processor as usize, Parcel::Begin(task));
    }
}

fn is_here(machine: *const Machine<Parcel>, processor: u32) -> bool {
    HERE.with(|here| here.processor.get()) == Some((machine as usize, processor))
}

/// Makes this thread a processor of a machine.
pub(crate) fn become_processor(machine: &Arc<Machine<Parcel>>, processor: u32) {
    HERE.with(|here| {
        here.processor
            .set(Some((Arc::as_ptr(machine) as usize, processor)));
        here.machine.replace(Some(Arc::clone(machine)));
    });
}

/// Adds what has arrived to the tasks that are ready.
pub(crate) fn collect(machine: &Machine<Parcel>, processor: usize) {
    HERE.with(|here| {
        machine
            .transport
            .collect(processor, &mut here.ready.borrow_mut())
    });
}

/// Runs `take` with the tasks that are ready. It must not run or drop any.
pub(crate) fn with_ready<R>(take: impl FnOnce(&mut VecDeque<Parcel>) -> R) -> R {
    HERE.with(|here| take(&mut here.ready.borrow_mut()))
}

/// A task begins to run, or goes on, with the number of tasks it has created.
pub(crate) fn enter(task: Identity, children: u32) {
    LEFT.set(OPERATIONS);
    HERE.with(|here| {
        here.task.set(Some(task));
        here.children.set(children);
        here.ended.set(false);
    });
}

/// The task stops running: how many tasks it has created, and whether it ended.
pub(crate) fn leave() -> (u32, bool) {
    HERE.with(|here| {
        here.task.set(None);
        (here.children.get(), here.ended.get())
    })
}

/// The task that runs has come to its end.
pub(crate) fn mark_ended() {
    HERE.with(|here| here.ended.set(true));
}

/// The task that runs on this thread; `None` outside of tasks.
#[must_use]
pub fn current() -> Option<Identity> {
    HERE.with(|here| here.task.get())
}

/// The machine of this processor, the task that runs, and the position of the task that it creates
/// now.
pub(crate) fn creator() -> Option<(Arc<Machine<Parcel>>, Identity, u32)> {
    HERE.with(|here| {
        let machine = here.machine.borrow().clone()?;
        let task = here.task.get()?;
        Some((
            machine,
            task,
            here.children.replace(here.children.get() + 1),
        ))
    })
}

/// Begins to gather waits: operations that wait say so until [`gathered`].
pub(crate) fn gather() {
    HERE.with(|here| here.waits.replace(Some(Vec::new())));
}

/// Called by an operation that has to wait.
#[inline]
pub(crate) fn waiting(wait: impl FnOnce() -> Wait) {
    HERE.with(|here| {
        if let Some(waits) = here.waits.borrow_mut().as_mut() {
            waits.push(wait());
        }
    });
}

/// Waits since [`gather`].
pub(crate) fn gathered() -> Vec<Wait> {
    HERE.with(|here| here.waits.take().unwrap_or_default())
}

/// Notes where the task panicked.
pub(crate) fn set_panic_place(place: String) {
    HERE.with(|here| here.panic_place.set(Some(place)));
}

/// Where the task panicked.
pub(crate) fn take_panic_place() -> Option<String> {
    HERE.with(|here| here.panic_place.take())
}
