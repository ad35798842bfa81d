//! Programs made of known steps, on threads that wait for each other exactly as long as they must.

use pgas_earl::StreamBuilder;
use pgas_trace::model::{Attributes, Operation, SyncMode};

use super::{FILE, collective, lock};

pub struct Program {
    clocks: Vec<u64>,
    streams: Vec<StreamBuilder>,
    /// When the lock was given back last.
    lock_free: u64,
}

impl Program {
    /// All threads begin main at 0.
    pub fn new(threads: usize) -> Self {
        let mut stream = StreamBuilder::new();
        stream.call(0, "main", FILE, 1);
        Program {
            clocks: vec![0; threads],
            streams: vec![stream; threads],
            lock_free: 0,
        }
    }

    /// Each thread computes for `ticks(thread)` ticks.
    pub fn compute(&mut self, ticks: impl Fn(usize) -> u64) {
        for (thread, clock) in self.clocks.iter_mut().enumerate() {
            *clock += ticks(thread);
        }
    }

    pub fn function(&mut self, name: &str, body: impl FnOnce(&mut Program)) {
        for (stream, &clock) in self.streams.iter_mut().zip(&self.clocks) {
            stream.call(clock, name, FILE, 100);
        }
        body(self);
        for (stream, &clock) in self.streams.iter_mut().zip(&self.clocks) {
            stream.leave(clock);
        }
    }

    /// A region of the program's own.
    pub fn region(&mut self, name: &str, body: impl FnOnce(&mut Program)) {
        for (stream, &clock) in self.streams.iter_mut().zip(&self.clocks) {
            let site = pgas_trace::model::Site {
                operation: Operation::UserRegion,
                file: FILE.into(),
                line: 77,
                name: name.into(),
            };
            stream.enter(clock, site, Attributes::None);
        }
        body(self);
        for (stream, &clock) in self.streams.iter_mut().zip(&self.clocks) {
            stream.leave(clock);
        }
    }

    fn latest(&self) -> u64 {
        self.clocks.iter().copied().max().unwrap_or(0)
    }

    pub fn barrier(&mut self, line: u32) {
        let end = self.latest();
        for (stream, clock) in self.streams.iter_mut().zip(&mut self.clocks) {
            stream.operation(*clock, end, Operation::Barrier, FILE, line);
            *clock = end;
        }
    }

    /// Each thread computes between notify and wait.
    pub fn split_barrier(&mut self, line: u32, ticks: impl Fn(usize) -> u64) {
        let last = self.latest();
        for (thread, stream) in self.streams.iter_mut().enumerate() {
            let clock = &mut self.clocks[thread];
            stream.operation(*clock, *clock, Operation::Notify, FILE, line);
            let wait = *clock + ticks(thread);
            let end = wait.max(last);
            stream.operation(wait, end, Operation::Wait, FILE, line + 1);
            *clock = end;
        }
        // Nobody begins the next step before all have left.
        let end = self.latest();
        self.clocks.fill(end);
    }

    /// With `IN_` and `OUT_` of the mode; all leave together.
    pub fn collective(&mut self, operation: Operation, line: u32, mode: SyncMode) {
        let end = self.latest();
        let rooted = matches!(operation, Operation::Reduce | Operation::Broadcast);
        for (stream, clock) in self.streams.iter_mut().zip(&mut self.clocks) {
            stream.begin(*clock, operation, FILE, line, Attributes::None);
            stream.exit(end, collective(rooted.then_some(0), mode, mode));
            *clock = end;
        }
    }

    /// Only one of the threads does it.
    pub fn on(&mut self, thread: usize, body: impl FnOnce(&mut Program)) {
        let mut alone = Program {
            clocks: vec![self.clocks[thread]],
            streams: vec![std::mem::take(&mut self.streams[thread])],
            lock_free: self.lock_free,
        };
        body(&mut alone);
        self.clocks[thread] = alone.clocks[0];
        self.streams[thread] = alone.streams.remove(0);
        self.lock_free = alone.lock_free;
    }

    /// Each thread writes remotely for `ticks(thread)` ticks.
    pub fn put(&mut self, line: u32, ticks: impl Fn(usize) -> u64) {
        for (thread, clock) in self.clocks.iter_mut().enumerate() {
            let begin = *clock;
            *clock += ticks(thread);
            let operation = Operation::Memput;
            let attributes = Attributes::transfer(0, 8);
            let stream = &mut self.streams[thread];
            stream.begin(begin, operation, FILE, line, attributes);
            stream.leave(*clock);
        }
    }

    /// When each thread is so far, in ticks.
    pub fn clocks(&self) -> &[u64] {
        &self.clocks
    }

    /// Each thread holds a lock for `ticks` ticks, one after the other.
    pub fn critical(&mut self, line: u32, ticks: u64) {
        let mut free = self.lock_free;
        for (stream, clock) in self.streams.iter_mut().zip(&mut self.clocks) {
            let begin = *clock;
            let taken = begin.max(free);
            stream.begin(begin, Operation::Lock, FILE, line, lock(1));
            stream.leave(taken);
            free = taken + ticks;
            stream.begin(free, Operation::Unlock, FILE, line + 1, lock(1));
            stream.leave(free);
            *clock = free;
        }
        self.lock_free = free;
    }

    /// Recording is off for `ticks` ticks, in which the given numbers of barriers and collectives
    /// are passed.
    pub fn without_recording(&mut self, ticks: u64, barriers: u64, collectives: u64) {
        for (stream, clock) in self.streams.iter_mut().zip(&mut self.clocks) {
            let operation = Operation::MeasurementStall;
            stream.begin(*clock, operation, "", 0, Attributes::None);
            *clock += ticks;
            let skipped = Attributes::Skipped {
                barriers,
                collectives,
            };
            stream.exit(*clock, skipped);
        }
    }

    /// The streams of the threads up to here; main is not over.
    pub fn unfinished(&self) -> Vec<StreamBuilder> {
        self.streams.clone()
    }

    /// The streams of the threads, which end here.
    pub fn streams(&self) -> Vec<StreamBuilder> {
        let mut streams = self.streams.clone();
        for (stream, &clock) in streams.iter_mut().zip(&self.clocks) {
            stream.leave(clock);
        }
        streams
    }
}
