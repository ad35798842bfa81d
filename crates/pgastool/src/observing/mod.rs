//! Samples a running program for its manager, which offers what is known of it to other programs:
//! the threads on this machine directly, those on several nodes by a ring of agents.

pub mod agents;
mod local;
mod nodes;
pub mod searching;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, SyncSender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use pgas_manager::{Fresh, Manager, Options, Question};
use pgas_monitor::{Picture, Wanted, text};
use pgas_search::{Change, Finding};

use self::local::Local;
use self::nodes::Nodes;
use crate::failure::Failure;

/// Time in which the end of a run is noticed, at most.
const TURN: Duration = Duration::from_millis(50);
/// Questions of clients that may wait for an answer.
const QUESTIONS: usize = 16;
/// Min ratio of the period to the time that a request takes on its way.
const SHARE: u32 = 10;

/// A run that is to be sampled.
#[derive(Debug, Clone)]
pub struct Sampled {
    /// What its live files are named by.
    pub key: String,
    pub experiment: PathBuf,
    /// Time between two pictures, unless sampling takes more than a tenth of it.
    pub period: Duration,
    /// Its threads may be on several nodes.
    pub is_on_nodes: bool,
}

/// A period, and what the search for the bottleneck has found.
type Sample = (Picture, Vec<Finding>, Vec<Change>);

/// Where samples come from.
enum Source {
    Local(Box<Local>),
    Nodes(Box<Nodes>),
}

impl Source {
    fn sample(&mut self) -> Option<Sample> {
        match self {
            Source::Local(local) => local.sample(),
            Source::Nodes(nodes) => nodes.sample(),
        }
    }

    /// Values as they are now; `None` if nobody answers.
    fn fresh(&mut self, wanted: Wanted) -> Option<Fresh> {
        match self {
            Source::Local(local) => local.fresh(&wanted),
            Source::Nodes(nodes) => nodes.fresh(wanted),
        }
    }
}

/// Sampling that goes on in the background until this is dropped.
pub struct Observing {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Observing {
    /// Begins to sample a run, whose program may not have begun. `complain` takes what the user
    /// should know.
    ///
    /// # Errors
    /// If the ring of agents cannot be prepared.
    pub fn begin(
        run: Sampled,
        complain: impl Fn(String) + Send + 'static,
    ) -> Result<Self, Failure> {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let source = match run.is_on_nodes {
            true => Source::Nodes(Box::new(Nodes::prepare(&run.key, &run.experiment)?)),
            false => Source::Local(Box::new(Local::new(&run.key, &run.experiment, run.period))),
        };
        let thread = std::thread::Builder::new().name("observing".to_owned());
        let thread = thread.spawn(move || observe(&run, source, &stopped, &complain))?;
        Ok(Observing {
            stop,
            thread: Some(thread),
        })
    }
}

impl Drop for Observing {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // A thread that has panicked has said why.
            let _ = thread.join();
        }
    }
}

fn observe(run: &Sampled, mut source: Source, stop: &AtomicBool, complain: &impl Fn(String)) {
    let mut manager = None;
    let (ask, questions) = mpsc::sync_channel(QUESTIONS);
    let mut next = Instant::now();
    while !stop.load(Ordering::Relaxed) {
        let begin = Instant::now();
        if let Some((picture, findings, changes)) = source.sample() {
            if manager.is_none() {
                manager = start(&run.experiment, &picture.runtime, &ask, complain);
            }
            match &manager {
                Some(manager) => manager.add(picture, findings, changes),
                None => break,
            }
        }
        if let Source::Nodes(nodes) = &mut source {
            nodes.news().into_iter().for_each(complain);
        }
        next += run.period.max(begin.elapsed() * SHARE);
        // A period that took too long is not made up for.
        next = next.max(Instant::now());
        while !stop.load(Ordering::Relaxed) && Instant::now() < next {
            let wait = next.saturating_duration_since(Instant::now()).min(TURN);
            // This thread has a sender, so that the other error is a pause without questions.
            if let Ok(question) = questions.recv_timeout(wait) {
                answer(question, &mut source);
            }
        }
    }
    if let Some(manager) = &manager {
        manager.end("the program has ended");
    }
    if let Source::Nodes(nodes) = source {
        nodes.end();
    }
}

/// Drops a question that has no answer; the manager then reports an error to the client.
fn answer(question: Question, source: &mut Source) {
    if let Some(fresh) = source.fresh(question.wanted.clone()) {
        question.answer(fresh);
    }
}

/// Starts the manager of a run with this runtime.
fn start(
    experiment: &Path,
    runtime: &str,
    questions: &SyncSender<Question>,
    complain: &impl Fn(String),
) -> Option<Manager> {
    let options = Options {
        page: pgas_watch_web::page(),
        words: text::words(runtime),
        port: 0,
        questions: Some(questions.clone()),
    };
    let started = Manager::start(options).and_then(|manager| {
        manager.announce(experiment)?;
        Ok(manager)
    });
    match started {
        Ok(manager) => Some(manager),
        Err(error) => {
            complain(format!(
                "`pgastool watch --web` will not see the run: {error}"
            ));
            None
        }
    }
}
