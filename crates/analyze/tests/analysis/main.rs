//! Analyses of streams whose truth is known. One program for all of them, since linking many takes
//! longer than running them.

mod common;

#[path = "../../examples/synthetic/check.rs"]
mod check;
#[path = "../../examples/synthetic/generator.rs"]
mod generator;
#[path = "../../examples/synthetic/program.rs"]
mod program;

mod access_findings;
mod accesses;
mod broken;
mod calls;
mod clocks;
mod cuts;
mod dependences;
mod distribution;
mod findings;
mod locality;
mod machine;
mod marks;
mod metric_rules;
mod model_names;
mod needed;
mod no_core;
mod overhead;
mod patterns;
mod phases;
mod posts;
mod processes;
mod profile;
mod recording;
mod root_causes;
mod sampling;
mod savings;
mod simulated;
mod sums;
mod synchronization;
mod synthetic;
mod tasks;

use common::numbers;
