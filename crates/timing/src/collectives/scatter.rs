//! Words of thread 0, other ones for each thread.

use super::{message, tree};
use crate::processes::Processes;

/// This thread's `count` words of those that thread 0 has for all, in the order of threads. Other
/// threads pass any.
pub(crate) fn scatter<P: Processes + ?Sized>(
    processes: &P,
    all: Vec<u64>,
    count: usize,
) -> Vec<u64> {
    let (thread, threads) = (processes.thread(), processes.threads());
    let mut words = all;
    if let Some(parent) = tree::parent(thread) {
        words = vec![0; tree::size(thread, threads) * count];
        message::receive(processes, parent, &mut words);
    }
    for child in tree::children(thread, threads).rev() {
        let begin = (child - thread) * count;
        let end = begin + tree::size(child, threads) * count;
        message::send(processes, child, &words[begin..end]);
    }
    words.truncate(count);
    words
}
