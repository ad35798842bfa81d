//! Words of thread 0 for all.

use super::{message, tree};
use crate::processes::Processes;

/// All threads have thread 0's words when it returns.
pub(crate) fn broadcast<P: Processes + ?Sized>(processes: &P, words: &mut [u64]) {
    let thread = processes.thread();
    if let Some(parent) = tree::parent(thread) {
        message::receive(processes, parent, words);
    }
    // The largest part of the tree first, since it takes longest.
    for child in tree::children(thread, processes.threads()).rev() {
        message::send(processes, child, words);
    }
}
