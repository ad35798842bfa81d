//! Options of the method, each a field of [`Settings`] with its default.

use super::cache;
use super::series::Sizes;
use crate::failure::Failure;
use clap::{Args, ValueEnum};
use pgas_statistics::trimmed::Trimmed;
use pgas_timing::job::{Fault, Method, Order, Settings, Timer};
use std::str::FromStr;

const HEADING: &str = "Method";
/// Makes the timer worse, for tests of the checks that must notice it: `drift=0.1`, `step=1e-3`,
/// `resolution=1e-3`.
const FAULT: &str = "PGAS_TEST_TIMER_FAULT";

/// Options of the method.
#[derive(Debug, Clone, Args)]
pub struct MethodOptions {
    /// How launches are started, and what counts as their time
    #[arg(long, value_enum, value_name = "METHOD", default_value_t = MethodName::Window, help_heading = HEADING)]
    pub method: MethodName,
    /// The clock that threads read; it must pass its check before anything is timed
    #[arg(long, value_enum, value_name = "TIMER", default_value_t = TimerName::Tsc, help_heading = HEADING)]
    pub timer: TimerName,
    /// Do not try the timer on operations of known length before anything is timed
    #[arg(long, help_heading = HEADING)]
    pub no_timer_check: bool,
    /// How clocks are compared: linear (one thread after another) or ring (all at once), after how
    /// many exchanges of messages without a faster one that is enough, and `all` to compare threads
    /// of one node, too, which share a clock
    #[arg(long, value_name = "linear|ring[,EXCHANGES][,all]", default_value = "linear,100", help_heading = HEADING)]
    pub clocks: Comparison,
    /// Use one buffer again and again instead of more memory than the last-level cache holds
    #[arg(long, help_heading = HEADING)]
    pub warm: bool,
    /// Bytes of the last-level cache [default: that of this machine]
    #[arg(long, value_name = "SIZE", conflicts_with = "warm", help_heading = HEADING)]
    pub cache: Option<Sizes>,
    /// Measure each case anew K times
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000), help_heading = HEADING)]
    pub repeat: u32,
    /// Launches before the first that counts
    #[arg(long, value_name = "LAUNCHES", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=1_000_000), help_heading = HEADING)]
    pub initial: u32,
    /// Launches of each stage
    #[arg(long, value_name = "LAUNCHES", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1_000_000), help_heading = HEADING)]
    pub stage: u32,
    /// Percentage of incorrect launches of a stage above which the next one starts them at larger
    /// intervals
    #[arg(long, value_name = "PERCENT", default_value = "25", value_parser = |text: &str| percent(text, 100.0), help_heading = HEADING)]
    pub incorrect: f64,
    /// New interval between starts, as a factor of the time that launches took
    #[arg(long, value_name = "FACTOR", default_value = "1.1", value_parser = interval, help_heading = HEADING)]
    pub interval: f64,
    /// Percentage of the times that is dropped at each end
    #[arg(long, value_name = "PERCENT", default_value = "25", value_parser = |text: &str| percent(text, 49.9), help_heading = HEADING)]
    pub trim: f64,
    /// Stop after more launches than this
    #[arg(long, value_name = "LAUNCHES", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000_000), help_heading = HEADING)]
    pub most: u32,
    /// Stop after more correct launches than this
    #[arg(long, value_name = "LAUNCHES", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=10_000_000), help_heading = HEADING)]
    pub most_correct: u32,
    /// Stop when the error E of the mean is at most this percentage of it
    #[arg(long, value_name = "PERCENT", default_value = "5", value_parser = |text: &str| percent(text, 100.0), help_heading = HEADING)]
    pub error: f64,
    /// Do not stop so before this many correct launches
    #[arg(long, value_name = "LAUNCHES", default_value_t = 10, value_parser = clap::value_parser!(u32).range(2..=10_000_000), help_heading = HEADING)]
    pub fewest_correct: u32,
    /// Confidence of intervals
    #[arg(long, value_enum, value_name = "P", default_value_t = Confidence::P95, help_heading = HEADING)]
    pub confidence: Confidence,
}

/// How launches are started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MethodName {
    /// At scheduled times of a common clock; the maximum over threads
    Window,
    /// After a barrier of the model; the maximum over threads
    Barrier,
    /// One after another; the mean of the whole loop
    Loop,
}

/// The clock that threads read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TimerName {
    /// The processor's time stamp counter
    Tsc,
    /// clock_gettime with CLOCK_MONOTONIC
    #[value(name = "clock_gettime")]
    ClockGettime,
    /// gettimeofday
    Gettimeofday,
    /// The programming model's own (upc_ticks_now, MPI_Wtime)
    Model,
}

/// Confidence of intervals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Confidence {
    /// 90 %
    #[value(name = "0.9")]
    P90,
    /// 95 %
    #[value(name = "0.95")]
    P95,
    /// 99 %
    #[value(name = "0.99")]
    P99,
}

impl TimerName {
    /// As jobs have it.
    pub fn timer(self) -> Timer {
        match self {
            TimerName::Tsc => Timer::Tsc,
            TimerName::ClockGettime => Timer::ClockGettime,
            TimerName::Gettimeofday => Timer::Gettimeofday,
            TimerName::Model => Timer::Model,
        }
    }
}

/// How clocks are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Comparison {
    order: Order,
    exchanges: u32,
    all: bool,
}

impl FromStr for Comparison {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut words = text.split(',').map(str::trim);
        let order = match words.next() {
            Some("linear") => Order::Linear,
            Some("ring") => Order::Ring,
            _ => return Err("expected linear or ring, as in ring,200 or linear,all".to_string()),
        };
        let mut comparison = Comparison {
            order,
            exchanges: Settings::default().exchanges,
            all: false,
        };
        for word in words {
            match word.parse() {
                Ok(exchanges @ 1..=10_000) => comparison.exchanges = exchanges,
                Err(_) if word == "all" => comparison.all = true,
                _ => {
                    return Err(format!(
                        "`{word}` is neither `all` nor a number of exchanges from 1 to 10000"
                    ));
                }
            }
        }
        Ok(comparison)
    }
}

impl MethodOptions {
    /// Refuses options that contradict each other.
    fn check(&self) -> Result<(), Failure> {
        let fewest = self.fewest_correct;
        let is_more = |(_, limit): &(&str, u32)| fewest > *limit;
        let limits = [("--most-correct", self.most_correct), ("--most", self.most)];
        if let Some((name, limit)) = limits.into_iter().find(is_more) {
            let message = format!("--fewest-correct {fewest} is more than {name} {limit}");
            return Err(Failure::new(message).help(format!(
                "no measurement would have enough launches; lower --fewest-correct to {limit} or less"
            )));
        }
        if self.stage > self.most {
            return Err(Failure::new(format!(
                "--stage {} is more than --most {}, after which a measurement stops",
                self.stage, self.most
            ))
            .help("a measurement has at least one stage; lower --stage or raise --most"));
        }
        match too_much_trimmed(self.trim, fewest) {
            None => Ok(()),
            Some(launches) => Err(Failure::new(format!(
                "--trim {} leaves a single one of {launches} correct launches, and --fewest-correct \
                 {fewest} allows so few",
                100.0 * self.trim
            ))
            .help("an interval takes two or more; lower --trim or raise --fewest-correct")),
        }
    }

    /// The settings of a job. `picture`: who started and ended when is recorded for one stage.
    ///
    /// # Errors
    /// If the options contradict each other, or the variable for tests is wrong.
    pub fn settings(&self, per_thread: bool, picture: bool) -> Result<Settings, Failure> {
        self.check()?;
        let cache_bytes = match &self.cache {
            None => cache::last_level().unwrap_or(Settings::default().cache_bytes),
            Some(Sizes(sizes)) => match sizes[..] {
                [size] if size > 0 => size,
                [_] => {
                    return Err(Failure::new("--cache 0: a cache has some bytes")
                        .help("--warm uses one buffer again and again"));
                }
                _ => return Err(Failure::new("--cache takes one size, such as 32Mi")),
            },
        };
        Ok(Settings {
            method: match self.method {
                MethodName::Window => Method::Window,
                MethodName::Barrier => Method::Barrier,
                MethodName::Loop => Method::Loop,
            },
            initial_launches: self.initial,
            stage_launches: self.stage,
            incorrect_share: self.incorrect,
            interval_factor: self.interval,
            trimmed_share: self.trim,
            most_launches: self.most,
            most_correct: self.most_correct,
            relative_error: self.error,
            fewest_correct: self.fewest_correct,
            confidence: match self.confidence {
                Confidence::P90 => 0.9,
                Confidence::P95 => 0.95,
                Confidence::P99 => 0.99,
            },
            exchanges: self.clocks.exchanges,
            order: self.clocks.order,
            compare_all: self.clocks.all,
            timer: self.timer.timer(),
            check_timer: !self.no_timer_check,
            fault: fault()?,
            warm: self.warm,
            cache_bytes,
            per_thread,
            picture,
            repetitions: self.repeat,
        })
    }
}

/// A number of correct launches, from the fewest on, of which fewer than two remain.
fn too_much_trimmed(share: f64, fewest: u32) -> Option<u32> {
    // From this number on, the share that remains is two or more.
    let enough = (2.0 / (1.0 - 2.0 * share)).ceil() as u32;
    let remain = |launches: u32| Trimmed::remain(launches as usize, share);
    (fewest..fewest.max(enough)).find(|&launches| remain(launches) < 2)
}

fn percent(text: &str, most: f64) -> Result<f64, String> {
    let number = text.trim_end_matches('%').trim().parse::<f64>().ok();
    let number = number.filter(|number| (0.0..=most).contains(number));
    let share = number.map(|number| number / 100.0);
    share.ok_or_else(|| format!("expected a percentage from 0 to {most}"))
}

fn interval(text: &str) -> Result<f64, String> {
    let factor = text.parse().ok();
    let factor = factor.filter(|factor| (1.0..=2.0).contains(factor));
    factor.ok_or_else(|| "expected a factor from 1 to 2".to_string())
}

fn fault() -> Result<Fault, Failure> {
    let Some(text) = std::env::var_os(FAULT) else {
        return Ok(Fault::default());
    };
    let text = text.to_string_lossy();
    let wrong = || {
        Failure::new(format!(
            "{FAULT}={text}: expected drift, step or resolution=N"
        ))
    };
    let (name, value) = text.split_once('=').ok_or_else(wrong)?;
    let value: f64 = value.parse().map_err(|_| wrong())?;
    let mut fault = Fault::default();
    match name {
        "drift" => fault.drift = value,
        "step" => fault.step = value,
        "resolution" => fault.resolution = value,
        _ => return Err(wrong()),
    }
    Ok(fault)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        options: MethodOptions,
    }

    fn settings(line: &[&str]) -> Settings {
        let line = ["time"].iter().chain(line);
        Line::parse_from(line)
            .options
            .settings(false, false)
            .unwrap()
    }

    #[test]
    fn defaults_are_those_of_the_method() {
        let expected = Settings {
            cache_bytes: settings(&[]).cache_bytes,
            ..Settings::default()
        };
        assert_eq!(settings(&[]), expected);
    }

    #[test]
    fn every_knob_is_an_option() {
        let line = "--method loop --timer gettimeofday --clocks ring,7,all --cache 1Mi --repeat 2 \
                    --initial 1 --stage 3 --incorrect 10 --interval 2 --trim 0 --most 9 \
                    --most-correct 8 --error 1 --fewest-correct 3 --confidence 0.99 \
                    --no-timer-check";
        let found = settings(&line.split_whitespace().collect::<Vec<_>>());
        let expected = Settings {
            method: Method::Loop,
            initial_launches: 1,
            stage_launches: 3,
            incorrect_share: 0.1,
            interval_factor: 2.0,
            trimmed_share: 0.0,
            most_launches: 9,
            most_correct: 8,
            relative_error: 0.01,
            fewest_correct: 3,
            confidence: 0.99,
            exchanges: 7,
            order: Order::Ring,
            compare_all: true,
            timer: Timer::Gettimeofday,
            check_timer: false,
            fault: Fault::default(),
            warm: false,
            cache_bytes: 1 << 20,
            per_thread: false,
            picture: false,
            repetitions: 2,
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn options_that_contradict_each_other_are_refused_with_a_way_out() {
        for (line, expected, way_out) in [
            (
                "--fewest-correct 40",
                "--most-correct 30",
                "--fewest-correct to 30",
            ),
            ("--most 9 --stage 4", "--most 9", "--fewest-correct to 9"),
            ("--stage 200", "--most 100", "lower --stage"),
            ("--trim 49", "a single one of 11", "lower --trim"),
            ("--fewest-correct 2 --trim 40", "a single one of 3", "raise"),
            ("--cache 0", "--cache 0", "--warm"),
            ("--cache 8,16", "one size", ""),
        ] {
            let words = ["time"].into_iter().chain(line.split_whitespace());
            let options = Line::parse_from(words).options;
            let failure = options.settings(false, false).expect_err(line);
            assert!(failure.message.contains(expected), "{}", failure.message);
            let help = failure.help.unwrap_or_default();
            assert!(help.contains(way_out), "{line}: {help}");
        }
        settings(&["--trim", "40", "--fewest-correct", "10"]);
        settings(&["--trim", "0", "--fewest-correct", "2"]);
    }

    #[test]
    fn values_without_a_meaning_are_refused() {
        for line in [
            ["--repeat", "0"],
            ["--initial", "0"],
            ["--stage", "0"],
            ["--most", "0"],
            ["--most-correct", "0"],
            ["--fewest-correct", "1"],
            ["--incorrect", "101"],
            ["--incorrect", "-1"],
            ["--error", "-5"],
            ["--error", "nan"],
            ["--trim", "60"],
            ["--interval", "inf"],
            ["--confidence", "1.5"],
            ["--clocks", "linear,0"],
            ["--clocks", "ring,100000"],
            ["--timer", "sundial"],
            ["--method", "guess"],
            ["--cache", "-8"],
            ["--clocks", "star"],
            ["--clocks", "ring,0"],
            ["--trim", "50"],
            ["--interval", "0.9"],
            ["--confidence", "0.8"],
        ] {
            let line = ["time"].iter().chain(&line);
            assert!(Line::try_parse_from(line).is_err());
        }
    }
}
