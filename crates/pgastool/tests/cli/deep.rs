//! Call paths deeper than any limit: what is made of them can be read by every command, and the
//! report says what was cut.

use pgas_trace::ExperimentBuilder;
use pgas_trace::model::{Attributes, Operation, Site};

use crate::bench::Bench;

const RECURSION: &str = r#"#include <upc.h>
#include <stdio.h>
#include <stdlib.h>

volatile int sink;

int down(int n) {
    char room[16];
    room[n % 16] = 1;
    int below = n > 1 ? down(n - 1) : 0;
    return below + room[n % 16];
}

void after(void) { sink++; }

int main(int argc, char **argv) {
    printf("%d\n", down(atoi(argv[1])));
    after();
    upc_barrier;
    return 0;
}
"#;

/// An experiment whose one function calls itself `depth` times, with a barrier at the bottom.
fn nested(bench: &Bench, name: &str, depth: u64) {
    let main = Site::function("main", "deep.upc", 1);
    let down = Site::function("down", "deep.upc", 5);
    let barrier = Site::operation(Operation::Barrier, "deep.upc", 7);
    let mut builder = ExperimentBuilder::new("deep", 2);
    for thread in 0..2 {
        let events = builder.thread(thread);
        events.enter(0, &main, Attributes::None);
        for n in 1..=depth {
            events.enter(n * 1000, &down, Attributes::None);
        }
        let bottom = (depth + 1) * 1000;
        let value = Attributes::Barrier { value: None };
        events.enter(bottom + u64::from(thread) * 500, &barrier, value);
        events.exit(bottom + 1000, Attributes::None);
        for n in 2..=depth + 2 {
            events.exit(bottom + n * 1000, Attributes::None);
        }
    }
    builder.write(&bench.path(name)).unwrap();
}

/// Every command that reads a result takes that of `experiment`; returns the text report.
fn read_all(bench: &Bench, experiment: &str) -> String {
    bench.ok(&["analyze", experiment]);
    for (format, file) in [("cube", "r.cube"), ("cubex", "r.cubex"), ("json", "r.json")] {
        bench.ok(&["report", experiment, "--format", format, "-o", file]);
    }
    bench.ok(&["report", experiment, "--format", "html", "-o", "r.html"]);
    bench.ok(&["cube", "check", "r.cube"]);
    bench.ok(&["cube", "check", "r.cubex"]);
    bench.ok(&["cube", "info", "r.cubex"]);
    bench.ok(&["cube", "diff", "r.cube", "r.cubex", "-o", "d.cube"]);
    bench.ok(&["cube", "check", "d.cube"]);
    bench.ok(&["diff", experiment, experiment]);
    bench.ok(&["report", experiment])
}

#[test]
fn a_trace_deeper_than_any_limit_is_cut_with_a_remark() {
    let bench = Bench::new();
    for (name, depth) in [("fits", 9_998), ("deep", 70_000), ("deeper", 200_000)] {
        nested(&bench, name, depth);
        let text = read_all(&bench, name).replace("\n  ", " ");
        // Main, the calls and the barrier are one path.
        let cut = (depth + 2).saturating_sub(10_000);
        let remark = format!(": {cut} regions in call paths of more than 10,000");
        assert_eq!(text.contains(&remark), cut > 0, "{name}: {text}");
        assert!(text.contains("Wait at barrier"), "{name}: {text}");
    }
}

#[test]
fn a_trace_with_more_call_paths_than_there_is_room_for_is_cut_with_a_remark() {
    let bench = Bench::new();
    let main = Site::function("main", "wide.upc", 1);
    let barrier = Site::operation(Operation::Barrier, "wide.upc", 7);
    let functions: Vec<Site> = (0..300)
        .map(|n| Site::function(&format!("f{n}"), "wide.upc", 10 + n))
        .collect();
    let mut builder = ExperimentBuilder::new("wide", 2);
    for thread in 0..2 {
        let events = builder.thread(thread);
        events.enter(0, &main, Attributes::None);
        let mut now = 0;
        for outer in &functions {
            now += 100;
            events.enter(now, outer, Attributes::None);
            for inner in &functions {
                events.enter(now + 10, inner, Attributes::None);
                now += 20;
                events.exit(now, Attributes::None);
            }
            let value = Attributes::Barrier { value: None };
            events.enter(now + u64::from(thread) * 1000, &barrier, value);
            now += 3000;
            events.exit(now, Attributes::None);
            events.exit(now, Attributes::None);
        }
        events.exit(now + 1, Attributes::None);
    }
    builder.write(&bench.path("wide")).unwrap();
    let text = read_all(&bench, "wide").replace("\n  ", " ");
    // The program, main, and 301 paths below each of 217 functions and 219 below the next have
    // room; of the rest, each is a path of its own below the program.
    let room = 65_536 - 2;
    let (whole, rest) = (room / 302, room % 302);
    let moved = (300 - whole) * 302 - rest;
    let remark = format!("thread 0: {moved} calls on more than 65,536 different call paths");
    assert!(text.contains(&remark), "{remark}: {text}");
    let report: serde_json::Value =
        serde_json::from_str(&bench.ok(&["report", "wide", "--format", "json"])).unwrap();
    let paths = report["call_paths"].as_array().unwrap();
    assert!(paths.len() < 65_536 + 302, "{}", paths.len());
    let visits = |path: &serde_json::Value| path["metrics"]["visits"][0].as_f64().unwrap_or(0.0);
    let of = |name: &str| -> f64 {
        let named = paths.iter().filter(|path| path["region"] == name);
        named.map(visits).sum()
    };
    assert_eq!((of("f7"), of("f299")), (301.0, 301.0));
    assert_eq!(of("upc_barrier"), 300.0);
}

#[test]
fn a_recursion_is_cut_in_events_and_in_sums() {
    let bench = Bench::new();
    bench.compile_all(RECURSION, &[]);
    for options in [&[][..], &["--profile"]] {
        let run = [
            &["run", "-n", "2", "-o", "e"],
            options,
            &["./prog", "20000"],
        ]
        .concat();
        let mut command = bench.command(&run);
        command.env("PGAS_THROTTLE", "off");
        assert!(command.output().unwrap().status.success());
        let text = read_all(&bench, "e").replace("\n  ", " ");
        assert!(text.contains("in call paths of"), "{text}");
        for wrong in ["exceed those of their callers", "calls are missing"] {
            assert!(!text.contains(wrong), "{text}");
        }
        let report = bench.ok(&["report", "e", "--format", "json"]);
        assert!(report.contains("\"after\""), "{report}");
        std::fs::remove_dir_all(bench.path("e")).unwrap();
    }
}

#[test]
fn an_epilog_trace_deeper_than_any_limit_is_cut_with_a_remark() {
    let bench = Bench::new();
    nested(&bench, "deep", 70_000);
    bench.ok(&["convert", "deep", "--to", "epilog", "-o", "deep.elg"]);
    bench.ok(&["convert", "deep.elg", "--from", "epilog", "-o", "back"]);
    let text = read_all(&bench, "back").replace("\n  ", " ");
    assert!(
        text.contains("60002 regions in call paths of more than 10,000"),
        "{text}"
    );
}
