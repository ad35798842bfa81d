//! A metric of a result as flame graphs, computing time down to lines where there are samples: folded stacks, which Brendan Gregg's `flamegraph.pl`,
//! inferno and others take, and speedscope's JSON (<https://www.speedscope.app/file-format-schema.json>).

use std::borrow::Cow;
use std::path::Path;

use pgas_cube::model::{CallPathId, Cube, MetricId, Unit};
use pgas_result::AnalysisResult;
use serde::Serialize;

use super::below::{Below, name};
use super::{output, region, stack};
use crate::error::Error;

/// Folds the call paths of a metric: a line for each, `program;caller;callee weight`. Weights are
/// microseconds, bytes, or counts, summed over threads; those of a call path do not contain its
/// callees'. Weights that round to zero are left out.
///
/// Returns the number of lines. `progress` receives the share that is done, 0 to 1.
///
/// # Errors
/// [`Error::Io`].
pub fn write_folded(
    result: &AnalysisResult,
    metric: MetricId,
    path: &Path,
    progress: &dyn Fn(f64),
) -> Result<u64, Error> {
    let cube = &result.cube;
    let below = Below::of(result, metric);
    let unit = cube.metrics.get(metric.0).map(|metric| metric.unit);
    let scale = match unit {
        Some(Unit::Seconds) => 1e6,
        _ => 1.0,
    };
    output::write(path, |out| {
        let mut lines = 0;
        for (place, values) in rows(cube, metric) {
            progress(place.0 as f64 / cube.call_paths.len() as f64);
            let frames = stack(cube, place).into_iter().map(|path| frame(cube, path));
            let frames: Vec<String> = frames.collect();
            for (inner, seconds) in below.parts(place, values) {
                let weight = (seconds.iter().sum::<f64>() * scale).round();
                if weight < 1.0 {
                    continue;
                }
                let inner = inner.iter().map(|place| readable(&name(place)));
                let all: Vec<String> = frames.iter().cloned().chain(inner).collect();
                writeln!(out, "{} {weight:.0}", all.join(";"))?;
                lines += 1;
            }
        }
        Ok(lines)
    })
}

/// By call path: the values of all threads.
fn rows(cube: &Cube, metric: MetricId) -> impl Iterator<Item = (CallPathId, &[f64])> {
    let paths = (0..cube.call_paths.len()).map(CallPathId);
    paths.filter_map(move |path| Some((path, cube.row(metric, path)?)))
}

/// "upc_barrier (heat.upc:12)", without what separates frames and lines.
fn frame(cube: &Cube, path: CallPathId) -> String {
    let name = region(cube, path);
    let place = cube.call_paths.get(path.0);
    let text = match place {
        Some(call) if !call.file.is_empty() => {
            let file = call.file.rsplit('/').next().unwrap_or_default();
            format!("{name} ({file}:{})", call.line)
        }
        _ => name.to_owned(),
    };
    readable(&text)
}

fn readable(text: &str) -> String {
    let readable = |c: char| match c {
        ';' => ',',
        c if c.is_control() => '\u{fffd}',
        c => c,
    };
    text.chars().map(readable).collect()
}

#[derive(Serialize)]
struct File<'c> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    shared: Shared<'c>,
    profiles: Vec<Profile>,
    name: String,
    #[serde(rename = "activeProfileIndex")]
    active: usize,
    exporter: String,
}

#[derive(Serialize)]
struct Shared<'c> {
    frames: Vec<Frame<'c>>,
}

#[derive(Serialize)]
struct Frame<'c> {
    name: Cow<'c, str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    file: &'c str,
    #[serde(skip_serializing_if = "is_zero")]
    line: u32,
}

fn is_zero(line: &u32) -> bool {
    *line == 0
}

#[derive(Serialize)]
struct Profile {
    r#type: &'static str,
    name: String,
    unit: &'static str,
    #[serde(rename = "startValue")]
    start: f64,
    #[serde(rename = "endValue")]
    end: f64,
    samples: Vec<Vec<usize>>,
    weights: Vec<f64>,
}

/// Writes a metric for speedscope: a profile of all threads together, and one of each thread in
/// which it is not zero.
///
/// Returns the number of profiles. `progress` receives the share that is done, 0 to 1.
///
/// # Errors
/// [`Error::Io`].
pub fn write_speedscope(
    result: &AnalysisResult,
    metric: MetricId,
    path: &Path,
    progress: &dyn Fn(f64),
) -> Result<u64, Error> {
    let cube = &result.cube;
    let below = Below::of(result, metric);
    let frames = (0..cube.call_paths.len()).map(|path| Frame {
        name: region(cube, CallPathId(path)).into(),
        file: &cube.call_paths[path].file,
        line: cube.call_paths[path].line,
    });
    let inner = below.places().map(|place| Frame {
        name: name(place).into(),
        file: &place.file,
        line: place.line,
    });
    let frames = frames.chain(inner);
    let described = cube.metrics.get(metric.0);
    let unit = match described.map(|metric| metric.unit) {
        Some(Unit::Seconds) => "seconds",
        Some(Unit::Bytes) => "bytes",
        _ => "none",
    };
    let profile = |name: String, weight: &dyn Fn(&[f64]) -> f64| {
        let mut profile = Profile {
            r#type: "sampled",
            name,
            unit,
            start: 0.0,
            end: 0.0,
            samples: Vec::new(),
            weights: Vec::new(),
        };
        for (path, values) in rows(cube, metric) {
            for (inner, values) in below.parts(path, values) {
                let weight = weight(&values);
                if weight > 0.0 {
                    let outer = stack(cube, path).into_iter().map(|path| path.0);
                    let inner = inner
                        .iter()
                        .map(|place| cube.call_paths.len() + below.number(place));
                    profile.samples.push(outer.chain(inner).collect());
                    profile.weights.push(weight);
                    profile.end += weight;
                }
            }
        }
        profile
    };
    let title = described.map_or("", |metric| metric.display_name.as_str());
    let all = result.summary.words().say("all threads");
    let mut profiles = vec![profile(format!("{title}: {all}"), &|v| v.iter().sum())];
    for (thread, described) in cube.threads.iter().enumerate() {
        // Writing what was gathered takes about as long.
        progress(0.5 * thread as f64 / cube.threads.len() as f64);
        let of_thread = profile(format!("{title}: {}", described.name), &|values| {
            values.get(thread).copied().unwrap_or(0.0)
        });
        if !of_thread.samples.is_empty() {
            profiles.push(of_thread);
        }
    }
    let count = profiles.len() as u64;
    let program = cube.attributes.get("program");
    let file = File {
        schema: "https://www.speedscope.app/file-format-schema.json",
        shared: Shared {
            frames: frames.collect(),
        },
        profiles,
        name: program.cloned().unwrap_or_default(),
        active: 0,
        exporter: format!("pgastool {}", env!("CARGO_PKG_VERSION")),
    };
    output::write(path, |out| {
        serde_json::to_writer(&mut *out, &file).map_err(std::io::Error::from)?;
        writeln!(out)?;
        Ok(count)
    })
}
