//! Ends the process if a signal asks for it and the viewer does not, whatever it is busy with.

use std::time::{Duration, Instant};

/// Time between two checks for a signal.
const TURN: Duration = Duration::from_millis(100);
/// Time that the viewer has to end by itself.
const PATIENCE: Duration = Duration::from_secs(1);

/// Calls `abandon` if the process has not ended a while after `stop` became true.
pub fn start(stop: fn() -> bool, abandon: impl FnOnce() + Send + 'static) {
    std::thread::spawn(move || {
        while !stop() {
            std::thread::sleep(TURN);
        }
        let asked = Instant::now();
        // When the viewer ends, so does the process, and this with it.
        while asked.elapsed() < PATIENCE {
            std::thread::sleep(TURN);
        }
        abandon();
    });
}
