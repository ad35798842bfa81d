//! Effects around an operation: connections that are set up, buffers that caches hold.

use super::super::thread::Thread;
use crate::operation::Operation;

/// The first call takes longer.
pub struct FirstSlow<'a, O> {
    thread: &'a Thread<'a>,
    longer: f64,
    is_next: bool,
    inner: O,
}

impl<'a, O: Operation> FirstSlow<'a, O> {
    /// By some seconds.
    pub fn new(thread: &'a Thread<'a>, longer: f64, inner: O) -> Self {
        FirstSlow {
            thread,
            longer,
            is_next: true,
            inner,
        }
    }
}

impl<O: Operation> Operation for FirstSlow<'_, O> {
    fn ready(&mut self, launch: u64) {
        self.inner.ready(launch);
    }

    fn run(&mut self, launch: u64) {
        if std::mem::take(&mut self.is_next) {
            self.thread.work(self.longer);
        }
        self.inner.run(launch);
    }

    fn done(&mut self, launch: u64) {
        self.inner.done(launch);
    }
}

/// The buffer of a launch comes from memory, unless it is among those that were used last.
pub struct Cache<'a, O> {
    thread: &'a Thread<'a>,
    buffers: u64,
    held: usize,
    miss: f64,
    used: Vec<u64>,
    inner: O,
}

impl<'a, O: Operation> Cache<'a, O> {
    /// Launches rotate through `buffers`, of which the cache holds `held`; a buffer that it does
    /// not hold takes `miss` seconds longer.
    pub fn new(thread: &'a Thread<'a>, buffers: u64, held: usize, miss: f64, inner: O) -> Self {
        Cache {
            thread,
            buffers,
            held,
            miss,
            used: Vec::new(),
            inner,
        }
    }
}

impl<O: Operation> Operation for Cache<'_, O> {
    fn ready(&mut self, launch: u64) {
        self.inner.ready(launch);
    }

    fn run(&mut self, launch: u64) {
        let buffer = launch % self.buffers;
        let known = self.used.iter().position(|&used| used == buffer);
        match known {
            Some(place) => {
                self.used.remove(place);
            }
            None => self.thread.work(self.miss),
        }
        self.used.push(buffer);
        if self.used.len() > self.held {
            self.used.remove(0);
        }
        self.inner.run(launch);
    }

    fn done(&mut self, launch: u64) {
        self.inner.done(launch);
    }
}
