//! The search for bottlenecks beside the pictures: a thread of its own looks at the program more
//! often than pictures are shown, so that something is certain soon.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use pgas_base::models::Words;
use pgas_live::place::PLACE;
use pgas_monitor::{Board, Look};
use pgas_result::live::LiveFinding;
use pgas_result::watched;
use pgas_search::{Change, Claim, Finding, Search, shown};

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
    /// Why the experiment does not get them, if nobody has asked for that yet.
    problem: Option<String>,
}

/// A search that goes on until it is dropped.
pub struct Searching {
    known: Arc<Mutex<Known>>,
    is_over: Arc<AtomicBool>,
}

impl Searching {
    /// Begins to search. What becomes certain is written into the experiment, in these words.
    pub fn begin(chosen: &Chosen, words: Words) -> Self {
        let known = Arc::new(Mutex::new(Known::default()));
        let is_over = Arc::new(AtomicBool::new(false));
        let mut board = Board::new(Path::new(PLACE), &chosen.key, &chosen.experiment);
        let (noted, stop) = (Arc::clone(&known), Arc::clone(&is_over));
        let experiment = chosen.experiment.clone();
        // Nobody waits for it: it only reads.
        std::thread::spawn(move || {
            let (mut search, mut all) = (Search::default(), Vec::new());
            while !stop.load(Ordering::Relaxed) {
                let begin = Instant::now();
                match board.look() {
                    Ok(Look::Going(picture)) => {
                        let changes = search.look(&picture);
                        let mut problem = None;
                        if !changes.is_empty() {
                            note(&mut all, &changes, picture.elapsed, &words);
                            let noted: Vec<_> =
                                all.iter().map(|(_, noted)| noted.clone()).collect();
                            problem = watched::save(&experiment, &noted).err();
                        }
                        let mut noted = noted.lock().unwrap_or_else(PoisonError::into_inner);
                        noted.changes.extend(changes);
                        noted.findings = search.findings().to_vec();
                        if let Some(problem) = problem {
                            noted.problem = Some(problem.to_string());
                        }
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

    /// What is certain now, what has changed since this was asked last, and why that is not in the
    /// experiment.
    pub fn news(&self) -> (Vec<Finding>, Vec<Change>, Option<String>) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let changes = std::mem::take(&mut known.changes);
        let problem = known.problem.take();
        (known.findings.clone(), changes, problem)
    }
}

/// Adds what was found, and when what was found before has gone.
fn note(all: &mut Vec<(Claim, LiveFinding)>, changes: &[Change], elapsed: f64, words: &Words) {
    for change in changes {
        match change {
            Change::Found(finding) => {
                let noted = LiveFinding {
                    text: shown(finding, words),
                    known_after_seconds: finding.known_after,
                    gone_after_seconds: None,
                };
                all.push((finding.claim.clone(), noted));
            }
            Change::Gone(finding) => {
                let last = all.iter_mut().rfind(|(claim, _)| *claim == finding.claim);
                if let Some((_, noted)) = last {
                    noted.gone_after_seconds = Some(elapsed);
                }
            }
        }
    }
}

impl Drop for Searching {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}
