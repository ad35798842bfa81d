//! Threads of this process that exchange messages through channels.

use pgas_timing::processes::Processes;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Barrier};
use std::time::Instant;

pub struct Member {
    thread: usize,
    nodes: Vec<usize>,
    have_cores: bool,
    begin: Instant,
    to: Vec<Sender<Vec<u64>>>,
    from: Vec<Receiver<Vec<u64>>>,
    all: Arc<Barrier>,
}

impl Processes for Member {
    fn thread(&self) -> usize {
        self.thread
    }

    fn threads(&self) -> usize {
        self.to.len()
    }

    fn node(&self, thread: usize) -> usize {
        self.nodes[thread]
    }

    fn now(&self) -> f64 {
        self.begin.elapsed().as_secs_f64()
    }

    fn have_cores(&self) -> bool {
        self.have_cores
    }

    fn send(&self, to: usize, words: &[u64]) {
        self.to[to]
            .send(words.to_vec())
            .expect("the thread is there");
    }

    fn receive(&self, from: usize, words: &mut [u64]) {
        let mut looks = 0;
        loop {
            match self.from[from].try_recv() {
                Ok(received) => return words.copy_from_slice(&received),
                Err(TryRecvError::Disconnected) => panic!("the thread is gone"),
                Err(TryRecvError::Empty) => looks += 1,
            }
            if looks % 256 == 0 {
                std::thread::yield_now();
            }
        }
    }

    fn barrier(&self) {
        self.all.wait();
    }
}

/// Runs the same on a thread for each of `nodes`; results in the order of threads.
pub fn run<T: Send>(nodes: &[usize], body: impl Fn(Member) -> T + Sync) -> Vec<T> {
    let all = Arc::new(Barrier::new(nodes.len()));
    let begin = Instant::now();
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let mut members: Vec<Member> = (0..nodes.len())
        .map(|thread| Member {
            thread,
            nodes: nodes.to_vec(),
            have_cores: cores >= nodes.len(),
            begin,
            to: Vec::new(),
            from: Vec::new(),
            all: Arc::clone(&all),
        })
        .collect();
    for from in 0..nodes.len() {
        for to in 0..nodes.len() {
            let (sender, receiver) = channel();
            members[from].to.push(sender);
            members[to].from.push(receiver);
        }
    }
    std::thread::scope(|scope| {
        let body = &body;
        let spawn = |member| scope.spawn(move || body(member));
        let started: Vec<_> = members.into_iter().map(spawn).collect();
        let ended = started.into_iter().map(|thread| thread.join());
        ended.map(|result| result.expect("no panic")).collect()
    })
}
