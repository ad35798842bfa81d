//! `pgastool watch`: what a running program does now, on a screen or in a line for each period.

mod adding;
mod choosing;
mod host;
mod screen;
mod source;
mod web;

use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use clap::Args;
use pgas_base::models::Words;
use pgas_live::place::PLACE;
use pgas_monitor::{Look, Picture, text};
use pgas_search::{Change, Finding};
use serde::Serialize;

use self::choosing::Chosen;
use self::host::Host;
use self::source::{News, Source};
use crate::arguments::{Seconds, sampling_period};
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::process::interrupt;
use crate::recording::metrics::MetricDefinitions;
use crate::terminal::{self, Ui};

/// How long the first page of a run may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// Show what a running program does now: efficiency, who waits where and since when
///
/// For programs that `pgastool run --live` has started on this machine. On a terminal it fills the
/// screen: `?` shows the keys, `q` ends. Elsewhere it prints a line for each period, and ends when
/// the program ends.
/// A thread that waits for more than 5 s and 10 times as long as it uses to is reported as stuck,
/// with what the others do; so are threads that wait for each other's locks.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  pgastool watch                     the program that runs\n  pgastool \
                  watch --period 10s >> log  a line every 10 s\n  pgastool watch --once --json | \
                  jq .efficiency"
)]
pub struct Arguments {
    /// The experiment, the number of one of the program's processes, or another machine, which is
    /// reached by ssh (`HOST`, `HOST:EXPERIMENT` or `HOST:PID`) [default: the run of this user that
    /// was started last]
    #[arg(value_name = "EXPERIMENT|PID|HOST")]
    pub run: Option<String>,
    /// Print a line for each period, and one for each thread that is stuck, instead of the screen
    /// that a terminal shows
    #[arg(long, conflicts_with = "json")]
    pub text: bool,
    /// Print a JSON object for each period (docs/schema/watch-1.json)
    #[arg(long)]
    pub json: bool,
    /// Show it as a page in a browser
    #[arg(long, conflicts_with_all = ["text", "json", "once"])]
    pub web: bool,
    /// Time between two pictures, at least 50ms
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = sampling_period)]
    pub period: Seconds,
    /// Print one period and end
    #[arg(long)]
    pub once: bool,
    /// Let the program keep this metric from now on, such as
    /// 'slow = time(upc_memget) if inside(solve)'; several times for several metrics
    #[arg(long = "metric", value_name = "DEFINITION")]
    pub metrics: Vec<String>,
}

impl Arguments {
    fn is_screen(&self) -> bool {
        !(self.text || self.json || self.once) && terminal::not_interactive().is_none()
    }
}

pub fn watch(arguments: &Arguments, ui: &Ui) -> Outcome {
    if let Some(host) = arguments.run.as_deref().and_then(Host::of) {
        return host.watch(arguments, ui);
    }
    let interruption = interrupt::watch()?;
    let place = Path::new(PLACE);
    let metrics = MetricDefinitions::of(None, &arguments.metrics)?;
    let chosen = Chosen::of(place, arguments.run.as_deref(), ui)?;
    adding::add(place, &chosen, &metrics, ui)?;
    let mut watching = Watching {
        arguments,
        ui,
        words: text::words(&chosen.runtime),
        alarms: Vec::new(),
    };
    if arguments.web {
        return web::show(&chosen, watching.words, arguments, ui);
    }
    let mut source = Source::of(&chosen, watching.words);
    if arguments.is_screen() {
        return screen::show(&mut source, &chosen, arguments, ui);
    }
    let begin = Instant::now();
    let (mut pictures, mut next) = (u32::from(source.is_complete()), begin);
    let mut is_seen = false;
    loop {
        match source.look()? {
            Look::Going(picture) => {
                // The first one is what the second is compared with.
                is_seen = true;
                if pictures > 0 {
                    watching.words = text::words(&picture.runtime);
                    watching.show(&picture, source.news())?;
                    if arguments.once {
                        return Ok(0);
                    }
                }
                pictures += 1;
            }
            Look::Ended => return watching.end(pictures, &chosen),
            Look::Killed(threads) => return Err(killed(threads, &watching.words)),
            // A manager may take longer for a period than this does.
            Look::Nothing if is_seen || begin.elapsed() < PATIENCE => {}
            Look::Nothing => return Err(choosing::no_page(&chosen.experiment)),
        }
        next += Duration::from_secs_f64(arguments.period.0);
        // A period that took too long is not made up for.
        next = next.max(Instant::now());
        while Instant::now() < next {
            if interruption.is_requested() {
                return Ok(0);
            }
            sleep((next - Instant::now()).min(Duration::from_millis(50)));
        }
    }
}

/// State of the line and JSON output.
struct Watching<'a> {
    arguments: &'a Arguments,
    ui: &'a Ui,
    words: Words,
    /// Alarms of the last line.
    alarms: Vec<(u64, u8)>,
}

/// JSON of a period: the picture and the findings so far.
#[derive(Serialize)]
struct WithFindings<'a> {
    #[serde(flatten)]
    picture: &'a Picture,
    findings: Vec<Finding>,
}

impl Watching<'_> {
    fn show(
        &mut self,
        picture: &Picture,
        (findings, changes, problem): News,
    ) -> Result<(), Failure> {
        if let Some(problem) = problem {
            self.ui.warning(problem);
        }
        if self.arguments.json {
            let all = WithFindings { picture, findings };
            return output::deliver(&serde_json::to_string(&all)?, None);
        }
        for problem in &picture.problems {
            self.ui.warning(problem);
        }
        let mut lines = vec![text::line(picture, &self.words)];
        lines.extend(text::metrics(picture).map(|metrics| format!("            {metrics}")));
        let alarms = text::key(picture);
        if alarms != self.alarms {
            lines.extend(text::alarms(picture, &self.words));
            self.alarms = alarms;
        }
        lines.extend(changes.iter().map(|change| match change {
            Change::Found(finding) => {
                format!("found: {}", pgas_search::shown(finding, &self.words))
            }
            Change::Gone(finding) => format!("gone: {}", pgas_search::shown(finding, &self.words)),
        }));
        output::deliver(&lines.join("\n"), None)
    }

    fn end(&self, pictures: u32, chosen: &Chosen) -> Outcome {
        if pictures == 0 {
            return Err(choosing::no_page(&chosen.experiment));
        }
        self.ui.note("the program has ended");
        Ok(0)
    }
}

fn killed(threads: usize, words: &Words) -> Failure {
    let mut failure = Failure::new(format!(
        "the program was killed: the processes of {} are gone and have left their pages behind",
        words.count(threads)
    ))
    .help(
        "`pgastool report` shows what was recorded until then; `pgastool watch` without arguments \
         removes the pages",
    );
    failure.status = 1;
    failure
}
