//! Tasks and channels: a program is a set of tasks, sequential code with data of its own, that
//! communicate by messages through channels, and by nothing else.

mod channel;
mod create;
mod failure;
mod function;
mod here;
mod identity;
mod machine;
mod mapping;
pub mod observe;
mod processor;
mod program;
mod settings;
mod threads;
mod transport;
mod wait;

pub use channel::{
    AnyInput, Closed, Input, Message, Output, ReadyFuture, ReceiveFuture, SelectFuture, SendFuture,
    bounded, channel, ready, select,
};
pub use create::create;
pub use failure::Failure;
pub use function::{Outcome, TaskFunction};
pub use here::current;
pub use identity::Identity;
pub use mapping::{Mapping, NewTask};
pub use program::{Program, run};
pub use wait::{Operation, Port, Wait, WaitingTask};
