//! Files that earlier versions of the recorder wrote stay readable, for ever. Never change a
//! sample; add one, with the text that `cargo run -p pgas-trace --example describe_sample -- DIR`
//! prints of it.

mod support;

use std::path::Path;

use support::dump::dump;

fn check(version: &str, names: &[&str]) {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(version);
    for name in names {
        let expected = std::fs::read_to_string(samples.join(format!("{name}.txt"))).unwrap();
        assert_eq!(dump(&samples.join(name)), expected, "{version}/{name}");
    }
}

#[test]
fn version_1() {
    check("v1", &["every-event", "killed"]);
}

/// Throttled calls, counters, clocks of two nodes, recording that was off for a while, and a run
/// without a trace.
#[test]
fn version_2() {
    check("v2", &["sums", "profile"]);
}

/// Transfers and copies with addresses; threads of a node in one file, in which a write was cut
/// off.
#[test]
fn version_3() {
    check("v3", &["addresses", "node"]);
}

/// Time without a core, on its own and inside of operations.
#[test]
fn version_4() {
    check("v4", &["no-core"]);
}

/// Samples of where threads compute: in regions, in a function that is none, and in the C library.
#[test]
fn version_5() {
    check("v5", &["samples"]);
}

/// Waits for flags, semaphores, events and partners; places by code address.
#[test]
fn version_6() {
    check("v6", &["flags", "images"]);
}

/// Tasks that send, receive and select, the creation and the end of their channels, and processors
/// without tasks.
#[test]
fn version_8() {
    check("v8", &["tasks"]);
}
