//! Largest value of all threads.

use super::{message, tree};
use crate::processes::Processes;

/// The largest value, on thread 0; on other threads that of the threads below.
pub(crate) fn maximum<P: Processes + ?Sized>(processes: &P, own: f64) -> f64 {
    let thread = processes.thread();
    let mut largest = own;
    for child in tree::children(thread, processes.threads()) {
        let mut word = [0];
        message::receive(processes, child, &mut word);
        largest = largest.max(f64::from_bits(word[0]));
    }
    if let Some(parent) = tree::parent(thread) {
        message::send(processes, parent, &[largest.to_bits()]);
    }
    largest
}
