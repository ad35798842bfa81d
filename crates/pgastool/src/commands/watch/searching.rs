//! The search for bottlenecks beside the pictures: a thread of its own looks at the program more
//! often than pictures are shown, so that something is certain soon.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use pgas_live::place::PLACE;
use pgas_monitor::{Board, Look};
use pgas_search::{Change, Finding, Search};

use super::choosing::Chosen;

/// Time between two looks at first.
const OFTEN: Duration = Duration::from_millis(200);
/// How much longer than a look the time between two is at least: with thousands of threads, the
/// search must not take a core for itself.
const SHARE: u32 = 50;

/// What the search knows.
#[derive(Default)]
struct Known {
    findings: Vec<Finding>,
    /// Those that nobody has asked for yet.
    changes: Vec<Change>,
}

/// A search that goes on until it is dropped.
pub struct Searching {
    known: Arc<Mutex<Known>>,
    is_over: Arc<AtomicBool>,
}

impl Searching {
    /// Begins to search.
    pub fn begin(chosen: &Chosen) -> Self {
        let known = Arc::new(Mutex::new(Known::default()));
        let is_over = Arc::new(AtomicBool::new(false));
        let mut board = Board::new(Path::new(PLACE), &chosen.key, &chosen.experiment);
        let (noted, stop) = (Arc::clone(&known), Arc::clone(&is_over));
        // Nobody waits for it: it only reads.
        std::thread::spawn(move || {
            let mut search = Search::default();
            while !stop.load(Ordering::Relaxed) {
                let begin = Instant::now();
                match board.look() {
                    Ok(Look::Going(picture)) => {
                        let changes = search.look(&picture);
                        let mut noted = noted.lock().unwrap_or_else(PoisonError::into_inner);
                        noted.changes.extend(changes);
                        noted.findings = search.findings().to_vec();
                    }
                    Ok(Look::Nothing) => {}
                    // Whoever shows pictures says so.
                    Ok(Look::Ended | Look::Killed(_)) | Err(_) => return,
                }
                sleep(OFTEN.max(begin.elapsed() * SHARE));
            }
        });
        Searching { known, is_over }
    }

    /// What is certain now, and what has changed since this was asked last.
    pub fn news(&self) -> (Vec<Finding>, Vec<Change>) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let changes = std::mem::take(&mut known.changes);
        (known.findings.clone(), changes)
    }
}

impl Drop for Searching {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}
