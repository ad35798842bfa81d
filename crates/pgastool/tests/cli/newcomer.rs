//! Mistakes of newcomers, and the tool's answers: what is wrong, where, and what to do.

use crate::bench::{Bench, Told, UNEVEN, contains};
use std::fs;
use std::os::unix::fs::PermissionsExt;

#[test]
fn no_c_compiler() {
    let bench = Bench::new();
    bench.write("prog.upc", UNEVEN);
    fs::create_dir(bench.path("nothing")).unwrap();
    for arguments in [
        &["compile", "-o", "prog", "prog.upc"][..],
        &["compile", "-c", "prog.upc"],
    ] {
        let told = Told::of(bench.command(arguments).env("PATH", bench.path("nothing")));
        assert!(told.status.is_some_and(|s| s != 0), "{told:?}");
        contains(&told.err, &["C compiler", "gcc", "install"]);
    }
    assert!(!bench.path("prog").exists() && !bench.path("prog.o").exists());
}

#[test]
fn a_syntax_error_is_shown_at_the_users_line() {
    let bench = Bench::new();
    bench.write(
        "bad.upc",
        "#include <upc.h>\nshared int a[10*THREADS];\nint main(void) {\n  int i;\n  upc_forall (i \
         = 0; i < 10; i++; &a[i]) {\n    a[i] = ;\n  }\n  return 0;\n}\n",
    );
    let told = bench.told(&["compile", "-o", "bad", "bad.upc"]);
    assert_eq!(told.status, Some(1), "{}", told.err);
    contains(&told.err, &["bad.upc:6:", "error", "a[i] = ;", "^"]);
    assert!(!bench.path("bad").exists());
}

#[test]
fn a_missing_source_is_named() {
    let bench = Bench::new();
    let told = bench.told(&["compile", "-o", "prog", "no-such-file.upc"]);
    assert_ne!(told.status, Some(0));
    contains(&told.err, &["no-such-file.upc"]);
}

#[test]
fn impossible_numbers_of_threads() {
    let bench = Bench::with_program();
    for (number, answer) in [
        ("0", "at least 1"),
        ("-1", "at least 1"),
        ("1048577", "at most 1048576"),
        ("many", "whole number"),
    ] {
        contains(&bench.refused(&["run", "-n", number, "./prog"]), &[answer]);
        let option = format!("--threads={number}");
        contains(&bench.refused(&["compile", &option, "prog.upc"]), &[answer]);
    }
    // Possible, but not on one node.
    let err = bench.refused(&["run", "-n", "1025", "./prog"]);
    contains(
        &err,
        &["1025 threads are too many for one node: at most 1024"],
    );
    let told = bench.told(&["compile", "--threads=1025", "prog.upc"]);
    assert_ne!(told.status, Some(0));
    contains(&told.err, &["1025", "1 to 1024"]);
    contains(&bench.refused(&["run", "./prog"]), &["-n <N>"]);
    assert_eq!(bench.experiments(), [""; 0]);
}

#[test]
fn another_number_of_threads_than_compiled_for() {
    let bench = Bench::new();
    bench.compile(UNEVEN, &["--threads", "4"]);
    for options in [
        &["run", "-n", "2", "./prog"][..],
        &["run", "-n", "2", "--no-measure", "./prog"],
    ] {
        let err = bench.refused(options);
        contains(
            &err,
            &[
                "compiled for 4 threads, -n 2 given",
                "run with -n 4",
                "recompile with --threads 2",
            ],
        );
    }
    assert_eq!(bench.experiments(), [""; 0]);
    bench.ok(&["run", "-n", "4", "./prog"]);
}

#[test]
fn a_program_that_was_not_instrumented() {
    let bench = Bench::new();
    bench.compile(UNEVEN, &["--no-instrument"]);
    let err = bench.refused(&["run", "-n", "2", "./prog"]);
    contains(
        &err,
        &["./prog", "without instrumentation", "pgastool compile"],
    );
    let err = bench.refused(&["run", "-n", "2", "/bin/true"]);
    contains(&err, &["/bin/true", "not compiled by `pgastool compile`"]);
    assert_eq!(bench.experiments(), [""; 0]);
    assert_eq!(
        bench.ok(&["run", "-n", "2", "--no-measure", "./prog"]),
        "sum 10\n"
    );
}

#[test]
fn what_is_not_a_program() {
    let bench = Bench::new();
    contains(
        &bench.refused(&["run", "-n", "2", "./missing"]),
        &["there is no program `./missing`"],
    );
    bench.write("prog.upc", UNEVEN);
    contains(
        &bench.refused(&["run", "-n", "2", "./prog.upc"]),
        &["`./prog.upc` is source code", "pgastool compile -o ./prog"],
    );
    bench.write("script", "#!/bin/sh\nexit 0\n");
    fs::set_permissions(bench.path("script"), fs::Permissions::from_mode(0o755)).unwrap();
    contains(
        &bench.refused(&["run", "-n", "2", "./script"]),
        &["not a compiled program", "#!/bin/sh"],
    );
    contains(
        &bench.refused(&["run", "-n", "2", "./"]),
        &["is a directory, not a program"],
    );
}

#[test]
fn an_experiment_that_was_not_analysed() {
    let bench = Bench::with_program();
    let experiment = bench.measure("2");
    let name = experiment.file_name().unwrap().to_str().unwrap();
    for options in [
        &["report"][..],
        &["report", name],
        &["report", name, "--format", "json"],
        &["report", "--format", "cube"],
    ] {
        contains(
            &bench.refused(options),
            &["not analysed", &format!("pgastool analyze {name}")],
        );
    }
}

#[test]
fn no_experiment_at_all() {
    let bench = Bench::new();
    for command in ["analyze", "report"] {
        contains(
            &bench.refused(&[command]),
            &["no experiment", "pgastool run"],
        );
        contains(&bench.refused(&[command, "nowhere"]), &["nowhere"]);
        fs::create_dir_all(bench.path("other")).unwrap();
        contains(&bench.refused(&[command, "other"]), &["other"]);
    }
}

#[test]
fn an_unknown_compiler() {
    let bench = Bench::new();
    bench.write("prog.upc", UNEVEN);
    let err = bench.refused(&["compile", "--upcc", "no-such-upcc", "prog.upc"]);
    contains(&err, &["no-such-upcc", "--upcc embedded"]);
    let err = bench.refused(&["compile", "--upcc", "cc", "prog.upc"]);
    contains(
        &err,
        &["not a UPC compiler that pgastool knows", "--upcc embedded"],
    );
}

#[test]
fn wrong_usage_says_what_is_right() {
    let bench = Bench::new();
    contains(
        &bench.refused(&["compile"]),
        &["COMPILER ARGUMENTS", "Usage: pgastool compile"],
    );
    contains(&bench.refused(&["analyse"]), &["analyze"]);
    contains(
        &bench.refused(&["report", "--format", "xml"]),
        &["text, html, json, cube, cubex"],
    );
}
