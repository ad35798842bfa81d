//! `pgastool time`: operations are listed and timed, and what goes wrong is said while the rest is
//! kept.

use crate::bench::{Bench, Told, UNEVEN, cache, contains, keeps_schema};
use crate::mpi::{CONTAINER, has};
use crate::sites::{script, stand_in};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Options of short measurements that do not depend on how busy the machine is: launches after a
/// barrier are never late.
pub const SHORT: [&str; 9] = [
    "--method",
    "barrier",
    "--no-timer-check",
    "--stage",
    "3",
    "--most",
    "6",
    "--fewest-correct",
    "2",
];

/// The arguments of a short measurement with two threads.
pub fn short<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    [&["time", "-n", "2"], arguments, &SHORT].concat()
}

pub fn json(path: &Path) -> Value {
    let value: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    keeps_schema(&value, "timing-1");
    value
}

/// All timings of a result, over its runs.
pub fn timings(result: &Value) -> Vec<Value> {
    let runs = result["runs"].as_array().unwrap();
    let timings = runs
        .iter()
        .flat_map(|run| run["timings"].as_array().unwrap());
    timings.cloned().collect()
}

#[test]
fn operations_are_listed() {
    let bench = Bench::new();
    let text = bench.ok(&["time", "--list"]);
    contains(
        &text,
        &["upc_barrier\n", "upc_all_broadcast\n", "--size LIST"],
    );
    let listed = bench.ok(&["time", "--list", "upc_all_*", "--format", "json"]);
    let listed: Value = serde_json::from_str(&listed).unwrap();
    let listed = listed.as_array().unwrap();
    assert!(listed.len() > 5, "{listed:?}");
    for operation in listed {
        let name = operation["name"].as_str().unwrap();
        assert!(name.starts_with("upc_all_"), "{name}");
        assert!(!operation["help"].as_str().unwrap().is_empty(), "{name}");
    }
}

#[test]
fn a_barrier_and_a_broadcast_are_timed() {
    let bench = Bench::new();
    let line = [
        "upc_barrier",
        "upc_all_broadcast",
        "--size",
        "8,1Ki",
        "--per-thread",
    ];
    let files = [
        "-o", "r.json", "--csv", "r.csv", "--html", "r.html", "--svg", "plots",
    ];
    let table = bench.ok(&short(&[&line[..], &files].concat()));
    contains(&table, &["upc_barrier", "upc_all_broadcast"]);
    let result = json(&bench.path("r.json"));
    let timings = timings(&result);
    let cases: Vec<_> = timings
        .iter()
        .map(|t| {
            (
                t["what"]["operation"].as_str().unwrap(),
                t["what"]["bytes"].as_u64(),
            )
        })
        .collect();
    let expected = [
        ("upc_barrier", None),
        ("upc_all_broadcast", Some(8)),
        ("upc_all_broadcast", Some(1024)),
    ];
    assert_eq!(cases, expected);
    for timing in &timings {
        assert_eq!(timing["threads"], 2);
        assert!(
            timing["summary"]["mean"].as_f64().unwrap() > 0.0,
            "{timing}"
        );
        assert_eq!(timing["per_thread"].as_array().unwrap().len(), 2);
    }
    let csv = fs::read_to_string(bench.path("r.csv")).unwrap();
    assert_eq!(csv.lines().filter(|line| line.contains("upc_")).count(), 3);
    contains(
        &fs::read_to_string(bench.path("r.html")).unwrap(),
        &["<svg", "upc_barrier"],
    );
    let plots = fs::read_dir(bench.path("plots")).unwrap().flatten();
    let names: Vec<String> = plots
        .map(|file| file.file_name().into_string().unwrap())
        .collect();
    let is_named = |name: &String| name.ends_with(".svg") && !name.ends_with("-.svg");
    assert!(!names.is_empty() && names.iter().all(is_named), "{names:?}");
    // What was kept is shown again, without measuring.
    let again = bench.ok(&["time", "--from", "r.json", "--csv", "again.csv"]);
    contains(&again, &["upc_barrier", "upc_all_broadcast"]);
    assert_eq!(fs::read_to_string(bench.path("again.csv")).unwrap(), csv);
}

#[test]
fn wrong_names_and_options_are_answered_with_a_way_out() {
    let bench = Bench::new();
    for (arguments, expected) in [
        (&["time"][..], "name operations"),
        (&["time", "upc_barier"], "did you mean upc_barrier"),
        (
            &["time", "upc_barrier", "--size", "8"],
            "none of these has one",
        ),
        (
            &["time", "upc_all_broadcast", "--argument", "rot=1"],
            "did you mean root",
        ),
        (
            &["time", "upc_all_broadcast", "--in", "every"],
            "it takes in=",
        ),
        (&["time", "upc_barrier", "-n", "8..2"], "begins with 8"),
        (
            &["time", "upc_barrier", "--with", "no-such-compiler"],
            "no compiler",
        ),
        (
            &["time", "upc_barrier", "--with", "cat"],
            "pgastool can measure",
        ),
        (&["time", "upc_barrier", "--own", "a.f90"], "file of C"),
        (
            &[
                "time",
                "upc_barrier",
                "-n",
                "2",
                "--launcher",
                "direct",
                "--nodes",
                "2",
            ],
            "cannot run on 2 nodes",
        ),
        (&["time", "--compare", "a.json", "b.json"], "a.json"),
        (
            &["time", "--compare", "a.json", "b.json", "-o", "c.json"],
            "writes no files",
        ),
        (&["time", "--from", "a.json", "-n", "2"], "leave them out"),
        (&["time", "upc_barrier", "--format", "json"], "-o FILE"),
        (&["time", "timers", "--no-timer-check"], "nothing to show"),
        (&["time", "upc_barrier", "--fail-on", "9"], "BEFORE AFTER"),
        (
            &["time", "upc_barrier", "-o", "/proc/x.json"],
            "cannot write /proc/x.json",
        ),
        (
            &["time", "upc_memget", "partner=far"],
            "--argument partner=far",
        ),
        (&["time", "upc_barrier", "--trim", "60"], "from 0 to 49.9"),
        (&["time", "upc_barrier", "--confidence", "1.5"], "0.95"),
        (&["time", "upc_barrier", "--most", "0"], "--most"),
        (&["time", "upc_barrier", "--stage", "200"], "lower --stage"),
        (&["time", "upc_barrier", "--network", "udp"], "smp"),
    ] {
        contains(&bench.refused(arguments), &[expected]);
    }
}

/// An operation that is wrong on purpose, or does not come back.
const OWN: &str = "\
#include <pgas_operation.h>
#include <stdlib.h>
static void *prepare(const pgas_case *with) { return (void *)with; }
static void run(void *state, long launch) {
  const pgas_case *of = state;
  const char *how = pgas_argument_text(of, \"how\", \"right\");
  if (how[0] == 'c' && launch > 1)
    *(volatile int *)of->bytes = 0;
  if (how[0] == 'e' && launch > 1)
    exit(0);
}
static int check(void *state, long launch) {
  const pgas_case *of = state;
  const char *how = pgas_argument_text(of, \"how\", \"right\");
  if (how[0] != 'w')
    return 0;
  pgas_complain(of, \"element 3 is 7 instead of 8\");
  return 1;
}
PGAS_OPERATION(.name = \"own\", .help = \"of this test\", .arguments = \"how=right|wrong|crash|exit\",
               .prepare = prepare, .run = run, .check = check)
";

#[test]
fn an_operation_that_fails_costs_itself_alone() {
    let bench = Bench::new();
    bench.write("own.c", OWN);
    let line = [
        "own",
        "upc_barrier",
        "--own",
        "own.c",
        "--argument",
        "how=wrong,crash,exit,right",
    ];
    let told = bench.told(&short(&[&line[..], &["-o", "r.json"]].concat()));
    assert_eq!(told.status, Some(1), "{told:?}");
    contains(&told.err, &["how=wrong", "element 3 is 7 instead of 8"]);
    contains(&told.err, &["how=crash", "the driver ended", "own.c:8"]);
    contains(&told.err, &["how=exit", "must not end the program"]);
    let result = json(&bench.path("r.json"));
    let timings = timings(&result);
    let timed: Vec<_> = timings
        .iter()
        .map(|t| {
            (
                t["what"]["operation"].as_str().unwrap(),
                t["what"]["arguments"]["how"].as_str(),
            )
        })
        .collect();
    assert_eq!(timed, [("own", Some("right")), ("upc_barrier", None)]);
    contains(&result.to_string(), &["element 3 is 7 instead of 8"]);
}

#[test]
fn a_file_that_does_not_compile_is_shown_by_the_compiler() {
    let bench = Bench::new();
    bench.write("own.c", "#include <pgas_operation.h>\nint broken( {\n");
    let told = bench.refused(&short(&["own", "--own", "own.c"]));
    contains(&told, &["own.c:2", "driver"]);
}

#[test]
fn a_broken_timer_is_refused() {
    let bench = Bench::new();
    let mut command = bench.command(&["time", "upc_barrier", "-n", "1", "-o", "r.json"]);
    // Nothing that a busy machine does makes a millisecond as short as this.
    let told = Told::of(command.env("PGAS_TEST_TIMER_FAULT", "drift=-0.5"));
    assert_eq!(told.status, Some(1), "{told:?}");
    contains(&told.err, &["the timer is refused", "rate"]);
    assert!(timings(&json(&bench.path("r.json"))).is_empty());
}

#[test]
fn timers_are_shown_as_a_table() {
    let bench = Bench::new();
    // Whether they pass depends on how busy the machine is.
    let told = bench.told(&["time", "timers", "-n", "1"]);
    assert!(matches!(told.status, Some(0 | 1)), "{told:?}");
    contains(&told.out, &["timer", "pattern", "expected", "allowed"]);
    for timer in ["tsc", "clock_gettime", "gettimeofday", "model"] {
        let rows = told.out.lines().filter(|line| line.starts_with(timer));
        assert!(rows.count() > 0, "{timer}: {told:?}");
    }
}

/// Waits until standard output, which goes to a file, has a row of the operation.
fn wait_for_row(child: &mut Child, path: &Path, operation: &str) {
    let begun = Instant::now();
    loop {
        let text = fs::read_to_string(path).unwrap_or_default();
        if text.contains(operation) {
            return;
        }
        assert!(
            child.try_wait().unwrap().is_none(),
            "it ended before: {text}"
        );
        assert!(begun.elapsed() < Duration::from_secs(100), "no row: {text}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn an_interrupted_measurement_keeps_what_was_measured() {
    let bench = Bench::new();
    let out = fs::File::create(bench.path("out")).unwrap();
    // Repeated, the second case takes longer than anybody waits.
    let line = [
        "upc_barrier",
        "upc_all_*",
        "--repeat",
        "1000",
        "-o",
        "r.json",
    ];
    let line = short(&line);
    let mut child = Command::new(bench.command(&line).get_program())
        .args(&line)
        .current_dir(bench.path("."))
        .env("PGAS_CACHE_DIR", cache())
        .stdout(out)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_for_row(&mut child, &bench.path("out"), "upc_barrier");
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{err}");
    contains(&err, &["interrupted"]);
    let result = json(&bench.path("r.json"));
    assert!(!timings(&result).is_empty());
    contains(&result.to_string(), &["interrupted"]);
}

#[test]
fn two_results_are_compared_and_a_limit_decides() {
    let bench = Bench::new();
    let line = |name| short(&["upc_barrier", "null", "--repeat", "3", "-o", name]);
    bench.ok(&line("a.json"));
    bench.ok(&line("b.json"));
    let text = bench.ok(&["time", "--compare", "a.json", "b.json"]);
    contains(&text, &["upc_barrier", "null"]);
    // Made ten times as slow by hand, it exceeds the limit.
    let mut slow: Value = json(&bench.path("a.json"));
    slower(&mut slow, 10.0);
    bench.write("slow.json", slow.to_string());
    let gate = [
        "time",
        "--compare",
        "a.json",
        "slow.json",
        "--fail-on",
        "50",
    ];
    let told = bench.told(&gate);
    assert_eq!(told.status, Some(1), "{told:?}");
    contains(&told.err, &["limit"]);
    let back = [
        "time",
        "--compare",
        "slow.json",
        "a.json",
        "--fail-on",
        "50",
    ];
    bench.ok(&back);
    // A limit for operations that one result lacks is no limit.
    let text = fs::read_to_string(bench.path("a.json")).unwrap();
    let other = text.replace("\"upc_barrier\"", "\"upc_fence\"");
    bench.write("other.json", other.replace("\"null\"", "\"nothing\""));
    let told = bench.refused(&[
        "time",
        "--compare",
        "a.json",
        "other.json",
        "--fail-on",
        "50",
    ]);
    contains(&told, &["cannot be judged"]);
}

/// Multiplies all times of timings.
fn slower(result: &mut Value, factor: f64) {
    for run in result["runs"].as_array_mut().unwrap() {
        for timing in run["timings"].as_array_mut().unwrap() {
            for part in ["summary", "times"] {
                multiply(&mut timing[part], factor);
            }
        }
    }
}

fn multiply(value: &mut Value, factor: f64) {
    match value {
        Value::Number(number) if number.is_f64() => {
            *value = Value::from(number.as_f64().unwrap() * factor);
        }
        Value::Array(values) => values.iter_mut().for_each(|v| multiply(v, factor)),
        Value::Object(fields) => fields.values_mut().for_each(|v| multiply(v, factor)),
        _ => {}
    }
}

#[test]
fn operations_of_other_models_are_timed() {
    for (compiler, operations) in [
        ("mpicc", ["MPI_Barrier", "MPI_Bcast"]),
        ("oshcc", ["shmem_barrier_all", "shmem_putmem"]),
    ] {
        if !has(compiler) {
            continue;
        }
        let bench = Bench::new();
        let line = [
            operations[0],
            operations[1],
            "--with",
            compiler,
            "--size",
            "8",
        ];
        let mut command = bench.command(&short(&[&line[..], &["-o", "r.json"]].concat()));
        let told = Told::of(command.envs(CONTAINER));
        assert_eq!(told.status, Some(0), "{told:?}");
        contains(&told.out, &operations);
        assert_eq!(timings(&json(&bench.path("r.json"))).len(), 2);
    }
}

/// A compiler of the site that has the language and its collective library, and nothing optional.
#[test]
fn a_compiler_with_standard_upc_alone_times_what_it_has() {
    let bench = Bench::new();
    stand_in(&bench, "gupc", "all");
    script(
        &bench,
        "site/gupc",
        "exec \"${0%/*}/all\" -U__UPC_NB__ -U__UPC_TICK__ -U__UPC_ATOMIC__ -U__UPC_CASTABLE__ \"$@\"\n",
    );
    let compiler = bench.path("site/gupc");
    let compiler = compiler.to_str().unwrap();
    let listed = bench.ok(&["time", "--list", "--with", compiler]);
    let operations = [
        "upc_barrier",
        "upc_all_gather",
        "upc_memput",
        "upc_lock",
        "upc_alloc",
    ];
    contains(&listed, &operations);
    for optional in ["upc_memget_nb", "upc_atomic_relaxed"] {
        assert!(!listed.contains(optional), "{listed}");
    }
    let line = [
        &operations[..],
        &["--with", compiler, "--size", "8", "-o", "r.json"],
    ]
    .concat();
    let told = Told::of(&mut bench.command(&short(&line)));
    assert_eq!(told.status, Some(0), "{told:?}");
    let result = json(&bench.path("r.json"));
    let verified = timings(&result);
    assert_eq!(verified.len(), operations.len());
    assert!(
        verified.iter().all(|timing| timing["verified"] == true),
        "{verified:?}"
    );
}

/// The measurement of a machine is kept, goes with runs, and the analysis says what it used.
#[test]
fn costs_of_the_machine_go_with_runs() {
    let bench = Bench::new();
    bench.write("uneven.upc", UNEVEN);
    let cache = bench.path("cache");
    fs::create_dir(&cache).unwrap();
    let told = |arguments: &[&str]| {
        let mut command = bench.command(arguments);
        let told = Told::of(command.env("PGAS_CACHE_DIR", &cache));
        assert_eq!(told.status, Some(0), "{told:?}");
        told
    };
    let measured = told(&short(&["--machine", "-o", "machine.json"]));
    contains(
        &measured.out,
        &["operation  ", "near  ", "shared_read  ", "upc_memget  "],
    );
    contains(&measured.out, &[" ns/byte, ", " % off"]);
    let machine = fs::read(bench.path("machine.json")).unwrap();
    let machine: Value = serde_json::from_slice(&machine).unwrap();
    keeps_schema(&machine, "machine-1");
    let operations = machine["operations"].as_array().unwrap();
    for (role, name) in [("barrier", "upc_barrier"), ("block_read", "upc_memget")] {
        let has = |operation: &&Value| operation["role"] == role && operation["operation"] == name;
        let measured = operations.iter().find(has).expect(name);
        let points = measured["points"].as_array().unwrap();
        assert_eq!(points.len(), if role == "barrier" { 1 } else { 8 });
        assert_eq!(points[0]["threads"], 2);
    }
    contains(&told(&["doctor"]).out, &["upc_memget near", "upc_barrier"]);

    told(&["compile", "-O2", "-o", "uneven", "uneven.upc"]);
    let used = |options: &[&str]| {
        let run = ["run", "-n", "2", "-o", "e"];
        told(&[&run, options, &["./uneven"]].concat());
        told(&["analyze", "e"]);
        let report = told(&["report", "e", "--format", "json"]).out;
        fs::remove_dir_all(bench.path("e")).unwrap();
        serde_json::from_str::<Value>(&report).unwrap()["machine"].clone()
    };
    let kept = used(&[]);
    let lengths = kept["operations"].as_array().unwrap();
    let compared = |length: &&Value| length["expected_seconds"].as_f64() > Some(0.0);
    assert!(lengths.iter().any(|length| compared(&length)), "{kept}");
    assert_eq!(kept["is_of_run"], true);
    assert_eq!(used(&["--machine", "none"]), Value::Null);
    assert_eq!(used(&["--machine", "machine.json"])["host"], kept["host"]);
}
