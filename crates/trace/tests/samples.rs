//! Files that earlier versions of the recorder wrote stay readable, for ever. Never change a sample; add one.

mod support;

use std::fmt::Write;
use std::path::PathBuf;

use pgas_trace::Experiment;
use support::{read_steps, Step};

fn sample(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/v1")
        .join(name)
}

fn dump(name: &str) -> String {
    let experiment = Experiment::open(&sample(name)).unwrap();
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
        .zip(read_steps(&sample(name)).unwrap())
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
            writeln!(
                text,
                "{:.9} {what} {:?} {} {}:{} {attributes:?}",
                clock.seconds(time),
                site.operation,
                site.name,
                site.file,
                site.line
            )
            .unwrap();
        }
    }
    text
}

#[test]
fn version_1() {
    for name in ["every-event", "killed"] {
        let expected = std::fs::read_to_string(sample(&format!("{name}.txt"))).unwrap();
        assert_eq!(dump(name), expected, "{name}");
    }
}

/// Prints the expected contents of a new sample: `cargo test -p pgas-trace --test samples -- --ignored --nocapture`.
#[test]
#[ignore = "a tool for adding samples"]
fn print() {
    for name in ["every-event", "killed"] {
        std::fs::write(std::env::temp_dir().join(format!("{name}.txt")), dump(name)).unwrap();
    }
}
