//! Runs the search for the bottleneck in a background thread, which samples the program more often
//! than pictures are shown and so confirms a hypothesis within seconds.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::sleep;
use std::time::Duration;

use pgas_base::models::Words;
use pgas_live::place::PLACE;
use pgas_monitor::{Board, Look};
use pgas_result::live::{LiveFinding, LivePlace};
use pgas_result::watched::{self, WatchedError};
use pgas_search::{Change, Claim, Finding, Search, shown};
use rustix::time::{ClockId, clock_gettime};

/// Max sampling period, unless a look takes long.
pub const OFTEN: Duration = Duration::from_millis(200);
/// Min ratio of the sampling period to the core time of a look: with thousands of threads the search
/// takes no more than 2 % of a core.
const SHARE: u32 = 50;

/// Core time of the calling thread. On a busy machine a look lasts longer than it takes of a core.
fn core_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// State that the search shares with the display.
#[derive(Default)]
struct Known {
    findings: Vec<Finding>,
    /// Since the last [`Searching::news`].
    changes: Vec<Change>,
    /// Failure to write them into the experiment, since the last [`Searching::news`].
    problem: Option<String>,
}

/// A running search. It stops when this is dropped.
pub struct Searching {
    known: Arc<Mutex<Known>>,
    is_over: Arc<AtomicBool>,
}

impl Searching {
    /// Starts the search. It also writes its findings into the experiment, in these words. `period` is
    /// that of the pictures that are shown.
    pub fn begin(key: &str, experiment: &Path, words: Words, period: Duration) -> Self {
        let known = Arc::new(Mutex::new(Known::default()));
        let is_over = Arc::new(AtomicBool::new(false));
        let mut board = Board::new(Path::new(PLACE), key, experiment);
        let (noted, stop) = (Arc::clone(&known), Arc::clone(&is_over));
        let experiment = experiment.to_owned();
        // Not joined at the end: the thread holds no resource that matters after the process.
        std::thread::spawn(move || {
            let mut search = Search::default();
            while !stop.load(Ordering::Relaxed) {
                let begin = core_time();
                match board.look() {
                    Ok(Look::Going(picture)) => {
                        let changes = search.look(&picture);
                        let mut problem = None;
                        if !changes.is_empty() {
                            problem = note(&experiment, &changes, picture.elapsed, &words).err();
                        }
                        let mut noted = noted.lock().unwrap_or_else(PoisonError::into_inner);
                        noted.changes.extend(changes);
                        noted.findings = search.findings().to_vec();
                        if let Some(problem) = problem {
                            noted.problem = Some(problem.to_string());
                        }
                    }
                    Ok(Look::Nothing) => {}
                    // The display reports the end of the program and errors.
                    Ok(Look::Ended | Look::Killed(_)) | Err(_) => return,
                }
                sleep(period.min(OFTEN).max((core_time() - begin) * SHARE));
            }
        });
        Searching { known, is_over }
    }

    /// The current findings, and the changes and write errors since the last call.
    pub fn news(&self) -> (Vec<Finding>, Vec<Change>, Option<String>) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let changes = std::mem::take(&mut known.changes);
        let problem = known.problem.take();
        (known.findings.clone(), changes, problem)
    }
}

/// Writes the changes into the experiment.
///
/// # Errors
/// If its file cannot be read or written.
pub fn note(
    experiment: &Path,
    changes: &[Change],
    elapsed: f64,
    words: &Words,
) -> Result<(), WatchedError> {
    let (mut confirmed, mut rejected) = (Vec::new(), Vec::new());
    for change in changes {
        match change {
            Change::Found(finding) => confirmed.push(recorded(finding, words)),
            Change::Gone(finding) => rejected.push(finding.claim.key()),
        }
    }
    watched::update(experiment, &confirmed, &rejected, elapsed)
}

/// A finding as the experiment keeps it.
fn recorded(finding: &Finding, words: &Words) -> LiveFinding {
    let (kind, place, thread) = match &finding.claim {
        Claim::Program => (None, None, None),
        Claim::Kind { kind, .. } => (Some(*kind), None, None),
        Claim::Place { kind, place, .. } => (Some(*kind), Some(place), None),
        Claim::Thread {
            kind,
            place,
            thread,
        } => (Some(*kind), Some(place), Some(*thread)),
        Claim::Channel { slow, place, .. } => (Some(*slow), Some(place), None),
    };
    LiveFinding {
        key: finding.claim.key(),
        text: shown(finding, words),
        kind: kind.map(str::to_owned),
        place: place.map(|place| LivePlace {
            region: place.region.clone(),
            file: place.file.clone(),
            line: place.line,
        }),
        thread,
        task: slow_task(&finding.claim),
        share: Some(finding.share),
        pattern: finding.pattern.clone(),
        evidence: finding.evidence.clone(),
        meanwhile: finding.meanwhile.clone(),
        known_after_seconds: finding.known_after,
        gone_after_seconds: None,
    }
}

/// "task 2 (smoother)".
fn slow_task(claim: &Claim) -> Option<String> {
    match claim {
        Claim::Channel {
            slow: "producer",
            producer,
            ..
        } => Some(producer.name()),
        Claim::Channel { consumer, .. } => Some(consumer.name()),
        _ => None,
    }
}

impl Drop for Searching {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}
