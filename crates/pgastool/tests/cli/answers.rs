//! Answers to wrong command lines: they have the user's own words and files, and the probable
//! intention.

use crate::bench::{Bench, Told, UNEVEN, contains, tools};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

#[test]
fn options_and_commands_of_other_tools() {
    let bench = Bench::new();
    for (arguments, answer) in [
        (&["run", "-np", "2", "./prog"][..], "did you mean `-n 2`?"),
        (&["run", "-np2", "./prog"], "did you mean `-n 2`?"),
        (&["run", "--np", "2", "./prog"], "did you mean `-n 2`?"),
        (
            &["run", "-nodes", "2", "./prog"],
            "did you mean `--nodes 2`?",
        ),
        (
            &["rnu", "-n", "2", "./prog"],
            "did you mean `pgastool run`?",
        ),
        (&["report", "--html"], "did you mean `--format html`?"),
        (
            &["convert", "--to", "perfetto", "--from", "2ms"],
            "did you mean `--since 2ms`?",
        ),
        (
            &["explain", "barrier_wait"],
            "did you mean wait_at_barrier?",
        ),
    ] {
        let told = bench.refused(arguments);
        contains(&told, &[answer]);
        assert!(!told.contains("as a value"), "{told}");
    }
}

#[test]
fn names_of_metrics_as_reports_show_them() {
    let bench = Bench::new();
    contains(
        &bench.ok(&["explain", "Bytes got, local"]),
        &["bytes_get_local"],
    );
    contains(
        &bench.ok(&["explain", "collective", "sync", "in"]),
        &["Collective sync in"],
    );
}

#[test]
fn something_else_in_the_place_of_a_program() {
    let bench = Bench::new();
    bench.write("prog.upc", UNEVEN);
    fs::create_dir(bench.path("prog.d")).unwrap();
    for (arguments, answers) in [
        (
            &["run", "-n", "2", "."][..],
            &["`.` is a directory, not a program"][..],
        ),
        (&["run", "-n", "2", "prog.d"], &["`prog.d` is a directory"]),
        (
            &["run", "-n", "2", "prog.upc"],
            &[
                "`prog.upc` is source code",
                "pgastool compile -o prog prog.upc",
            ],
        ),
        (
            &["run", "-n", "2", "./prog"],
            &[
                "there is no program `./prog`",
                "pgastool compile -o ./prog ./prog.upc",
            ],
        ),
    ] {
        contains(&bench.refused(arguments), answers);
    }
    bench.compile(UNEVEN, &[]);
    contains(
        &bench.refused(&["run", "./prog", "-n", "2"]),
        &["before the program", "pgastool run -n 4 ./prog"],
    );
}

#[test]
fn something_else_in_the_place_of_an_experiment() {
    let bench = Bench::with_program();
    contains(
        &bench.refused(&["analyze", "nothing"]),
        &["there is no experiment nothing"],
    );
    let experiment = bench.measure("2");
    let name = experiment.file_name().unwrap().to_str().unwrap();
    bench.write("profile.cube", "<cube/>");
    fs::create_dir(bench.path("around")).unwrap();
    let within = format!("around/{name}");
    fs::rename(&experiment, bench.path(&within)).unwrap();
    let described = format!("{within}/experiment.json");
    for command in ["analyze", "report", "events", "score", "view"] {
        for (path, answers) in [
            ("nothing", &["there is no experiment nothing"][..]),
            ("prog", &["prog is not the directory of an experiment"]),
            ("profile.cube", &["pgastool cube info profile.cube"]),
            (
                described.as_str(),
                &["it is a file of the experiment", within.as_str()],
            ),
            (
                "around",
                &["the newest experiment in it is", within.as_str()],
            ),
        ] {
            contains(&bench.refused(&[command, path]), answers);
        }
    }
}

#[test]
fn messages_name_the_file_that_the_user_gave() {
    let bench = Bench::with_program();
    let experiment = bench.measure("2");
    let name = experiment.file_name().unwrap().to_str().unwrap();
    bench.ok(&["analyze"]);
    for arguments in [
        &["report", "-o", "no/page"][..],
        &["report", "--format", "cubex", "-o", "no/page"],
        &["score", "-o", "no/page"],
        &["diff", name, name, "-o", "no/page"],
        &["explain", "time", "-o", "no/page"],
        &["convert", "--to", "epilog", "-o", "no/page"],
        &["convert", "--to", "perfetto", "-o", "no/page"],
        &["convert", "--to", "folded", "-o", "no/page"],
        &["convert", "--to", "jsonl", "-o", "no/page"],
        &["cube", "mean", name, "-o", "no/page.cubex"],
        &["cube", "mean", name, "-o", "no/page.cube"],
    ] {
        let told = bench.told(arguments);
        assert_eq!(told.status, Some(2), "{arguments:?}: {told:?}");
        contains(&told.err, &["no/page", "No such file or directory"]);
        for hidden in ["tmp\"", "at path", ".pgastool"] {
            assert!(!told.err.contains(hidden), "{arguments:?}: {}", told.err);
        }
    }
}

#[test]
fn the_linker_names_sources() {
    let bench = Bench::new();
    bench.write(
        "part.upc",
        "#include <upc.h>\nvoid other(void);\nvoid part(void) { other(); }\n",
    );
    bench.write(
        "main.upc",
        "#include <upc.h>\nvoid part(void);\nint main(void) { part(); missing_here(); return 0; \
         }\n",
    );
    let told = bench.told(&["compile", "-o", "prog", "main.upc", "part.upc"]);
    assert_eq!(told.status, Some(1), "{told:?}");
    contains(
        &told.err,
        &[
            "part.upc: in function `part'",
            "undefined reference to `other'",
            "main.upc: in function `main'",
        ],
    );
    for wrong in ["pgas-upcc-", "0-main", "defines `main`"] {
        assert!(!told.err.contains(wrong), "{wrong}: {}", told.err);
    }
    // From standard input.
    let output = Command::new(tools().join("pgas-upcc"))
        .args(["-x", "upc", "-", "-o", "prog"])
        .current_dir(bench.path(""))
        .stdin(fs::File::open(bench.path("part.upc")).unwrap())
        .output()
        .unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    contains(
        &err,
        &[
            "<stdin>: in function `part'",
            "no source or object that is linked defines `main`",
        ],
    );
}

/// The end of output is no crash: nobody reads it, or its disk is full.
#[test]
fn full_and_closed_outputs() {
    let bench = Bench::with_program();
    bench.measure("2");
    bench.ok(&["analyze"]);
    for line in [
        "demo --list",
        "compile --show prog.upc",
        "run --show -n 2 ./prog",
        "explain",
        "report",
        "events",
        "events --state",
        "score",
        "completions bash",
    ] {
        let script = format!("\"$0\" {line} >/dev/full");
        let told = shell(&bench, &script);
        assert_eq!(told.status, Some(2), "{line}: {told:?}");
        contains(&told.err, &["cannot write", "No space left on device"]);
        assert!(!told.err.contains("panicked"), "{line}: {told:?}");
    }
    for (line, status) in [
        ("analyze nothing 2>/dev/full", 2),
        ("analyze 2>/dev/full", 0),
        ("analyze 2>&-", 0),
        ("--verbose run -n 2 ./prog 2>/dev/full", 0),
        ("run -np 2 ./prog 2>/dev/full", 2),
    ] {
        let told = shell(&bench, &format!("\"$0\" {line}"));
        assert_eq!(told.status, Some(status), "{line}: {told:?}");
    }
}

fn shell(bench: &Bench, script: &str) -> Told {
    let mut command = assert_cmd::Command::new("bash");
    command
        .args(["-c", script, env!("CARGO_BIN_EXE_pgastool")])
        .current_dir(bench.path(""))
        .env("PGAS_CACHE_DIR", crate::bench::cache());
    Told::of(&mut command)
}

#[test]
fn short_options_of_all_commands() {
    let bench = Bench::with_program();
    let experiment = bench.measure("2");
    let name = experiment.file_name().unwrap().to_str().unwrap();
    bench.ok(&["analyze"]);
    for arguments in [
        &["analyze"][..],
        &["report"],
        &["events", "--limit", "3"],
        &["events", "--state"],
        &["score"],
        &["score", "-o", "filter"],
        &["convert", "--to", "perfetto"],
        &["convert", "--to", "epilog"],
        &["cube", "info", name],
        &["diff", name, name],
        &["explain"],
        &["script", "slurm", "-n", "2", "-o", "job", "--", "./prog"],
        &["doctor"],
        &["compile", "-o", "prog", "prog.upc"],
        &["run", "-n", "2", "-o", "again", "./prog"],
    ] {
        // Before the command, as the compiler and the program have a -q of their own.
        let quiet: Vec<&str> = ["-q"].iter().chain(arguments).copied().collect();
        let told = bench.told(&quiet);
        assert_eq!(told.err, "", "{quiet:?}");
        // A run as short as this one may have no filter that is good enough, which is an answer.
        let is_answer =
            told.status == Some(0) || (arguments[0] == "score" && told.status == Some(1));
        assert!(is_answer, "{quiet:?}: {:?}", told.status);
    }
    contains(
        &bench.told(&["-v", "compile", "-o", "prog", "prog.upc"]).err,
        &["+ "],
    );
    contains(
        &bench.told(&["run", "-v", "-n", "2", "./prog"]).err,
        &["+ "],
    );
    contains(
        &bench.refused(&["-q", "-v", "report"]),
        &["cannot be used with"],
    );
}

#[test]
fn a_stretch_of_time_is_given_in_the_same_way_everywhere() {
    let bench = Bench::with_program();
    bench.measure("2");
    let stretch = |names: [&str; 2], times: [&str; 2]| {
        bench.ok(&[
            "events", names[0], times[0], names[1], times[1], "--format", "jsonl",
        ])
    };
    let found = stretch(["--since", "--until"], ["0ms", "20s"]);
    assert!(!found.is_empty());
    for times in [["0us", "20000000us"], ["0µs", "20000000μs"], ["0.0", "20s"]] {
        assert_eq!(stretch(["--since", "--until"], times), found);
        assert_eq!(stretch(["--from", "--to"], times), found);
        let arguments = [
            "convert", "--to", "perfetto", "--since", times[0], "--until", times[1],
        ];
        bench.ok(&arguments);
    }
    for command in ["events", "convert"] {
        let help = bench.ok(&[command, "--help"]);
        contains(&help, &["--since <TIME>", "--until <TIME>"]);
        assert!(!help.contains("--to <TIME>"), "{help}");
    }
    // In the report as in the events.
    let text = bench.ok(&["events"]);
    assert!(text.contains(" µs") && !text.contains(" us"), "{text}");
    let mut ascii = bench.command(&["events"]);
    let text = Told::of(ascii.env("LC_ALL", "C")).out;
    assert!(text.contains(" us") && text.is_ascii(), "{text}");
}

#[test]
fn without_permission() {
    let bench = Bench::with_program();
    let experiment = bench.measure("2");
    let name = experiment.file_name().unwrap().to_str().unwrap();
    fs::set_permissions(&experiment, fs::Permissions::from_mode(0o000)).unwrap();
    let told = bench.told(&["analyze", name]);
    fs::set_permissions(&experiment, fs::Permissions::from_mode(0o755)).unwrap();
    // Root may read everything.
    if told.status != Some(0) {
        assert_eq!(told.status, Some(2), "{told:?}");
        contains(&told.err, &[name, "Permission denied"]);
    }
}

/// Names of a measured program that would act on a terminal.
#[test]
fn control_characters_of_names_are_shown() {
    let bench = Bench::new();
    let program = UNEVEN.replace(
        "void work(int round) {",
        "#line 8 \"evil\\033[2J\\033[31m.upc\"\nvoid work(int round) {",
    );
    bench.compile(&program, &["-O1"]);
    bench.measure("2");
    bench.ok(&["analyze"]);
    for arguments in [
        &["score"][..],
        &["report"],
        &["events"],
        &["events", "--state"],
        &[
            "run",
            "--show",
            "-n",
            "2",
            "./prog",
            "\u{1b}[31m",
            "\u{202e}",
        ],
        &["compile", "--show", "-D\u{1b}[31m", "prog.upc"],
        &["explain", "\u{1b}[31m"],
        &["run", "-n", "2", "./\u{1b}[31m"],
        &["analyze", "\u{1b}[31m"],
        &["\u{1b}[31m"],
        &["run", "-n", "\u{1b}[31m"],
        &["run", "--\u{1b}[31m"],
        &["report", "--format", "\u{1b}[31m"],
    ] {
        let told = bench.told(arguments);
        let (out, err) = (&told.out, &told.err);
        let bad = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(
            !out.contains(bad) && !err.contains(bad),
            "{arguments:?}: {told:?}"
        );
        assert!(!out.is_empty() || !err.is_empty(), "{arguments:?}");
    }
    contains(&bench.told(&["score"]).out, &["evil␛[2J␛[31m.upc"]);
    // The printed command is still the command.
    let shown = bench.ok(&["run", "--show", "-n", "2", "./prog", "\u{1b}[31m"]);
    contains(&shown, &["$'\\033[31m'"]);
}
