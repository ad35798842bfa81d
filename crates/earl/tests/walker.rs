//! The walker's records of one thread's events, on streams that are written down here.

use pgas_earl::{
    BarrierRecord, CollectiveRecord, Error, EventSource, LockAcquisition, LockRelease, Matched,
    Observer, PathId, Span, StreamBuilder, SyncPoint, SyncPointKind, Walker, operation::name,
};
use pgas_trace::model::{Attributes, EventKind, Operation, SiteId, SyncMode};

type Activity = Vec<(PathId, u64)>;

#[derive(Default)]
struct Seen {
    barriers: Vec<BarrierRecord>,
    collectives: Vec<CollectiveRecord>,
    acquired: Vec<LockAcquisition>,
    released: Vec<LockRelease>,
    sync_points: Vec<(SyncPoint, Activity)>,
}

impl Observer for Seen {
    fn barrier(&mut self, record: BarrierRecord) {
        self.barriers.push(record);
    }
    fn collective(&mut self, record: CollectiveRecord) {
        self.collectives.push(record);
    }
    fn acquired(&mut self, record: LockAcquisition) {
        self.acquired.push(record);
    }
    fn released(&mut self, record: LockRelease) {
        self.released.push(record);
    }
    fn sync_point(&mut self, point: SyncPoint, activity: &[(PathId, u64)]) {
        self.sync_points.push((point, activity.to_vec()));
    }
}

fn walk(stream: &StreamBuilder) -> (Walker, Seen) {
    let mut source = stream.source();
    let mut walker = Walker::new(0);
    let mut seen = Seen::default();
    while let Some(Ok(event)) = source.next_event() {
        walker
            .step(&event, |id| source.site(id), &mut seen)
            .unwrap();
    }
    walker.finish(&mut seen);
    (walker, seen)
}

/// A path as "main/f/upc_barrier:7".
fn path(walker: &Walker, mut path: PathId) -> String {
    let mut parts = Vec::new();
    while let Some(site) = walker.tree().node(path).site {
        let site = walker.sites().site(site);
        parts.push(match site.operation {
            Operation::Function => site.name.clone(),
            operation => format!("{}:{}", name(operation), site.line),
        });
        path = walker.tree().node(path).parent;
    }
    parts.reverse();
    parts.join("/")
}

fn profile(walker: &Walker) -> Vec<(String, u64, u64)> {
    let paths = (0..walker.tree().len()).map(|i| path(walker, PathId(i as u32)));
    paths
        .zip(walker.totals())
        .map(|(path, totals)| (path, totals.ticks, totals.visits))
        .collect()
}

#[test]
fn time_is_exclusive_and_paths_are_distinguished_by_caller_and_line() {
    let mut s = StreamBuilder::new();
    s.call(10, "main", "a.upc", 1).call(12, "f", "a.upc", 20);
    s.operation(15, 20, Operation::Get, "a.upc", 22);
    s.operation(21, 23, Operation::Get, "a.upc", 23);
    s.leave(30);
    s.operation(30, 31, Operation::Get, "a.upc", 22);
    s.call(35, "f", "a.upc", 20).leave(36).leave(40);
    let (walker, _) = walk(&s);
    let expected = [
        ("", 0, 1),
        ("main", 2 + 4 + 4, 1),
        ("main/f", 3 + 1 + 7 + 1, 2),
        ("main/f/upc_get:22", 5, 1),
        ("main/f/upc_get:23", 2, 1),
        ("main/upc_get:22", 1, 1),
    ];
    let expected: Vec<_> = expected
        .iter()
        .map(|&(p, t, v)| (p.to_string(), t, v))
        .collect();
    assert_eq!(profile(&walker), expected);
    assert_eq!(walker.position().span, Some(Span::new(10, 40)));
    let total: u64 = walker.totals().iter().map(|t| t.ticks).sum();
    assert_eq!(total, 30);
}

#[test]
fn a_barrier_reported_in_two_halves_is_one_operation() {
    let mut s = StreamBuilder::new();
    s.call(0, "main", "a.upc", 1);
    let value = Attributes::Barrier { value: Some(4) };
    s.begin(10, Operation::Notify, "a.upc", 5, value).leave(11);
    s.begin(13, Operation::Wait, "a.upc", 5, value).leave(20);
    s.operation(30, 40, Operation::Barrier, "a.upc", 6);
    let (walker, seen) = walk(&s);
    assert_eq!(
        profile(&walker)[2..],
        [
            ("main/upc_barrier:5".to_string(), 10, 1),
            ("main/upc_barrier:6".to_string(), 10, 1)
        ]
    );
    let [first, second] = &seen.barriers[..] else {
        panic!("{:?}", seen.barriers)
    };
    assert_eq!((first.span, first.arrival()), (Span::new(10, 20), 10));
    assert_eq!((first.notify, first.value), (None, Some(4)));
    assert_eq!((second.span, second.value), (Span::new(30, 40), None));
}

#[test]
fn a_split_phase_arrives_with_its_notify() {
    let mut s = StreamBuilder::new();
    s.call(0, "main", "a.upc", 1);
    s.operation(10, 12, Operation::Notify, "a.upc", 5);
    s.call(14, "work", "a.upc", 50).leave(24);
    s.operation(25, 40, Operation::Wait, "a.upc", 8).leave(41);
    let (walker, seen) = walk(&s);
    let [barrier] = &seen.barriers[..] else {
        panic!("{:?}", seen.barriers)
    };
    assert_eq!(path(&walker, barrier.path), "main/upc_wait:8");
    assert_eq!((barrier.span, barrier.arrival()), (Span::new(25, 40), 10));
    let notify = barrier.notify.unwrap();
    assert_eq!(path(&walker, notify.path), "main/upc_notify:5");
    assert_eq!(notify.span, Span::new(10, 12));
}

#[test]
fn stalls_inside_an_operation_are_known() {
    let mut s = StreamBuilder::new();
    s.begin(10, Operation::Barrier, "a.upc", 5, Attributes::None);
    s.operation(11, 15, Operation::MeasurementStall, "", 0);
    s.operation(16, 17, Operation::MeasurementStall, "", 0)
        .leave(30);
    let (walker, seen) = walk(&s);
    assert_eq!(
        seen.barriers[0].nested,
        [Span::new(11, 15), Span::new(16, 17)]
    );
    let barrier = profile(&walker).remove(1);
    assert_eq!(barrier, ("upc_barrier:5".into(), 15, 1));
}

#[test]
fn locks_are_taken_at_the_exit_and_given_back_at_the_enter() {
    let lock = Attributes::Lock { lock: 77 };
    let mut s = StreamBuilder::new();
    s.call(0, "main", "a.upc", 1);
    s.begin(5, Operation::Lock, "a.upc", 2, lock).leave(9);
    s.call(10, "update", "a.upc", 30).leave(18);
    s.begin(20, Operation::Unlock, "a.upc", 4, lock).leave(22);
    for (time, acquired) in [(30, false), (40, true)] {
        s.begin(time, Operation::LockAttempt, "a.upc", 6, lock);
        s.exit(time + 1, Attributes::LockAttempt { acquired });
    }
    let (_, seen) = walk(&s);
    let spans: Vec<_> = seen.acquired.iter().map(|a| (a.span, a.attempt)).collect();
    assert_eq!(spans, [(Span::new(5, 9), false), (Span::new(40, 41), true)]);
    let release = seen.released[0];
    assert_eq!(
        (release.lock, release.time, release.held),
        (77, 20, Some(11))
    );
}

#[test]
fn collectives_carry_what_their_exit_says() {
    let mut s = StreamBuilder::new();
    s.begin(5, Operation::Broadcast, "a.upc", 2, Attributes::None);
    s.exit(
        9,
        Attributes::Collective {
            root: Some(3),
            sent: 8,
            received: 0,
            sync_in: SyncMode::Mine,
            sync_out: SyncMode::All,
        },
    );
    s.begin(10, Operation::CollectiveExit, "", 0, Attributes::None);
    s.operation(11, 12, Operation::Barrier, "", 0).leave(13);
    let (walker, seen) = walk(&s);
    let first = &seen.collectives[0];
    assert_eq!(
        (first.root, first.sent, first.sync_out),
        (Some(3), 8, SyncMode::All)
    );
    assert!(!first.contains_barrier && seen.collectives[1].contains_barrier);
    assert!(walker.position().program_ended);
}

#[test]
fn regions_that_were_left_by_a_jump_are_closed() {
    let mut s = StreamBuilder::new();
    s.call(0, "main", "a.upc", 1).call(1, "f", "a.upc", 2);
    s.begin(3, Operation::Barrier, "a.upc", 5, Attributes::None);
    let exit_of = |site| EventKind::Exit {
        site: SiteId(site),
        attributes: Attributes::None,
    };
    s.push(9, exit_of(0)); // of main
    s.push(10, exit_of(1)); // of f, which is closed by now
    let (walker, seen) = walk(&s);
    assert_eq!(walker.depth(), 0);
    assert_eq!(walker.anomalies().unwound_regions.count, 2);
    assert_eq!(walker.anomalies().unmatched_exits.count, 1);
    assert!(seen.barriers.is_empty());
}

#[test]
fn a_wait_without_a_notify_is_no_barrier() {
    let mut s = StreamBuilder::new();
    s.operation(0, 5, Operation::Wait, "a.upc", 1);
    s.operation(6, 7, Operation::Notify, "a.upc", 2);
    s.operation(8, 9, Operation::Notify, "a.upc", 3);
    s.operation(10, 12, Operation::Wait, "a.upc", 4);
    let (walker, seen) = walk(&s);
    assert_eq!(walker.anomalies().waits_without_notify.count, 1);
    assert_eq!(walker.anomalies().notifies_without_wait.count, 1);
    assert_eq!(seen.barriers.len(), 1);
    assert_eq!(seen.barriers[0].arrival(), 8);
}

#[test]
fn a_cut_stream_counts_up_to_its_last_event() {
    let mut s = StreamBuilder::new();
    s.call(0, "main", "a.upc", 1);
    s.begin(10, Operation::Notify, "a.upc", 5, Attributes::None)
        .leave(12);
    let (walker, _) = walk(&s);
    let total: u64 = walker.totals().iter().map(|t| t.ticks).sum();
    assert_eq!(total, 12);
    assert_eq!(walker.depth(), 1);
    assert!(!walker.position().program_ended);
}

#[test]
fn impossible_streams_are_errors() {
    let mut walker = Walker::new(2);
    let mut s = StreamBuilder::new();
    s.call(10, "main", "a.upc", 1).leave(9);
    let definition = s.sites().to_vec();
    let events = s.events().to_vec();
    let mut step = |i: usize, known: bool| {
        let site = |_| definition.first().filter(|_| known);
        walker.step(&events[i], site, &mut ())
    };
    assert_eq!(
        step(0, false),
        Err(Error::UnknownSite {
            thread: 2,
            event: 0,
            site: SiteId(0)
        })
    );
    assert_eq!(step(0, true), Ok(()));
    let error = step(1, true).unwrap_err().to_string();
    assert!(
        error.starts_with("thread 2: event 1 has time 9, but the event before it 10"),
        "{error}"
    );
}

#[test]
fn synchronisation_points_say_what_was_done_since_the_one_before() {
    use Matched::{Barrier, Collective};
    use SyncPointKind::*;
    let lock = Attributes::Lock { lock: 77 };
    let mut s = StreamBuilder::new();
    s.call(100, "main", "a.upc", 1)
        .call(105, "f", "a.upc", 2)
        .leave(109);
    s.operation(110, 112, Operation::Notify, "a.upc", 5);
    s.begin(120, Operation::Lock, "a.upc", 6, lock).leave(125);
    s.begin(130, Operation::Unlock, "a.upc", 7, lock).leave(131);
    s.operation(140, 150, Operation::Wait, "a.upc", 8);
    s.begin(160, Operation::Broadcast, "a.upc", 9, Attributes::None);
    s.operation(162, 163, Operation::MeasurementStall, "", 0);
    s.leave(170).leave(171);
    let (walker, seen) = walk(&s);
    let found: Vec<_> = seen
        .sync_points
        .iter()
        .map(|(point, activity)| {
            let named = activity.iter().map(|&(p, t)| (path(&walker, p), t));
            (point.time, point.kind, named.collect::<Vec<_>>())
        })
        .collect();
    let unlock = (0..walker.tree().len())
        .map(|n| PathId(n as u32))
        .find(|&p| path(&walker, p) == "main/upc_unlock:7");
    let acquired = Acquired {
        number: 0,
        lock: 77,
        begin: 120,
    };
    let released = Released {
        number: 0,
        lock: 77,
        path: unlock.unwrap(),
    };
    type Expected<'a> = (u64, SyncPointKind, &'a [(&'a str, u64)]);
    let expected: [Expected; 9] = [
        (110, Arrive(Barrier), &[("main", 6), ("main/f", 4)]),
        (120, Begin, &[("main/upc_notify:5", 2), ("main", 8)]),
        (125, acquired, &[("main/upc_lock:6", 5)]),
        (130, released, &[("main", 5)]),
        (140, Begin, &[("main/upc_unlock:7", 1), ("main", 9)]),
        (150, Leave(Barrier), &[("main/upc_wait:8", 10)]),
        (160, Arrive(Collective), &[("main", 10)]),
        (
            170,
            Leave(Collective),
            &[
                ("main/upc_all_broadcast:9", 9),
                ("main/upc_all_broadcast:9/measurement stall:0", 1),
            ],
        ),
        (171, End, &[("main", 1)]),
    ];
    for (found, (time, kind, activity)) in found.iter().zip(expected) {
        let activity: Vec<_> = activity.iter().map(|&(p, t)| (p.to_string(), t)).collect();
        assert_eq!(found, &(time, kind, activity));
    }
    assert_eq!(found.len(), 9);
}
