//! What a running program does now, from the pages that its threads keep (`pgas_live`).
//!
//! A [`Board`] has the pages of all threads of a run on this machine. Each [`Board::look`] compares
//! them with the look before and gives a [`Picture`] of the period between: efficiency, who waits
//! where and since when, who is stuck. [`text`] prints it. Of a run on several machines, each has a
//! [`NodeBoard`], and an [`Assembler`] makes pictures of what these see.

mod board;
mod cells;
mod class;
mod known;
mod level;
mod metrics;
mod node;
mod picture;
mod place;
pub mod runs;
mod stuck;
mod stuck_tasks;
mod task_board;
mod task_part;
pub mod tasks;
pub mod text;
mod text_tasks;
mod thread;
pub mod totals;
mod wait_states;
mod wanted;

pub use board::{Assembler, Board, Look};
pub use cells::{Cell, Cells};
pub use class::Class;
pub use known::{Name, name as known_name};
pub use level::{Kind, Level};
pub use node::{NodeBoard, NodePart};
pub use picture::{
    Bytes, Deadlock, LockWait, MetricNow, Now, OperationTime, Picture, Place, RingNow, Stuck,
    ThreadWords, Times, Wait,
};
pub use task_part::TaskPart;
pub use tasks::{ChannelNow, ProcessorNow, StuckTask, TaskNow, TasksNow};
pub use thread::Seen;
pub use wait_states::WaitStates;
pub use wanted::Wanted;
