//! `pgastool compile` in the place of a compiler.

use crate::bench::{Bench, UNEVEN, contains};
use crate::not_tested::not_tested;
use serde_json::Value;
use std::collections::BTreeSet;
use std::process::Command;

fn functions(bench: &Bench) -> Vec<String> {
    let report = bench.json();
    let paths = report["call_paths"].as_array().unwrap();
    paths
        .iter()
        .map(|p| p["region"].as_str().unwrap().to_string())
        .collect()
}

fn has(functions: &[String], name: &str) -> bool {
    functions.iter().any(|f| f == name)
}

#[test]
fn compiling_and_linking_apart_gives_the_same_program() {
    let bench = Bench::new();
    bench.write("main.upc", UNEVEN);
    bench.ok(&["compile", "-O2", "-c", "main.upc"]);
    assert!(bench.path("main.o").is_file());
    bench.ok(&["compile", "main.o", "-o", "prog"]);
    bench.measure("2");
    bench.ok(&["analyze"]);
    contains(
        &functions(&bench).join(" "),
        &["main", "work", "upc_barrier"],
    );
}

#[test]
fn it_stands_for_the_compiler_in_a_makefile() {
    let bench = Bench::new();
    bench.write("main.upc", UNEVEN);
    bench.write(
        "Makefile",
        "prog: main.o\n\t$(CC) $(CFLAGS) -o $@ main.o\nmain.o: main.upc\n\t$(CC) $(CFLAGS) -c -o \
         $@ main.upc\n",
    );
    if which("make") {
        let made = Command::new("make")
            .arg(format!(
                "CC={} compile --threads 2",
                env!("CARGO_BIN_EXE_pgastool")
            ))
            .arg("CFLAGS=-O2 -g")
            .env("PGAS_CACHE_DIR", crate::bench::cache())
            .env("PGAS_UPCC", "embedded")
            .current_dir(bench.path(""))
            .output()
            .unwrap();
        assert!(made.status.success(), "{made:?}");
    } else {
        not_tested("a Makefile with the compiler of pgastool: there is no make");
        // The same commands, as make would give them.
        bench.ok(&[
            "compile",
            "--threads",
            "2",
            "-O2",
            "-g",
            "-c",
            "-o",
            "main.o",
            "main.upc",
        ]);
        bench.ok(&[
            "compile",
            "--threads",
            "2",
            "-O2",
            "-g",
            "-o",
            "prog",
            "main.o",
        ]);
    }
    contains(
        &bench.refused(&["run", "-n", "4", "./prog"]),
        &["compiled for 2 threads"],
    );
    bench.measure("2");
}

fn which(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

#[test]
fn options_choose_what_is_recorded() {
    let bench = Bench::new();
    bench.compile(UNEVEN, &["--no-functions", "--accesses", "all"]);
    bench.measure("2");
    bench.ok(&["analyze"]);
    let found = functions(&bench);
    assert!(
        has(&found, "upc_barrier") && !has(&found, "work"),
        "{found:?}"
    );
    let visits = |bench: &Bench| bench.json()["metrics"]["visits"]["total"].as_f64().unwrap();
    let without_local = visits(&bench);

    bench.compile(UNEVEN, &["--no-functions", "--inst-local"]);
    bench.ok(&["run", "-n", "2", "-o", "local", "./prog"]);
    bench.ok(&["analyze", "local"]);
    // done[MYTHREAD] += round: a get and a put of own data, 5 rounds, 2 threads.
    assert!(visits(&bench) >= without_local + 20.0);

    bench.write(
        "my.filter",
        "SCOREP_REGION_NAMES_BEGIN\n  EXCLUDE wor?\nSCOREP_REGION_NAMES_END\n",
    );
    bench.compile(UNEVEN, &["--filter", "my.filter"]);
    bench.ok(&["run", "-n", "2", "-o", "filtered", "./prog"]);
    bench.ok(&["analyze", "filtered"]);
    let found = functions(&bench);
    assert!(has(&found, "main") && !has(&found, "work"), "{found:?}");
}

/// Small functions are no events unless they are asked for, nor are single accesses: these are
/// counted, also those to own data.
#[test]
fn by_default_what_is_small_is_no_event() {
    let source = UNEVEN.replace("void work", "int twice(int n) { return 2 * n; }\nvoid work");
    let source = source.replace("+= round", "+= twice(round)");
    let visits = |bench: &Bench, name: &str| {
        let report = bench.json();
        let paths = report["call_paths"].as_array().unwrap().iter();
        let of = paths.filter(|path| path["region"] == name);
        let rows = of.filter_map(|path| path["metrics"]["visits"].as_array());
        rows.flatten().filter_map(Value::as_f64).sum::<f64>()
    };
    // done[MYTHREAD] += twice(round): a get and a put, 5 rounds, 2 threads; at the end thread 0 gets
    // the other one's element.
    let all = &["--accesses", "all", "--functions", "all"][..];
    for (options, gets, counted) in [
        (&[][..], 11.0, &["twice", "upc_get", "upc_put"][..]),
        (&["--functions", "all"], 11.0, &["upc_get", "upc_put"]),
        (&["--accesses", "all"], 1.0, &["twice"]),
        (&["--inst-local"], 11.0, &["twice"]),
        (all, 1.0, &[]),
    ] {
        let bench = Bench::new();
        bench.compile(&source, options);
        bench.measure("2");
        bench.ok(&["analyze"]);
        assert_eq!(visits(&bench, "twice"), 10.0, "{options:?}");
        assert_eq!(visits(&bench, "work"), 10.0, "{options:?}");
        // The end of the program is one more barrier on each thread.
        assert_eq!(visits(&bench, "upc_barrier"), 12.0, "{options:?}");
        assert_eq!(visits(&bench, "upc_get"), gets, "{options:?}");
        let report = bench.json();
        let sites = report["recording"]["counted"].as_array();
        let regions = sites.into_iter().flatten().map(|site| &site["region"]);
        let regions: BTreeSet<&str> = regions.filter_map(Value::as_str).collect();
        let counted: BTreeSet<&str> = counted.iter().copied().collect();
        assert_eq!(regions, counted, "{options:?}");
    }
    let bench = Bench::new();
    bench.write("prog.upc", &source);
    let both = [
        "compile",
        "--inst-local",
        "--accesses",
        "counted",
        "prog.upc",
    ];
    contains(
        &bench.refused(&both),
        &[
            "`--inst-local`",
            "`--accesses counted`",
            "own data are counted",
        ],
    );
}

#[test]
fn a_bad_filter_is_told_with_its_line() {
    let bench = Bench::new();
    bench.write("prog.upc", UNEVEN);
    bench.write("my.filter", "# mine\nEXCLUDE work\n");
    let err = bench.refused(&["compile", "--filter", "my.filter", "prog.upc"]);
    contains(&err, &["my.filter:2:", "SCOREP_REGION_NAMES_BEGIN"]);
    contains(
        &bench.refused(&["compile", "--filter", "missing", "prog.upc"]),
        &["missing"],
    );
}

#[test]
fn show_prints_the_command_alone() {
    let bench = Bench::new();
    bench.write("prog.upc", UNEVEN);
    let shown = bench.ok(&[
        "compile",
        "--show",
        "-O2",
        "--threads",
        "3",
        "-o",
        "prog",
        "prog.upc",
    ]);
    contains(
        &shown,
        &[
            "pgas-upcc -T 3 -inst -inst-functions-auto -inst-counts -g1 -O2 -o prog prog.upc ",
            "gasp_decoder.o",
            "libpgas_measure.a",
        ],
    );
    assert!(!bench.path("prog").exists());
    let object = bench.ok(&["compile", "--show", "-c", "prog.upc"]);
    assert!(!object.contains("libpgas_measure.a"), "{object}");
}

#[test]
fn questions_of_build_systems_reach_the_compiler() {
    let bench = Bench::new();
    contains(&bench.ok(&["compile", "--version"]), &["pgas-upcc"]);
}
