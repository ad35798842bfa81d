//! Operations made of messages.

use super::super::thread::Thread;
use crate::operation::Operation;
use crate::processes::Processes;

/// Which messages are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// Barrier by dissemination.
    Barrier,
    /// The root sends to one thread after another.
    LinearBroadcast,
    /// Each thread that has the message passes it on.
    BinomialBroadcast,
    /// Each thread sends to all others.
    AllToAll,
    /// Thread 0 sends to the last one.
    PointToPoint,
}

/// The part of one thread.
pub struct Collective<'a> {
    thread: &'a Thread<'a>,
    algorithm: Algorithm,
    /// Launch l has the root l mod n instead of 0.
    rotates: bool,
    halves: bool,
}

impl<'a> Collective<'a> {
    /// With thread 0 as its root, if it has one.
    pub fn new(thread: &'a Thread<'a>, algorithm: Algorithm) -> Self {
        Collective {
            thread,
            algorithm,
            rotates: false,
            halves: false,
        }
    }

    /// With another root for each launch.
    pub fn rotating(thread: &'a Thread<'a>, algorithm: Algorithm) -> Self {
        Collective {
            rotates: true,
            ..Collective::new(thread, algorithm)
        }
    }

    /// A message from thread 0 to the last one that is on its way while threads compute.
    pub fn in_halves(thread: &'a Thread<'a>) -> Self {
        Collective {
            halves: true,
            ..Collective::new(thread, Algorithm::PointToPoint)
        }
    }

    fn number(&self, relative: usize, root: usize) -> usize {
        (relative + root) % self.thread.threads()
    }

    fn barrier(&self, own: usize) {
        let threads = self.thread.threads();
        let mut distance = 1;
        while distance < threads {
            self.thread.send(self.number(own, distance), &[0]);
            self.thread
                .receive(self.number(own, threads - distance), &mut [0]);
            distance *= 2;
        }
    }

    fn linear(&self, relative: usize, root: usize) {
        if relative > 0 {
            self.thread.receive(root, &mut [0]);
            return;
        }
        for other in 1..self.thread.threads() {
            self.thread.send(self.number(other, root), &[0]);
        }
    }

    fn binomial(&self, relative: usize, root: usize) {
        let threads = self.thread.threads();
        let mut bit = threads.next_power_of_two();
        while bit > 0 {
            if relative % (2 * bit) == bit {
                self.thread
                    .receive(self.number(relative - bit, root), &mut [0]);
            } else if relative % (2 * bit) == 0 && relative + bit < threads {
                self.thread.send(self.number(relative + bit, root), &[0]);
            }
            bit /= 2;
        }
    }

    fn all_to_all(&self, own: usize) {
        let threads = self.thread.threads();
        for distance in 1..threads {
            self.thread.send(self.number(own, distance), &[0]);
        }
        for distance in 1..threads {
            self.thread
                .receive(self.number(own, threads - distance), &mut [0]);
        }
    }
}

impl Operation for Collective<'_> {
    fn ready(&mut self, _launch: u64) {}

    fn run(&mut self, launch: u64) {
        let (own, threads) = (self.thread.thread(), self.thread.threads());
        let root = match self.rotates {
            true => launch as usize % threads,
            false => 0,
        };
        let relative = self.number(own, threads - root);
        match self.algorithm {
            Algorithm::Barrier => self.barrier(own),
            Algorithm::LinearBroadcast => self.linear(relative, root),
            Algorithm::BinomialBroadcast => self.binomial(relative, root),
            Algorithm::AllToAll => self.all_to_all(own),
            Algorithm::PointToPoint if own == 0 => self.thread.send(threads - 1, &[0]),
            Algorithm::PointToPoint if own == threads - 1 => self.thread.receive(0, &mut [0]),
            Algorithm::PointToPoint => (),
        }
    }

    fn done(&mut self, _launch: u64) {}

    fn has_halves(&self) -> bool {
        self.halves
    }

    fn start(&mut self, launch: u64) {
        if self.thread.thread() == 0 {
            self.run(launch);
        }
    }

    fn complete(&mut self, launch: u64) {
        if self.thread.thread() != 0 {
            self.run(launch);
        }
    }
}
