//! A study of a program that was improved by following the tool's reports: builds all versions,
//! runs them in turns at each number of threads, records them, and lets the tool compare.
//!
//! Times are those that the programs print, of runs without instrumentation. Versions and numbers
//! of threads take turns, so that whatever changes on the machine meanwhile hits all alike. No run
//! is left out.

mod costs;
mod measured;
mod page;

use crate::Error;
use crate::figures::{Recorded, first_findings};
use crate::output::Output;
use crate::programs::{Improved, Recording, Study};
use crate::settings::Settings;
use crate::statistics::Sample;
use crate::tool::{Build, Tool};
use measured::{Least, Measured, MeasuredVersion, runs_at};
use similar::TextDiff;

/// Recorded runs of a version at the number of threads at which versions are compared.
const RECORDED_RUNS: u32 = 5;
/// How many findings of a report a page shows.
const FINDINGS: usize = 3;

pub fn run(
    study: &Study,
    improved: &Improved,
    tool: &Tool,
    settings: &Settings,
) -> Result<Output, Error> {
    let class = study.class(settings);
    let runs = settings
        .runs
        .unwrap_or(if settings.short { 3 } else { study.runs });
    let most = if settings.short { 2 } else { u32::MAX };
    let default: Vec<u32> = study
        .threads
        .iter()
        .copied()
        .filter(|n| *n <= most)
        .collect();
    let threads = settings.thread_counts(&default);
    let cores = settings.cores();
    let main = threads
        .iter()
        .rposition(|count| *count <= cores)
        .unwrap_or(0);

    let recording_class = |recording: &Recording| match recording.class {
        Some(class) if settings.class.is_none() && !settings.short => class.to_string(),
        _ => class.clone(),
    };
    for version in improved.versions {
        eprintln!("  compiling {}", version.source);
        let plain = format!("{}.plain", version.name);
        tool.compile(&plain, &[version.source], &class, Build::Plain)?;
        for (index, recording) in improved.recordings.iter().enumerate() {
            let (program, class) = (
                recorded_name(version.name, index),
                recording_class(recording),
            );
            tool.compile(
                &program,
                &[version.source],
                &class,
                Build::Recorded(recording.compile_options),
            )?;
            tool.compile(
                &plain_name(version.name, index),
                &[version.source],
                &recording_class(recording),
                Build::Plain,
            )?;
        }
    }
    let machine = costs::measure(improved, tool, threads[main], settings.short)?;
    let times = time(improved, tool, &threads, runs, cores)?;

    let recorded_runs = if settings.short { 3 } else { RECORDED_RUNS };
    let mut recorded = record(improved, tool, &threads, main)?;
    let mut findings = vec![Vec::new(); improved.versions.len()];
    let mut reported = vec![Vec::new(); improved.versions.len()];
    let mut least = vec![Vec::new(); improved.versions.len()];
    for index in 0..improved.recordings.len() {
        let runs = compare_at_main(improved, index, tool, threads[main], recorded_runs)?;
        for (version, shortest) in runs.into_iter().enumerate() {
            findings[version].push(shortest.findings);
            reported[version].push(shortest.figures.clone());
            least[version].push(shortest.least);
            if index == 0 {
                recorded[version][main] = shortest.figures;
            }
        }
    }

    let group = |name: &str| {
        let names: Vec<String> = (1..=recorded_runs).map(|n| format!("{name}-{n}")).collect();
        names.join(",")
    };
    let (first, last) = (
        &improved.versions[0],
        &improved.versions[improved.versions.len() - 1],
    );
    let comparison = tool.text(&["diff", &group(first.name), &group(last.name), "--top", "8"])?;
    let changes = changes(improved, tool)?;
    let versions = improved
        .versions
        .iter()
        .zip(times)
        .zip(recorded.into_iter().zip(findings))
        .zip(reported.into_iter().zip(least))
        .map(
            |(((version, times), (recorded, findings)), (reported, least))| MeasuredVersion {
                name: version.name.to_string(),
                source: version.source.to_string(),
                times,
                recorded,
                findings,
                reported,
                least,
            },
        )
        .collect();
    let measured = Measured {
        threads,
        main,
        versions,
        comparison,
        changes,
        machine,
        recordings: improved
            .recordings
            .iter()
            .map(|recording| {
                let mut words = format!("class {}", recording_class(recording));
                if !recording.compile_options.is_empty() {
                    words += &format!(", compiled with `{}`", recording.compile_options.join(" "));
                }
                if recording.with_machine {
                    words += ", with the costs of the machine";
                }
                words
            })
            .collect(),
        recorded_runs,
    };
    page::write(study, improved, &measured, &class, runs, tool, settings)
}

/// The executable of a version for a recording; also the beginning of its experiments' names.
fn recorded_name(version: &str, recording: usize) -> String {
    match recording {
        0 => version.to_string(),
        index => format!("{version}.recording-{}", index + 1),
    }
}

/// The executable without instrumentation of the problem that is recorded, which may be smaller
/// than that which is timed.
fn plain_name(version: &str, recording: usize) -> String {
    format!("{}.as-recorded.plain", recorded_name(version, recording))
}

/// Times by version and number of threads.
fn time(
    improved: &Improved,
    tool: &Tool,
    threads: &[u32],
    runs: u32,
    cores: u32,
) -> Result<Vec<Vec<Sample>>, Error> {
    let count = improved.versions.len();
    let mut times = vec![vec![Sample::default(); threads.len()]; count];
    for round in 0..runs {
        eprintln!("  timing, round {} of {runs}", round + 1);
        for (at, &number) in threads.iter().enumerate() {
            if round >= runs_at(number, runs, cores) {
                continue;
            }
            for turn in 0..count {
                // Each version comes first as often as any other.
                let version = (turn + round as usize) % count;
                let program = format!("{}.plain", improved.versions[version].name);
                times[version][at]
                    .0
                    .push(tool.run(&program, number, None, &[])?.timed);
            }
        }
    }
    Ok(times)
}

/// A recorded run of each version at each number of threads but the main one, of which there are
/// more.
fn record(
    improved: &Improved,
    tool: &Tool,
    threads: &[u32],
    main: usize,
) -> Result<Vec<Vec<Recorded>>, Error> {
    let mut recorded = vec![Vec::new(); improved.versions.len()];
    for (at, &number) in threads.iter().enumerate() {
        for (version, figures) in improved.versions.iter().zip(&mut recorded) {
            if at == main {
                figures.push(Recorded::default());
                continue;
            }
            eprintln!("  recording {}, threads: {number}", version.name);
            let experiment = format!("{}-on-{number}", version.name);
            tool.run(version.name, number, Some(&experiment), &[])?;
            figures.push(Recorded::from_report(&tool.analyse(&experiment)?));
            tool.remove(&experiment)?;
        }
    }
    Ok(recorded)
}

/// Of a version, recorded in one way: findings and figures of the shortest run, since that is the
/// one that other processes of the machine disturbed least.
struct Shortest {
    findings: String,
    figures: Recorded,
    least: Least,
}

/// Recorded runs, as `NAME-1`, `NAME-2`, ..., and plain ones, of all versions in turns.
fn compare_at_main(
    improved: &Improved,
    recording: usize,
    tool: &Tool,
    threads: u32,
    runs: u32,
) -> Result<Vec<Shortest>, Error> {
    let mut least = vec![Least::NONE; improved.versions.len()];
    let mut all: Vec<Vec<(Recorded, String)>> = vec![Vec::new(); improved.versions.len()];
    for run in 1..=runs {
        eprintln!("  recording, threads: {threads}, round {run} of {runs}");
        let versions = improved.versions.iter().zip(&mut least);
        for ((version, least), figures) in versions.zip(&mut all) {
            let program = recorded_name(version.name, recording);
            let experiment = format!("{program}-{run}");
            let options = costs::options(&improved.recordings[recording]);
            let timing = tool.run(&program, threads, Some(&experiment), options)?;
            least.recorded = least.recorded.min(timing.timed);
            let timing = tool.run(&plain_name(version.name, recording), threads, None, &[])?;
            least.plain = least.plain.min(timing.timed);
            let report = tool.analyse(&experiment)?;
            figures.push((Recorded::from_report(&report), experiment));
        }
    }
    all.into_iter()
        .zip(least)
        .map(|(mut figures, least)| {
            figures.sort_by(|a, b| a.0.wall.total_cmp(&b.0.wall));
            let (figures, experiment) = figures.swap_remove(0);
            let report = tool.text(&["report", &experiment])?;
            let findings = first_findings(&report, FINDINGS)
                .unwrap_or_else(|| "The report has no findings.".to_string());
            Ok(Shortest {
                findings,
                figures,
                least,
            })
        })
        .collect()
}

/// Unified diffs of the source from each version to the next.
fn changes(improved: &Improved, tool: &Tool) -> Result<Vec<String>, Error> {
    let mut sources = Vec::new();
    for version in improved.versions {
        let path = tool.in_clone(version.text);
        let text = std::fs::read_to_string(&path).map_err(|e| Error::file(&path, e))?;
        sources.push((version.text, text));
    }
    Ok(sources
        .windows(2)
        .map(|pair| {
            TextDiff::from_lines(&pair[0].1, &pair[1].1)
                .unified_diff()
                .context_radius(3)
                .header(pair[0].0, pair[1].0)
                .to_string()
        })
        .collect())
}
