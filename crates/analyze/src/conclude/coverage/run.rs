//! Blind spots by the way in which a program was compiled and recorded, from what the experiment
//! says about itself.

use pgas_filter::{Filter, Unseen, hidden};
use pgas_result::withheld::{BlindSpot, BlindSpotKind};
use pgas_trace::Stream;
use pgas_trace::metadata::{FilterInEffect, FilterStage, Metadata};
use pgas_trace::model::ThreadId;
use pgas_trace::models::{self, Model};
use pgas_trace::properties::UNSEEN;

use crate::model::wording;

/// Key of the property of a stream by which its recorder says that others than the UPC thread
/// called the runtime.
const ELSEWHERE: &str = "elsewhere";

/// Parts of the recorded code that the recorder cannot see, as the stream states them; empty if it
/// does not state any.
pub fn unseen(stream: &Stream) -> Unseen {
    let text = stream.property(UNSEEN);
    text.map(Unseen::parse).unwrap_or_default()
}

/// Blind spots of an experiment.
pub fn blind_spots(metadata: &Metadata, streams: &[Stream]) -> Vec<BlindSpot> {
    let mut spots = Vec::new();
    let mut add = |kind, text: String| spots.push(BlindSpot { kind, text });
    for filter in &metadata.filters {
        if let Some(text) = filtered(filter) {
            add(BlindSpotKind::Filtered, text);
        }
    }
    let known = metadata
        .filters
        .iter()
        .any(|filter| filtered(filter).is_some());
    let mut all = Unseen::default();
    for stream in streams {
        all.add(&unseen(stream));
    }
    let unseen = all;
    let left_out = hidden(|name| unseen.filtered.iter().any(|known| known == name));
    if !left_out.is_empty() && !known {
        let text = format!(
            "{} left out by a filter; record without it",
            were(&left_out)
        );
        add(BlindSpotKind::Filtered, text);
    }
    let silent: Vec<ThreadId> = streams
        .iter()
        .filter(|stream| stream.property(UNSEEN).is_none())
        .map(Stream::thread)
        .collect();
    let other = models::of_runtime(streams).filter(|&model| model != Model::Upc);
    if unseen.units == 0 || !silent.is_empty() {
        let text = match silent.is_empty() {
            _ if other.is_some() => {
                "loads and stores of a thread in its own part of shared data are no calls, and are \
                 not recorded"
            }
            true => {
                "it is not known what this compiler's code does without reporting it, through \
                 pointers to private or in parts without instrumentation; compile with `pgastool \
                 compile --upcc embedded`"
            }
            false => {
                "it was recorded by an earlier version, which does not say what it did not see; \
                 compile and run it again"
            }
        };
        add(BlindSpotKind::UnknownCompiler, text.to_owned());
    }
    if let Some(place) = &unseen.uninstrumented {
        let text = format!(
            "shared data is accessed at {place} in code that was compiled without \
             instrumentation; compile all of the program with `pgastool compile`"
        );
        add(BlindSpotKind::NotInstrumented, text);
    }
    if let Some(place) = &unseen.switched_off {
        let text = format!(
            "shared data is accessed at {place} where `#pragma pupc off` leaves it out; compile \
             without that"
        );
        add(BlindSpotKind::SwitchedOff, text);
    }
    if let Some(call) = &unseen.call {
        let text = format!("calls of {call} are not recorded");
        add(BlindSpotKind::UnreportedCall, text);
    }
    let elsewhere: Vec<ThreadId> = streams
        .iter()
        .filter(|stream| stream.property(ELSEWHERE).is_some())
        .map(Stream::thread)
        .collect();
    if !elsewhere.is_empty() {
        let text = format!(
            "threads (POSIX, OpenMP) or processes that {} created accessed shared data, and only \
             a UPC thread's own accesses are recorded",
            wording::threads(&elsewhere)
        );
        add(BlindSpotKind::Elsewhere, text);
    }
    if let Some(place) = &unseen.cast {
        let text = format!(
            "shared data becomes a pointer to private at {place}, and accesses through such \
             pointers are not recorded"
        );
        add(BlindSpotKind::Cast, text);
    }
    if let Some(place) = &unseen.own {
        let text = format!(
            "accesses of threads to their own part of shared data are not recorded, first at \
             {place}; compile with --inst-local"
        );
        add(BlindSpotKind::OwnAccesses, text);
    }
    let lost = lost(metadata.threads, streams);
    if !lost.is_empty() {
        let text = format!(
            "the recording of {} is not complete",
            wording::threads(&lost)
        );
        add(BlindSpotKind::Lost, text);
    }
    spots
}

/// Operations that a filter hides, as text; `None` if it leaves out only functions.
fn filtered(filter: &FilterInEffect) -> Option<String> {
    let rules = Filter::parse(&filter.rules, &filter.file);
    let left_out = match &rules {
        Ok(rules) => rules.hides(),
        // A filter that was in effect once, and is not understood now.
        Err(_) => vec!["operations"],
    };
    let (how, instead) = match filter.stage {
        FilterStage::Compile => ("compile", "compile"),
        FilterStage::Run => ("run", "run"),
    };
    (!left_out.is_empty()).then(|| {
        format!(
            "{} left out by a filter ({how} --filter {}); {instead} without it",
            were(&left_out),
            filter.file
        )
    })
}

/// "upc_get and upc_put were", "upc_barrier, upc_notify and 20 more operations were".
fn were(names: &[&str]) -> String {
    const NAMED: usize = 4;
    match names {
        [] => "operations were".to_owned(),
        [one] => format!("{one} was"),
        [all @ .., last] if names.len() <= NAMED => format!("{} and {last} were", all.join(", ")),
        _ => format!(
            "{} and {} more operations were",
            names[..NAMED - 1].join(", "),
            names.len() - NAMED + 1
        ),
    }
}

/// Threads of which something is missing.
fn lost(threads: u32, streams: &[Stream]) -> Vec<ThreadId> {
    let whole = |thread: ThreadId| {
        let mut own = streams.iter().filter(|stream| stream.thread() == thread);
        own.any(|stream| {
            stream.complete() && stream.lost_blocks() == 0 && stream.lost_events() == 0
        })
    };
    (0..threads).filter(|&thread| !whole(thread)).collect()
}
