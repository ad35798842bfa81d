//! Takes calls out of streams and sums them, as a recorder does that throttles, or that reaches the
//! limit of the trace.

use std::collections::BTreeMap;

use pgas_analyze::search::Stretch;
use pgas_analyze::sums::ThreadSums;
use pgas_analyze::{Analysis, conclude};
use pgas_earl::StreamBuilder;
use pgas_trace::model::{
    Attributes, CallSums, Event, EventKind, Operation, Profile, ProfileScope, Site, SiteId,
    ThreadId,
};

use super::{check_sums, description, find};

/// Remaining events of a stream, and the sums of the calls that were left out.
pub struct Recording {
    pub stream: StreamBuilder,
    pub sums: Vec<Profile>,
}

/// Analyses recordings, one tick being one second.
pub fn analyse_recordings(recordings: &[Recording]) -> Analysis {
    let sources = recordings.iter().map(|r| r.stream.source()).collect();
    let mut found = find(sources, Stretch::default());
    let sums: Vec<ThreadSums> = recordings
        .iter()
        .enumerate()
        .map(|(thread, recording)| {
            let mut sums = ThreadSums::new(thread as ThreadId);
            for profile in &recording.sums {
                sums.add(profile, recording.stream.sites()).unwrap();
            }
            sums
        })
        .collect();
    found.add_sums(&sums);
    let analysis = conclude(&found, 1.0, description(recordings.len()), Vec::new());
    check_sums(&analysis);
    analysis
}

/// The same stream with a barrier in the place of each notify that a wait of the same line follows
/// at once, and without what sums do not say: when a thread had no core while it waited.
pub fn with_whole_barriers(stream: &StreamBuilder) -> StreamBuilder {
    let sites = stream.sites();
    let mut whole = StreamBuilder::new();
    let mut open_halves = 0;
    let mut events = stream.events().iter().peekable();
    while let Some(event) = events.next() {
        let (EventKind::Enter { site, .. } | EventKind::Exit { site, .. }) = event.kind;
        if sites[site.0 as usize].operation == Operation::NoCore {
            continue;
        }
        match event.kind {
            EventKind::Enter { site, attributes } => {
                let site = &sites[site.0 as usize];
                match site.operation == Operation::Notify && is_whole(stream, event) {
                    true => {
                        let barrier = Site {
                            operation: Operation::Barrier,
                            ..site.clone()
                        };
                        open_halves += 1;
                        whole.enter(event.time, barrier, attributes);
                    }
                    false => drop(whole.enter(event.time, site.clone(), attributes)),
                }
            }
            EventKind::Exit { site, attributes } => {
                let notify = sites[site.0 as usize].operation == Operation::Notify;
                if notify && open_halves > 0 {
                    open_halves -= 1;
                    // The wait begins where the notify ends.
                    events.next();
                } else {
                    whole.exit(event.time, attributes);
                }
            }
        }
    }
    whole
}

/// Whether the next thing after this notify is the wait of the same line.
fn is_whole(stream: &StreamBuilder, notify: &Event) -> bool {
    let EventKind::Enter { site: begun, .. } = notify.kind else {
        return false;
    };
    let events = stream.events();
    let at = events.iter().position(|event| std::ptr::eq(event, notify));
    let rest = &events[at.unwrap()..];
    let end = rest
        .iter()
        .position(|e| matches!(e.kind, EventKind::Exit { site, .. } if site == begun));
    match end.and_then(|end| rest.get(end + 1)).map(|next| next.kind) {
        Some(EventKind::Enter { site, .. }) => {
            let (wait, notify) = (
                &stream.sites()[site.0 as usize],
                &stream.sites()[begun.0 as usize],
            );
            wait.operation == Operation::Wait && wait.line == notify.line
        }
        _ => false,
    }
}

type Path = Vec<SiteId>;

/// Sums in the making: (calls, ticks, bytes) by path and partner.
#[derive(Default)]
struct Tree(BTreeMap<(Path, Option<ThreadId>), (u64, u64, u64)>);

impl Tree {
    fn add(&mut self, path: &[SiteId], attributes: &Attributes, calls: u64, ticks: u64) {
        let (partner, bytes) = match *attributes {
            Attributes::Transfer { partner, bytes, .. } => (Some(partner), bytes),
            _ => (None, 0),
        };
        for length in 1..path.len() {
            self.0.entry((path[..length].to_vec(), None)).or_default();
        }
        let sums = self.0.entry((path.to_vec(), partner)).or_default();
        sums.0 += calls;
        sums.1 += ticks;
        sums.2 += bytes * calls;
    }

    fn profile(self, scope: ProfileScope, span: (u64, u64)) -> Profile {
        let mut numbers: BTreeMap<Path, u32> = BTreeMap::new();
        let mut entries = Vec::new();
        // Paths come before longer ones that begin with them.
        for ((path, partner), (calls, ticks, bytes)) in self.0 {
            let parent = numbers.get(&path[..path.len() - 1]).copied();
            assert_eq!(parent.is_some(), path.len() > 1);
            numbers.entry(path.clone()).or_insert(entries.len() as u32);
            entries.push(CallSums {
                parent,
                site: path[path.len() - 1],
                partner,
                calls,
                timed_calls: calls,
                ticks,
                bytes,
                counters: Vec::new(),
            });
        }
        profile(scope, span, entries)
    }
}

/// Sums of calls, without counters.
pub fn profile(scope: ProfileScope, span: (u64, u64), entries: Vec<CallSums>) -> Profile {
    Profile {
        scope,
        first_time: span.0,
        last_time: span.1,
        unplaced_calls: 0,
        counters: Vec::new(),
        entries,
    }
}

struct Open {
    site: SiteId,
    enter: u64,
    attributes: Attributes,
    /// Where its Enter is in what is left.
    place: usize,
}

fn emptied(stream: &StreamBuilder) -> StreamBuilder {
    let mut left = stream.clone();
    left.take_events();
    left
}

/// Throttles the sites for which `throttled` holds from the first call on: calls in which nothing
/// else is recorded are summed, in two blocks in turn.
pub fn throttle(stream: &StreamBuilder, throttled: impl Fn(&Site) -> bool) -> Recording {
    throttle_from(stream, 0, throttled)
}

/// The same from a time on: calls that begin before are recorded.
pub fn throttle_from(
    stream: &StreamBuilder,
    from: u64,
    throttled: impl Fn(&Site) -> bool,
) -> Recording {
    let mut left: Vec<Event> = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    let mut blocks = [Tree::default(), Tree::default()];
    let mut turn = 0;
    for event in stream.events() {
        match event.kind {
            EventKind::Enter { site, attributes } => {
                open.push(Open {
                    site,
                    enter: event.time,
                    attributes,
                    place: left.len(),
                });
                left.push(*event);
            }
            EventKind::Exit { .. } => {
                let path: Path = open.iter().map(|open| open.site).collect();
                let call = open.pop().unwrap();
                let empty = left.len() == call.place + 1;
                if empty && call.enter >= from && throttled(&stream.sites()[call.site.0 as usize]) {
                    left.truncate(call.place);
                    turn += 1;
                    let ticks = event.time - call.enter;
                    blocks[turn % 2].add(&path, &call.attributes, 1, ticks);
                } else {
                    left.push(*event);
                }
            }
        }
    }
    let span = |events: &[Event]| (events[0].time, events[events.len() - 1].time);
    let span = span(stream.events());
    let mut rest = emptied(stream);
    for event in left {
        rest.push(event.time, event.kind);
    }
    Recording {
        stream: rest,
        sums: blocks
            .map(|tree| tree.profile(ProfileScope::Within, span))
            .into(),
    }
}

/// Ends the trace at `time` and sums what comes after; before the first event, that is a recording
/// without trace.
pub fn limit(stream: &StreamBuilder, time: u64) -> Recording {
    let mut rest = emptied(stream);
    let mut open: Vec<Open> = Vec::new();
    let mut tree = Tree::default();
    let mut switched = false;
    let first = stream.events()[0].time;
    let begin = time.max(first);
    let mut last = first;
    for event in stream.events() {
        last = event.time;
        let traced = event.time < time;
        if !traced && !switched {
            switched = true;
            // Regions that are open are ways that take time.
            for depth in 1..=open.len() {
                let path: Path = open[..depth].iter().map(|open| open.site).collect();
                tree.add(&path, &Attributes::None, 0, 0);
            }
        }
        match event.kind {
            EventKind::Enter { site, attributes } => open.push(Open {
                site,
                enter: event.time,
                attributes,
                place: 0,
            }),
            EventKind::Exit { .. } => {
                let path: Path = open.iter().map(|open| open.site).collect();
                let call = open.pop().unwrap();
                if !traced {
                    let calls = u64::from(call.enter >= time);
                    let ticks = event.time - call.enter.max(begin);
                    tree.add(&path, &call.attributes, calls, ticks);
                }
            }
        }
        if traced {
            rest.push(event.time, event.kind);
        }
    }
    let sums = match switched {
        true => vec![tree.profile(ProfileScope::Beyond, (begin, last))],
        false => Vec::new(),
    };
    Recording { stream: rest, sums }
}
