//! Tasks and channels for C, C++ and UPC: what `pgas_tasks.h` declares, over `pgas_tasks`.
//!
//! A task in C has a stack. It is a future for the processors of `pgas_tasks` like any other: its
//! poll resumes a coroutine, and an operation that has to wait suspends that one. Each such task
//! takes a page or two of its stack, or as many bytes as that holds if there are very many; a task in
//! Rust takes some hundred bytes.

mod channels;
#[cfg(feature = "record")]
mod functions;
#[cfg(feature = "record")]
mod instrumented;
mod message;
mod names;
mod packing;
mod stackful;
mod stacks;
mod tasks;

pub use channels::{
    InputPort, OutputPort, pgas_channel_at, pgas_input_delete, pgas_output_close, pgas_output_copy,
    pgas_output_delete, pgas_receive_at, pgas_select_at, pgas_send_at,
};
pub use tasks::{TaskFunction, pgas_task_create_at, pgas_tasks_run_at};
