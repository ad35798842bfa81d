//! Words of all threads for thread 0.

use super::{message, tree};
use crate::processes::Processes;

/// Words of all threads, as many of each, in the order of threads; on other threads than 0 those of
/// the threads below.
pub(crate) fn gather<P: Processes + ?Sized>(processes: &P, own: &[u64]) -> Vec<u64> {
    let (thread, threads) = (processes.thread(), processes.threads());
    let mut all = own.to_vec();
    for child in tree::children(thread, threads) {
        let begin = all.len();
        all.resize(begin + tree::size(child, threads) * own.len(), 0);
        message::receive(processes, child, &mut all[begin..]);
    }
    if let Some(parent) = tree::parent(thread) {
        message::send(processes, parent, &all);
    }
    all
}
