//! A measurement as all threads perform it together.
//!
//! Thread 0 leads: it decides with which interval a stage is started, when clocks are compared
//! again, and when enough launches were correct; the others do as its orders say. Messages are sent
//! between stages only.
//!
//! # Time of one launch
//!
//! The time of a launch is the maximum over threads of the time from a thread's own start to its
//! own end, so offsets of clocks are not in it. They are in the starts: two threads that start "at
//! the same time" may be apart by `S = u_a + u_b + l`, where `u` are the bounds of their clocks'
//! errors and `l` is the distance of their starts as the clocks show it. A thread that starts first
//! and waits for the last one measures `T + S` instead of `T`; the receiver of a broadcast whose
//! root starts first measures `T - S`. So the mean over launches is wrong, too, however many
//! launches there are. Student's interval does not know that.
//!
//! How wrong it is depends on the clocks' real errors, whose size loops of comparisons show
//! (`compare`). The time of a launch is that of the longest of many paths, each from the
//! start of one thread to the end of another. A path's time is wrong by the difference of these two
//! threads' errors, `P` at most at the confidence. The longest path keeps the launch from being too
//! short by more than its own error; but each of the others may become longer than it, so the
//! launch may be too long by as much as any two starts are apart, `R`. With the error `E` of the
//! mean, which is independent of the clocks', the interval of a timing is from
//! `mean - sqrt(E² + R²) - l - r` to `mean + sqrt(E² + P²) + l`, where `r` is the time of one
//! reading of the timer, which each time contains. Where loops do not show errors (of two clocks),
//! `S` takes the place of `P` and `R`; where threads do not wait for each other
//! ([`Operation::waits`]), none of them counts.

mod assemble;
mod body;
mod launches;
mod lead;
mod order;
mod overlap;
mod rows;
mod stage;
mod start;
mod stopping;

use crate::collectives;
use crate::compare::{self, GlobalClock, History, Sharing};
use crate::job::{Case, Method, Settings};
use crate::operation::Operation;
use crate::processes::Processes;
use crate::reading::Reading;
use crate::record::{Clocks, Launch, Overlap, Stage, Summary, Timing};
use std::fmt;

/// Threads that time operations together, as one of them sees it. All call the same functions in
/// the same order.
pub struct Session<'a, P: Processes + ?Sized> {
    processes: &'a P,
    settings: &'a Settings,
    sharing: Sharing,
    clock: GlobalClock,
    history: History,
    reading: Reading,
    /// Time that is reserved for a broadcast of thread 0's orders; larger after a thread was late.
    broadcast: f64,
    /// Measured upper bound of that time.
    measured_broadcast: f64,
}

/// Time of an operation: what a [`Timing`] says of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurement {
    /// How it was timed.
    pub method: Method,
    /// Number of threads.
    pub threads: usize,
    /// All launches, without stage 0.
    pub launches: u32,
    /// Maximum over threads.
    pub summary: Summary,
    /// Times of all correct launches, in their order.
    pub times: Vec<f64>,
    /// See [`Timing::clock_uncertainty`].
    pub clock_uncertainty: f64,
    /// See [`Timing::start_error`].
    pub start_error: f64,
    /// By thread, if asked for.
    pub per_thread: Vec<Summary>,
    /// All stages, from stage 0.
    pub stages: Vec<Stage>,
    /// Launches of the last stage, if asked for.
    pub picture: Vec<Launch>,
    /// Overlap with computation, if the operation has halves.
    pub overlap: Option<Overlap>,
}

impl Measurement {
    /// The record of a case.
    pub fn into_timing(
        self,
        case: usize,
        what: Case,
        repetition: u32,
        verified: Option<bool>,
    ) -> Timing {
        Timing {
            case,
            what,
            repetition,
            threads: self.threads,
            method: self.method,
            launches: self.launches,
            summary: self.summary,
            times: self.times,
            clock_uncertainty: self.clock_uncertainty,
            start_error: self.start_error,
            per_thread: self.per_thread,
            stages: self.stages,
            picture: self.picture,
            overlap: self.overlap,
            repeats: 1,
            verified,
        }
    }
}

/// Too few launches were correct for a mean.
#[derive(Debug, Clone, PartialEq)]
pub struct TooFew {
    /// Launches that were correct.
    pub correct: u32,
    /// All launches, without stage 0.
    pub launches: u32,
    /// Those in which a thread started late.
    pub started_late: u32,
    /// Threads have cores of their own.
    pub have_cores: bool,
}

impl fmt::Display for TooFew {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(
            f,
            "{} of {} launches were correct: in {} a thread started late, in {} one ended only \
             after the next start",
            self.correct,
            self.launches,
            self.started_late,
            self.launches - self.correct - self.started_late
        )?;
        if !self.have_cores {
            write!(
                f,
                "; threads share cores, which --method barrier bears better"
            )?;
        }
        Ok(())
    }
}

impl std::error::Error for TooFew {}

impl<'a, P: Processes + ?Sized> Session<'a, P> {
    /// Gets to know the timer, the clocks and the time of a broadcast.
    pub fn begin(processes: &'a P, settings: &'a Settings) -> Self {
        let sharing = Sharing::new(processes, settings);
        let epoch = compare::epoch(processes, &sharing);
        let epochs = collectives::gather(processes, &[epoch.to_bits()]);
        let mut session = Session {
            processes,
            settings,
            clock: GlobalClock::new(epoch),
            history: History::new(epochs.into_iter().map(f64::from_bits).collect()),
            reading: Reading::measure(processes),
            broadcast: 0.0,
            measured_broadcast: 0.0,
            sharing,
        };
        session.compare();
        session.compare_rates();
        session.measured_broadcast = start::broadcast_time(processes, &session.clock);
        session.broadcast = session.measured_broadcast;
        session
    }

    /// This thread's timer by itself.
    pub fn reading(&self) -> Reading {
        self.reading
    }

    /// Times an operation. `progress` is called on thread 0, with the launches so far. The result is
    /// on thread 0.
    pub fn time(
        &mut self,
        operation: &mut dyn Operation,
        progress: &mut dyn FnMut(u32),
    ) -> Option<Result<Measurement, TooFew>> {
        self.measure(self.settings, operation, progress)
    }

    /// Times an operation with other settings than those of the session. Timer and order of
    /// comparisons stay.
    pub fn measure(
        &mut self,
        settings: &Settings,
        operation: &mut dyn Operation,
        progress: &mut dyn FnMut(u32),
    ) -> Option<Result<Measurement, TooFew>> {
        let whole = self.launches(settings, operation, body::Body::Whole, progress);
        let mut measured =
            whole.map(|whole| assemble::measurement(self, settings, whole, operation));
        if operation.has_halves() {
            overlap::measure(self, settings, operation, &mut measured, progress);
        }
        measured
    }

    /// The next comparison of clocks that was not asked for before; `None` if there is none, and on
    /// other threads than 0.
    pub fn clocks(&mut self) -> Option<Clocks> {
        self.history.next_record()
    }

    /// The threads.
    pub(crate) fn processes(&self) -> &'a P {
        self.processes
    }

    pub(crate) fn settings(&self) -> &'a Settings {
        self.settings
    }

    /// By how much starts may be apart because of clocks alone, at present.
    pub(crate) fn spread(&self) -> f64 {
        let now = self.clock.global(self.processes.now());
        self.history.apart(self.settings.order, now).bound
    }

    fn compare(&mut self) {
        compare::compare(
            self.processes,
            self.settings,
            &self.sharing,
            &mut self.clock,
            &mut self.history,
        );
    }

    /// A second comparison, as soon as it says something about rates.
    fn compare_rates(&mut self) {
        if self.sharing.clocks.len() < 2 {
            return;
        }
        let mut word = [self.history.useful_distance().to_bits()];
        collectives::broadcast(self.processes, &mut word);
        let distance = f64::from_bits(word[0]).min(LONGEST_WAIT);
        self.processes
            .wait_until(self.processes.now() + 1.5 * distance);
        self.compare();
    }
}

/// Seconds that threads wait at most before they compare rates.
const LONGEST_WAIT: f64 = 1.0;
