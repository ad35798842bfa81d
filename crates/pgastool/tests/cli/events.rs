//! `pgastool events`: what is printed of a program whose events are known, of any stretch of time,
//! and of traces that are not whole.

use crate::bench::{Bench, contains};
use pgas_trace::ExperimentBuilder;
use pgas_trace::model::{Attributes, Operation, Site};
use pgas_trace::writer::{CompressionLevel, StreamOptions};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

/// Thread 1 asks for the lock while thread 0 has it, and comes late to a barrier in two halves.
const HANDOVER: &str = r#"#include <upc.h>
#include <upc_collective.h>
#include <unistd.h>

shared [] int source[2];
shared [2] int everywhere[2 * THREADS];
upc_lock_t *lock;

void work(int milliseconds) { usleep(1000 * milliseconds); }

int main(void) {
    lock = upc_all_lock_alloc();
    if (MYTHREAD == 0) upc_lock(lock);
    upc_barrier 7;
    if (MYTHREAD == 1) upc_lock(lock);
    work(20);
    upc_unlock(lock);
    upc_notify;
    work(1);
    upc_wait;
    upc_all_broadcast(everywhere, source, sizeof source, UPC_IN_MYSYNC | UPC_OUT_ALLSYNC);
    return 0;
}
"#;

fn recorded() -> Bench {
    let bench = Bench::new();
    bench.compile(HANDOVER, &[]);
    bench.ok(&["run", "-n", "2", "-o", "e", "./prog"]);
    bench
}

fn lines(bench: &Bench, options: &[&str]) -> Vec<Value> {
    let arguments = [&["events", "e", "--format", "jsonl"], options].concat();
    let out = bench.ok(&arguments);
    let parsed = out.lines().map(|line| serde_json::from_str(line).unwrap());
    let lines: Vec<Value> = parsed.collect();
    lines.iter().for_each(check);
    lines
}

/// Checks a line against the published schema, which must have every field, too.
fn check(line: &Value) {
    static SCHEMA: LazyLock<(Value, jsonschema::Validator)> = LazyLock::new(|| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema/event-1.json");
        let schema = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        jsonschema::meta::validate(&schema).expect("a JSON Schema");
        let validator = jsonschema::validator_for(&schema).expect("a JSON Schema");
        (schema, validator)
    });
    let (schema, validator) = &*SCHEMA;
    if let Err(error) = validator.validate(line) {
        panic!("{error}\n{line}");
    }
    let known = &schema["$defs"][line["type"].as_str().unwrap()]["properties"];
    for field in line.as_object().unwrap().keys() {
        assert!(known.get(field).is_some(), "{field} is not in the schema");
    }
}

#[test]
fn the_schema_refuses_what_is_no_event() {
    let bench = recorded();
    let events = lines(&bench, &[]);
    let taken = the(&events, 1, "lock_acquired", "upc_lock");
    type Damage = fn(&mut Value);
    let damages: [Damage; 6] = [
        |v| v["type"] = "events".into(),
        |v| v["event"] = "acquired".into(),
        |v| v["thread"] = (-1).into(),
        |v| drop(v.as_object_mut().unwrap().remove("duration")),
        |v| drop(v.as_object_mut().unwrap().remove("region")),
        |v| drop(v["lock_pointer"].as_object_mut().unwrap().remove("number")),
    ];
    for damage in damages {
        let mut wrong = taken.clone();
        damage(&mut wrong);
        let refused = std::panic::catch_unwind(|| check(&wrong));
        assert!(refused.is_err(), "{wrong}");
    }
}

/// The one event of a kind in a region on a thread, but for what the runtime does at the end of the
/// program.
fn the<'a>(events: &'a [Value], thread: u32, event: &str, region: &str) -> &'a Value {
    let mut found = events.iter().filter(|line| {
        line["line"] != 0
            && line["thread"] == thread
            && line["event"] == event
            && line["region"] == region
    });
    let the = found.next();
    assert!(found.next().is_none(), "several {event} {region}");
    the.unwrap_or_else(|| panic!("no {event} {region} on thread {thread}"))
}

#[test]
fn the_events_of_a_program_are_those_that_it_has() {
    let bench = recorded();
    let events = lines(&bench, &[]);
    let of_thread = |thread: u32| events.iter().filter(move |line| line["thread"] == thread);
    let brief: Vec<String> = of_thread(0)
        .filter(|line| line["kind"] != "operation" || line["line"].as_u64() > Some(0))
        .map(|line| {
            let word = |key: &str| line[key].as_str().unwrap();
            format!("{} {} {}", word("event"), word("region"), line["depth"])
        })
        .collect();
    assert_eq!(
        brief,
        [
            "enter main 0",
            "enter upc_all_lock_alloc 1",
            "exit upc_all_lock_alloc 1",
            "enter upc_lock 1",
            "lock_acquired upc_lock 1",
            "enter upc_barrier 1",
            "exit upc_barrier 1",
            "enter work 1",
            "exit work 1",
            "lock_released upc_unlock 1",
            "exit upc_unlock 1",
            "enter upc_notify 1",
            "exit upc_notify 1",
            "enter work 1",
            "exit work 1",
            "enter upc_wait 1",
            "exit upc_wait 1",
            "enter upc_all_broadcast 1",
            "collective_exit upc_all_broadcast 1",
            "exit main 0",
        ]
    );
    for thread in 0..2 {
        let numbers: Vec<u64> = of_thread(thread)
            .map(|e| e["number"].as_u64().unwrap())
            .collect();
        assert_eq!(numbers, (0..numbers.len() as u64).collect::<Vec<_>>());
    }
    let ticks: Vec<u64> = events
        .iter()
        .map(|e| e["ticks"].as_u64().unwrap())
        .collect();
    assert!(ticks.is_sorted());

    // Barriers and collective operations are numbered, and calls say what they say in the source.
    let barrier = the(&events, 1, "enter", "upc_barrier");
    assert_eq!(
        (&barrier["barrier"], &barrier["value"]),
        (&0.into(), &7.into())
    );
    assert_eq!(the(&events, 0, "enter", "upc_notify")["barrier"], 1);
    assert_eq!(the(&events, 0, "exit", "upc_wait")["barrier"], 1);
    let left = the(&events, 1, "collective_exit", "upc_all_broadcast");
    assert_eq!(left["collective"], 1);
    assert_eq!(
        (&left["root"], &left["sync_in"]),
        (&0.into(), &"mysync".into())
    );
    assert_eq!(
        (&left["sync_out"], &left["line"]),
        (&"allsync".into(), &21.into())
    );

    // The lock goes from thread 0 to thread 1, which has waited for it.
    let asked = the(&events, 1, "enter", "upc_lock");
    let taken = the(&events, 1, "lock_acquired", "upc_lock");
    let given = the(&events, 0, "lock_released", "upc_unlock");
    assert_eq!(asked["owner"]["thread"], 0);
    assert_eq!(
        asked["owner"]["number"],
        the(&events, 0, "lock_acquired", "upc_lock")["number"]
    );
    assert_eq!(given["waiting"], serde_json::json!([1]));
    assert_eq!(taken["lock_pointer"]["thread"], 0);
    assert_eq!(taken["lock_pointer"]["number"], given["number"]);
    assert_eq!(taken["enter"], asked["number"]);
    let waited = taken["seconds"].as_f64().unwrap() - asked["seconds"].as_f64().unwrap();
    assert!((taken["duration"].as_f64().unwrap() - waited).abs() < 2e-9);

    let text = bench.ok(&["events", "e"]);
    assert_eq!(text.lines().count(), events.len() + 1);
    contains(
        &text,
        &[
            "source                what is known\n",
            "1    > upc_lock                        prog.upc:15 ",
            ", thread 0 has it since ",
            " from thread 0\n",
            " back, waiting: 1\n",
            "barrier 0, value 7\n",
            "barrier 1, the last to come\n",
            "collective 1, ",
            "root 0, ",
            "IN_MYSYNC OUT_ALLSYNC\n",
        ],
    );
}

#[test]
fn a_stretch_of_time_some_threads_some_regions() {
    let bench = recorded();
    let all = lines(&bench, &[]);
    let at = |index: usize| all[index]["seconds"].to_string();
    let (from, to) = (at(all.len() / 3), at(all.len() * 2 / 3));
    let within: Vec<&Value> = all
        .iter()
        .filter(|line| {
            let seconds = line["seconds"].as_f64().unwrap();
            (from.parse().unwrap()..to.parse().unwrap()).contains(&seconds)
        })
        .collect();
    assert!(within.len() > 3 && within.len() < all.len());
    // Also what happened before is known.
    let found = lines(&bench, &["--since", &from, "--until", &to]);
    assert_eq!(found.iter().collect::<Vec<_>>(), within);

    let of_one = lines(&bench, &["--thread", "1", "--region", "*lock*"]);
    let expected: Vec<&Value> = all
        .iter()
        .filter(|line| line["thread"] == 1 && line["region"].as_str().unwrap().contains("lock"))
        .collect();
    assert_eq!(of_one.iter().collect::<Vec<_>>(), expected);
    assert_eq!(lines(&bench, &["--limit", "5"])[..], all[..5]);

    let told = bench.told(&["events", "e", "--since", "1000s"]);
    assert_eq!((told.status, &told.out[..]), (Some(0), ""));
    contains(&told.err, &["no such events", "the trace is from 0."]);
}

#[test]
fn the_states_at_a_time() {
    let bench = recorded();
    let events = lines(&bench, &[]);
    // Thread 1 waits for the lock, and both work towards the second barrier.
    let given = the(&events, 0, "lock_released", "upc_unlock");
    let just_before = given["seconds"].as_f64().unwrap() - 1e-6;
    let from = format!("{just_before:.9}");
    let state = &lines(&bench, &["--state", "--since", &from])[..];
    assert_eq!(state.len(), 1);
    let state = &state[0];
    assert_eq!(
        (&state["type"], &state["complete"]),
        (&"state".into(), &true.into())
    );
    let stack: Vec<&str> = state["threads"][1]["stack"]
        .as_array()
        .unwrap()
        .iter()
        .map(|open| open["region"].as_str().unwrap())
        .collect();
    assert_eq!(stack, ["main", "upc_lock"]);
    assert_eq!(state["threads"][0]["barriers"], 1);
    let lock = &state["locks"][0];
    assert_eq!(
        (&lock["owner"]["thread"], &lock["waiting"]),
        (&0.into(), &serde_json::json!([1]))
    );

    let text = bench.ok(&["events", "e", "--state", "--since", &from]);
    contains(
        &text,
        &[
            "  thread 1\n    main ",
            "      upc_lock                            prog.upc:15 ",
            ": thread 0 has it since ",
            "; waiting: 1\n",
        ],
    );
    // One of the two threads has notified, and it is in the second barrier then.
    let notified = the(&events, 0, "exit", "upc_notify")["seconds"].to_string();
    contains(
        &bench.ok(&["events", "e", "--state", "--since", &notified]),
        &["  barrier 1: inside: 0; not yet there: 1\n"],
    );
    // With a stretch of time, its events follow; at the end nobody is anywhere.
    let both = lines(&bench, &["--state", "--since", &from, "--limit", "2"]);
    assert_eq!(both.len(), 3);
    contains(
        &bench.ok(&["events", "e", "--state"]),
        &["in no region", "free; thread 1 had it last"],
    );
}

#[test]
fn a_trace_that_was_cut_short_says_where_it_ends() {
    let bench = Bench::new();
    let source = HANDOVER.replace("work(1);", "for (int i = 0; i < 3000; i++) work(0);");
    bench.compile(&source, &[]);
    let mut run = bench.command(&["run", "-n", "2", "-o", "e", "--throttle", "off", "./prog"]);
    run.env("PGAS_BUFFER", "4096").assert().success();
    let stream = bench.path("e/streams/thread-0001.pgt");
    let bytes = fs::read(&stream).unwrap();
    fs::write(&stream, &bytes[..bytes.len() / 2]).unwrap();

    let told = bench.told(&["events", "e"]);
    assert_eq!(told.status, Some(0), "{}", told.err);
    contains(&told.err, &["warning: ", "thread-0001.pgt", "ends early"]);
    let cut = told.out.lines().find(|line| line.contains(" -- ")).unwrap();
    contains(cut, &["the trace of thread 1 ends here inside main"]);
    // The other thread's goes on.
    assert!(
        told.out.lines().last().unwrap().contains(" 0  < "),
        "{}",
        told.out
    );

    let cuts = lines(&bench, &["--thread", "1"]);
    let last = cuts.last().unwrap();
    assert_eq!((&last["type"], &last["thread"]), (&"cut".into(), &1.into()));
    assert_eq!(last["stack"][0]["region"], "main");

    // A block that was changed is an error, after what is good was printed.
    let stream = bench.path("e/streams/thread-0000.pgt");
    let mut bytes = fs::read(&stream).unwrap();
    let place = bytes.len() - bytes.len() / 4;
    for byte in &mut bytes[place..place + 64] {
        *byte ^= 0x5a;
    }
    fs::write(&stream, bytes).unwrap();
    let told = bench.told(&["events", "e"]);
    assert_eq!(told.status, Some(2), "{}", told.err);
    contains(&told.err, &["thread-0000.pgt", "offset", "expected"]);
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let bench = recorded();
    for format in ["text", "jsonl"] {
        let script = format!("\"$0\" events e --format {format} | head -n 1");
        let output = Command::new("bash")
            .args([
                "-o",
                "pipefail",
                "-c",
                &script,
                env!("CARGO_BIN_EXE_pgastool"),
            ])
            .current_dir(bench.path(""))
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    }
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let bench = recorded();
    for (options, expected) in [
        (&["--since", "soon"][..], &["expected a time"][..]),
        (
            &["--since", "2s", "--until", "1500ms"],
            &["--since 2", "--until 1.5"],
        ),
        (&["--thread", "2"], &["no thread 2", "0 to 1"]),
        (&["--thread", "one"], &["numbers of threads"]),
        (&["--region", "[a"], &["`]`"]),
        (&["--limit", "few"], &["few"]),
    ] {
        let arguments = [&["events", "e"], options].concat();
        contains(&bench.refused(&arguments), expected);
    }
    contains(&bench.refused(&["events", "nowhere"]), &["nowhere"]);
}

#[test]
fn what_lies_before_a_stretch_is_known_and_kept_if_it_is_long() {
    let bench = Bench::new();
    let options = StreamOptions {
        block_size: 64 << 10,
        compression: CompressionLevel::Zstd(1),
    };
    let mut builder = ExperimentBuilder::with_options("long", 2, options);
    let main = Site::function("main", "a.upc", 1);
    let get = Site::operation(Operation::Get, "a.upc", 2);
    let barrier = Site::operation(Operation::Barrier, "a.upc", 3);
    for number in 0..2 {
        let thread = builder.thread(number);
        thread.enter(0, &main, Attributes::None);
        thread
            .enter(10, &barrier, Attributes::None)
            .exit(20, Attributes::None);
        for call in 0..300_000 {
            let time = 1000 + 1000 * call;
            thread
                .enter(time, &get, Attributes::None)
                .exit(time + 10, Attributes::None);
        }
        let end = 400_000_000;
        thread
            .enter(end, &barrier, Attributes::None)
            .exit(end + 10, Attributes::None);
        thread.exit(end + 20, Attributes::None);
    }
    builder.write(&bench.path("e")).unwrap();
    let look = || {
        let told = bench.told(&["events", "e", "--since", "350ms", "--format", "jsonl"]);
        assert_eq!(told.status, Some(0), "{}", told.err);
        let first: Value = serde_json::from_str(told.out.lines().next().unwrap()).unwrap();
        assert_eq!(
            (&first["region"], &first["barrier"]),
            (&"upc_barrier".into(), &1.into())
        );
        told.err
    };
    let told = look();
    contains(&told, &["reading 1", "events before that time"]);
    // The next time it is known, also if the file was made unusable in between.
    let kept = bench.path("e/analysis/events.index");
    assert!(!look().contains("reading"));
    fs::write(&kept, "something else").unwrap();
    contains(&look(), &["reading 1"]);
    assert!(!look().contains("reading"));

    let known = lines(&bench, &["--state", "--since", "350ms", "--limit", "1"]);
    assert_eq!(known[0]["threads"][1]["barriers"], 1);
    assert_eq!(known[0]["threads"][1]["stack"][0]["since"], 0.0);
    assert_eq!(known[1]["barrier"], 1);
}
