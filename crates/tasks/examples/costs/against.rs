//! The same messages through crossbeam's channels, between threads.

use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};

use super::{CAPACITY, MESSAGES, TRIPS};

/// Messages that one thread sends before it receives them: as many as fit into both channels.
const BURST: u64 = 128;
const _: () = assert!(BURST as usize <= CAPACITY);

fn ends(capacity: Option<usize>) -> (Sender<u64>, Receiver<u64>) {
    capacity.map_or_else(unbounded, bounded)
}

/// One thread sends some messages, then receives them, and so on.
pub fn alternate(capacity: Option<usize>) -> Duration {
    let (sender, receiver) = ends(capacity);
    let begin = Instant::now();
    let mut sum = 0;
    for burst in 0..MESSAGES / BURST {
        for number in burst * BURST..(burst + 1) * BURST {
            assert!(sender.send(number).is_ok());
        }
        sum += receiver.iter().take(BURST as usize).sum::<u64>();
    }
    assert_eq!(sum, (0..MESSAGES / BURST * BURST).sum());
    begin.elapsed()
}

/// One thread sends, another one receives.
pub fn stream(capacity: Option<usize>) -> Duration {
    let (sender, receiver) = ends(capacity);
    let (begun, begin) = bounded(1);
    let receiver = thread::spawn(move || {
        let _ = begun.send(Instant::now());
        receiver.iter().sum::<u64>()
    });
    let begin = begin.recv();
    for number in 0..MESSAGES {
        assert!(sender.send(number).is_ok());
    }
    drop(sender);
    assert_eq!(receiver.join().ok(), Some((0..MESSAGES).sum()));
    begin.map_or(Duration::MAX, |begin| begin.elapsed())
}

/// One thread sends, another one sends back.
pub fn round_trips() -> Duration {
    let (there, arrived) = ends(None);
    let (back, returned) = ends(None);
    let echo = thread::spawn(move || arrived.iter().try_for_each(|number| back.send(number)));
    let begin = Instant::now();
    for number in 0..TRIPS {
        assert!(there.send(number).is_ok());
        assert_eq!(returned.recv(), Ok(number));
    }
    let time = begin.elapsed();
    drop(there);
    assert!(echo.join().is_ok());
    time
}
