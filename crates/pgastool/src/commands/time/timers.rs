//! `pgastool time timers`: how each timer measures operations of known length.

use super::Arguments;
use super::driver::Driver;
use super::measuring::{Plan, Watcher, measure};
use super::{numbers_of_threads, outcome};
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::terminal::{Ui, unicode_locale, visible};
use pgas_timing::job::{Settings, Timer};
use pgas_timing::record::TimerCheck;
use pgas_timing_report::text;

const ALL: [(Timer, &str); 4] = [
    (Timer::Tsc, "tsc"),
    (Timer::ClockGettime, "clock_gettime"),
    (Timer::Gettimeofday, "gettimeofday"),
    (Timer::Model, "model"),
];

/// Shows the table; fails if a timer is refused.
pub fn time(arguments: &Arguments, driver: &Driver, ui: &Ui) -> Outcome {
    arguments.files.check_timers()?;
    let threads = numbers_of_threads(arguments, driver, ui)?;
    let settings = arguments.method.settings(false, false)?;
    output::deliver(&text::timer_header(), None)?;
    let mut is_refused = false;
    for (timer, name) in ALL {
        let settings = Settings {
            timer,
            ..settings.clone()
        };
        let plan = Plan {
            driver: &driver.program,
            threads: &threads,
            cases: &[],
            settings: &settings,
            options: &arguments.start,
        };
        let mut rows = Rows { name, ui };
        let runs = measure(&plan, &mut rows, ui)?;
        is_refused |= runs.iter().any(|run| !run.failures.is_empty());
        let is_interrupted = runs.iter().any(|run| run.interrupted.is_some());
        let results = outcome::of_runs(&plan, driver, runs);
        arguments.files.write_timer(name, &results)?;
        if is_interrupted {
            break;
        }
    }
    Ok(u8::from(is_refused))
}

/// Prints the rows of one timer.
struct Rows<'a> {
    name: &'static str,
    ui: &'a Ui,
}

impl Watcher for Rows<'_> {
    fn checked(&mut self, check: &TimerCheck) {
        let rows = text::timer(self.name, check, !unicode_locale());
        // A reader that has gone away needs no more rows.
        let _ = output::deliver(&rows, None);
        for reason in &check.undecided {
            self.ui
                .warning(format_args!("{}: not judged by {reason}", self.name));
        }
    }

    fn failed(&mut self, _: Option<usize>, reason: &str) {
        self.ui
            .failure(&Failure::new(format!("{}: {reason}", self.name)));
    }

    fn printed(&mut self, line: &str) {
        self.ui.line(visible(line));
    }
}
