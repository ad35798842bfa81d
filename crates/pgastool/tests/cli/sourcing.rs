//! The source text that is kept with a result: found where it may lie, said to be missing or
//! changed where it is, and never waited for.

use crate::bench::{Bench, Told, UNEVEN, contains};
use serde_json::Value;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

/// The kept file whose name ends so.
fn kept(bench: &Bench, experiment: &str, name: &str) -> Value {
    let text = fs::read_to_string(bench.path(experiment).join("analysis/sources.json")).unwrap();
    let sources: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(sources["schema"], 1);
    let files = sources["files"].as_array().unwrap();
    let found = files
        .iter()
        .find(|file| file["name"].as_str().unwrap().ends_with(name));
    found
        .unwrap_or_else(|| panic!("{name} in {files:?}"))
        .clone()
}

#[test]
fn a_report_shows_the_lines_of_its_findings() {
    let bench = Bench::with_program();
    bench.ok(&["run", "-n", "2", "-o", "exp", "./prog"]);
    let told = bench.told(&["analyze", "exp"]);
    assert!(!told.err.contains("source"), "{}", told.err);
    assert_eq!(kept(&bench, "exp", "prog.upc")["content"]["text"], UNEVEN);
    // The text is the experiment's own by now.
    fs::remove_file(bench.path("prog.upc")).unwrap();
    let report = bench.ok(&["report", "exp"]);
    contains(
        &report,
        &[
            "  16      work(round);\n",
            "> 17      upc_barrier;\n",
            "  18  }\n",
        ],
    );
    bench.ok(&["analyze", "exp"]);
    contains(&bench.ok(&["report", "exp"]), &["> 17      upc_barrier;\n"]);
}

#[test]
fn sources_that_were_moved_are_found_where_one_says() {
    let bench = Bench::new();
    fs::create_dir(bench.path("code")).unwrap();
    bench.write("code/deep.upc", UNEVEN);
    bench.ok(&["compile", "-o", "prog", "code/deep.upc"]);
    bench.ok(&["run", "-n", "2", "-o", "exp", "./prog"]);
    fs::create_dir(bench.path("archive")).unwrap();
    fs::rename(bench.path("code/deep.upc"), bench.path("archive/deep.upc")).unwrap();

    let told = bench.told(&["analyze", "exp"]);
    contains(&told.err, &["deep.upc was not found", "--source-dir"]);
    let why = kept(&bench, "exp", "deep.upc");
    let why = why["content"]["missing"].as_str().unwrap();
    contains(
        why,
        &[
            "not found as ",
            bench.path("code/deep.upc").to_str().unwrap(),
        ],
    );
    assert!(!bench.ok(&["report", "exp"]).contains("> 17"));

    let told = bench.told(&["analyze", "exp", "--source-dir", "archive"]);
    assert!(!told.err.contains("not found"), "{}", told.err);
    contains(&bench.ok(&["report", "exp"]), &["> 17      upc_barrier;\n"]);
}

#[test]
fn a_file_that_was_changed_since_the_run_is_said_to_be() {
    let bench = Bench::with_program();
    bench.ok(&["run", "-n", "2", "-o", "exp", "./prog"]);
    bench.write("prog.upc", format!("/* new */\n{UNEVEN}"));
    bench.ok(&["analyze", "exp"]);
    assert_eq!(kept(&bench, "exp", "prog.upc")["notes"][0], "changed");
    contains(&bench.ok(&["report", "exp"]), &["changed since the run"]);
}

#[test]
fn whatever_a_program_calls_its_sources_nothing_is_waited_for_or_obeyed() {
    let bench = Bench::new();
    let fifo = bench.path("fifo.h");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.unwrap().success());
    let odd = "we<b>i\u{1b}[31mrd.upc";
    bench.write(
        odd,
        UNEVEN
            .replace("upc_barrier;", "upc_barrier; /* \u{1b}[2J</script> */")
            .as_str(),
    );
    let call = "\nvoid elsewhere(void) {\n#line 1 \"/dev/zero\"\nupc_barrier;\n#line 1 \
                \"fifo.h\"\nupc_barrier;\n}\n";
    let program = UNEVEN.replace("\nint main", &format!("{call}\nint main"));
    let program = program.replace("work(round);", "work(round); elsewhere();");
    bench.write("prog.upc", program);
    for source in [odd, "prog.upc"] {
        bench.ok(&["compile", "-o", "prog", source]);
        let experiment = format!("{}-{}", "exp", source.len());
        bench.ok(&["run", "-n", "2", "-o", &experiment, "./prog"]);
        bench.ok(&["analyze", &experiment]);
        let report = bench.ok(&["report", &experiment]);
        assert!(!report.contains('\u{1b}'), "{report}");
    }
    let of_odd = format!("exp-{}", odd.len());
    contains(
        &bench.ok(&["report", &of_odd]),
        &["upc_barrier; /* ␛[2J</script> */"],
    );
    let of_other = format!("exp-{}", "prog.upc".len());
    for name in ["/dev/zero", "fifo.h"] {
        let file = kept(&bench, &of_other, name);
        contains(
            file["content"]["missing"].as_str().unwrap(),
            &["not a plain file"],
        );
    }
}

/// A program with a call in a file of that name.
fn with_line_of(name: &str) -> String {
    let call = format!("\nvoid elsewhere(void) {{\n#line 1 \"{name}\"\nupc_barrier;\n}}\n");
    let program = UNEVEN.replace("\nint main", &format!("{call}\nint main"));
    program.replace("work(round);", "work(round); elsewhere();")
}

#[test]
fn a_file_that_a_program_calls_its_source_is_not_copied() {
    let bench = Bench::new();
    let elsewhere = Bench::new();
    elsewhere.write("notes.txt", "my precious\n");
    let name = elsewhere.path("notes.txt");
    let name = name.to_str().unwrap();
    bench.compile(&with_line_of(name), &[]);
    bench.ok(&["run", "-n", "2", "-o", "exp", "./prog"]);
    let told = bench.told(&["analyze", "exp"]);
    assert_eq!(told.status, Some(0), "{}", told.err);
    contains(&told.err, &[name, "left out", "--source-dir"]);
    let why = kept(&bench, "exp", "notes.txt");
    contains(why["content"]["missing"].as_str().unwrap(), &["left out"]);
    for format in ["text", "html", "json"] {
        let report = bench.ok(&["report", "exp", "--format", format]);
        assert!(!report.contains("my precious"), "{format}");
        contains(&report, &["source text is left out", "notes.txt"]);
    }
    assert_eq!(
        kept(&bench, "exp", "prog.upc")["content"]["text"],
        with_line_of(name)
    );

    let place = elsewhere.path("");
    let place = place.to_str().unwrap();
    let told = bench.told(&["analyze", "exp", "--source-dir", place]);
    assert!(!told.err.contains("left out"), "{}", told.err);
    assert_eq!(
        kept(&bench, "exp", "notes.txt")["content"]["text"],
        "my precious\n"
    );
    // It was asked for once, and stays.
    bench.ok(&["analyze", "exp"]);
    assert_eq!(
        kept(&bench, "exp", "notes.txt")["content"]["text"],
        "my precious\n"
    );
}

#[test]
fn a_file_that_only_its_owner_can_read_is_left_out_unless_it_is_asked_for() {
    let bench = Bench::new();
    bench.write("secret.h", "my precious\n");
    let private = |name: &str| {
        fs::set_permissions(bench.path(name), Permissions::from_mode(0o600)).unwrap();
    };
    private("secret.h");
    bench.compile(&with_line_of("secret.h"), &[]);
    private("prog.upc");
    bench.ok(&["run", "-n", "2", "-o", "exp", "./prog"]);
    let told = bench.told(&["analyze", "exp"]);
    contains(
        &told.err,
        &["secret.h", "prog.upc", "readable only to its owner"],
    );
    let sources = fs::read_to_string(bench.path("exp/analysis/sources.json")).unwrap();
    assert!(!sources.contains("my precious") && !sources.contains("stdio.h"));
    bench.ok(&["analyze", "exp", "--source-dir", "."]);
    let sources = fs::read_to_string(bench.path("exp/analysis/sources.json")).unwrap();
    assert!(sources.contains("my precious") && sources.contains("stdio.h"));
}

/// The description of an experiment cannot make any file a source.
#[test]
fn a_directory_is_the_programs_only_if_the_program_is_there() {
    let bench = Bench::with_program();
    let elsewhere = Bench::new();
    elsewhere.write("notes.txt", "my precious\n");
    let name = elsewhere.path("notes.txt");
    bench.compile(&with_line_of(name.to_str().unwrap()), &[]);
    bench.ok(&["run", "-n", "2", "-o", "exp", "./prog"]);
    let description = fs::read_to_string(bench.path("exp/experiment.json")).unwrap();
    for program in ["notes.txt", "sh"] {
        fs::copy("/bin/sh", elsewhere.path("sh")).unwrap();
        let program = elsewhere.path(program);
        let other = description.replace("\"./prog\"", &format!("{program:?}"));
        assert_ne!(other, description);
        bench.write("exp/experiment.json", other);
        bench.ok(&["analyze", "exp"]);
        let sources = fs::read_to_string(bench.path("exp/analysis/sources.json")).unwrap();
        assert!(!sources.contains("my precious"), "{program:?}");
    }
}

/// Sources, headers beside them and generated files, wherever the program is built and run.
#[test]
fn sources_of_a_build_elsewhere_are_kept() {
    let bench = Bench::new();
    for directory in ["src", "include", "build"] {
        fs::create_dir(bench.path(directory)).unwrap();
    }
    bench.write(
        "include/step.h",
        "static void step(void) {\n    upc_barrier;\n}\n",
    );
    let program = UNEVEN.replace("\nint main", "\n#include \"../include/step.h\"\nint main");
    let program = program.replace("work(round);", "work(round); step(); made();");
    let program = program.replace("\nint main", "\n#include \"made.h\"\nint main");
    bench.write("src/prog.upc", &program);
    bench.write("build/made.y", "void made(void) { upc_barrier; }\n");
    bench.write(
        "build/made.h",
        "#line 1 \"made.y\"\nvoid made(void) { upc_barrier; }\n",
    );
    let mut compile = bench.command(&["compile", "-I.", "-o", "prog", "../src/prog.upc"]);
    let told = Told::of(compile.current_dir(bench.path("build")));
    assert_eq!(told.status, Some(0), "{}", told.err);
    let mut run = bench.command(&["run", "-n", "2", "-o", "exp", "./prog"]);
    let told = Told::of(run.current_dir(bench.path("build")));
    assert_eq!(told.status, Some(0), "{}", told.err);
    let told = bench.told(&["analyze", "build/exp"]);
    assert_eq!(told.status, Some(0), "{}", told.err);
    assert!(!told.err.contains("source text"), "{}", told.err);
    for name in ["prog.upc", "step.h", "made.y"] {
        let file = kept(&bench, "build/exp", name);
        assert!(file["content"]["text"].is_string(), "{file}");
    }
}

#[test]
fn a_damaged_file_of_sources_does_not_stop_a_report() {
    let bench = Bench::with_program();
    bench.ok(&["run", "-n", "2", "-o", "exp", "./prog"]);
    bench.ok(&["analyze", "exp"]);
    bench.write("exp/analysis/sources.json", "{\"schema\": 1, \"files\": 3}");
    let told = bench.told(&["report", "exp"]);
    assert_eq!(told.status, Some(0));
    contains(
        &told.err,
        &["sources.json:1 ", "run `pgastool analyze` again"],
    );
    contains(&told.out, &["upc_barrier"]);
}
