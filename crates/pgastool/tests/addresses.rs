//! Addresses that `run --addresses` records, as `pgastool events` shows them: elements lie as far
//! apart as they do in the program, and the same element is at the same address for everybody.

mod measured;

use std::collections::BTreeMap;
use std::path::Path;

use measured::{pgastool, succeed};
use serde_json::Value;

const THREADS: u64 = 3;
const N: u64 = 10;
const DOUBLE: u64 = 8;
const CELL: u64 = 16;

/// Source and recorded events of the program, to select accesses by line and thread.
struct Events {
    source: String,
    events: Vec<Value>,
}

/// One access: the thread whose data it is of, and the address there.
type Access = (u64, u64);

impl Events {
    /// Compiles and runs the program with these options of `run`.
    fn of(directory: &Path, options: &[&str]) -> Self {
        let name = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/addresses/patterns.upc");
        let program = directory.join("patterns");
        succeed(
            pgastool(directory)
                .args(["compile", "--functions", "all", "--inst-local", "-o"])
                .arg(&program)
                .arg(&name),
        );
        let experiment = directory.join("experiment");
        succeed(
            pgastool(directory)
                .args(["run", "-n", &THREADS.to_string(), "-o"])
                .arg(&experiment)
                .args(options)
                .arg("--")
                .arg(&program),
        );
        let printed = succeed(
            pgastool(directory)
                .args(["events", "--format", "jsonl"])
                .arg(&experiment),
        );
        let printed = String::from_utf8(printed.stdout).unwrap();
        Events {
            source: std::fs::read_to_string(name).unwrap(),
            events: printed
                .lines()
                .map(|line| serde_json::from_str(line).unwrap())
                .collect(),
        }
    }

    /// The Enters of `thread` in the line with that comment.
    fn at(&self, comment: &str, thread: u64) -> Vec<&Value> {
        let comment = format!("/* {comment} */");
        let line = self
            .source
            .lines()
            .position(|line| line.ends_with(&comment));
        let line = line.expect("a line with this comment") as u64 + 1;
        let here = |event: &&Value| {
            event["event"] == "enter" && event["line"] == line && event["thread"] == thread
        };
        self.events.iter().filter(here).collect()
    }

    fn transfers(&self, comment: &str, thread: u64) -> Vec<Access> {
        let number = |event: &Value, key| event[key].as_u64().expect("a number");
        self.at(comment, thread)
            .iter()
            .map(|event| (number(event, "partner"), number(event, "address")))
            .collect()
    }
}

#[test]
fn accesses_lie_where_the_program_puts_them() {
    let directory = tempfile::tempdir().unwrap();
    let events = Events::of(directory.path(), &["--addresses"]);
    let mut rows: BTreeMap<u64, u64> = BTreeMap::new();
    for thread in 0..THREADS {
        let (next, after) = ((thread + 1) % THREADS, (thread + 2) % THREADS);
        let forwards = events.transfers("forwards", thread);
        let row = forwards[0].1;
        let walk = |stride: u64| (0..N).map(move |i| (next, row + stride * i));
        assert_eq!(forwards, Vec::from_iter(walk(DOUBLE)));
        let backwards = events.transfers("backwards", thread);
        assert_eq!(backwards, Vec::from_iter(walk(DOUBLE).rev()));

        let strided = events.transfers("strided", thread);
        let distances: Vec<u64> = strided
            .windows(2)
            .map(|pair| pair[1].1 - pair[0].1)
            .collect();
        assert_eq!(distances, [CELL; N as usize - 1]);

        for (comment, first) in [("memget", 4), ("memput", 5), ("memset", 6)] {
            let expected = [(next, row + DOUBLE * first)];
            assert_eq!(events.transfers(comment, thread), expected, "{comment}");
        }
        let copies = events.at("memcpy", thread);
        assert_eq!(copies.len(), 1);
        assert_eq!(copies[0]["source"], next);
        assert_eq!(copies[0]["source_address"], row + DOUBLE * 7);
        assert_eq!(copies[0]["destination"], after);
        assert!(copies[0].get("address").is_none());
        rows.insert(next, row);
    }
    // All blocks of a shared array begin at the same address, each in the memory of its thread.
    let row = rows[&0];
    assert!(rows.values().all(|&other| other == row), "{rows:?}");
    let copied = |thread| events.at("memcpy", thread)[0]["destination_address"].clone();
    assert!((1..THREADS).all(|thread| copied(thread) == copied(0)));
}

#[test]
fn the_same_element_has_the_same_address_for_all_threads() {
    let directory = tempfile::tempdir().unwrap();
    let events = Events::of(directory.path(), &["--addresses"]);
    let dealt = events.transfers("dealt", 0);
    let begin = dealt[0].1;
    let expected = (0..N * THREADS).map(|i| (i % THREADS, begin + i / THREADS * DOUBLE));
    assert_eq!(dealt, Vec::from_iter(expected));
    let one = events.transfers("the same", 0);
    assert_eq!((one.len(), one[0].0), (1, 0));
    for thread in 1..THREADS {
        assert_eq!(events.transfers("dealt", thread), dealt);
        assert_eq!(events.transfers("the same", thread), one);
    }
    // Arrays that each thread allocates for itself.
    for thread in 0..THREADS {
        let own = events.transfers("own", thread);
        let expected = (0..N).map(|i| (thread, own[0].1 + DOUBLE * i));
        assert_eq!(own, Vec::from_iter(expected));
    }
}

#[test]
fn without_the_option_there_are_none() {
    let directory = tempfile::tempdir().unwrap();
    let events = Events::of(directory.path(), &[]);
    assert_eq!(events.at("forwards", 0).len() as u64, N);
    for event in &events.events {
        let keys = ["address", "source_address", "destination_address"];
        assert!(keys.iter().all(|key| event.get(key).is_none()), "{event}");
    }
}
