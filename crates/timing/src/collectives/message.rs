//! Any number of words, in messages of limited length.

use crate::processes::{MESSAGE_WORDS, Processes};

pub(super) fn send<P: Processes + ?Sized>(processes: &P, to: usize, words: &[u64]) {
    for part in words.chunks(MESSAGE_WORDS) {
        processes.send(to, part);
    }
}

pub(super) fn receive<P: Processes + ?Sized>(processes: &P, from: usize, words: &mut [u64]) {
    for part in words.chunks_mut(MESSAGE_WORDS) {
        processes.receive(from, part);
    }
}
