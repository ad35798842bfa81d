//! Excluded functions and operations are as if they were not there, however the rest is recorded:
//! call by call, in sums, or both.

mod support;

use std::collections::BTreeMap;

use pgas_trace::model::ProfileScope;
use support::{Numbering, Program, compile, expect_quiet, open_at_end, recorded_paths, sums};

const WAYS: &[&[(&str, &str)]] = &[
    &[("PGAS_THROTTLE", "off")],
    &[("PGAS_THROTTLE", "1000,10000")],
    &[("PGAS_MODE", "profile")],
    &[
        ("PGAS_THROTTLE", "off"),
        ("PGAS_TRACE_LIMIT", "64K"),
        ("PGAS_BUFFER", "8K"),
        ("PGAS_COMPRESS", "none"),
    ],
];

/// Calls of each path, recorded or summed.
fn calls(
    program: &Program,
    arguments: &[&str],
    settings: &[(&str, &str)],
    excluded: &str,
) -> BTreeMap<String, u64> {
    let _ = std::fs::remove_dir_all(program.experiment());
    let rules = program.directory.path().join("my.filter");
    let text = format!("SCOREP_REGION_NAMES_BEGIN EXCLUDE {excluded} SCOREP_REGION_NAMES_END");
    std::fs::write(&rules, text).unwrap();
    let mut command = program.default_command(3);
    command
        .args(arguments)
        .envs(settings.iter().copied())
        .env("PGAS_FILTER", rules);
    expect_quiet(&command.output().unwrap());
    let experiment = program.open();
    let stream = &experiment.streams()[0];
    assert!(stream.complete());
    if !stream.limit_reached() {
        assert_eq!(open_at_end(stream), Vec::<String>::new());
    }
    let mut calls = recorded_paths(stream);
    for scope in [ProfileScope::Within, ProfileScope::Beyond] {
        for (path, sums) in sums(stream, scope) {
            if sums.calls > 0 {
                *calls.entry(path).or_default() += sums.calls;
            }
        }
    }
    calls
}

fn expect(program: &Program, arguments: &[&str], excluded: &str, expected: &[(&str, u64)]) {
    for settings in WAYS {
        let found = calls(program, arguments, settings, excluded);
        let expected = expected.iter().map(|&(path, n)| (path.to_string(), n));
        assert_eq!(found, expected.collect(), "{settings:?} without {excluded}");
    }
}

#[test]
fn what_is_inside_counts_as_the_callers() {
    let program = compile("throttle.c", Numbering::Embedded);
    let all: &[_] = &[
        ("main", 1),
        ("main/caller", 20_000),
        ("main/caller/tiny", 20_000),
        ("main/caller/Barrier", 20),
    ];
    let run = ["nested", "20000"];
    expect(&program, &run, "nothing", all);
    expect(
        &program,
        &run,
        "caller",
        &[("main", 1), ("main/tiny", 20_000), ("main/Barrier", 20)],
    );
    expect(
        &program,
        &run,
        "tiny upc_barrier",
        &[("main", 1), ("main/caller", 20_000)],
    );
    expect(&program, &run, "main caller tiny", &[("Barrier", 20)]);
}

/// Ends that are never seen, and recursion, do not make the end of an excluded region that of
/// another one.
#[test]
fn calls_that_do_not_nest_stay_apart() {
    let program = compile("throttle.c", Numbering::Embedded);
    expect(
        &program,
        &["jumps", "5000"],
        "jumper",
        &[
            ("main", 1),
            ("main/catcher", 5000),
            ("main/catcher/thrower", 5000),
        ],
    );
    expect(
        &program,
        &["jumps", "5000"],
        "catcher thrower",
        &[("main", 1), ("main/jumper", 5000)],
    );
    expect(&program, &["deep", "1500"], "deep", &[("main", 1)]);
}

#[test]
fn switching_off_and_on_works_around_what_is_excluded() {
    let program = compile("throttle.c", Numbering::Embedded);
    let run = ["off", "3000"];
    expect(
        &program,
        &run,
        "during",
        &[("main", 1), ("main/tiny", 6000)],
    );
    expect(&program, &run, "tiny", &[("main", 1), ("main/during", 1)]);
    expect(
        &program,
        &run,
        "main",
        &[("during", 1), ("during/tiny", 3000), ("tiny", 3000)],
    );
}
