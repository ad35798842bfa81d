//! Time for which a thread should have been sampled and was not: the program blocked the signal or
//! handled it by itself, the thread was killed before its last samples were written, or the kernel
//! interrupted it less often than it was asked to.

use pgas_trace::Stream;
use pgas_trace::model::{SampleClock, ThreadId};
use pgas_trace::properties::COLLECTED;
use pgas_trace::stack_samples::{SAMPLE_PERIODS, SAMPLING_STOPPED};

use crate::model::wording;
use crate::threads::stacks::ThreadStacks;

/// Share of a thread's time from which on missing samples are worth a word.
const NOTABLE: f64 = 0.1;
/// Seconds below which they are not: some steps of the kernel's figure of that time.
const LEAST: f64 = 0.05;

/// Missing samples of all threads.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Missing {
    /// Seconds without samples.
    pub seconds: f64,
    threads: Vec<ThreadId>,
    killed: usize,
    /// Why, as far as recorders know it; each reason once.
    reasons: Vec<String>,
}

impl Missing {
    /// In these streams; `stacks` are by thread, `per_tick` the seconds of a tick.
    pub(crate) fn of(streams: &[Option<&Stream>], stacks: &[ThreadStacks], per_tick: f64) -> Self {
        let mut missing = Missing::default();
        for (stream, stacks) in streams.iter().zip(stacks) {
            let Some(stream) = stream else { continue };
            let is_killed = !stream.complete() || stream.property(COLLECTED).is_some();
            let seconds = match is_killed {
                true => after_last_block(stream, stacks, per_tick),
                false => not_interrupted(stream, stacks),
            };
            let Some(seconds) = seconds else { continue };
            missing.seconds += seconds;
            missing.threads.push(stream.thread());
            missing.killed += usize::from(is_killed);
            if let Some(reason) = stream.property(SAMPLING_STOPPED) {
                let reason = reason.to_owned();
                if !missing.reasons.contains(&reason) {
                    missing.reasons.push(reason);
                }
            }
        }
        missing
    }

    /// Remark for readers of the times.
    pub(crate) fn remark(&self) -> Option<String> {
        if self.threads.is_empty() {
            return None;
        }
        let mut why = self.reasons.clone();
        match self.killed {
            0 => {}
            1 => why.push("a thread was killed before its last samples were written".to_owned()),
            n => why.push(format!(
                "{n} threads were killed before their last samples were written"
            )),
        }
        if why.is_empty() {
            why.push(
                "the program may have blocked the signal, or the kernel interrupted it less often \
                 than it was asked to"
                    .to_owned(),
            );
        }
        Some(format!(
            "samples are missing for {} of {}: {}. The computing time by line is that of the \
             samples that there are, and an interval reaches up to where all of the missing ones \
             are the line's",
            wording::seconds(self.seconds),
            wording::threads(&self.threads),
            why.join("; ")
        ))
    }
}

/// Seconds that a thread which ended in good order was not interrupted for.
fn not_interrupted(stream: &Stream, stacks: &ThreadStacks) -> Option<f64> {
    let periods: u64 = stream.property(SAMPLE_PERIODS)?.trim().parse().ok()?;
    let used = stream.core_use()?;
    // How CPU time divides into that of the program and of the kernel is found at ticks: it is off
    // by up to a third for threads that share a core and call the kernel often.
    let (expected, uncertain) = match stacks.clock.unwrap_or(SampleClock::UserTime) {
        SampleClock::UserTime => (used.user?, used.cpu.saturating_sub(used.user?)),
        SampleClock::TickTime => (used.cpu, 0),
        SampleClock::WallTime => (used.wall, 0),
    };
    let (expected, uncertain) = (expected as f64 * 1e-9, uncertain as f64 * 1e-9);
    // Without any block the period is unknown; so is nothing of it if there was none.
    if stacks.clock.is_none() && periods > 0 {
        return None;
    }
    let seconds = expected - periods as f64 * stacks.period_nanoseconds as f64 * 1e-9;
    let is_notable = seconds > LEAST && seconds > NOTABLE * expected && seconds > uncertain;
    is_notable.then_some(seconds)
}

/// Seconds from the last block of samples to the end of what was recorded.
fn after_last_block(stream: &Stream, stacks: &ThreadStacks, per_tick: f64) -> Option<f64> {
    stacks.clock?;
    let (_, end) = stream.time_range().or_else(|| stream.profile_range())?;
    let seconds = end.saturating_sub(stacks.until) as f64 * per_tick;
    (seconds > LEAST).then_some(seconds)
}
