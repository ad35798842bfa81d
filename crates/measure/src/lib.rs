//! The recorder that is linked into measured programs.
//!
//! A program's thread only appends to a buffer of its own (`fast_path`, `recorder`): it reads the
//! clock, looks up the place in the source, and writes a record of a few bytes. When the buffer is
//! full it goes on in a second one, while the process's helper thread (`helper`) compresses and
//! writes the first (`handover`, `sink`, `output`). Calls that are too many for that are only
//! summed (`throttle`, `summing`, `call_tree`). Everything rare (opening, full buffers, the end,
//! failures) is cold code apart from the hot path; so is all that has to do with counters
//! (`counters`, `counter_sums`). The C interface is `interface` and, for calls of libraries,
//! `interface_calls`, and `interface_tasks`, described in `include/pgas_measure.h`; GASP events come in through `c/gasp_decoder.c`, which is compiled when
//! a program is linked.
//!
//! Rules for all of this: never change what the program computes, never end it, never write to its
//! standard output. A failure costs the recording, in one line on standard error, and nothing else.

mod addresses;
mod attributes;
mod buffer;
mod buffer_file;
mod call_tree;
mod clock;
mod clock_sync;
mod clock_sync_interface;
mod code_places;
mod config;
mod cores;
mod cost;
mod counter_sums;
pub mod counters;
mod counting;
mod descriptor;
mod dictionary;
mod excluded_calls;
mod exclusions;
mod fast_path;
pub mod files;
mod functions;
mod handover;
mod helper;
mod interface;
mod interface_calls;
mod interface_tasks;
mod journal;
mod kept_metrics;
mod known_addresses;
mod left;
mod left_out;
mod lifecycle;
mod live;
mod live_file;
mod live_task_area;
mod live_task_events;
mod live_tasks;
mod memory;
mod message;
mod metrics;
mod modules;
mod node;
mod node_id;
mod objects;
mod output;
mod partners;
mod placement;
mod process;
mod recorder;
mod registry;
mod rehearsal;
mod run_queue;
mod runtime;
mod samples;
mod sampling;
pub mod settings;
mod shared;
mod showing;
mod signals;
mod sink;
pub mod sources;
mod stack;
mod stack_samples;
mod stack_sampling;
mod summing;
mod test_clock;
mod test_kill;
mod thread_state;
mod throttle;
pub mod usage;
pub mod wrappers;
