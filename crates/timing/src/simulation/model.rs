//! Properties of a simulated cluster.

use super::random::Random;
use crate::job::Fault;

/// Threads, clocks, network and disturbances. All times in seconds.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// Number of threads.
    pub threads: usize,
    /// Threads of one node, which share a clock.
    pub threads_per_node: usize,
    /// Thread 0 has a node of its own before those.
    pub first_alone: bool,
    /// Clocks begin up to so much before or after true time.
    pub offset: f64,
    /// Their rates differ from that of true time by up to this share.
    pub drift: f64,
    /// Cost of one reading, give or take a fifth.
    pub reading: f64,
    /// Smallest difference of two readings.
    pub resolution: f64,
    /// Time of a message between threads of a node, at least.
    pub near: f64,
    /// Time of a message between nodes, at least.
    pub far: f64,
    /// Mean of what messages take longer, as a share of the least time.
    pub jitter: f64,
    /// Share by which ways there and back may differ from the mean, each by itself.
    pub asymmetry: f64,
    /// Share by which all ways to one node may take longer than the mean, or shorter.
    pub slow_receivers: f64,
    /// Time that sending takes a thread, and receiving.
    pub overhead: f64,
    /// Disturbances by the operating system, a second and core.
    pub noise_rate: f64,
    /// Mean length of one.
    pub noise_length: f64,
    /// Threads have cores of their own, as the method is told.
    pub have_cores: bool,
    /// Error of all timers.
    pub fault: Fault,
    /// Of everything that is random.
    pub seed: u64,
    /// Another number gives other jitter and noise on the same cluster.
    pub stream: u64,
}

impl Model {
    /// Nodes with one thread each, as of a cluster with InfiniBand whose clocks are not disciplined.
    pub fn cluster(threads: usize, seed: u64) -> Self {
        Model {
            threads,
            threads_per_node: 1,
            first_alone: false,
            offset: 10.0,
            drift: 50e-6,
            reading: 25e-9,
            resolution: 1e-9,
            near: 0.2e-6,
            far: 1.5e-6,
            jitter: 0.1,
            asymmetry: 0.2,
            slow_receivers: 0.0,
            overhead: 0.3e-6,
            noise_rate: 100.0,
            noise_length: 10e-6,
            have_cores: true,
            fault: Fault::default(),
            seed,
            stream: 0,
        }
    }

    /// The same without anything random: clocks that agree, messages that take the same time, no
    /// disturbances.
    pub fn quiet(threads: usize) -> Self {
        Model {
            offset: 0.0,
            drift: 0.0,
            jitter: 0.0,
            asymmetry: 0.0,
            noise_rate: 0.0,
            ..Model::cluster(threads, 0)
        }
    }

    /// Number of a thread's node.
    pub fn node(&self, thread: usize) -> usize {
        let before = usize::from(self.first_alone);
        match thread < before {
            true => 0,
            false => before + (thread - before) / self.threads_per_node.max(1),
        }
    }

    /// Offset and drift of a node's clock.
    pub fn clock(&self, node: usize) -> (f64, f64) {
        let mut random = Random::new(&[self.seed, 1, node as u64]);
        (self.offset * random.signed(), self.drift * random.signed())
    }

    /// Least time of a message from one thread to another.
    pub(super) fn latency(&self, from: usize, to: usize) -> f64 {
        let least = match self.node(from) == self.node(to) {
            true => self.near,
            false => self.far,
        };
        let mut way = Random::new(&[self.seed, 2, from as u64, to as u64]);
        let mut node = Random::new(&[self.seed, 4, self.node(to) as u64]);
        let longer = self.asymmetry * way.signed() + self.slow_receivers * node.signed();
        least * (1.0 + longer)
    }
}
