//! The random programs of `crates/analyze/tests/analysis/needed` as UPC programs that are compiled,
//! run and analysed: under filters, throttling, limits and pauses, with casts and objects without
//! instrumentation, no advice takes synchronisation that they need.

mod measured;
#[path = "../../trace/tests/support/numbers.rs"]
pub mod numbers;
#[path = "../../analyze/tests/analysis/needed/oracle.rs"]
mod oracle;
#[allow(dead_code)] // what only synthetic recordings need
#[path = "../../analyze/tests/analysis/needed/program.rs"]
mod program;
mod common {
    pub use crate::numbers;
}

use std::fmt::Write;
use std::path::Path;

use common::numbers::Numbers;
use measured::{pgastool, succeed};
use oracle::{Change, breaks};
use pgas_trace::model::SyncMode;
use program::{Access, DESTINATION, How, Item, Program, SOURCE};
use serde_json::Value;

const PROGRAMS: u64 = 8;

/// The program as UPC; the second file is compiled without instrumentation. `pause`: a thread, and
/// the items between which it does not record.
fn source(program: &Program, pause: Option<(u32, usize, usize)>) -> (String, String) {
    let threads = program.threads;
    let mut text = String::from(
        "#include <upc.h>\n#include <upc_collective.h>\n#include <upc_castable.h>\n#include \
         <pupc.h>\n#define PLACE(place, owner) d[(place) * THREADS + (owner)]\nshared long d[16 * \
         THREADS];\nstatic volatile long sink;\nvoid hidden_put(int place, int owner);\nlong \
         hidden_get(int place, int owner);\n#line 60 \"a.upc\"\nstatic void f(void) {\n#line 70 \
         \"a.upc\"\n upc_barrier;\n}\n#line 61 \"a.upc\"\nstatic void g(void) {\n#line 70 \
         \"a.upc\"\n upc_barrier;\n}\n#line 1 \"a.upc\"\nint main(void) {\n long l = 1;\n",
    );
    for (number, gap) in program.gaps.iter().enumerate() {
        if let Some((thread, begin, end)) = pause {
            if number == begin {
                let _ = writeln!(text, " if (MYTHREAD == {thread}) pupc_control(0);");
            }
            if number == end {
                let _ = writeln!(text, " if (MYTHREAD == {thread}) pupc_control(1);");
            }
        }
        for (thread, accesses) in gap.iter().enumerate() {
            if !accesses.is_empty() {
                let all: Vec<String> = accesses.iter().map(statement).collect();
                let _ = writeln!(
                    text,
                    "#line 90 \"a.upc\"\n if (MYTHREAD == {thread}) {{ {} }}",
                    all.join(" ")
                );
            }
        }
        match program.items.get(number) {
            Some(&Item::Barrier { line, function }) => {
                let call = match function {
                    None => "upc_barrier;",
                    Some(0) => "f();",
                    Some(_) => "g();",
                };
                let _ = writeln!(text, "#line {line} \"a.upc\"\n {call}");
            }
            Some(&Item::Collective { line, entry, exit }) => {
                let flag = |side: &str, mode: SyncMode| format!("UPC_{side}_{}", mode.name());
                let _ = writeln!(
                    text,
                    "#line {line} \"a.upc\"\n upc_all_reduceL(&PLACE({DESTINATION}, 0), \
                     &PLACE({SOURCE}, 0), UPC_ADD, {threads}, 1, NULL, {} | {});",
                    flag("IN", entry),
                    flag("OUT", exit)
                );
            }
            None => {}
        }
    }
    text += " sink = l;\n return 0;\n}\n";
    let hidden = "#include <upc.h>\nextern shared long d[16 * THREADS];\nvoid hidden_put(int \
                  place, int owner) { d[place * THREADS + owner] = 2; }\nlong hidden_get(int \
                  place, int owner) { return d[place * THREADS + owner]; }\n";
    (text, hidden.to_owned())
}

fn statement(access: &Access) -> String {
    let (place, owner) = (access.place, access.owner);
    let data = format!("PLACE({place}, {owner})");
    match (access.how, access.is_write) {
        (How::Shared, true) => format!("{data} = l;"),
        (How::Shared, false) => format!("sink += {data};"),
        (How::Block, true) => format!("upc_memput(&{data}, &l, sizeof l);"),
        (How::Block, false) => format!("upc_memget(&l, &{data}, sizeof l);"),
        (How::Cast, true) => format!("*(long *)upc_cast(&{data}) = l;"),
        (How::Cast, false) => format!("sink += *(long *)upc_cast(&{data});"),
        (How::Uninstrumented, true) => format!("hidden_put({place}, {owner});"),
        (How::Uninstrumented, false) => format!("sink += hidden_get({place}, {owner});"),
    }
}

/// The changes that a report asks for: those that can all be made at once, and those that can be
/// made alone.
fn changes(report: &Value) -> (Vec<Change>, Vec<Change>) {
    let (mut together, mut alone) = (Vec::new(), Vec::new());
    let all = report["synchronization"]["advice"].as_array();
    for advice in all.into_iter().flatten() {
        let path = advice["call_path"].as_u64().expect("a call path") as usize;
        let line = report["call_paths"][path]["line"].as_u64().expect("a line") as u32;
        let mode = match advice["enough"].as_str() {
            Some(flag) if flag.ends_with("MYSYNC") => SyncMode::Mine,
            _ => SyncMode::None,
        };
        match advice["kind"].as_str().expect("a kind") {
            "weaker_entry" => together.push(Change::Entry(line, mode)),
            "weaker_exit" => together.push(Change::Exit(line, mode)),
            "unrelated_barrier" => alone.push(Change::Remove(line)),
            _ => together.push(Change::Remove(line)),
        }
    }
    (together, alone)
}

/// How a run is recorded.
struct Recording {
    name: &'static str,
    compile: &'static [&'static str],
    run: &'static [&'static str],
    /// Bytes that are cut off the end of each stream.
    cut: u64,
}

const RECORDINGS: [Recording; 7] = [
    Recording {
        name: "counted",
        compile: &[],
        run: &[],
        cut: 0,
    },
    Recording {
        name: "everything",
        compile: &["--inst-local"],
        run: &["--addresses"],
        cut: 0,
    },
    Recording {
        name: "filtered when compiling",
        compile: &["--accesses", "all", "--filter", "x.filter"],
        run: &[],
        cut: 0,
    },
    Recording {
        name: "filtered when running",
        compile: &["--inst-local"],
        run: &["--addresses", "--filter", "x.filter"],
        cut: 0,
    },
    Recording {
        name: "throttled",
        compile: &["--inst-local"],
        run: &["--throttle", "1,1000000"],
        cut: 0,
    },
    Recording {
        name: "limited",
        compile: &["--inst-local"],
        run: &["--addresses", "--trace-limit", "1"],
        cut: 0,
    },
    Recording {
        name: "cut",
        compile: &["--inst-local"],
        run: &["--addresses", "--files", "thread"],
        cut: 90,
    },
];

/// Compiles, runs and analyses; `None` if nothing is left to analyse.
fn report(
    dir: &Path,
    program: &Program,
    recording: &Recording,
    pause: Option<(u32, usize, usize)>,
) -> Option<Value> {
    let (main, hidden) = source(program, pause);
    std::fs::write(dir.join("a.upc"), main).expect("a file");
    std::fs::write(dir.join("b.upc"), hidden).expect("a file");
    let rules = "SCOREP_REGION_NAMES_BEGIN EXCLUDE upc_get upc_put SCOREP_REGION_NAMES_END";
    std::fs::write(dir.join("x.filter"), rules).expect("a file");
    let has_hidden = program
        .accesses()
        .any(|access| access.how == How::Uninstrumented);
    let mut compile = pgastool(dir);
    compile
        .arg("compile")
        .args(recording.compile)
        .args(["-o", "a", "a.upc"]);
    if has_hidden {
        succeed(pgastool(dir).args(["compile", "--no-instrument", "-c", "-o", "b.o", "b.upc"]));
        compile.arg("b.o");
    } else {
        succeed(pgastool(dir).args(["compile", "--inst-local", "-c", "-o", "b.o", "b.upc"]));
        compile.arg("b.o");
    }
    succeed(&mut compile);
    let _ = std::fs::remove_dir_all(dir.join("e"));
    let threads = program.threads.to_string();
    let mut run = pgastool(dir);
    run.args(["run", "-n", &threads, "-o", "e"])
        .args(recording.run)
        .arg("./a");
    succeed(&mut run);
    if recording.cut > 0 {
        for file in std::fs::read_dir(dir.join("e/streams")).expect("streams") {
            let file = std::fs::OpenOptions::new()
                .write(true)
                .open(file.expect("a stream").path());
            let file = file.expect("a stream");
            let length = file.metadata().expect("its length").len();
            file.set_len(length.saturating_sub(recording.cut))
                .expect("room");
        }
    }
    if !pgastool(dir)
        .args(["analyze", "e"])
        .output()
        .expect("an analysis")
        .status
        .success()
    {
        return None;
    }
    let printed = succeed(pgastool(dir).args(["report", "--format", "json", "e"]));
    Some(serde_json::from_slice(&printed.stdout).expect("a report"))
}

#[test]
fn advice_on_compiled_programs_never_takes_synchronisation_that_is_needed() {
    let (mut advised, mut withheld, mut runs) = (0, 0, 0);
    for seed in 0..PROGRAMS {
        let mut numbers = Numbers(1000 + seed);
        let program = Program::random(&mut numbers);
        let other = 1 + numbers.index(RECORDINGS.len() - 1);
        let items = program.items.len();
        let pauses = [None, Some((0, numbers.index(items), items))];
        for (recording, pause) in [(0, pauses[0]), (0, pauses[1]), (other, pauses[0])] {
            let recording = &RECORDINGS[recording];
            let dir = tempfile::tempdir().expect("a directory");
            let Some(report) = report(dir.path(), &program, recording, pause) else {
                continue;
            };
            runs += 1;
            let (together, alone) = changes(&report);
            advised += u32::from(!together.is_empty() || !alone.is_empty());
            withheld += u32::from(
                report["withheld"]
                    .as_array()
                    .is_some_and(|all| !all.is_empty()),
            );
            let mut followed: Vec<Vec<Change>> =
                alone.into_iter().map(|change| vec![change]).collect();
            followed.push(together);
            for changes in followed {
                assert!(
                    !breaks(&program, &changes),
                    "{}, {pause:?}: {changes:?} in {program:#?}\n{}",
                    recording.name,
                    report["withheld"]
                );
            }
        }
    }
    println!(
        "{runs} runs of {PROGRAMS} programs: advice in {advised}, withheld in {withheld}, none \
         wrong"
    );
    assert!(advised > 0 && withheld > 0, "{advised} {withheld}");
}
