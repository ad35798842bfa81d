//! The job, which thread 0 reads for all threads.

use crate::messages::broadcast;
use crate::threads::Threads;
use pgas_timing::job::Job;
use std::fs;

/// Reads the job on thread 0 and hands it to the others; the result is the same everywhere.
pub fn read(threads: Threads, file: &str) -> Result<Job, String> {
    let bytes = match threads.is_first() {
        true => serde_json::to_vec(&load(file)).expect("a job is plain data"),
        false => Vec::new(),
    };
    let bytes = broadcast(threads, bytes);
    serde_json::from_slice(&bytes).expect("a job as thread 0 has written it")
}

fn load(file: &str) -> Result<Job, String> {
    let text = fs::read(file).map_err(|e| format!("{file}: cannot read the job: {e}"))?;
    serde_json::from_slice(&text).map_err(|e| format!("{file}: not a job: {e}"))
}
