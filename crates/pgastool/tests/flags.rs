//! Waits for flags and semaphores of a program of the embedded compiler, as `pgastool events` shows
//! them: each wait is one region, at its line, with the word that it waits for; and the write that
//! ends it is an event with the same address, though writes are counted.

mod measured;

use std::path::Path;

use measured::{pgastool, succeed};
use serde_json::Value;

const WAIT: &str = "wait for a flag";

struct Events {
    source: String,
    events: Vec<Value>,
}

impl Events {
    /// Compiles and runs the program, with these options of `compile`.
    fn of(options: &[&str]) -> Self {
        let directory = tempfile::tempdir().expect("a folder");
        let directory = directory.path();
        let name = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/flags/waits.upc");
        let (program, experiment) = (directory.join("waits"), directory.join("experiment"));
        succeed(
            pgastool(directory)
                .args(["compile", "--upcc", "embedded"])
                .args(options)
                .args(["--", "-O2", "-o"])
                .arg(&program)
                .arg(&name),
        );
        succeed(
            pgastool(directory)
                .args(["run", "-n", "2", "-o"])
                .arg(&experiment)
                .arg("--")
                .arg(&program),
        );
        let printed = succeed(
            pgastool(directory)
                .args(["events", "--format", "jsonl"])
                .arg(&experiment),
        );
        let printed = String::from_utf8(printed.stdout).expect("text");
        let parse = |line: &str| serde_json::from_str(line).expect("an object");
        Events {
            source: std::fs::read_to_string(name).expect("the source"),
            events: printed.lines().map(parse).collect(),
        }
    }

    fn line(&self, comment: &str) -> u64 {
        let comment = format!("/* {comment} */");
        let line = self.source.lines().position(|l| l.ends_with(&comment));
        line.expect("a line with this comment") as u64 + 1
    }

    fn enters(&self, region: &str, line: u64) -> Vec<&Value> {
        let is = |e: &&Value| {
            e["event"] == "enter" && e["region"] == region && e["line"].as_u64() == Some(line)
        };
        self.events.iter().filter(is).collect()
    }

    fn exits(&self, region: &str) -> usize {
        let is = |e: &&Value| e["event"] == "exit" && e["region"] == region;
        self.events.iter().filter(is).count()
    }

    /// One wait in that line by `thread`, and the write in the other line by `writer` that is to
    /// the same word while it waits.
    fn matches(&self, wait: &str, thread: u64, (region, write): (&str, &str), writer: u64) {
        let (wait_line, write_line) = (self.line(wait), self.line(write));
        let begin = |e: &Value| e["seconds"].as_f64().expect("a time");
        let of = |thread: u64| move |e: &&Value| e["thread"].as_u64() == Some(thread);
        let waits = self.enters(WAIT, wait_line);
        let found = waits.into_iter().find(of(thread));
        let found = found.unwrap_or_else(|| panic!("no wait: {wait}"));
        let end = self.events.iter().find(|e| {
            e["event"] == "exit"
                && e["region"] == WAIT
                && e["thread"] == found["thread"]
                && begin(e) > begin(found)
        });
        let end = end.expect("the wait ends");
        assert!(found["address"].as_u64() > Some(0));
        let writes = self.enters(region, write_line);
        let during = writes.into_iter().filter(of(writer)).filter(|e| {
            begin(e) > begin(found)
                && begin(e) < begin(end)
                && e["partner"] == found["partner"]
                && e["address"] == found["address"]
        });
        assert_eq!(during.count(), 1, "{wait}");
    }
}

fn check(events: &Events) {
    assert!(events.enters(WAIT, events.line("set before")).is_empty());
    events.matches("wait for ping", 1, ("upc_put", "ping"), 0);
    events.matches("wait for pong", 0, ("upc_put", "pong"), 1);
    // The loop of the first of these begins a line before.
    let left_by_return = events.enters(WAIT, events.line("return") - 1);
    assert_eq!(left_by_return.len(), 1);
    events.matches("break", 1, ("upc_put", "own"), 0);
    events.matches("goto", 1, ("upc_put", "own"), 0);
    events.matches("private pointer", 0, ("upc_put", "to a private pointer"), 1);
    events.matches("fence", 0, ("upc_put", "strict"), 1);
    assert!(events.enters("upc_fence", events.line("fence")).is_empty());
    events.matches("wait for memput", 0, ("upc_memput", "memput"), 1);
    events.matches("wait for counter", 0, ("upc_put", "counter"), 1);
    let flags = |e: &&Value| e["event"] == "enter" && e["region"] == WAIT;
    let all = events.events.iter().filter(flags).count();
    // Thread by thread, the own loops may be over before the other thread looks.
    assert!((9..=11).contains(&all), "{all} waits");
    assert_eq!(events.exits(WAIT), all);

    let post = events.enters("post", events.line("post"));
    let wait = events.enters("wait for an event", events.line("wait"));
    let attempt = events.enters("wait for an event", events.line("try"));
    assert_eq!((post.len(), wait.len(), attempt.len()), (1, 1, 1));
    assert_eq!(post[0]["object"], wait[0]["object"]);
    assert_eq!(post[0]["object"], attempt[0]["object"]);
    let units = |e: &Value| e["units"].as_u64();
    assert_eq!(
        (units(post[0]), units(wait[0]), units(attempt[0])),
        (Some(3), Some(2), Some(1))
    );
    let in_vain = events.enters("wait for an event", events.line("in vain"));
    assert!(in_vain.is_empty());
}

#[test]
fn waits_where_accesses_are_counted() {
    let events = Events::of(&[]);
    check(&events);
    // Writes that nobody waits for are no events.
    let line = events.line("many writes that nobody waits for") + 1;
    assert!(events.enters("upc_put", line).is_empty());
}

#[test]
fn waits_where_each_access_is_recorded() {
    check(&Events::of(&["--accesses", "all"]));
}
