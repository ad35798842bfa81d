//! Random programs: what a timeline shows as waiting is what the analysis of the whole run has
//! found.

#[path = "../../analyze/tests/analysis/common/mod.rs"]
mod common;

use std::path::Path;

use common::simulator::Simulation;
use pgas_earl::StreamBuilder;
use pgas_result::AnalysisResult;
use pgas_result::timeline::{Activity, Timeline};
use pgas_timeline::timelines;
use pgas_trace::model::EventKind;
use pgas_trace::writer::StreamOptions;
use pgas_trace::{Experiment, ExperimentBuilder};
use proptest::prelude::*;

/// One tick is one nanosecond.
const TICK: f64 = 1e-9;

fn write(streams: &[StreamBuilder], directory: &Path) {
    // Small blocks, so that windows begin anywhere in a trace.
    let options = StreamOptions {
        block_size: 256,
        ..StreamOptions::default()
    };
    let mut builder = ExperimentBuilder::with_options("prog", streams.len() as u32, options);
    for (number, stream) in streams.iter().enumerate() {
        let thread = builder.thread(number as u32);
        for event in stream.events() {
            match event.kind {
                EventKind::Enter { site, attributes } => {
                    thread.enter(event.time, &stream.sites()[site.0 as usize], attributes);
                }
                EventKind::Exit { attributes, .. } => {
                    thread.exit(event.time, attributes);
                }
            }
        }
    }
    builder.write(directory).expect("an experiment");
}

fn analysed(streams: &[StreamBuilder]) -> (AnalysisResult, Vec<Timeline>) {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("experiment");
    write(streams, &path);
    let experiment = Experiment::open(&path).expect("an experiment");
    let analysis = pgas_analyze::analyze(&experiment, &|_| {}).expect("an analysis");
    let result = AnalysisResult {
        cube: analysis.cube,
        summary: analysis.summary,
    };
    let timelines = timelines(&experiment, &result, &|_| {}).expect("timelines");
    (result, timelines)
}

/// Everything that must hold for the timelines of a result.
fn check(result: &AnalysisResult, timelines: &[Timeline]) -> Result<(), String> {
    let wanted = result.summary.instances.iter();
    let findings = result.summary.findings.iter();
    let worst = wanted
        .map(|i| (&i.metric, i.call_path, &i.worst))
        .chain(findings.map(|f| (&f.metric, f.call_path, &f.worst)));
    for timeline in timelines {
        let what = format!("{} at {}", timeline.metric, timeline.call_path);
        let of_timeline = |(metric, path, _): &(&String, usize, _)| {
            **metric == timeline.metric && *path == timeline.call_path
        };
        let (_, _, worst) = worst.clone().find(of_timeline).ok_or("no such instance")?;
        let worst = worst.as_ref().ok_or("no worst instance")?;
        let bars = || timeline.rows.iter().flat_map(|row| &row.bars);
        let waited: f64 = bars()
            .filter(|bar| bar.of_instance)
            .map(|bar| bar.end_seconds - bar.begin_seconds)
            .sum();
        if (waited - worst.seconds).abs() > TICK {
            return Err(format!("{what}: {waited} is drawn of {}", worst.seconds));
        }
        let is_waiting = |bar: &&pgas_result::timeline::Bar| bar.activity == Activity::Waiting;
        if bars().any(|bar| bar.of_instance && !is_waiting(&bar)) {
            return Err(format!("{what}: a bar of the instance is no waiting"));
        }
        if (timeline.instance_begin_seconds - worst.at_seconds).abs() > TICK {
            return Err(format!("{what}: begins at another time"));
        }
        for row in &timeline.rows {
            nested(row).map_err(|error| format!("{what}, thread {}: {error}", row.thread))?;
        }
        for arrow in &timeline.arrows {
            let to = timeline
                .rows
                .iter()
                .find(|row| row.thread == arrow.to_thread);
            let ends_there = to.is_some_and(|row| {
                let mut waits = row.bars.iter().filter(is_waiting);
                waits.any(|bar| bar.end_seconds <= arrow.to_seconds + TICK)
            });
            if !ends_there {
                return Err(format!("{what}: an arrow to thread {}", arrow.to_thread));
            }
        }
    }
    Ok(())
}

/// Bars are in order and lie within those around them.
fn nested(row: &pgas_result::timeline::Row) -> Result<(), String> {
    let mut open: Vec<&pgas_result::timeline::Bar> = Vec::new();
    for bar in &row.bars {
        while open.last().is_some_and(|outer| outer.depth >= bar.depth) {
            open.pop();
        }
        if let Some(outer) = open.last() {
            let inside = bar.begin_seconds >= outer.begin_seconds - TICK / 2.0
                && bar.end_seconds <= outer.end_seconds + TICK / 2.0;
            if !inside {
                return Err(format!("{bar:?} is not inside of {outer:?}"));
            }
        }
        open.push(bar);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_waiting_of_the_worst_instances_is_drawn(
        threads in 1usize..9,
        steps in prop::collection::vec((0u8..6, any::<u64>()), 0..60),
    ) {
        let simulation = Simulation::run(threads, &steps);
        let (result, timelines) = analysed(&simulation.streams);
        let waits = result.summary.instances.len();
        prop_assert!(timelines.len() >= waits.min(8));
        if let Err(error) = check(&result, &timelines) {
            prop_assert!(false, "{}", error);
        }
    }
}

/// A pyramid that was made once is read again as long as the result is the same, and never
/// otherwise.
#[test]
fn timelines_are_kept_with_their_result() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("experiment");
    let simulation = Simulation::run(4, &[(0, 5), (1, 17), (0, 3), (1, 99), (2, 7)]);
    write(&simulation.streams, &path);
    let experiment = Experiment::open(&path).expect("an experiment");
    let analysis = pgas_analyze::analyze(&experiment, &|_| {}).expect("an analysis");
    let mut result = AnalysisResult {
        cube: analysis.cube,
        summary: analysis.summary,
    };
    result.save(&path).expect("a result");
    let load = |result: &AnalysisResult| {
        pgas_timeline::load_or_make(&path, result, &|_| {}).expect("timelines")
    };
    let made = load(&result);
    assert!(!made.is_empty());
    let file = AnalysisResult::timelines_path(&path);
    let text = std::fs::read_to_string(&file).expect("a file");
    // That it is read shows by a change that nobody else would make.
    std::fs::write(
        &file,
        text.replace("\"omitted_threads\":0", "\"omitted_threads\":5"),
    )
    .expect("a file");
    assert_eq!(load(&result)[0].omitted_threads, 5);
    // Damage, and another result, make it anew.
    std::fs::write(&file, &text[..text.len() / 2]).expect("a file");
    assert_eq!(load(&result), made);
    std::fs::write(
        &file,
        text.replace("\"omitted_threads\":0", "\"omitted_threads\":5"),
    )
    .expect("a file");
    result.summary.remarks.push("another one".into());
    result.save(&path).expect("a result");
    assert_eq!(load(&result), made);
}
