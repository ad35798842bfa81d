//! One thread of a simulated cluster.

use super::random::Random;
use super::world::World;
use crate::collectives;
use crate::processes::Processes;
use corosensei::Yielder;
use std::cell::RefCell;

/// Seconds from one step of a faulty timer to the next.
const STEP_LENGTH: f64 = 1e-3;

/// A thread, with its own time and its own clock.
pub struct Thread<'a> {
    number: usize,
    world: &'a World,
    yielder: &'a Yielder<(), ()>,
    offset: f64,
    drift: f64,
    state: RefCell<State>,
}

struct State {
    /// True time.
    time: f64,
    random: Random,
    next_noise: f64,
    /// Seconds for which a progress thread of the library needs the core.
    progress: f64,
}

impl State {
    fn noise(&mut self, world: &World) -> f64 {
        let length = self.random.exponential(world.model.noise_length);
        let end = self.next_noise + length;
        self.next_noise = end + self.random.exponential(1.0 / world.model.noise_rate);
        length
    }

    /// Works for some time, and longer if it is disturbed.
    fn work(&mut self, world: &World, seconds: f64) {
        let mut end = self.time + seconds;
        while self.next_noise < end {
            end += self.noise(world);
        }
        self.time = end;
    }

    /// Goes on at some time, or after the disturbance that it falls into.
    fn idle_until(&mut self, world: &World, time: f64) {
        let mut end = self.time.max(time);
        while self.next_noise < end {
            let begin = self.next_noise;
            end = end.max(begin + self.noise(world));
        }
        self.time = end;
    }
}

impl<'a> Thread<'a> {
    pub(super) fn new(number: usize, world: &'a World, yielder: &'a Yielder<(), ()>) -> Self {
        let model = &world.model;
        let (offset, drift) = model.clock(model.node(number));
        let mut random = Random::new(&[model.seed, 3, model.stream, number as u64]);
        let next_noise = match model.noise_rate > 0.0 {
            true => random.exponential(1.0 / model.noise_rate),
            false => f64::INFINITY,
        };
        Thread {
            number,
            world,
            yielder,
            offset,
            drift,
            state: RefCell::new(State {
                // Threads do not begin at the same moment.
                time: 1e-3 * random.share(),
                random,
                next_noise,
                progress: 0.0,
            }),
        }
    }

    /// True time, which no real thread knows.
    pub fn true_time(&self) -> f64 {
        self.state.borrow().time
    }

    /// Computes.
    pub fn work(&self, seconds: f64) {
        self.state.borrow_mut().work(self.world, seconds);
    }

    /// Lets a progress thread of the library have the core for some seconds, as soon as this thread
    /// computes or waits for it.
    pub fn needs_progress(&self, seconds: f64) {
        self.state.borrow_mut().progress += seconds;
    }

    /// Waits until the progress thread needs the core no longer.
    pub fn wait_for_progress(&self) {
        let seconds = std::mem::take(&mut self.state.borrow_mut().progress);
        self.work(seconds);
    }

    /// Sleeps until some true time.
    pub fn idle_until(&self, time: f64) {
        self.state.borrow_mut().idle_until(self.world, time);
    }

    /// The clock at some true time.
    fn shown(&self, time: f64) -> f64 {
        let model = &self.world.model;
        let fault = model.fault;
        let mut shown = time * (1.0 + self.drift + fault.drift);
        shown += fault.step * (shown / STEP_LENGTH).floor();
        let resolution = model.resolution.max(fault.resolution);
        // The offset is a whole number of steps, which does not matter for a clock.
        ((shown + self.offset) / resolution).floor() * resolution
    }

    /// The true time from which on the clock shows at least `time`.
    fn when_shown(&self, time: f64) -> f64 {
        let mut early = self.true_time();
        let mut late = early + 1e-6;
        while self.shown(late) < time {
            (early, late) = (late, early + 2.0 * (late - early));
        }
        while late - early > 1e-12 {
            let middle = early + (late - early) / 2.0;
            match self.shown(middle) < time {
                true => early = middle,
                false => late = middle,
            }
        }
        late
    }
}

impl Processes for Thread<'_> {
    fn thread(&self) -> usize {
        self.number
    }

    fn threads(&self) -> usize {
        self.world.model.threads
    }

    fn node(&self, thread: usize) -> usize {
        self.world.model.node(thread)
    }

    fn now(&self) -> f64 {
        let mut state = self.state.borrow_mut();
        let cost = self.world.model.reading * (1.0 + 0.2 * state.random.signed());
        state.work(self.world, cost / 2.0);
        let shown = self.shown(state.time);
        state.work(self.world, cost / 2.0);
        shown
    }

    fn have_cores(&self) -> bool {
        self.world.model.have_cores
    }

    fn wait_until(&self, time: f64) {
        if self.now() >= time {
            return;
        }
        let shown = self.when_shown(time);
        let mut state = self.state.borrow_mut();
        let last_look = self.world.model.reading * state.random.share();
        state.idle_until(self.world, shown + last_look);
    }

    fn spin(&self, seconds: f64) {
        self.idle_until(self.true_time() + seconds);
    }

    fn compute(&self, seconds: f64) {
        self.work(seconds);
        self.wait_for_progress();
    }

    fn send(&self, to: usize, words: &[u64]) {
        self.work(self.world.model.overhead);
        let mut state = self.state.borrow_mut();
        let longer = state.random.exponential(self.world.model.jitter);
        self.world.send(self.number, to, state.time, longer, words);
    }

    fn receive(&self, from: usize, words: &mut [u64]) {
        let message = loop {
            match self.world.take(from, self.number) {
                Some(message) => break message,
                None => self.yielder.suspend(()),
            }
        };
        self.idle_until(message.arrival);
        self.work(self.world.model.overhead);
        words.copy_from_slice(&message.words);
    }

    /// Up and down a binomial tree, so that threads leave it at different times.
    fn barrier(&self) {
        collectives::maximum(self, 0.0);
        collectives::broadcast(self, &mut [0]);
    }
}
