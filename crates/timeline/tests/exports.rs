//! Exports of a result and of a trace, read back by readers of their formats.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use pgas_earl::access::EventTrace;
use pgas_result::AnalysisResult;
use pgas_symbols::Symbols;
use pgas_timeline::export::perfetto::{self, Stretch};
use pgas_timeline::export::{flames, tables};
use pgas_trace::model::{
    Attributes, Module, Operation, PathEntry, SampleClock, Site, SiteId, StackSample, StackSamples,
    TaskReason,
};
use pgas_trace::properties::INTERRUPTED_AFTER;
use pgas_trace::{Experiment, ExperimentBuilder};

/// Names that no format may trip over.
const FUNCTION: &str = "f<\"a;b\", 'c'>,\n\t<script>x\\ü";
const FILE: &str = "dir/a \"b\", c.upc";

/// Two threads in a barrier: one comes at 1,000 ns, the other at 4,000. Then one is ended while it
/// waits for a lock.
fn experiment(directory: &Path) -> Experiment {
    let mut builder = ExperimentBuilder::new("prog", 2);
    let main = Site::function(FUNCTION, FILE, 1);
    let at = |operation, line| Site::operation(operation, FILE, line);
    let lock = Attributes::Lock { lock: 5 };
    for (number, arrival) in [(0, 1_000), (1, 4_000)] {
        let thread = builder.thread(number);
        thread
            .enter(0, &main, Attributes::None)
            .enter(
                arrival,
                &at(Operation::Barrier, 7),
                Attributes::Barrier { value: None },
            )
            .exit(4_500, Attributes::None)
            .enter(
                5_000,
                &at(Operation::Memput, 8),
                Attributes::transfer(1, 64),
            )
            .exit(5_100, Attributes::None)
            .enter(6_000, &at(Operation::Lock, 9), lock)
            .exit(9_000, Attributes::None)
            .exit(9_000, Attributes::None);
        if number == 1 {
            thread.property(INTERRUPTED_AFTER, "6000");
        }
    }
    let path = directory.join("experiment");
    builder.write(&path).expect("an experiment");
    Experiment::open(&path).expect("an experiment")
}

fn result(experiment: &Experiment) -> AnalysisResult {
    let analysis = pgas_analyze::analyze(experiment, &|_| {}).expect("an analysis");
    AnalysisResult {
        cube: analysis.cube,
        summary: analysis.summary,
    }
}

#[test]
fn tables_say_what_the_cube_says_whatever_names_contain() {
    let directory = tempfile::tempdir().expect("a directory");
    let result = result(&experiment(directory.path()));
    let csv = directory.path().join("tables");
    let rows = tables::write_csv(&result, &csv, &|_| {}).expect("tables");
    let lines = directory.path().join("tables.jsonl");
    assert_eq!(
        tables::write_json_lines(&result, &lines, &|_| {}).expect("tables"),
        rows
    );

    let mut values = Vec::new();
    let path = csv.join("severities.csv");
    let text = fs::read_to_string(&path).expect("a table");
    // RFC 4180: records end with CRLF, quotes are doubled.
    assert!(text.contains("\r\n") && text.contains("f<\"\"a;b\"\""));
    let mut reader = csv::Reader::from_path(&path).expect("a table");
    let columns = reader.headers().expect("columns").clone();
    let column = |name: &str| columns.iter().position(|c| c == name).expect("a column");
    for row in reader.records() {
        let row = row.expect("a row");
        let value: f64 = row[column("value")].parse().expect("a number");
        values.push((
            row[column("metric")].to_owned(),
            row[column("region")].to_owned(),
            value,
        ));
    }
    assert!(values.iter().any(|(_, region, _)| region == FUNCTION));
    let time: f64 = values
        .iter()
        .filter(|(metric, ..)| metric == "time")
        .map(|(_, _, v)| v)
        .sum();
    let metric = result.cube.metric("time").expect("a metric");
    assert!((time - result.cube.total(metric)).abs() < 1e-15);

    // The lines have the same rows.
    let text = fs::read_to_string(&lines).expect("lines");
    let parsed: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("an object"))
        .collect();
    let severities = parsed.iter().filter(|line| line["table"] == "severities");
    let same: Vec<_> = severities
        .map(|line| {
            let text = |key: &str| line[key].as_str().expect("text").to_owned();
            (
                text("metric"),
                text("region"),
                line["value"].as_f64().expect("a number"),
            )
        })
        .collect();
    assert_eq!(same, values);
    for table in tables::TABLES {
        let rows = csv::Reader::from_path(csv.join(format!("{table}.csv"))).expect("a table");
        let count = rows.into_records().count();
        assert_eq!(
            count,
            parsed.iter().filter(|line| line["table"] == table).count(),
            "{table}"
        );
        // Also an empty one has columns.
        let text = fs::read_to_string(csv.join(format!("{table}.csv"))).expect("a table");
        assert!(text.contains("call_path"), "{table}: {text}");
    }
}

#[test]
fn folded_stacks_add_up_to_the_metric() {
    let directory = tempfile::tempdir().expect("a directory");
    let result = result(&experiment(directory.path()));
    let metric = result.cube.metric("time").expect("a metric");
    let path = directory.path().join("prog.folded");
    let count = flames::write_folded(&result, metric, &path, &|_| {}).expect("stacks");
    let text = fs::read_to_string(&path).expect("stacks");
    assert_eq!(text.lines().count() as u64, count);
    let mut sum = 0;
    for line in text.lines() {
        let (stack, weight) = line.rsplit_once(' ').expect("a weight");
        sum += weight.parse::<u64>().expect("a number");
        assert_eq!(stack.split(';').next(), Some("prog"));
        // The names of frames hold no separators.
        assert!(stack.split(';').count() <= 3, "{line}");
    }
    let microseconds = result.cube.total(metric) * 1e6;
    assert!(
        (sum as f64 - microseconds).abs() <= count as f64,
        "{sum} {microseconds}"
    );
}

#[test]
fn speedscope_files_follow_the_published_schema() {
    let directory = tempfile::tempdir().expect("a directory");
    let result = result(&experiment(directory.path()));
    let metric = result.cube.metric("time").expect("a metric");
    let path = directory.path().join("prog.speedscope.json");
    assert_eq!(
        flames::write_speedscope(&result, metric, &path, &|_| {}).expect("profiles"),
        3
    );
    let read = |path: &Path| -> serde_json::Value {
        serde_json::from_slice(&fs::read(path).expect("a file")).expect("JSON")
    };
    let file = read(&path);
    let schema =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/speedscope/file-format-schema.json");
    let validator = jsonschema::validator_for(&read(&schema)).expect("a schema");
    let errors: Vec<String> = validator
        .iter_errors(&file)
        .map(|e| e.to_string())
        .collect();
    assert_eq!(errors, Vec::<String>::new());
    let all = &file["profiles"][0];
    let weights = all["weights"].as_array().expect("weights");
    let sum: f64 = weights.iter().filter_map(serde_json::Value::as_f64).sum();
    assert!((sum - result.cube.total(metric)).abs() < 1e-15);
    let frames = file["shared"]["frames"].as_array().expect("frames");
    assert!(
        frames
            .iter()
            .any(|frame| frame["name"] == FUNCTION && frame["file"] == FILE)
    );
}

#[test]
fn a_perfetto_trace_has_slices_arrows_and_no_end_that_was_none() {
    let directory = tempfile::tempdir().expect("a directory");
    let experiment = experiment(directory.path());
    let trace = EventTrace::new(&experiment).expect("a trace");
    let path = directory.path().join("prog.pftrace");
    let written = perfetto::write(&trace, Stretch::ALL, &path, &Symbols::default(), &|_| {})
        .expect("a trace");
    assert_eq!(
        (written.slices, written.arrows, written.interrupted),
        (8, 1, 2)
    );
    let plain = fs::read(&path).expect("a file");
    assert!(
        plain
            .windows(FUNCTION.len())
            .any(|bytes| bytes == FUNCTION.as_bytes())
    );

    // A stretch has what is open at its beginning, and less than all.
    let stretch = Stretch {
        begin: 4_200,
        end: 5_050,
    };
    let estimate = perfetto::estimate(&trace, stretch).expect("an estimate");
    assert_eq!((estimate.events, estimate.slices()), (4, 2));
    let part =
        perfetto::write(&trace, stretch, &path, &Symbols::default(), &|_| {}).expect("a trace");
    // main and the barrier of both go on; both transfer.
    assert_eq!((part.slices, part.arrows), (6, 0));
    assert!(fs::read(&path).expect("a file").len() < plain.len());
    // Compressed if the name says so.
    let path = directory.path().join("prog.pftrace.gz");
    perfetto::write(&trace, Stretch::ALL, &path, &Symbols::default(), &|_| {}).expect("a trace");
    assert_eq!(fs::read(&path).expect("a file")[..2], [0x1f, 0x8b]);
    let left: Vec<_> = fs::read_dir(directory.path())
        .expect("a directory")
        .flatten()
        .collect();
    assert!(
        left.iter()
            .all(|entry| !entry.file_name().to_string_lossy().starts_with(".pgas-tmp"))
    );
}

/// Samples of one thread: in two calls of an operation, and in a function that inlines another one.
fn sampled(directory: &Path) -> Experiment {
    let mut builder = ExperimentBuilder::new("prog", 1);
    let main = Site::function("main", "a.upc", 1);
    let barriers = [7, 9].map(|line| Site::operation(Operation::Barrier, "a.upc", line));
    let sample = |time, weight, path, frames: &[u64]| StackSample {
        time,
        weight,
        path,
        frames: frames.to_vec(),
    };
    let entry = |parent, site| PathEntry {
        parent,
        site: SiteId(site),
    };
    let samples = StackSamples {
        first_time: 1_000,
        last_time: 9_000,
        period_nanoseconds: 1_000,
        clock: SampleClock::UserTime,
        lost: 0,
        within_recorder: 0,
        modules: vec![Module {
            start: 0x40_0000,
            end: 0x50_0000,
            bias: 0x40_0000,
            build_id: "00ff".into(),
            path: "/bin/program".into(),
        }],
        paths: vec![entry(None, 0), entry(Some(0), 1), entry(Some(0), 2)],
        samples: vec![
            sample(1_000, 1, Some(1), &[]),
            sample(2_000, 2, Some(2), &[]),
            sample(3_000, 1, Some(0), &[0x40_1000, 0x40_2001]),
            sample(9_000, 1, Some(0), &[0x40_1000, 0x40_2001]),
        ],
    };
    let thread = builder.thread(0);
    thread
        .enter(0, &main, Attributes::None)
        .exit(9_500, Attributes::None)
        .stack_samples(&samples, &[main, barriers[0].clone(), barriers[1].clone()]);
    let path = directory.join("experiment");
    builder.write(&path).expect("an experiment");
    Experiment::open(&path).expect("an experiment")
}

/// Meaning of an address of the program: `inner` is inlined in `outer`, which `main` calls.
const NAMES: &str = r#"{"format":1,"names":["inner","outer","main","a.upc"],"modules":[
    {"path":"/bin/program","build_id":"00ff","detail":"lines","addresses":[
        [4096,[[0,3,20],[1,3,30]]],[8192,[[2,3,40]]]]}]}"#;

/// A field of a protobuf message.
enum Field<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

/// The fields of a protobuf message, with their numbers. Reads no more than what is tested.
fn fields(mut bytes: &[u8]) -> Vec<(u64, Field<'_>)> {
    fn number(bytes: &mut &[u8]) -> u64 {
        let mut value = 0;
        for shift in (0..).step_by(7) {
            let (&byte, rest) = bytes.split_first().expect("a number");
            *bytes = rest;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        value
    }
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let tag = number(&mut bytes);
        let field = match tag & 7 {
            0 => Field::Number(number(&mut bytes)),
            1 => {
                let (value, rest) = bytes.split_first_chunk().expect("eight bytes");
                bytes = rest;
                Field::Number(u64::from_le_bytes(*value))
            }
            2 => {
                let length = number(&mut bytes) as usize;
                let (inner, rest) = bytes.split_at(length);
                bytes = rest;
                Field::Bytes(inner)
            }
            other => panic!("wire type {other}"),
        };
        found.push((tag >> 3, field));
    }
    found
}

/// Numbers of a message that have this field number.
fn numbers(message: &[u8], which: u64) -> Vec<u64> {
    let all = fields(message).into_iter();
    let some = all.filter_map(|(number, field)| match field {
        Field::Number(value) if number == which => Some(value),
        _ => None,
    });
    some.collect()
}

/// Messages and strings in a message that have this field number.
fn messages(message: &[u8], which: u64) -> Vec<&[u8]> {
    let all = fields(message).into_iter();
    let some = all.filter_map(|(number, field)| match field {
        Field::Bytes(value) if number == which => Some(value),
        _ => None,
    });
    some.collect()
}

/// Of each sample of a Perfetto trace: time, counter, and the frames, outermost first: function,
/// line, and address in the module.
type PerfettoSample = (u64, u64, Vec<(String, u64, Option<u64>)>);

fn perfetto_samples(trace: &[u8]) -> Vec<PerfettoSample> {
    let mut names: HashMap<u64, String> = HashMap::new();
    let mut frames: HashMap<u64, &[u8]> = HashMap::new();
    let mut stacks: HashMap<u64, Vec<u64>> = HashMap::new();
    let mut samples = Vec::new();
    let first = |message, which| numbers(message, which).first().copied();
    for packet in messages(trace, 1) {
        let [sample] = messages(packet, 66)[..] else {
            continue;
        };
        for interned in messages(packet, 12) {
            for name in messages(interned, 5) {
                let text = String::from_utf8(messages(name, 2)[0].to_vec()).expect("a name");
                names.insert(numbers(name, 1)[0], text);
            }
            for frame in messages(interned, 6) {
                frames.insert(numbers(frame, 1)[0], frame);
            }
            for stack in messages(interned, 7) {
                stacks.insert(numbers(stack, 1)[0], numbers(stack, 2));
            }
        }
        let frame = |number: &u64| {
            let frame = frames[number];
            let line = first(frame, 6).unwrap_or(0);
            assert_eq!(first(frame, 3).is_some(), first(frame, 4).is_some());
            (names[&numbers(frame, 2)[0]].clone(), line, first(frame, 4))
        };
        let stack = stacks[&numbers(sample, 4)[0]].iter().map(frame).collect();
        samples.push((numbers(packet, 8)[0], numbers(sample, 6)[0], stack));
    }
    samples
}

#[test]
fn samples_of_a_perfetto_trace_have_recorded_and_found_functions() {
    let directory = tempfile::tempdir().expect("a directory");
    let experiment = sampled(directory.path());
    let trace = EventTrace::new(&experiment).expect("a trace");
    let symbols = Symbols::from_text(NAMES).expect("names");
    let path = directory.path().join("prog.pftrace");
    let write = |stretch| {
        let written = perfetto::write(&trace, stretch, &path, &symbols, &|_| {}).expect("a trace");
        let samples = perfetto_samples(&fs::read(&path).expect("a file"));
        assert_eq!(written.samples, samples.len() as u64);
        samples
    };
    let region = |name: &str, line| (name.to_owned(), line, None);
    let code = |name: &str, line, address| (name.to_owned(), line, Some(address));
    let barrier = |line| vec![region("main", 1), region("upc_barrier", line)];
    let found = vec![
        code("main", 40, 0x2000),
        code("outer", 30, 0x1000),
        code("inner", 20, 0x1000),
    ];
    let all = write(Stretch::ALL);
    // The counter adds up what samples stand for.
    let expected = [
        (1_000, 1_000, barrier(7)),
        (2_000, 3_000, barrier(9)),
        (3_000, 4_000, found.clone()),
        (9_000, 5_000, found.clone()),
    ];
    assert_eq!(all, expected);
    let part = write(Stretch {
        begin: 3_000,
        end: 9_000,
    });
    assert_eq!(part, [(3_000, 4_000, found)]);
    let estimate = perfetto::estimate(&trace, Stretch::ALL).expect("an estimate");
    assert_eq!((estimate.events, estimate.samples), (2, 4));
}

/// States of each task track of a Perfetto trace: name, begin.
fn task_states(trace: &[u8]) -> HashMap<String, Vec<(String, u64)>> {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("a name");
    let mut tracks = HashMap::new();
    let mut states: HashMap<String, Vec<(String, u64)>> = HashMap::new();
    for packet in messages(trace, 1) {
        for descriptor in messages(packet, 60) {
            if let [name] = messages(descriptor, 2)[..] {
                tracks.insert(numbers(descriptor, 1)[0], text(name));
            }
        }
        for event in messages(packet, 11) {
            if let ([name], [1]) = (&messages(event, 23)[..], &numbers(event, 9)[..]) {
                let track = tracks[&numbers(event, 11)[0]].clone();
                let begin = (text(name), numbers(packet, 8)[0]);
                states.entry(track).or_default().push(begin);
            }
        }
    }
    states
}

#[test]
fn tasks_have_tracks_with_their_states() {
    let mut builder = ExperimentBuilder::new("prog", 2);
    let at = |operation, line| Site::operation(operation, "a.rs", line);
    let task = |name: &str, operation| Site {
        name: name.to_owned(),
        ..at(operation, 1)
    };
    let none = Attributes::None;
    let message = |message, queued| Attributes::ChannelMessage {
        channel: 7,
        message,
        bytes: 8,
        queued,
    };
    let wait = Attributes::Channel { channel: 7 };
    let left = |reason| Attributes::TaskLeft { reason };
    let (send, receive) = (
        at(Operation::ChannelSend, 3),
        at(Operation::ChannelReceive, 4),
    );
    let created = Attributes::ChannelCreate {
        channel: 7,
        capacity: Some(1),
    };
    let create = Attributes::TaskCreate {
        task: 2,
        processor: 1,
    };
    let (producer, consumer) = (
        task("produce", Operation::Task),
        task("consume", Operation::Task),
    );
    builder
        .thread(0)
        .enter(0, &producer, Attributes::Task { task: 1 })
        .enter(10, &at(Operation::ChannelCreate, 2), created)
        .exit(11, none)
        .enter(20, &task("consume", Operation::TaskCreate), create)
        .exit(21, none)
        .enter(100, &send, message(0, 1))
        .exit(101, none)
        .enter(200, &send, message(1, 1))
        .exit(201, none)
        .enter(210, &send, message(2, 2))
        .exit(211, none)
        .enter(212, &send, wait)
        .exit(213, none)
        .exit(214, left(TaskReason::Sends))
        .enter(400, &producer, Attributes::Task { task: 1 })
        .exit(410, left(TaskReason::Ended));
    builder
        .thread(1)
        .enter(30, &consumer, Attributes::Task { task: 2 })
        .enter(31, &receive, wait)
        .exit(32, none)
        .exit(33, left(TaskReason::Receives))
        .enter(150, &consumer, Attributes::Task { task: 2 })
        .enter(151, &receive, message(0, 0))
        .exit(152, none)
        .enter(300, &receive, message(1, 1))
        .exit(301, none)
        .exit(500, left(TaskReason::Yielded));
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("experiment");
    builder.write(&path).expect("an experiment");
    let experiment = Experiment::open(&path).expect("an experiment");
    let trace = EventTrace::new(&experiment).expect("a trace");
    let path = directory.path().join("prog.pftrace");
    let written = perfetto::write(&trace, Stretch::ALL, &path, &Symbols::default(), &|_| {})
        .expect("a trace");
    // Two messages are received.
    assert_eq!(written.arrows, 2);
    let states = task_states(&fs::read(&path).expect("a file"));
    let of = |task: &str| -> Vec<(&str, u64)> {
        let states = states[task].iter();
        states
            .map(|(state, begin)| (state.as_str(), *begin))
            .collect()
    };
    assert_eq!(
        of("produce (task 1)"),
        [
            ("running", 0),
            ("blocked in send", 214),
            // Message 2 has its place when message 1 is received.
            ("waiting for its processor", 300),
            ("running", 400),
        ]
    );
    assert_eq!(
        of("consume (task 2)"),
        [
            ("waiting for its processor", 20),
            ("running", 30),
            ("waiting for input", 33),
            ("waiting for its processor", 100),
            ("running", 150),
            ("waiting for its processor", 500),
        ]
    );
}
