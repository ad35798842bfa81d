//! The threads with their timer, as the method sees them.

use crate::clock::Clock;
use crate::identity::Nodes;
use crate::threads::Threads;
use pgas_timing::processes::Processes;
use std::ffi::c_int;

pub struct Timed<'a> {
    threads: Threads<'a>,
    clock: Clock<'a>,
    places: &'a Nodes,
    nodes: Vec<c_int>,
}

impl<'a> Timed<'a> {
    pub fn new(threads: Threads<'a>, clock: Clock<'a>, places: &'a Nodes) -> Self {
        Timed {
            threads,
            clock,
            places,
            nodes: places.of.iter().map(|node| *node as c_int).collect(),
        }
    }

    pub fn threads(&self) -> Threads<'a> {
        self.threads
    }

    /// Node of each thread.
    pub fn nodes(&self) -> &[c_int] {
        &self.nodes
    }

    /// Bytes of memory of the smallest host.
    pub fn memory(&self) -> u64 {
        self.places.memory
    }

    /// Threads of the host that has most.
    pub fn most_on_a_node(&self) -> u64 {
        self.places.most_on_a_host as u64
    }
}

impl Processes for Timed<'_> {
    fn thread(&self) -> usize {
        self.threads.own()
    }

    fn threads(&self) -> usize {
        self.threads.number()
    }

    fn node(&self, thread: usize) -> usize {
        self.places.of[thread]
    }

    fn now(&self) -> f64 {
        self.clock.now()
    }

    fn send(&self, to: usize, words: &[u64]) {
        self.threads.send(to, words);
    }

    fn receive(&self, from: usize, words: &mut [u64]) {
        self.threads.receive(from, words);
    }

    fn have_cores(&self) -> bool {
        self.places.have_cores
    }

    fn barrier(&self) {
        self.threads.barrier();
    }
}
