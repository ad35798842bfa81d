//! Compilers of sites, played by scripts around the embedded one: they answer, demand and refuse
//! what the real ones are documented to, and their programs go through the whole cycle.

use crate::bench::{Bench, Told, UNEVEN, cache, contains, last_line, tools};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

pub fn script(bench: &Bench, name: &str, text: &str) {
    bench.write(name, format!("#!/bin/sh\n{text}"));
    fs::set_permissions(bench.path(name), fs::Permissions::from_mode(0o755)).unwrap();
}

/// A stand-in for a compiler of a site that really builds, under this name in `site/`.
pub fn stand_in(bench: &Bench, which: &str, name: &str) {
    fs::create_dir_all(bench.path("site")).unwrap();
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    // Programs of the others have the embedded runtime's events.
    let include = match which {
        "gupc" => "instrument/support/gasp/gnu",
        _ => "upc-runtime/include",
    };
    script(
        bench,
        &format!("site/{name}"),
        &format!(
            "export STAND_IN_INCLUDE='{}' STAND_IN_UPCC='{}'\nexec '{}' \"$@\"\n",
            crates.join(include).display(),
            tools().join("pgas-upcc").display(),
            crates
                .join("instrument/tests/stand-ins")
                .join(which)
                .display()
        ),
    );
}

/// Berkeley's `upcc` and `upcrun`.
fn berkeley(bench: &Bench) {
    stand_in(bench, "upcc", "upcc");
    script(
        bench,
        "site/upcrun",
        "[ \"$1\" = -q ] && [ \"$2\" = -n ] || exit 9\nPGAS_THREADS=$3; export \
         PGAS_THREADS\nshift 3\necho started by upcrun\nexec \"$@\"\n",
    );
}

fn with_site(bench: &Bench, arguments: &[&str]) -> Told {
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", bench.path("site").display());
    Told::of(bench.command(arguments).env("PATH", path))
}

#[test]
fn the_sites_compiler_is_preferred_and_its_programs_are_measured() {
    let bench = Bench::new();
    berkeley(&bench);
    bench.write("prog.upc", UNEVEN);
    let compiled = with_site(
        &bench,
        &["compile", "--verbose", "-O2", "-o", "prog", "prog.upc"],
    );
    assert_eq!(compiled.status, Some(0), "{}", compiled.err);
    contains(
        &compiled.err,
        &[
            "site/upcc",
            "-inst -inst-toolname=pgastool -lines -inst-functions -O2 -o prog prog.upc",
            "pgas_upc_query.upc",
        ],
    );
    let run = with_site(&bench, &["run", "-n", "2", "./prog"]);
    assert_eq!(run.status, Some(0), "{}", run.err);
    contains(&run.out, &["started by upcrun", "sum 10"]);
    bench.ok(&["analyze", last_line(&run.out)]);
    let report = bench.json();
    assert_eq!(report["threads"], 2);
    assert!(
        report["metrics"]["wait_at_barrier"]["total"]
            .as_f64()
            .unwrap()
            > 0.005
    );

    let embedded = with_site(
        &bench,
        &["compile", "--upcc", "embedded", "--show", "-c", "prog.upc"],
    );
    contains(&embedded.out, &["pgas-upcc"]);
    let mut named = bench.command(&["compile", "--show", "-c", "prog.upc"]);
    let named = Told::of(named.env("PGAS_UPCC", bench.path("site/upcc")));
    contains(&named.out, &["site/upcc"]);
}

#[test]
fn what_a_compiler_cannot_do_is_said() {
    let bench = Bench::new();
    berkeley(&bench);
    bench.write("prog.upc", UNEVEN);
    bench.write(
        "f",
        "SCOREP_REGION_NAMES_BEGIN\nEXCLUDE work\nSCOREP_REGION_NAMES_END\n",
    );
    let told = with_site(
        &bench,
        &["compile", "--filter", "f", "--show", "-c", "prog.upc"],
    );
    contains(
        &told.err,
        &["warning: ", "Berkeley UPC", "`pgastool run --filter`"],
    );

    // A program of Cray's compiler is made as if the tool were not there.
    stand_in(&bench, "cray-cc", "cray");
    let cray = [
        "compile",
        "--upcc",
        "site/cray",
        "-h",
        "upc",
        "-o",
        "prog",
        "prog.upc",
    ];
    let told = bench.told(&cray);
    assert_eq!(told.status, Some(0), "{}", told.err);
    contains(
        &told.err,
        &["Cray", "cannot be measured", "--upcc embedded"],
    );
    contains(
        &bench.refused(&["run", "-n", "2", "./prog"]),
        &["pgastool compile"],
    );
    let mut quiet = vec!["compile", "--no-instrument"];
    quiet.extend(&cray[1..]);
    assert_eq!(bench.told(&quiet).err, "");
}

/// Programs that take their number of threads themselves, with what their compilers report.
#[test]
fn programs_of_gnu_and_clang_upc_are_measured() {
    for (which, functions) in [("gupc", true), ("clang-upc", false)] {
        let bench = Bench::new();
        stand_in(&bench, which, "compiler");
        bench.write("prog.upc", UNEVEN);
        bench.ok(&["compile", "--upcc", "site/compiler", "-c", "prog.upc"]);
        bench.ok(&["compile", "--upcc", "site/compiler", "-o", "prog", "prog.o"]);
        let run = bench.ok(&["run", "-n", "3", "./prog", "0", "x"]);
        contains(&run, &["[0][x]sum 10"]);
        bench.ok(&["analyze"]);
        let report = bench.json();
        assert_eq!(report["threads"], 3);
        let paths = report["call_paths"].as_array().unwrap();
        let has = |name: &str| paths.iter().any(|path| path["region"] == name);
        assert!(has("upc_barrier") && has("work") == functions, "{which}");
    }
}

/// Each spelling is one that the compiler takes; a user's own is left as it is.
#[test]
fn a_fixed_number_of_threads_reaches_every_compiler() {
    for (which, built, own) in [
        ("clang-upc", "", "-fupc-threads-2"),
        ("gupc", "", "-fupc-threads=2"),
        ("gupc", "old", "-fupc-threads-2"),
    ] {
        let bench = Bench::new();
        stand_in(&bench, which, "compiler");
        bench.write("prog.upc", UNEVEN);
        for option in [&["--threads", "2"][..], &[own]] {
            let mut arguments = vec!["compile", "--upcc", "site/compiler"];
            arguments.extend(option);
            arguments.extend(["-o", "prog", "prog.upc"]);
            let told = Told::of(bench.command(&arguments).env("STAND_IN_BUILT", built));
            assert_eq!(told.status, Some(0), "{which} {option:?}: {}", told.err);
            let message = bench.refused(&["run", "-n", "3", "./prog"]);
            contains(&message, &["compiled for 2 threads"]);
        }
    }
}

/// Clang UPC installs no `pupc.h`, and its numbers of events are those of its family.
#[test]
fn a_program_of_clang_upc_marks_regions_of_its_own() {
    let bench = Bench::new();
    stand_in(&bench, "clang-upc", "compiler");
    let marked = "#include <stdio.h>\n#include <pupc.h>\n#include <upc.h>\nint main(void) {\n  \
                  unsigned phase = pupc_create_event(\"a phase\", \"\");\n  \
                  pupc_event_start(phase);\n  upc_barrier;\n  pupc_event_end(phase);\n  \
                  printf(\"%d\\n\", pupc_control(1));\n  return 0;\n}\n";
    bench.write("prog.upc", marked);
    bench.ok(&[
        "compile",
        "--upcc",
        "site/compiler",
        "-o",
        "prog",
        "prog.upc",
    ]);
    contains(&bench.ok(&["run", "-n", "2", "./prog"]), &["1\n"]);
    bench.ok(&["analyze"]);
    let report = bench.json();
    let paths = report["call_paths"].as_array().unwrap();
    let of = |name: &str| paths.iter().position(|path| path["region"] == name);
    let phase = of("a phase").unwrap_or_else(|| panic!("{paths:?}"));
    assert_eq!(paths[phase]["line"], 6, "{paths:?}");
    let barrier = &paths[of("upc_barrier").unwrap()];
    assert_eq!(barrier["parent"], phase, "{paths:?}");
}

/// As `make -j` on several nodes with one home directory does.
#[test]
fn many_commands_at_once_make_what_they_need_once() {
    let bench = Bench::new();
    stand_in(&bench, "gupc", "gupc");
    bench.write("prog.upc", UNEVEN);
    let cache = bench.path("cache");
    let told: Vec<Told> = std::thread::scope(|scope| {
        let compile = || {
            let mut command =
                bench.command(&["compile", "--upcc", "site/gupc", "--show", "prog.upc"]);
            Told::of(command.env("PGAS_CACHE_DIR", &cache))
        };
        let running: Vec<_> = (0..6).map(|_| scope.spawn(compile)).collect();
        running.into_iter().map(|r| r.join().unwrap()).collect()
    });
    for one in &told {
        assert_eq!(one.status, Some(0), "{}", one.err);
        assert_eq!(one.out, told[0].out);
    }
    let names = fs::read_dir(&cache).unwrap();
    let mut names: Vec<String> = names
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.starts_with("upc-runtime-"))
        .collect();
    names.sort();
    let kinds: Vec<_> = names.iter().map(|name| name.split('-').next()).collect();
    assert_eq!(kinds, [Some("decoder"), Some("recorder")], "{names:?}");
}

#[test]
fn static_threads_of_the_compilers_own_option_are_known() {
    let bench = Bench::new();
    berkeley(&bench);
    bench.write("prog.upc", UNEVEN);
    let told = with_site(&bench, &["compile", "-T=2", "-o", "prog", "prog.upc"]);
    assert_eq!(told.status, Some(0), "{}", told.err);
    let told = with_site(&bench, &["run", "-n", "3", "./prog"]);
    assert_eq!(told.status, Some(2), "{}", told.err);
    contains(&told.err, &["compiled for 2 threads"]);
}

#[test]
fn a_berkeley_upc_without_instrumentation_is_told_at_the_first_file() {
    let bench = Bench::new();
    berkeley(&bench);
    bench.write("prog.upc", UNEVEN);
    let mut compile = bench.command(&["compile", "--upcc", "site/upcc", "-c", "prog.upc"]);
    let cache = bench.path("cache");
    compile
        .env("STAND_IN_BUILT", "no-inst")
        .env("PGAS_CACHE_DIR", cache);
    let told = Told::of(&mut compile);
    assert_eq!(told.status, Some(2), "{told:?}");
    contains(&told.err, &["does not instrument", "--enable-inst"]);
    assert!(!bench.path("prog.o").exists());
}

#[test]
fn what_is_generated_can_be_kept() {
    let bench = Bench::new();
    bench.write("prog.upc", UNEVEN);
    let told = bench.told(&[
        "compile", "--upcc", "embedded", "--keep", "kept", "-o", "prog", "prog.upc",
    ]);
    assert_eq!(told.status, Some(0), "{}", told.err);
    contains(
        &told.err,
        &["kept in kept: commands.sh, added/, prog.trans.c"],
    );
    let read = |name: &str| fs::read_to_string(bench.path("kept").join(name)).unwrap();
    contains(&read("prog.trans.c"), &["upc", "work"]);
    contains(&read("added/gasp_decoder.c"), &["gasp_event_notify"]);
    contains(
        &read("added/commands.sh"),
        &["-o gasp_decoder.o gasp_decoder.c"],
    );

    // The commands make the program again.
    let before = fs::read(bench.path("prog")).unwrap();
    fs::remove_file(bench.path("prog")).unwrap();
    let status = std::process::Command::new("sh")
        .arg(bench.path("kept/commands.sh"))
        // The line tables have the path of the runtime's headers.
        .env("PGAS_CACHE_DIR", cache())
        .status()
        .unwrap();
    assert!(status.success());
    assert_eq!(fs::read(bench.path("prog")).unwrap().len(), before.len());

    berkeley(&bench);
    let told = with_site(
        &bench,
        &[
            "compile", "--keep", "berkeley", "--show", "-o", "x", "prog.upc",
        ],
    );
    assert_eq!(told.status, Some(0), "{}", told.err);
    assert!(bench.path("berkeley/added/pgas_upc_query.upc").is_file());
    assert!(!bench.path("x").exists());
}

#[test]
fn the_doctor_tries_a_sites_compiler_and_makes_what_programs_need() {
    let bench = Bench::new();
    stand_in(&bench, "gupc", "gupc");
    let cache = bench.path("cache");
    let ask = |arguments: &[&str], built: &str| {
        let mut doctor = bench.command(arguments);
        doctor
            .env("PGAS_CACHE_DIR", &cache)
            .env("STAND_IN_BUILT", built);
        Told::of(&mut doctor)
    };
    let told = ask(&["doctor", "--upcc", "site/gupc"], "broken");
    assert_eq!(told.status, Some(1), "{told:?}");
    contains(&told.out, &["missing  instrumentation", "cc1upc"]);
    let told = ask(&["doctor", "--upcc", "site/gupc"], "");
    assert_eq!(told.status, Some(0), "{told:?}");
    contains(
        &told.out,
        &["GNU UPC at ", "compiles and links with the recorder"],
    );
    // It is no installation.
    let told = ask(&["doctor", "--upcc", "site/gupc", "--for-all"], "");
    assert_eq!(told.status, Some(2), "{told:?}");
    contains(&told.err, &["scripts/install"]);

    // An installation keeps it for everybody, also where it cannot be written to any more.
    for (directory, files) in [
        ("opt/bin", ["pgastool", "pgas-upcc"].as_slice()),
        ("opt/lib/pgastool", ["libpgas_measure.a"].as_slice()),
    ] {
        fs::create_dir_all(bench.path(directory)).unwrap();
        for file in files {
            fs::hard_link(tools().join(file), bench.path(directory).join(file))
                .or_else(|_| {
                    fs::copy(tools().join(file), bench.path(directory).join(file)).map(|_| ())
                })
                .unwrap();
        }
    }
    let installed = |arguments: &[&str]| {
        let mut command = std::process::Command::new(bench.path("opt/bin/pgastool"));
        let output = command
            .args(arguments)
            .current_dir(bench.path(""))
            .env("PGAS_CACHE_DIR", &cache)
            .output()
            .unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let doctor = installed(&["doctor", "--upcc", "site/gupc", "--for-all"]);
    contains(&doctor, &["opt/lib/pgastool/made/decoder-"]);
    bench.write("prog.upc", UNEVEN);
    fs::remove_dir_all(&cache).unwrap();
    let shown = installed(&["compile", "--upcc", "site/gupc", "--show", "prog.upc"]);
    contains(&shown, &["opt/lib/pgastool/made/decoder-"]);
}
