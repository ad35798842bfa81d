//! References that lead nowhere are refused: each number, each name and each list of a full result
//! is put out of range in turn.
//!
//! Fields are found in the JSON of the files, so that those that are added later are tested, too:
//! one that is neither refused nor named here as a count fails the test.

#[path = "../../cube/tests/common/mod.rs"]
mod common;
mod sample;

use std::fs;

use pgas_result::timeline::{Activity, Arrow, Bar, Place, Row, Timeline};
use pgas_result::{AnalysisResult, Error, read_timelines, write_timelines};
use sample::sample;
use serde_json::Value;

/// More than there is of anything, and a number that each field can hold.
const OUT_OF_RANGE: u32 = 60_000;

/// Numbers that lead nowhere: counts, lines and sizes.
#[rustfmt::skip]
const COUNTS: [&str; 69] = [
    // Of tasks and channels, whose numbers are the program's own.
    "capacity", "channel", "max_queued", "messages", "omitted_channels", "omitted_tasks", "parent", "queued", "receiver", "senders",
    "task", "tasks",
    "accesses", "after_iteration", "barriers", "better_block", "block", "bytes", "calls", "changes", "collectives", "count",
    "counted_accesses",
    "depth", "either_bytes", "element_bytes", "elements", "events", "every", "exchanges", "first", "get_bytes", "gets",
    "held_events", "instances", "iteration", "iterations", "iterations_per_value", "last_counts", "left_out_calls", "line",
    "locks", "longest", "merged", "number", "omitted_threads", "operations", "own_accesses", "put_bytes", "puts",
    "recorded_iterations", "runs", "samples", "stride", "summed_calls", "throttled_calls", "timed_calls", "timed_operations", "unexplained",
    // Of samples.
    "elsewhere", "lost", "other_lines/lines", "reads", "remote_accesses", "remote_bytes", "within_recorder",
    // Of a node, and of an instance of a wait state.
    "nodes/threads", "spread/threads", "spread/instances",
];

/// Lists with an entry for each thread.
const BY_THREAD: [&str; 3] = ["by_owner", "by_thread", "last_counts"];

/// All values below `value`, each with its place as a JSON pointer.
fn places(value: &Value, place: &str, found: &mut Vec<String>) {
    found.push(place.to_owned());
    match value {
        Value::Array(entries) => {
            for (index, entry) in entries.iter().enumerate() {
                places(entry, &format!("{place}/{index}"), found);
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                places(field, &format!("{place}/{name}"), found);
            }
        }
        _ => {}
    }
}

/// Names of the fields that lead to a place, without the indices of lists.
fn names(place: &str) -> Vec<&str> {
    let parts = place.split('/').skip(1);
    parts
        .filter(|part| part.parse::<usize>().is_err())
        .collect()
}

fn is_count(place: &str) -> bool {
    let names = names(place);
    let is_named = |end: &[&str]| COUNTS.contains(&end.join("/").as_str());
    is_named(&names[names.len().saturating_sub(1)..])
        || is_named(&names[names.len().saturating_sub(2)..])
}

/// Puts each value of `file` out of range that is below `root`; `is_refused` is whether a reader
/// takes the changed file for none. Returns the number of values that are references.
fn each_out_of_range(file: &Value, root: &str, is_refused: impl Fn(&Value) -> bool) -> usize {
    let cube = common::small();
    assert!(!is_refused(file), "{file}");
    let mut all = Vec::new();
    places(&file.pointer(root).unwrap().clone(), root, &mut all);
    let mut references = 0;
    for place in &all {
        let change = |new: Value| {
            let mut changed = file.clone();
            *changed.pointer_mut(place).unwrap() = new;
            is_refused(&changed)
        };
        let name = *names(place).last().unwrap_or(&"");
        match file.pointer(place).unwrap() {
            Value::Number(number) if !number.is_f64() && name != "schema" => {
                let is_reference = !is_count(place);
                assert_eq!(change(OUT_OF_RANGE.into()), is_reference, "{place}");
                references += usize::from(is_reference);
            }
            Value::String(text) if cube.metric(text).is_some() => {
                assert!(change("no_such_metric".into()), "{place}");
                references += 1;
            }
            Value::Array(entries) if BY_THREAD.contains(&name) => {
                let mut longer = entries.clone();
                longer.push(entries[0].clone());
                assert!(change(longer.into()), "{place}");
                references += 1;
            }
            _ => {}
        }
    }
    references
}

#[test]
fn the_sample_has_a_value_in_every_field() {
    let summary = format!("{:?}", sample().summary);
    for lacking in ["None", "[]", ": \"\""] {
        assert!(!summary.contains(lacking), "{lacking} in {summary}");
    }
}

#[test]
fn references_of_a_summary_lead_somewhere() {
    let directory = tempfile::tempdir().unwrap();
    sample().save(&directory).unwrap();
    // Without a checksum, as earlier versions have written it.
    let summary = serde_json::to_value(sample().summary).unwrap();
    let is_refused = |changed: &Value| {
        fs::write(
            AnalysisResult::summary_path(&directory),
            changed.to_string(),
        )
        .unwrap();
        match AnalysisResult::load(&directory) {
            Ok(result) => {
                // What can be read can be written.
                result.save(&directory).unwrap();
                false
            }
            Err(error) => {
                assert!(matches!(error, Error::Inconsistent { .. }), "{error}");
                true
            }
        }
    };
    let references = each_out_of_range(&summary, "", is_refused);
    assert!(references > 40, "{references}");
}

#[test]
fn contradictions_are_said_with_their_place() {
    let directory = tempfile::tempdir().unwrap();
    type Damage = fn(&mut AnalysisResult);
    let damages: [(&str, Damage); 8] = [
        ("threads is of 3 threads, the profile of 2", |r| {
            r.summary.threads = 3;
        }),
        (
            "findings[0].call_path names call path 2, which does not exist",
            |r| r.summary.findings[0].call_path = 2,
        ),
        ("findings[1].worst.last_thread names thread 2", |r| {
            r.summary.findings[1].worst.as_mut().unwrap().last_thread = 2;
        }),
        ("findings[0].overlaps[0] names finding 2", |r| {
            r.summary.findings[0].overlaps = vec![2];
        }),
        ("communication.by_owner is of 1 threads", |r| {
            r.summary.communication.as_mut().unwrap().by_owner.pop();
        }),
        ("synchronization.advice[0].barrier names call path 7", |r| {
            r.summary.synchronization.as_mut().unwrap().advice[0].barrier = Some(7);
        }),
        ("phases[0].slowest.thread names thread 2", |r| {
            r.summary.phases[0].slowest.as_mut().unwrap().thread = 2;
        }),
        ("recording.counters[0] names metric \"cycles\"", |r| {
            r.summary.recording.counters[0] = "cycles".into();
        }),
    ];
    for (words, damage) in damages {
        sample().save(&directory).unwrap();
        let mut other = sample();
        damage(&mut other);
        let path = AnalysisResult::summary_path(&directory);
        pgas_result::write_summary(&other.summary, path).unwrap();
        let error = AnalysisResult::load(&directory).unwrap_err();
        assert!(matches!(error, Error::Inconsistent { .. }), "{error}");
        assert!(error.to_string().contains(words), "{error}");
        let error = other.save(&directory).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
}

fn timeline() -> Timeline {
    let bar = |metric: &str| Bar {
        begin_seconds: 0.25,
        end_seconds: 0.5,
        depth: 1,
        activity: Activity::Waiting,
        place: 0,
        merged: 2,
        metric: Some(metric.into()),
        of_instance: true,
    };
    Timeline {
        metric: "wait_at_barrier".into(),
        call_path: 1,
        begin_seconds: 0.125,
        end_seconds: 0.75,
        instance_begin_seconds: 0.25,
        instance_end_seconds: 0.5,
        places: vec![Place {
            region: "upc_barrier".into(),
            file: "is.c".into(),
            line: 14,
        }],
        rows: [0, 1]
            .map(|thread| Row {
                thread,
                bars: vec![bar("wait_at_barrier")],
            })
            .into(),
        omitted_threads: 3,
        arrows: vec![Arrow {
            from_thread: 0,
            from_seconds: 0.5,
            to_thread: 1,
            to_seconds: 0.5,
            metric: "wait_at_barrier".into(),
        }],
    }
}

#[test]
fn references_of_a_timeline_lead_somewhere() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("timelines.json");
    write_timelines(&[timeline()], "a result", &path).unwrap();
    let cube = common::small();
    let read = read_timelines(&path, "a result", &cube).unwrap();
    assert_eq!(read, [timeline()]);
    let file: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let is_refused = |changed: &Value| {
        fs::write(&path, changed.to_string()).unwrap();
        read_timelines(&path, "a result", &cube).is_none()
    };
    let references = each_out_of_range(&file, "/timelines", is_refused);
    assert!(references > 8, "{references}");
}
