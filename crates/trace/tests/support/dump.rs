//! Everything that an experiment says, as text: what the samples of the format are compared by.

use std::fmt::Write;
use std::path::Path;

use pgas_trace::Experiment;

use super::{Step, read_steps};

/// The text; panics if the experiment cannot be read.
pub fn dump(experiment_directory: &Path) -> String {
    let experiment = Experiment::open(experiment_directory).unwrap();
    let mut text = String::new();
    let clock = experiment.clock();
    let metadata = experiment.metadata();
    writeln!(
        text,
        "{} {:?} {:?}",
        metadata.program, metadata.threads, metadata.state
    )
    .unwrap();
    writeln!(
        text,
        "clock {:?} {:.6e} s",
        clock.kind(),
        clock.seconds_per_tick()
    )
    .unwrap();
    for (stream, steps) in experiment
        .streams()
        .iter()
        .zip(read_steps(experiment_directory).unwrap())
    {
        writeln!(
            text,
            "thread {} complete {} blocks {} lost {} {:?}",
            stream.thread(),
            stream.complete(),
            stream.blocks().len(),
            stream.lost_events(),
            stream.property("recorder"),
        )
        .unwrap();
        for step in steps {
            let (what, time, site, attributes) = match step {
                Step::Enter(time, site, attributes) => ("enter", time, site, attributes),
                Step::Exit(time, site, attributes) => ("exit", time, site, attributes),
            };
            // Addresses that were not recorded are not mentioned: the texts of samples without any
            // are as old as those.
            let attributes = ["address", "source_address", "destination_address"]
                .iter()
                .fold(format!("{attributes:?}"), |text, field| {
                    text.replace(&format!(", {field}: None"), "")
                });
            writeln!(
                text,
                "{:.9} {what} {:?} {} {}:{} {attributes}",
                clock.seconds(time),
                site.operation,
                site.name,
                site.file,
                site.line
            )
            .unwrap();
        }
        for profile in stream.profiles() {
            let profile = profile.unwrap();
            let span = (profile.first_time, profile.last_time);
            let (first, last) = (clock.seconds(span.0), clock.seconds(span.1));
            writeln!(
                text,
                "{first:.9} to {last:.9} {:?} unplaced {} {:?}",
                profile.scope, profile.unplaced_calls, profile.counters
            )
            .unwrap();
            for sums in &profile.entries {
                let site = stream.site(sums.site);
                writeln!(
                    text,
                    "  {:?} {} {}:{} {sums:?}",
                    site.operation, site.name, site.file, site.line
                )
                .unwrap();
            }
        }
        for samples in stream.stack_samples() {
            let samples = samples.unwrap();
            let span = (samples.first_time, samples.last_time);
            let (first, last) = (clock.seconds(span.0), clock.seconds(span.1));
            writeln!(
                text,
                "{first:.9} to {last:.9} every {} ns of {:?} lost {} within the recorder {}",
                samples.period_nanoseconds, samples.clock, samples.lost, samples.within_recorder
            )
            .unwrap();
            for module in &samples.modules {
                writeln!(text, "  {module:x?}").unwrap();
            }
            for (index, entry) in samples.paths.iter().enumerate() {
                let site = stream.site(entry.site);
                writeln!(
                    text,
                    "  path {index} in {:?}: {:?} {} {}:{}",
                    entry.parent, site.operation, site.name, site.file, site.line
                )
                .unwrap();
            }
            for sample in &samples.samples {
                writeln!(
                    text,
                    "  {:.9} x {} path {:?} {:x?}",
                    clock.seconds(sample.time),
                    sample.weight,
                    sample.path,
                    sample.frames
                )
                .unwrap();
            }
        }
        for comparison in stream.clock_comparisons() {
            writeln!(text, "{comparison:?}").unwrap();
        }
    }
    text
}
