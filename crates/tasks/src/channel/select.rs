//! Select: waits until one of several inputs has a message.
//!
//! Of several inputs that are ready, the one is chosen that this task's selects have chosen least
//! recently. An input that stays ready is chosen after each other one was chosen once, at the
//! latest.

use std::cell::Cell;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::channel::{Input, Message};
use crate::here;
use crate::observe::{Began, Event, begin, emit_since};
use crate::place::Place;
use crate::wait::{Operation, Port, Wait};

thread_local! {
    /// Selects on this thread, and so a time for those of each of its tasks.
    static NOW: Cell<u64> = const { Cell::new(1) };
}

/// An input of any type. No other type can implement this.
pub trait AnyInput: Send + sealed::Sealed {}

impl<T: Message> AnyInput for Input<T> {}

mod sealed {
    use std::task::Context;

    use crate::wait::Port;

    pub trait Sealed {
        /// As [`Input::is_ready`](crate::Input).
        fn is_ready_in(&self, context: Option<&Context<'_>>) -> bool;
        /// When the task's selects chose it last; 0 for never.
        fn last_chosen(&self, task: u64) -> u64;
        fn choose(&mut self, task: u64, now: u64);
        /// Rust 1.85 does not make this of a `dyn AnyInput` by itself.
        fn as_sealed(&self) -> &dyn Sealed;
        fn describe(&self) -> Port;
    }
}

impl<T: Message> sealed::Sealed for Input<T> {
    fn as_sealed(&self) -> &dyn sealed::Sealed {
        self
    }

    fn is_ready_in(&self, context: Option<&Context<'_>>) -> bool {
        self.is_ready(context)
    }

    fn last_chosen(&self, task: u64) -> u64 {
        if self.chosen.0 == task {
            self.chosen.1
        } else {
            0
        }
    }

    fn choose(&mut self, task: u64, now: u64) {
        self.chosen = (task, now);
    }

    fn describe(&self) -> Port {
        self.port()
    }
}

/// Waits until one of the inputs has a message or is closed: the position of that input. A receive
/// from it does not wait.
///
/// An input that is closed stays ready; leave it out after a receive gave `None`.
#[track_caller]
pub fn ready<'a, 'b>(inputs: &'a mut [&'b mut dyn AnyInput]) -> ReadyFuture<'a, 'b> {
    ready_at(inputs, Place::caller())
}

/// [`ready`] for a binding to another language, which knows the place.
pub fn ready_at<'a, 'b>(
    inputs: &'a mut [&'b mut dyn AnyInput],
    place: Place,
) -> ReadyFuture<'a, 'b> {
    ReadyFuture { inputs, place }
}

/// A wait for one of several inputs; see [`ready`].
#[must_use = "a select waits when it is awaited"]
pub struct ReadyFuture<'a, 'b> {
    inputs: &'a mut [&'b mut dyn AnyInput],
    place: Place,
}

impl Future for ReadyFuture<'_, '_> {
    type Output = usize;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<usize> {
        if !here::may_go_on(context) {
            return Poll::Pending;
        }
        let began = begin();
        let inputs = || {
            self.inputs
                .iter()
                .map(|input| input.as_sealed())
                .enumerate()
        };
        let Some(index) = choice(inputs, context) else {
            return wait(inputs, began, self.place);
        };
        let (count, place) = (self.inputs.len(), self.place);
        chosen(&mut *self.get_mut().inputs[index], count, began, place);
        Poll::Ready(index)
    }
}

/// Receives from that of several inputs which has a message: its position, and the message. Waits
/// while none has; `None` when all are closed and all messages were received.
#[track_caller]
pub fn select<T: Message>(inputs: &mut [Input<T>]) -> SelectFuture<'_, T> {
    SelectFuture {
        inputs,
        place: Place::caller(),
    }
}

/// A select in progress; see [`select`].
#[must_use = "a message is received when this is awaited"]
pub struct SelectFuture<'a, T: Message> {
    inputs: &'a mut [Input<T>],
    place: Place,
}

impl<T: Message> Future for SelectFuture<'_, T> {
    type Output = Option<(usize, T)>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        if !here::may_go_on(context) {
            return Poll::Pending;
        }
        let this = self.get_mut();
        loop {
            let began = begin();
            let inputs = || open_inputs(this.inputs);
            if inputs().next().is_none() {
                return Poll::Ready(None);
            }
            let Some(index) = choice(inputs, context) else {
                return wait(inputs, began, this.place);
            };
            let (count, input) = (this.inputs.len(), &mut this.inputs[index]);
            // The channel may have been closed without another message.
            if let Poll::Ready(Some(message)) = input.poll_receive(context) {
                chosen(input, count, began, this.place);
                input.tell_received(begin(), this.place);
                return Poll::Ready(Some((index, message)));
            }
        }
    }
}

fn open_inputs<T: Message>(
    inputs: &[Input<T>],
) -> impl Iterator<Item = (usize, &dyn sealed::Sealed)> {
    let open = inputs
        .iter()
        .enumerate()
        .filter(|(_, input)| !input.is_over());
    open.map(|(index, input)| (index, input as &dyn sealed::Sealed))
}

/// The ready input that was chosen least recently. If none is ready, all wake the task when they
/// are.
fn choice<'i, I>(inputs: impl Fn() -> I, context: &Context<'_>) -> Option<usize>
where
    I: Iterator<Item = (usize, &'i dyn sealed::Sealed)>,
{
    let task = this_task();
    let pick = |context| {
        let ready = inputs().filter(|(_, input)| input.is_ready_in(context));
        ready
            .min_by_key(|(_, input)| input.last_chosen(task))
            .map(|(index, _)| index)
    };
    pick(None).or_else(|| pick(Some(context)))
}

fn chosen(input: &mut (impl sealed::Sealed + ?Sized), count: usize, began: Began, place: Place) {
    let now = NOW.get();
    NOW.set(now + 1);
    input.choose(this_task(), now);
    emit_since(began, || Event::Select {
        inputs: count,
        channel: input.describe().channel,
        place,
    });
}

/// The task that runs, as inputs know it; `u64::MAX` is none.
fn this_task() -> u64 {
    here::current().map_or(u64::MAX - 1, |task| task.number)
}

fn wait<'i, I, R>(inputs: impl Fn() -> I, began: Began, place: Place) -> Poll<R>
where
    I: Iterator<Item = (usize, &'i dyn sealed::Sealed)>,
{
    emit_since(began, || Event::SelectWaits {
        inputs: inputs().count(),
        place,
    });
    here::waiting(|| {
        let ports = inputs().map(|(_, input)| input.describe()).collect();
        Wait {
            operation: Operation::Select,
            ports,
            place,
        }
    });
    Poll::Pending
}
