//! `pgastool events`: prints the events of an experiment, of any stretch of time, and the states at
//! any time.

mod json;
mod names;
mod state;
mod tasks;
mod text;

use std::io::{self, BufWriter, Write};

use clap::{Args, ValueEnum};
use pgas_earl::access::{AccessError, EventTrace, History, Occurrence, States};
use pgas_filter::Pattern;
use pgas_trace::model::{Site, ThreadId};
use std::path::PathBuf;

use crate::arguments::{self, Seconds, ThreadList};
use crate::experiment;
use crate::experiment::times::Times;
use crate::failure::{Failure, Outcome};
use crate::process::signal_name;
use crate::terminal::Ui;

/// If more events than that lie before a stretch of time, what was found out about them is kept for
/// the next time; fewer are read in no time that anybody notices.
const WORTH_KEEPING: u64 = 1_000_000;
/// Where it is kept, in the experiment.
const KEPT: &str = "analysis/events.index";

/// Print the events of an experiment in the order of time
///
/// A line for each: time, thread, what was entered (>) or left (<), where in the source, and what
/// is known about it: bytes and partner, who has a lock, the number of a barrier. Times are as
/// `pgastool report` gives them, from the start of the run: 1.5s, 300ms, 20us or 12.3 (seconds).
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  pgastool events --since 1.5s --until 1.6s --thread 0-3\n  pgastool \
                  events --region 'upc_*lock*' --format jsonl | jq .region\n  pgastool events \
                  --state            what every thread was in at the end"
)]
pub struct Arguments {
    /// The experiment [default: the newest one in the current directory]
    pub experiment: Option<PathBuf>,
    /// Start of the window [default: the first event]
    #[arg(
        long,
        alias = "from",
        value_name = "TIME",
        allow_negative_numbers = true
    )]
    pub since: Option<Seconds>,
    /// End of the window, exclusive [default: the last event]
    #[arg(long, alias = "to", value_name = "TIME", allow_negative_numbers = true)]
    pub until: Option<Seconds>,
    /// Threads, such as 0,4-7, by the numbers that reports have: images of coarrays count from 1
    /// [default: all]
    #[arg(long, value_name = "LIST")]
    pub thread: Option<ThreadList>,
    /// Functions and operations, with * and ?, such as 'upc_all_*' [default: all]
    #[arg(long, value_name = "PATTERN", value_parser = arguments::pattern)]
    pub region: Option<Pattern>,
    /// Print what every thread is in at the time of --since (else when a signal or an error ended
    /// the program, or at the end), who waits for whom, and who has which lock; events only if
    /// --until or --limit is given
    #[arg(long)]
    pub state: bool,
    /// Format of the output
    #[arg(long, value_enum, default_value_t = EventsFormat::Text)]
    pub format: EventsFormat,
    /// Print at most N events
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EventsFormat {
    /// Lines for reading in a terminal
    Text,
    /// One JSON object for each line, for scripts
    Jsonl,
}

/// The end of what was recorded of a thread, where that is not the end of the program.
pub struct Cut<'t> {
    pub thread: ThreadId,
    /// Ticks of the last event.
    pub time: u64,
    /// The regions that were open, outermost first.
    pub open: Vec<&'t Site>,
}

/// How events and states are written.
trait Format<'t> {
    fn states(
        &mut self,
        out: &mut dyn Write,
        trace: &EventTrace<'t>,
        states: &States<'t>,
        threads: &[bool],
        occasion: &str,
    ) -> Result<(), Stop>;
    /// `waiting` are the threads that wait for the lock that the event is about, if that is known.
    fn event(
        &mut self,
        out: &mut dyn Write,
        event: &Occurrence<'t>,
        waiting: Option<&[ThreadId]>,
    ) -> io::Result<()>;
    fn cut(&mut self, out: &mut dyn Write, cut: &Cut<'t>) -> io::Result<()>;
}

/// Why printing ended early.
enum Stop {
    Trace(AccessError),
    Output(io::Error),
}

impl From<AccessError> for Stop {
    fn from(error: AccessError) -> Self {
        Stop::Trace(error)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Stop::Output(error)
    }
}

pub fn events(arguments: &Arguments, ui: &Ui) -> Outcome {
    if let (Some(from), Some(to)) = (&arguments.since, &arguments.until) {
        if from.0 >= to.0 {
            return Err(Failure::new(format!(
                "--since {} is not before --until {}",
                from.0, to.0
            )));
        }
    }
    let directory = experiment::named_or_newest(arguments.experiment.as_deref(), ui)?;
    let experiment = experiment::open(&directory, ui)?;
    for remark in experiment.all_remarks() {
        ui.warning(remark);
    }
    let trace = EventTrace::new(&experiment)?;
    let Some(range) = trace.time_range() else {
        return Err(
            Failure::new(format!("{}: there are no events", directory.display()))
                .help("record the program without --profile"),
        );
    };
    let words = experiment.words();
    let threads = match &arguments.thread {
        Some(list) => list.of(trace.threads(), &words)?,
        None => vec![true; trace.threads()],
    };
    let times = Times::new(*experiment.clock(), range);
    let mut format: Box<dyn Format> = match arguments.format {
        EventsFormat::Text => Box::new(text::Text::new(times, trace.threads(), words)),
        EventsFormat::Jsonl => Box::new(json::JsonLines::new(times)),
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let printed = print(
        &trace,
        arguments,
        &threads,
        times,
        format.as_mut(),
        &mut out,
        ui,
    );
    // The events printed so far are right, and the user sees them before an error.
    let written = out.flush();
    match (printed, written) {
        // A reader that has seen enough (`| head`) is no error.
        (Err(Stop::Output(error)), _) | (Ok(_), Err(error))
            if error.kind() == io::ErrorKind::BrokenPipe =>
        {
            Ok(0)
        }
        (Err(Stop::Output(error)), _) | (Ok(_), Err(error)) => {
            Err(Failure::new(format!("cannot write the events: {error}")))
        }
        (Err(Stop::Trace(error)), _) => Err(error.into()),
        (Ok(()), Ok(())) => Ok(0),
    }
}

fn print<'t>(
    trace: &EventTrace<'t>,
    arguments: &Arguments,
    threads: &[bool],
    times: Times,
    format: &mut dyn Format<'t>,
    out: &mut dyn Write,
    ui: &Ui,
) -> Result<(), Stop> {
    let from = arguments
        .since
        .as_ref()
        .map_or(0, |from| times.first_at(from.0));
    let to = arguments
        .until
        .as_ref()
        .map_or(u64::MAX, |to| times.first_at(to.0));
    let wants_events = !arguments.state || arguments.until.is_some() || arguments.limit.is_some();
    let asked_to_end = trace.asked_to_end();
    let state_at = match &arguments.since {
        Some(from) => times.last_at(from.0),
        None if wants_events => 0,
        None => asked_to_end.map_or(u64::MAX, |(time, _)| time),
    };
    let begin = if arguments.state { state_at } else { from };
    let is_new = recall(trace, begin, ui);
    if arguments.state {
        let states = trace.states_at(state_at.min(times.end()))?;
        let occasion = match asked_to_end {
            Some((time, Some(signal))) if time == state_at => {
                format!(", when {} came", signal_name(signal))
            }
            Some((time, None)) if time == state_at => ", when the program was ended".to_owned(),
            _ => String::new(),
        };
        format.states(out, trace, &states, threads, &occasion)?;
    }
    let replay = match wants_events {
        true => Some(trace.replay(from, to, threads, History::Read)?),
        false => None,
    };
    if is_new {
        keep(trace, ui);
    }
    let Some(mut replay) = replay else {
        return Ok(());
    };
    let limit = arguments.limit.unwrap_or(u64::MAX);
    let mut count = 0;
    while let Some(occurrence) = replay.next() {
        let occurrence = occurrence?;
        let event = &occurrence.event;
        let is_wanted = arguments
            .region
            .as_ref()
            .is_none_or(|pattern| pattern.matches(event.region.region_name()));
        if is_wanted {
            if count == limit {
                ui.note(format_args!("there are more events than {limit} (--limit)"));
                return Ok(());
            }
            let lock = event.event_type.lock();
            let waiting = lock.and_then(|lock| replay.waiting(lock));
            format.event(out, &occurrence, waiting)?;
            count += 1;
        }
        let thread = event.id.thread;
        if event.id.number + 1 == trace.events_of(thread)? && !is_complete(trace, thread) {
            let cut = Cut {
                thread,
                time: event.time,
                open: replay.open_regions(thread),
            };
            format.cut(out, &cut)?;
        }
    }
    if count == 0 {
        let (first, last) = times.range();
        ui.note(format_args!(
            "there are no such events; the trace is from {first} to {last} s"
        ));
    }
    Ok(())
}

/// Looks up what an earlier call has found out about the events before a time (ticks). True if much
/// has to be read anew.
fn recall(trace: &EventTrace, begin: u64, ui: &Ui) -> bool {
    if trace.unread_before(begin) <= WORTH_KEEPING {
        return false;
    }
    trace.recall_summaries(&trace.experiment().directory().join(KEPT));
    let unread = trace.unread_before(begin);
    if unread <= WORTH_KEEPING {
        return false;
    }
    ui.note(format_args!(
        "reading {unread} events before that time, to know who has which lock and how many \
         barriers there were"
    ));
    true
}

/// Keeps that for the next call.
fn keep(trace: &EventTrace, ui: &Ui) {
    let path = trace.experiment().directory().join(KEPT);
    if let Err(error) = trace.keep_summaries(&path) {
        ui.note(format_args!(
            "{}: cannot write: {error}; the next time they are read again",
            path.display()
        ));
    }
}

/// Whether the recorder ended the thread's stream in good order.
fn is_complete(trace: &EventTrace, thread: ThreadId) -> bool {
    let mut streams = trace.experiment().streams().iter();
    let stream = streams.find(|stream| stream.thread() == thread);
    stream.is_none_or(|stream| stream.complete() && !stream.limit_reached())
}
