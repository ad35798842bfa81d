//! Tasks and channels: a program is a set of tasks, sequential code with data of its own, that
//! communicate by messages through channels, and by nothing else.
//!
//! A task is an `async fn`; its typed ports are [`Output`]s and [`Input`]s. It can [`create`] tasks
//! and channels ([`channel`], [`bounded`]), [send](Output::send), [receive](Input::receive),
//! [`select`], and send ports in messages, so that who talks to whom changes while it runs:
//!
//! ```
//! use pgas_tasks::{Closed, Input, Output, channel, create, run};
//!
//! async fn square(mut numbers: Input<u64>, squares: Output<u64>) -> Result<(), Closed> {
//!     while let Some(number) = numbers.receive().await {
//!         squares.send(number * number).await?;
//!     }
//!     Ok(())
//! }
//!
//! async fn sum_of_squares(end: u64) -> u64 {
//!     let (numbers, input) = channel();
//!     let (output, mut squares) = channel();
//!     create(square, (input, output));
//!     for number in 0..end {
//!         let _ = numbers.send(number).await;
//!     }
//!     drop(numbers);
//!     let mut sum = 0;
//!     while let Some(square) = squares.receive().await {
//!         sum += square;
//!     }
//!     sum
//! }
//!
//! assert_eq!(run(sum_of_squares, (5,)).unwrap(), 30);
//! ```
//!
//! # Processors
//!
//! A processor is a thread that runs the tasks which the [`Mapping`] gives it, each until it waits
//! or has used channels 128 times. Tasks stay on their processor, so their data need not be `Send`;
//! only arguments and messages must be. A task is a function without captured variables and its
//! arguments, which is what is sent to another process.
//!
//! Processors reach each other through one trait (`Transport`) that carries parcels (a task that
//! begins, a task that was woken) and notices when all processors wait and none is under way: then
//! all tasks have ended, or those that are left are in a deadlock. These are polled once more, and
//! each operation that waits describes itself, so that operations keep no records for this case.
//!
//! # Processes
//!
//! The processors of several processes, of one machine or of an MPI job, work as those of one. What
//! crosses between them is bytes (`remote`); a channel lives in one process, and ports elsewhere
//! know where. Process 0 notices the end by counting frames, without timeouts.
//!
//! # Why tasks are state machines
//!
//! A million tasks must fit into 4 GiB. With a stack of its own each task touches a page of 4 KiB
//! at least, which leaves 200 bytes for the channel and the rest, so stacks alone miss this. The
//! state machines that the compiler makes of `async fn` take what is live across waits: a task that
//! receives and sends numbers takes about 600 bytes with its channel. A switch between two tasks is
//! a function call. The price is `.await` at each operation, and that a function which waits must
//! be `async`, too.
//!
//! C has no such state machines, so a task in C (`pgas-tasks-c`) has a stack: it is a future whose
//! poll resumes a coroutine, in which an operation that is not ready suspends it. Channels,
//! processors and mappings are the same for both, as they only know wakers. A million of these
//! tasks with their channels take 4.5 GiB.
//!
//! # What does not depend on the mapping
//!
//! Messages of one sender arrive in order. If each channel has one sender and no task selects, all
//! tasks see the same messages under every mapping (Kahn's process networks). The order in which
//! messages of several senders arrive, what a [`select`] chooses, and which sends still succeed
//! while the receiver ends depend on time.

mod anchor;
mod channel;
mod create;
mod events;
mod failure;
mod function;
mod here;
mod identity;
mod machine;
mod mapping;
mod note;
pub mod observe;
mod place;
mod processor;
mod program;
#[cfg(feature = "record")]
mod record;
mod remote;
mod settings;
mod threads;
mod transport;
mod wait;

pub use channel::{
    AnyInput, Closed, Input, Message, Output, ReadyFuture, ReceiveFuture, SelectFuture, SendFuture,
    bounded, channel, channel_at, channel_of_bytes_at, ready, ready_at, select,
};
pub use create::{create, create_at};
pub use failure::Failure;
pub use function::{Outcome, TaskFunction};
pub use here::current;
pub use identity::Identity;
pub use mapping::{Mapping, NewTask};
pub use place::Place;
pub use program::{Program, run};
#[cfg(feature = "record")]
#[doc(hidden)]
pub use record::functions as recorded;
pub use wait::{Operation, Port, Wait, WaitingTask};

/// The users' page has complete programs, which are compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/tasks.md")]
struct UsersPage;
