//! A cluster in virtual time, on which the truth is known.
//!
//! Each thread has its own time and its own clock, with an offset, a drift, a resolution and a cost
//! of reading. Messages take some latency, which differs by direction and from message to message;
//! now and then the operating system takes a core away. Threads are coroutines that run until they
//! wait for a message that has not been sent. Since a message arrives at a time that its sender
//! alone determines, the order in which they run does not matter, and each run of the same model
//! gives the same figures to the last digit.

pub mod cluster;
pub mod experiments;
mod model;
pub mod operations;
mod random;
mod thread;
mod truth;
mod world;

pub use model::Model;
pub use thread::Thread;
pub use truth::truth;
