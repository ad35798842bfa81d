//! Exports of a result and of a trace, read back by readers of their formats.

use std::fs;
use std::path::Path;

use pgas_earl::access::EventTrace;
use pgas_result::AnalysisResult;
use pgas_symbols::Symbols;
use pgas_timeline::export::perfetto::{self, Stretch};
use pgas_timeline::export::{flames, tables};
use pgas_trace::model::{Attributes, Operation, Site};
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
