//! Operations of known length, by which a timer is judged before it is trusted.

use crate::collectives;
use crate::job::{Method, Settings};
use crate::operation::Operation;
use crate::processes::Processes;
use crate::reading::Reading;
use crate::record::{Summary, TimerCheck, TimerRow};
use crate::session::{Measurement, Session, TooFew};
use pgas_statistics::trimmed::Trimmed;

/// Threads of the longest row at most.
const MOST_THREADS: usize = 16;
const MICROSECOND: f64 = 1e-6;
/// Length of the pattern that shows a wrong rate.
const RATE_LENGTH: f64 = 1e-3;
/// Relative error of a timer's rate that is allowed; discipline by NTP changes it by 0.0005 at most.
const RATE_TOLERANCE: f64 = 0.002;
/// Waits of each thread where threads share cores.
const WAITS_ALONE: u32 = 30;
/// Part of the longer waits that may be wrong.
const RELATIVE_TOLERANCE: f64 = 0.02;

/// A wait pattern on the first `threads` threads.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Pattern {
    Up(usize),
    Null,
    Rate,
}

impl Pattern {
    fn name(self) -> &'static str {
        match self {
            Pattern::Up(_) => "up",
            Pattern::Null => "null",
            Pattern::Rate => "rate",
        }
    }

    /// How long a thread spins.
    fn wait(self, thread: usize) -> f64 {
        match self {
            Pattern::Up(threads) if thread < threads => (thread + 1) as f64 * MICROSECOND,
            Pattern::Up(_) | Pattern::Null => 0.0,
            Pattern::Rate => RATE_LENGTH,
        }
    }

    fn expected(self) -> f64 {
        match self {
            Pattern::Up(threads) => threads as f64 * MICROSECOND,
            Pattern::Null => 0.0,
            Pattern::Rate => RATE_LENGTH,
        }
    }

    fn tolerance(self, reading: Reading, clocks: f64) -> f64 {
        match self {
            Pattern::Up(_) => MICROSECOND.max(RELATIVE_TOLERANCE * self.expected()),
            Pattern::Null => 2.0 * clocks + reading.lateness,
            Pattern::Rate => RATE_TOLERANCE * RATE_LENGTH + reading.lateness,
        }
    }
}

struct Wait<'a, P: ?Sized> {
    processes: &'a P,
    seconds: f64,
}

impl<P: Processes + ?Sized> Operation for Wait<'_, P> {
    fn ready(&mut self, _launch: u64) {}

    fn run(&mut self, _launch: u64) {
        if self.seconds > 0.0 {
            self.processes.spin(self.seconds);
        }
    }

    fn done(&mut self, _launch: u64) {}
}

impl<P: Processes + ?Sized> Session<'_, P> {
    /// Times operations of known length. The result is on thread 0.
    pub fn check_timer(&mut self) -> Option<TimerCheck> {
        check(self)
    }
}

fn check<P: Processes + ?Sized>(session: &mut Session<P>) -> Option<TimerCheck> {
    let processes = session.processes();
    let settings = Settings {
        method: Method::Window,
        per_thread: false,
        picture: false,
        ..session.settings().clone()
    };
    let threads = processes.threads();
    if !processes.have_cores() {
        return rate_alone(session, &settings);
    }
    let ups = (2.min(threads)..=threads.min(MOST_THREADS)).map(Pattern::Up);
    let mut check = TimerCheck {
        rows: Vec::new(),
        refused: Vec::new(),
        undecided: Vec::new(),
        judged: true,
    };
    for pattern in ups.chain([Pattern::Null, Pattern::Rate]) {
        let mut wait = Wait {
            processes,
            seconds: pattern.wait(processes.thread()),
        };
        let measured = session.measure(&settings, &mut wait, &mut |_| {});
        if let Some(measured) = measured {
            let tolerance = pattern.tolerance(session.reading(), session.spread());
            add(&mut check, pattern, threads, tolerance, measured);
        }
    }
    check_resolution(&mut check, session.reading());
    (processes.thread() == 0).then_some(check)
}

/// Where threads share cores, waits of all at once show when others had the core. What is left is
/// the rate: each thread waits by itself, several times, and the shortest wait is one in which nobody
/// took its core away.
fn rate_alone<P: Processes + ?Sized>(
    session: &Session<P>,
    settings: &Settings,
) -> Option<TimerCheck> {
    let processes = session.processes();
    let waits = (0..WAITS_ALONE).map(|_| {
        let begin = processes.now();
        processes.spin(RATE_LENGTH);
        processes.now() - begin
    });
    let shortest = waits.fold(f64::INFINITY, f64::min);
    let words = collectives::gather(processes, &[shortest.to_bits()]);
    if processes.thread() > 0 {
        return None;
    }
    let times: Vec<f64> = words.into_iter().map(f64::from_bits).collect();
    let mut check = TimerCheck {
        rows: Vec::new(),
        refused: Vec::new(),
        undecided: vec![
            "patterns up and null: threads share cores, and their waits would show when others had \
             the core"
                .to_owned(),
        ],
        judged: false,
    };
    if let Some(summary) = summary_of(settings, &times) {
        let row = TimerRow {
            pattern: Pattern::Rate.name().to_owned(),
            threads: processes.threads(),
            expected: RATE_LENGTH,
            summary,
            tolerance: Pattern::Rate.tolerance(session.reading(), 0.0),
        };
        check.refused.extend(complaint(Pattern::Rate, &row));
        check.rows.push(row);
    }
    check_resolution(&mut check, session.reading());
    Some(check)
}

/// Of all threads' times.
fn summary_of(settings: &Settings, times: &[f64]) -> Option<Summary> {
    let all = Trimmed::of(times, 0.0)?;
    let error = match all.kept {
        1 => 0.0,
        _ => all.error(settings.confidence),
    };
    Some(Summary {
        correct: all.count as u32,
        kept: all.kept as u32,
        mean: all.mean,
        standard_error: all.standard_error,
        minimum: all.minimum,
        maximum: all.maximum,
        error,
        interval: ((all.mean - error).max(0.0), all.mean + error),
    })
}

fn add(
    check: &mut TimerCheck,
    pattern: Pattern,
    threads: usize,
    tolerance: f64,
    measured: Result<Measurement, TooFew>,
) {
    let threads = match pattern {
        Pattern::Up(threads) => threads,
        Pattern::Null | Pattern::Rate => threads,
    };
    let measured = match measured {
        Ok(measured) => measured,
        Err(few) => {
            let reason = format!("pattern {} on {threads} threads: {few}", pattern.name());
            // That threads start late is the machine's doing, not the timer's.
            check.undecided.push(reason);
            return;
        }
    };
    let row = TimerRow {
        pattern: pattern.name().to_owned(),
        threads,
        expected: pattern.expected(),
        summary: measured.summary,
        tolerance,
    };
    check.refused.extend(complaint(pattern, &row));
    check.rows.push(row);
}

/// A rate is judged by the shortest of the launches that are kept: interruptions make waits longer
/// and never shorter, a timer that is too fast makes all of them longer, and one that is too slow or
/// jumps to and fro makes some too short.
fn complaint(pattern: Pattern, row: &TimerRow) -> Option<String> {
    let summary = &row.summary;
    let shown = match pattern {
        Pattern::Rate => summary.minimum,
        Pattern::Up(_) | Pattern::Null => summary.mean,
    };
    if (shown - row.expected).abs() <= row.tolerance {
        return None;
    }
    Some(format!(
        "pattern {} on {} threads takes {:.3} us, the timer shows {:.3} us; {:.3} us are allowed",
        row.pattern,
        row.threads,
        1e6 * row.expected,
        1e6 * shown,
        1e6 * row.tolerance
    ))
}

fn check_resolution(check: &mut TimerCheck, reading: Reading) {
    if reading.resolution > MICROSECOND {
        check.refused.push(format!(
            "the timer shows no difference below {:.3} us; 1 us is needed",
            1e6 * reading.resolution
        ));
    }
}
