//! Analyses an experiment directory's streams.

use std::path::{Path, PathBuf};

use pgas_machine::Machine;
use pgas_trace::functions::{FUNCTIONS, FunctionLines};
use pgas_trace::models;
use pgas_trace::samples::{ARRAYS, SAMPLES, Samples, SharedArray};
use pgas_trace::{CoreUse, Experiment, Stream};

use crate::conclude::cores;
use crate::conclude::coverage::run::{blind_spots, unseen};
use crate::conclude::description::Description;
use crate::conclude::description::EventCost;
use crate::conclude::missing_samples::Missing;
use crate::conclude::repetition::Again;
use crate::conclude::single_accesses;
use crate::conclude::{Analysis, conclude};
use crate::pipeline::distributed::{ExchangeError, Lead, Team};
use crate::pipeline::error::Error;
use crate::pipeline::search::{Found, Stretch, search_with};
use crate::pipeline::streams::{Share, failed};
use crate::pipeline::workers::Stop;
use crate::symbols;
use crate::threads::one_sided::sampled::Sampled;

/// A description that says more threads is taken to be damaged.
const MOST_THREADS: u32 = 1 << 20;

/// Searches an experiment for wait states. `progress` receives the share that is done, 0 to 1. As
/// many cores take part as the current pool of [`rayon`] has threads.
///
/// # Errors
/// [`Error`]: a stream cannot be read, or its events contradict each other. A stream that merely ends early is no
/// error: what is there is analysed, and a remark in the summary says so.
pub fn analyze(
    experiment: &Experiment,
    progress: &(dyn Fn(f64) + Sync),
) -> Result<Analysis, Error> {
    analyze_with(experiment, None, progress)
}

/// As [`analyze`], together with other processes, which are in
/// [`crate::pipeline::distributed::help`]. The result is the same.
///
/// # Errors
/// As [`analyze`]; [`Error::Exchange`] if the others cannot be reached.
pub fn analyze_shared(
    experiment: &Experiment,
    team: &mut Team,
    progress: &(dyn Fn(f64) + Sync),
) -> Result<Analysis, Error> {
    analyze_with(experiment, Some(team), progress)
}

fn analyze_with(
    experiment: &Experiment,
    team: Option<&mut Team>,
    progress: &(dyn Fn(f64) + Sync),
) -> Result<Analysis, Error> {
    let metadata = experiment.metadata();
    let threads = metadata.threads;
    let path = || experiment.directory().to_owned();
    if threads > MOST_THREADS {
        return Err(Error::TooManyThreads {
            path: path(),
            found: threads,
            limit: MOST_THREADS,
        });
    }
    let streams = experiment.streams();
    if let Some(stranger) = streams.iter().find(|stream| stream.thread() >= threads) {
        return Err(Error::UnknownThread {
            path: stranger.path().to_owned(),
            thread: stranger.thread(),
            threads,
        });
    }
    let total = experiment.event_count();
    let has_sums = streams
        .iter()
        .any(|stream| stream.profile_range().is_some());
    if total == 0 && !has_sums {
        return Err(Error::NoEvents { path: path() });
    }
    let mut by_thread: Vec<Option<&Stream>> = vec![None; threads as usize];
    for stream in streams {
        by_thread[stream.thread() as usize] = Some(stream);
    }
    let told = |events: u64| progress((events as f64 / total as f64).min(1.0));
    let (found, held_events) = match team {
        None => find(experiment, None, &told)?,
        Some(team) => {
            let events = by_thread
                .iter()
                .map(|stream| stream.map_or(0, Stream::event_count));
            let events: Vec<u64> = events.collect();
            let mut lead = team.lead(experiment.directory(), &events);
            let found = find(experiment, Some(&mut lead), &told);
            // The others are at the end of this experiment, too, whether it went well or not.
            let closed = lead.close(!matches!(
                found,
                Err(Error::Exchange(
                    ExchangeError::Lost(_) | ExchangeError::Nonsense
                ))
            ));
            let found = found?;
            closed?;
            found
        }
    };
    let host = |stream: Option<&Stream>| {
        let property = |key: &str| stream.and_then(|stream| stream.property(key));
        property("host").unwrap_or(&metadata.host).to_owned()
    };
    let has_unknown_nodes = by_thread
        .iter()
        .any(|stream| stream.is_none_or(|stream| stream.property("host").is_none()));
    let locations = by_thread
        .iter()
        .enumerate()
        .map(|(thread, stream)| (host(*stream), thread as u32));
    let mut sampled = Sampled::default();
    // Of accesses that a filter left out there are none, so nothing follows for an array from the
    // others.
    let is_complete = metadata.filters.is_empty();
    for (thread, stream) in by_thread.iter().enumerate() {
        let Some(stream) = stream else { continue };
        let unseen = unseen(stream);
        sampled.add_direct(unseen.direct, unseen.counted_at_end);
        if !is_complete {
            continue;
        }
        let samples = stream.property(SAMPLES).and_then(Samples::from_text);
        if let Some(samples) = samples {
            let site = |number: u32| stream.sites().get(number as usize);
            sampled.add(thread as u32, &samples, site);
        }
        let arrays = stream.property(ARRAYS).map(SharedArray::all);
        sampled.add_arrays(arrays.unwrap_or_default());
        sampled.add_neighbours(unseen.neighbours);
        sampled.add_followers(unseen.followers);
    }
    let properties = by_thread
        .iter()
        .flatten()
        .flat_map(|stream| stream.properties());
    let functions = properties.filter(|(key, _)| key == FUNCTIONS);
    let functions = functions.flat_map(|(_, text)| FunctionLines::all(text));
    let per_tick = experiment.clock().seconds_per_tick();
    let (symbols, unread_symbols) = symbols::load(experiment, &found.stacks);
    let (operation_costs, unread_costs) = operation_costs(experiment);
    let description = Description {
        functions: functions.collect(),
        program: program_name(&metadata.program),
        runtime: models::of_runtime(by_thread.iter().copied().flatten()),
        arguments: metadata.arguments.clone(),
        tool_version: env!("CARGO_PKG_VERSION").into(),
        wall_seconds: 0.0,
        started: metadata.started.clone(),
        machine: metadata.host.clone(),
        locations: locations.collect(),
        has_unknown_nodes,
        costs: by_thread
            .iter()
            .map(|stream| stream.and_then(event_cost))
            .collect(),
        recorders: pgas_cost::recorders(by_thread.iter().copied()),
        cpu_seconds: metadata.cpu_seconds,
        baseline: metadata.baseline.clone(),
        held_events,
        sampled,
        blind_spots: blind_spots(metadata, streams),
        again: Some(Again::new(metadata)),
        symbols,
        missing_samples: Missing::of(&by_thread, &found.stacks, per_tick),
        operation_costs,
    };
    let mut remarks = experiment.all_remarks();
    remarks.extend(unread_costs);
    remarks.extend(unread_symbols);
    remarks.extend(refused_counters(streams));
    remarks.extend(unmatched_ends(streams));
    remarks.extend(single_accesses::remark(&found, metadata, streams));
    let on_one_node = description.locations.windows(2).all(|w| w[0].0 == w[1].0);
    let cores = metadata.cores.filter(|_| on_one_node);
    let used: Vec<Option<CoreUse>> = by_thread
        .iter()
        .map(|stream| stream.and_then(Stream::core_use))
        .collect();
    remarks.extend(cores::remark(&found, &used, cores, per_tick));
    Ok(conclude(&found, per_tick, description, remarks))
}

/// All that was found in all streams, and how many events were held.
fn find(
    experiment: &Experiment,
    mut lead: Option<&mut Lead>,
    told: &(dyn Fn(u64) + Sync),
) -> Result<(Found, u64), Error> {
    let threads = experiment.metadata().threads as usize;
    let own = lead.as_ref().map_or(0..threads, |lead| lead.own());
    let share = Share::new(experiment, own);
    let found = search_with(
        share.sources(),
        lead.as_deref_mut(),
        (experiment.clocks(), costs_file(experiment).exists()),
        Stretch::for_threads(threads),
        &mut |events| told(events),
    );
    let mut found = found.map_err(|stop| match stop {
        Stop::Stream(failure) => failed(experiment, failure),
        Stop::Exchange(error) => error.into(),
    })?;
    let mut sums = share.sums()?;
    let mut stacks = share.stacks()?;
    let mut held_events = share.held_events();
    if let Some(lead) = lead {
        let (others, stacks_of_others, held) = lead.sums();
        sums.extend(others);
        stacks.extend(stacks_of_others);
        held_events += held;
    }
    found.add_sums(&sums);
    found.stacks = stacks;
    Ok((found, held_events))
}

/// Cost of an event, as measured by the recorder of a stream; `None` if the recorder did not
/// measure it, or stated it in a form that cannot be read.
fn event_cost(stream: &Stream) -> Option<EventCost> {
    let property = |key: &str| stream.property(key)?.trim().parse::<u64>().ok();
    let event = property("event_cost")?;
    let clock = property("clock_cost").unwrap_or(0);
    // Recorders that do not say it have spared such calls two readings of the clock.
    let spared = || event.saturating_sub(clock).saturating_mul(2);
    Some(EventCost {
        event,
        clock,
        throttled: property("throttled_cost").unwrap_or_else(spared),
    })
}

fn costs_file(experiment: &Experiment) -> PathBuf {
    experiment.directory().join(pgas_machine::FILE)
}

/// Costs of the machine's operations that lie in the experiment, and why they cannot be used.
fn operation_costs(experiment: &Experiment) -> (Option<Machine>, Option<String>) {
    let path = costs_file(experiment);
    if !path.exists() {
        return (None, None);
    }
    match Machine::read(&path) {
        Ok(machine) => (Some(machine), None),
        Err(error) => (
            None,
            Some(format!(
                "the costs of the machine's operations are not used: {error}"
            )),
        ),
    }
}

/// Ends of regions of the program that were not of a region that was open.
fn unmatched_ends(streams: &[Stream]) -> Option<String> {
    let number = |stream: &Stream| {
        stream
            .property("unmatched_ends")?
            .trim()
            .parse::<u64>()
            .ok()
    };
    let ends = streams
        .iter()
        .filter_map(number)
        .fold(0, u64::saturating_add);
    (ends > 0).then(|| {
        format!(
            "{ends} times a region of the program was ended (pupc_event_end) that was not open: a \
             region ends with the function in which it begins, so functions that only start and \
             end regions must not be recorded (`#pragma pupc off`, or a filter)"
        )
    })
}

/// Counters that were asked for and that there are none of: each reason once.
fn refused_counters(streams: &[Stream]) -> Vec<String> {
    let mut reasons: Vec<&str> = streams
        .iter()
        .filter_map(|stream| stream.property("counters_refused"))
        .filter(|reason| !reason.trim().is_empty())
        .collect();
    reasons.sort_unstable();
    reasons.dedup();
    let remark = |reason: &str| format!("counters were asked for and not recorded: {reason}");
    reasons.into_iter().map(remark).collect()
}

/// The last part of the path that the program was started with.
fn program_name(program: &str) -> String {
    let name = Path::new(program).file_name();
    name.map_or_else(
        || program.to_owned(),
        |name| name.to_string_lossy().into_owned(),
    )
}
