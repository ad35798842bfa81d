//! `pgastool agent`: the agent of a node, which the wrapper of a program starts there.

use std::path::PathBuf;

use clap::Args;
use pgas_trace::metadata::Metadata;

use crate::experiment::live_key;
use crate::failure::Outcome;
use crate::observing::agents;

/// Let the manager of a run see the threads on this node
#[derive(Debug, Args)]
pub struct Arguments {
    /// Start the agent in the background, unless this node has one
    #[arg(long)]
    pub start: bool,
    /// The experiment
    #[arg(value_name = "EXPERIMENT")]
    pub experiment: PathBuf,
}

pub fn agent(arguments: &Arguments) -> Outcome {
    let metadata = Metadata::load(&arguments.experiment)?;
    let key = live_key(&metadata, &arguments.experiment)?;
    match arguments.start {
        true => agents::start(&key, &arguments.experiment),
        false => agents::work(&key, &arguments.experiment),
    }
}
