//! Pages as a thread leaves them, with damage, and while a thread stores to them.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use proptest::prelude::*;

use super::*;
use crate::metric::{COUNTER, Metric, TIMER};
use crate::page::{Header, LENGTH, LONGEST_NAME, LONGEST_PATH, MAGIC, NAMES_AT, VERSION};
use crate::reader::LivePage;
use pgas_trace_format::clock::ClockKind;
use pgas_trace_format::definitions::push_site;

const START: u64 = 1_000_000_000;
const NOW: u64 = START + 5_000_000_000;

/// A clock of nanoseconds that stands still.
fn still(_: ClockKind) -> Option<CalibrationPair> {
    Some(CalibrationPair {
        ticks: NOW,
        nanoseconds: NOW,
    })
}

fn header() -> Header {
    let mut header = Header {
        magic: MAGIC,
        version: VERSION,
        thread: 3,
        threads: 4,
        process: 17,
        process_start: 18,
        namespace: 0,
        start_ticks: START,
        start_nanoseconds: START,
        start_unix: 0,
        length: LENGTH as u64,
        clock: 0,
        path_length: 2,
        run: page::name("run"),
        host: page::name("host"),
        node: [0; LONGEST_NAME],
        runtime: [0; LONGEST_NAME],
        path: [b'/'; LONGEST_PATH],
        checksum: 0,
    };
    header.checksum = header.right_checksum();
    header
}

/// A file: a thread is in `solve` and, since 3 s, in a barrier.
fn file() -> Vec<u8> {
    let mut bytes = vec![0; LENGTH];
    let mut put = |offset: usize, word: u64| {
        bytes[offset..offset + 8].copy_from_slice(&word.to_ne_bytes());
    };
    put(offset_of!(Page, state), page::RUNNING);
    put(offset_of!(Page, depth), 2);
    put(offset_of!(Page, site_rows), 1);
    put(offset_of!(Page, name_count), 2);
    put(offset_of!(Page, held), 8);
    put(offset_of!(Page, computes_since), START);
    let begin = NOW - 3_000_000_000;
    put(
        ROWS_AT + offset_of!(Row, time),
        (500_i64 - begin as i64) as u64,
    );
    put(ROWS_AT + offset_of!(Row, since), begin);
    put(ROWS_AT + offset_of!(Row, calls), 2);
    put(ROWS_AT + offset_of!(Row, place), 18 << 32 | 1);
    for (index, (begin, kind)) in [(START + 5, 0_u16), (begin, 18)].into_iter().enumerate() {
        let at = STACK_AT + (index + 1) * size_of::<StackEntry>();
        put(at + 8, begin);
        let mut word = [0; 8];
        word[..4].copy_from_slice(&(index as u32).to_ne_bytes());
        put(at + 16, u64::from_ne_bytes(word));
        word = [0; 8];
        word[..2].copy_from_slice(&kind.to_ne_bytes());
        put(at + 24, u64::from_ne_bytes(word));
    }
    let mut names = Vec::new();
    push_site(
        &mut names,
        model::Operation::Function,
        b"a.upc",
        3,
        b"solve",
    );
    push_site(&mut names, model::Operation::Barrier, b"a.upc", 7, b"");
    put(offset_of!(Page, name_bytes), names.len() as u64);
    bytes[NAMES_AT..NAMES_AT + names.len()].copy_from_slice(&names);
    seal(&mut bytes, header());
    bytes
}

fn seal(bytes: &mut [u8], header: Header) {
    let at = offset_of!(Page, header);
    bytes[at..at + size_of::<Header>()].copy_from_slice(header.bytes());
}

fn open(bytes: &[u8]) -> Result<LivePage, Problem> {
    LivePage::of_bytes("page", bytes, still)
}

#[test]
fn a_wait_is_seen_while_it_lasts() {
    let page = open(&file()).unwrap();
    let snapshot = page.snapshot().unwrap();
    let since = NOW - 3_000_000_000;
    assert_eq!(
        snapshot.activity,
        Activity::In {
            operation: 0,
            since
        }
    );
    let barrier = &snapshot.operations[0];
    assert_eq!((barrier.ticks, barrier.calls), (3_000_000_500, 2));
    let path: Vec<_> = snapshot.path.iter().map(|r| (r.place, r.since)).collect();
    assert_eq!(path, [(Some(0), Some(START + 5)), (Some(1), Some(since))]);
    assert_eq!((snapshot.held, snapshot.wanted), (vec![7], None));
    let places = page.places(2).unwrap();
    assert_eq!((places[0].name.as_str(), places[1].line), ("solve", 7));
}

/// What is said of a page that was changed.
fn complaint(change: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut bytes = file();
    change(&mut bytes);
    let problem = open(&bytes).and_then(|page| page.snapshot());
    problem.expect_err("damage goes unnoticed").to_string()
}

fn set(offset: usize, word: u64) -> impl FnOnce(&mut Vec<u8>) {
    move |bytes| bytes[offset..offset + 8].copy_from_slice(&word.to_ne_bytes())
}

/// The file, with a counter `phase` at 7 and a timer `solve` that has run for 2 s.
fn file_with_metrics() -> Vec<u8> {
    let mut bytes = file();
    let began = NOW - 2_000_000_000;
    let metrics = [
        (COUNTER, *b"phase\0\0\0", 7, 0),
        (TIMER, *b"solve\0\0\0", 0, began),
    ];
    set(offset_of!(Page, metric_count), 2)(&mut bytes);
    for (number, (kind, name, value, began)) in metrics.into_iter().enumerate() {
        let at = offset_of!(Page, metrics) + number * size_of::<Metric>();
        set(at + offset_of!(Metric, kind), kind)(&mut bytes);
        set(at + offset_of!(Metric, name), u64::from_ne_bytes(name))(&mut bytes);
        set(at + offset_of!(Metric, value), value)(&mut bytes);
        set(at + offset_of!(Metric, time), began.wrapping_neg())(&mut bytes);
    }
    bytes
}

#[test]
fn metrics_are_seen_and_a_timer_while_it_runs() {
    let snapshot = open(&file_with_metrics()).unwrap().snapshot().unwrap();
    let phase = MetricValue::Counter {
        name: "phase".to_owned(),
        value: 7,
        is_bytes: false,
    };
    let solve = MetricValue::Timer {
        name: "solve".to_owned(),
        ticks: 2_000_000_000,
        nanoseconds: 0,
        is_running: true,
    };
    assert_eq!(snapshot.metrics, [phase, solve]);
}

#[test]
fn damaged_metrics_are_refused() {
    let first = offset_of!(Page, metrics);
    let cases = [
        (offset_of!(Page, metric_count), 17, "17 metrics"),
        (first + offset_of!(Metric, kind), 9, "metric of kind 9"),
        (first + offset_of!(Metric, name), 0, "no name of a metric"),
        (
            first + offset_of!(Metric, name),
            0xff,
            "no name of a metric",
        ),
    ];
    for (offset, word, found) in cases {
        let mut bytes = file_with_metrics();
        set(offset, word)(&mut bytes);
        let problem = open(&bytes).unwrap().snapshot().unwrap_err().to_string();
        assert!(
            problem.contains(&format!("byte {offset}: found {found}")),
            "{problem}"
        );
    }
}

#[test]
fn damage_is_said_with_its_place() {
    let header_at = offset_of!(Page, header);
    let cases: [(String, &str); 9] = [
        (
            complaint(|bytes| bytes.truncate(100)),
            "a file of 100 bytes",
        ),
        (
            complaint(|bytes| bytes[header_at] = 0),
            "the mark of a live page",
        ),
        (
            complaint(|bytes| bytes[header_at + offset_of!(Header, thread)] ^= 1),
            "that of the header",
        ),
        (
            complaint(|bytes| {
                let mut other = header();
                other.version = 9;
                seal(bytes, other);
            }),
            "found version 9",
        ),
        (
            complaint(|bytes| {
                let mut other = header();
                other.clock = 7;
                other.checksum = other.right_checksum();
                seal(bytes, other);
            }),
            "clock 7",
        ),
        (complaint(set(offset_of!(Page, state), 5)), "state 5"),
        (complaint(set(offset_of!(Page, site_rows), 65)), "65 rows"),
        (
            complaint(set(ROWS_AT + offset_of!(Row, time), 1 << 50)),
            "which have passed",
        ),
        (
            complaint(set(ROWS_AT + offset_of!(Row, place), 255 << 32)),
            "operation 255",
        ),
    ];
    for (said, expected) in cases {
        assert!(said.contains(expected), "{said}");
        assert!(said.starts_with("page: "), "{said}");
    }
}

#[test]
fn a_clock_that_jumped_is_noticed() {
    let late = complaint(set(ROWS_AT + offset_of!(Row, since), NOW + 60_000_000_000));
    assert!(late.contains("it has jumped"), "{late}");
    let early = complaint(|bytes| {
        let mut other = header();
        other.start_ticks = NOW + 1;
        other.checksum = other.right_checksum();
        seal(bytes, other);
    });
    assert!(early.contains("it has jumped"), "{early}");
}

#[test]
fn a_page_that_is_not_set_up_is_no_damage() {
    let said = complaint(set(offset_of!(Page, state), page::BEGINNING));
    assert!(said.contains("just beginning"), "{said}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Anything may stand in a page: an answer comes, and no panic.
    #[test]
    fn any_damage_is_survived(
        changes in prop::collection::vec((0..LENGTH, any::<u8>()), 1..40),
        is_near in any::<bool>(),
    ) {
        let mut bytes = file();
        for (offset, byte) in changes {
            let offset = if is_near { offset % (NAMES_AT + 64) } else { offset };
            bytes[offset] = byte;
        }
        if let Ok(page) = open(&bytes) {
            if let Ok(snapshot) = page.snapshot() {
                let sum: u64 = snapshot.operations.iter().map(|o| o.ticks).sum();
                prop_assert!(sum <= 5_000_000_000 + 5_000_000);
                let _ = page.places(snapshot.definitions);
            }
        }
    }
}

/// A thread enters and leaves as fast as it can, in every way by which a reader could be misled.
#[test]
fn pictures_are_never_torn() {
    static CLOCK: AtomicU64 = AtomicU64::new(START);
    let words: Vec<AtomicU64> = file()
        .chunks_exact(8)
        .map(|chunk| AtomicU64::new(u64::from_ne_bytes(chunk.try_into().unwrap())))
        .collect();
    let word = |offset: usize| &words[offset / 8];
    word(offset_of!(Page, depth)).store(0, Ordering::Relaxed);
    word(ROWS_AT + offset_of!(Row, time)).store(0, Ordering::Relaxed);
    let is_over = AtomicBool::new(false);
    let row = |row: usize| {
        // SAFETY: the words are aligned as a row is, or the test's rows would not be one.
        unsafe {
            &*std::ptr::from_ref(word(ROWS_AT + row * size_of::<Row>())).cast::<[AtomicU64; 8]>()
        }
    };
    // The outer region alternates between two, the inner one is known by its outer one.
    let store = |turn: u64| {
        let now = || CLOCK.fetch_add(1, Ordering::Relaxed);
        let push = |index: u64, site: u64| {
            let at = STACK_AT + (index as usize + 1) * size_of::<StackEntry>();
            word(at + 8).store(now(), Ordering::Relaxed);
            word(at + 16).store(site, Ordering::Relaxed);
            word(offset_of!(Page, depth)).store(index + 1, Ordering::Release);
        };
        push(0, turn % 2);
        let begin = now();
        row(0)[1].store(begin, Ordering::Relaxed);
        row(0)[0].store(
            row(0)[0].load(Ordering::Relaxed).wrapping_sub(begin),
            Ordering::Release,
        );
        push(1, turn % 2);
        let end = now();
        row(0)[0].store(
            row(0)[0].load(Ordering::Relaxed).wrapping_add(end),
            Ordering::Release,
        );
        word(offset_of!(Page, depth)).store(1, Ordering::Release);
        word(offset_of!(Page, depth)).store(0, Ordering::Release);
    };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            (0..)
                .take_while(|_| !is_over.load(Ordering::Relaxed))
                .for_each(store)
        });
        let mut seen = 0;
        let mut last = 0;
        for _ in 0..20_000 {
            let ticks = CLOCK.load(Ordering::Relaxed);
            let reading = Reading {
                file: "page",
                words: Words(&words),
                start: CalibrationPair {
                    ticks: START,
                    nanoseconds: START,
                },
                now: CalibrationPair {
                    ticks,
                    nanoseconds: ticks,
                },
            };
            let snapshot = reading.snapshot().unwrap();
            if let [outer, inner] = snapshot.path[..] {
                assert_eq!(outer.place, inner.place, "regions of different moments");
                assert!(outer.since < inner.since);
                seen += 1;
            }
            let time = snapshot.operations[0].ticks;
            assert!(
                time + 1_000_000 >= last,
                "time of an operation ran backwards"
            );
            last = time;
        }
        is_over.store(true, Ordering::Relaxed);
        println!("{seen} of 20000 pictures showed both regions");
    });
}

/// The file of a processor with a task that waits to receive, and one that runs since 2 s.
fn file_with_tasks() -> Vec<u8> {
    use crate::page::TASK_AREA_AT;
    use crate::tasks::{CHANNELS_AT, ChannelRow, PORTS_AT, PortRow, TASKS_AT, TaskRow, TasksHead};
    let mut bytes = file();
    set(offset_of!(Page, has_tasks), 1)(&mut bytes);
    let mut put = |at: usize, word: u64| set(TASK_AREA_AT + at, word)(&mut bytes);
    put(offset_of!(TasksHead, task_rows), 3);
    put(offset_of!(TasksHead, port_rows), 1);
    put(offset_of!(TasksHead, channels), 1);
    let task = |row: usize| TASKS_AT + row * size_of::<TaskRow>();
    put(task(0) + offset_of!(TaskRow, number), 5);
    put(task(0) + offset_of!(TaskRow, state), 1);
    put(task(0) + offset_of!(TaskRow, channel), 8);
    put(task(2) + offset_of!(TaskRow, number), 6);
    let began = NOW - 2_000_000_000;
    put(task(2) + offset_of!(TaskRow, running), began.wrapping_neg());
    put(CHANNELS_AT + offset_of!(ChannelRow, number), 8);
    put(CHANNELS_AT + offset_of!(ChannelRow, capacity), 5);
    put(PORTS_AT + offset_of!(PortRow, channel), 8);
    put(PORTS_AT + offset_of!(PortRow, task), 4);
    put(PORTS_AT + offset_of!(PortRow, direction), 2);
    put(PORTS_AT + offset_of!(PortRow, calls), 9);
    bytes
}

#[test]
fn tasks_and_channels_are_seen_and_rows_of_nobody_are_not() {
    let tasks = open(&file_with_tasks()).unwrap().snapshot().unwrap().tasks;
    let of = |task: &Task| (task.number, task.state, task.channel, task.running);
    let expected = [
        (4, TaskState::Receives, Some(7), 0),
        (5, TaskState::Runs, None, 2_000_000_000),
    ];
    assert_eq!(tasks.tasks.iter().map(of).collect::<Vec<_>>(), expected);
    assert_eq!(
        (tasks.channels[0].number, tasks.channels[0].capacity),
        (7, Some(4))
    );
    let port = &tasks.ports[0];
    assert_eq!(
        (port.channel, port.task, port.is_output, port.calls),
        (7, 4, false, 9)
    );
}

#[test]
fn damaged_tasks_are_refused() {
    use crate::page::TASK_AREA_AT;
    use crate::tasks::{PORTS_AT, PortRow, TASKS_AT, TaskRow, TasksHead};
    let cases = [
        (offset_of!(TasksHead, task_rows), 1025, "1025 rows of tasks"),
        (
            TASKS_AT + offset_of!(TaskRow, state),
            7,
            "state 7 of a task",
        ),
        (TASKS_AT + offset_of!(TaskRow, running), 1 << 50, "ticks"),
        (
            PORTS_AT + offset_of!(PortRow, direction),
            3,
            "direction 3 of a port",
        ),
    ];
    for (offset, word, found) in cases {
        let mut bytes = file_with_tasks();
        set(TASK_AREA_AT + offset, word)(&mut bytes);
        let problem = open(&bytes).unwrap().snapshot().unwrap_err().to_string();
        assert!(problem.contains(found), "{problem}");
    }
}
