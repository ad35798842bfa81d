//! Calls of MPI, in programs of MPI and in those of other models: partners, bytes and groups of
//! each, and nothing of the libraries' own calls.

use crate::bench::{Bench, Told, contains};
use crate::models::{calls, measured, runs};
use crate::mpi::CONTAINER;
use crate::not_tested::not_tested;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A source file of the tests.
fn program(name: &str) -> String {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/mpi");
    fs::read_to_string(directory.join(name)).unwrap()
}

fn example(name: &str) -> String {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    fs::read_to_string(directory.join(name)).unwrap()
}

/// A program of the tests, compiled by `compiler` and measured on four processes; `None` if it does
/// not run here by itself.
fn recorded(compiler: &str, file: &str, options: &[&str]) -> Option<(Bench, Value)> {
    let bench = Bench::new();
    bench.write(file, program(file));
    if !runs(&bench, compiler, file) {
        return None;
    }
    let compile = ["compile", compiler, "-O1", "-g", "-o", "prog", file];
    bench.ok(&[&compile[..], options].concat());
    let report = measured(&bench, "./prog", "all right");
    Some((bench, report))
}

/// Events of the measured run, without those that depend on the machine.
fn events(bench: &Bench) -> Vec<Value> {
    let out = bench.ok(&["events", "measured", "--format", "jsonl"]);
    let parsed = out.lines().map(|line| serde_json::from_str(line).unwrap());
    parsed
        .filter(|event: &Value| event["type"] == "event" && event["region"] != "no core")
        .collect()
}

/// The record of each call of a thread: a line for its begin, and one for its end if that says
/// more. Groups are letters in the order in which they first appear.
fn transcript(events: &[Value], thread: u64) -> String {
    const KNOWN: [&str; 7] = [
        "partner", "bytes", "members", "flow", "root", "sent", "received",
    ];
    let mut groups = BTreeMap::new();
    let mut text = String::new();
    for event in events.iter().filter(|event| event["thread"] == thread) {
        let event_type = event["event"].as_str().unwrap();
        let is_exit = event_type.ends_with("exit") || event_type == "lock_acquired";
        let mut facts = String::new();
        if let Some(group) = event["group"].as_u64().filter(|group| *group != 0) {
            let next = char::from(b'a' + groups.len() as u8);
            let _ = write!(facts, " group={}", groups.entry(group).or_insert(next));
        }
        for key in KNOWN.iter().filter(|key| !event[**key].is_null()) {
            let value = event[*key].to_string().replace('"', "");
            let _ = write!(facts, " {key}={}", value.replace(' ', "-"));
        }
        if is_exit && facts.is_empty() {
            continue;
        }
        let kind = ["barrier", "collective", "lock"].into_iter();
        let kind = kind.filter(|kind| !is_exit && !event[*kind].is_null());
        let kind: String = kind.map(|kind| format!(" {kind}")).collect();
        let arrow = if is_exit { "<" } else { ">" };
        let (region, line) = (event["region"].as_str().unwrap(), &event["line"]);
        let _ = writeln!(text, "{arrow} {region} {line}{kind}{facts}");
    }
    text
}

#[test]
fn each_call_has_partner_bytes_and_group() {
    let Some((bench, report)) = recorded("mpicc", "calls.c", &[]) else {
        return;
    };
    let events = events(&bench);
    assert_eq!(transcript(&events, 1), program("calls-1.txt"));
    // What a group is called is the same for all of its members, and for no others.
    let mut members = BTreeMap::new();
    for event in events.iter().filter(|event| !event["members"].is_null()) {
        let group = event["group"].as_u64().unwrap();
        let threads: &mut Vec<u64> = members.entry(group).or_default();
        threads.push(event["thread"].as_u64().unwrap());
    }
    let mut sets: Vec<Vec<u64>> = members.into_values().collect();
    for set in &mut sets {
        set.sort_unstable();
        set.dedup();
    }
    sets.sort();
    assert_eq!(sets, [vec![0, 1, 2, 3], vec![0, 2], vec![1, 3]]);
    // Calls of which nothing but the name is known.
    for (region, count) in [("MPI_Iallreduce", 4.0), ("MPI_Type_commit", 4.0)] {
        assert_eq!(calls(&report, region, None), count, "{region}");
    }
    assert_eq!(calls(&report, "MPI_Comm_rank", None), 0.0);
}

#[test]
fn one_sided_operations_synchronise_as_they_do() {
    let Some((bench, report)) = recorded("mpicc", "windows.c", &[]) else {
        return;
    };
    let events = events(&bench);
    assert_eq!(transcript(&events, 1), program("windows-1.txt"));
    // Each wait is for one post, by the partner.
    let mut posts = BTreeMap::new();
    let entered = |region: &'static str| {
        let of_region =
            move |event: &&Value| event["region"] == region && !event["object"].is_null();
        events.iter().filter(of_region)
    };
    let facts = |event: &Value| {
        let object = event["object"].as_u64().unwrap();
        (object, event["thread"].as_u64().unwrap())
    };
    for region in ["posts to origin", "completes at target"] {
        for event in entered(region) {
            let (object, thread) = facts(event);
            assert!(posts.insert(object, (region, thread)).is_none());
        }
    }
    assert_eq!(posts.len(), 16);
    // Twice, since a library may wait for targets in either call.
    assert_eq!(entered("target has posted").count(), 16);
    assert_eq!(entered("origin has completed").count(), 8);
    for event in entered("target has posted") {
        let (object, thread) = facts(event);
        assert_eq!(posts[&object], ("posts to origin", (thread + 1) % 4));
    }
    for event in entered("origin has completed") {
        let (object, thread) = facts(event);
        assert_eq!(posts[&object], ("completes at target", (thread + 3) % 4));
    }
    assert_eq!(calls(&report, "MPI_Put", Some(19)), 4.0);
}

#[test]
fn examples_are_measured_and_verify_their_results() {
    for (compiler, file, region, count) in [
        ("mpicc", "mpi/stencil.c", "MPI_Waitall", 400.0),
        ("mpicc", "mpi/integer_sort.c", "MPI_Alltoallv", 40.0),
        ("mpicc", "mpi/halo.c", "MPI_Win_complete", 400.0),
        ("mpifort", "mpi/wavefront.f90", "MPI_Recv", 480.0),
    ] {
        let bench = Bench::new();
        let name = Path::new(file).file_name().unwrap().to_str().unwrap();
        bench.write(name, example(file));
        if !runs(&bench, compiler, name) {
            return;
        }
        bench.ok(&["compile", compiler, "-O2", "-o", "prog", name]);
        let report = measured(&bench, "./prog", "verified");
        assert_eq!(calls(&report, region, None), count, "{file}");
    }
}

#[test]
fn calls_from_fortran_are_those_of_c() {
    let compilers = ["mpifort.openmpi", "mpifort.mpich"].into_iter();
    let options = [&["-cpp"][..], &["-cpp", "-DF08"]];
    for (compiler, options) in compilers.flat_map(|compiler| options.map(|all| (compiler, all))) {
        let bench = Bench::new();
        bench.write("calls.f90", program("calls.f90"));
        // By its ending the preprocessor is called in both.
        bench.write("calls.F90", program("calls.f90"));
        if !runs(&bench, compiler, "calls.F90") {
            continue;
        }
        let compile = ["compile", compiler, "-O1", "-g", "-o", "prog", "calls.f90"];
        bench.ok(&[&compile[..], options].concat());
        let report = measured(&bench, "./prog", "all right");
        let events = events(&bench);
        let said = without_lines(&transcript(&events, 1));
        assert_eq!(said, program("calls-f90-1.txt"), "{compiler} {options:?}");
        assert_eq!(calls(&report, "MPI_Barrier", Some(36)), 4.0);
        assert_eq!(calls(&report, "MPI_Comm_set_name", None), 4.0);
    }
}

/// MPICH has these under names of their own.
#[test]
fn large_counts_from_fortran_are_recorded() {
    let Some((bench, report)) = recorded("mpifort.mpich", "large_counts.f90", &[]) else {
        return;
    };
    assert_eq!(calls(&report, "MPI_Send", Some(11)), 2.0);
    let sent = "> MPI_Send 11 group=a partner=0 bytes=24";
    contains(&transcript(&events(&bench), 1), &[sent]);
}

/// Lists of strings have a length at the end of Fortran's arguments; created processes have a world
/// of their own, and are not recorded.
#[test]
fn processes_may_be_created_from_fortran() {
    let Some((_, report)) = recorded("mpifort.openmpi", "spawn.f90", &[]) else {
        return;
    };
    assert_eq!(calls(&report, "MPI_Comm_spawn", None), 4.0);
    assert_eq!(calls(&report, "MPI_Recv", Some(16)), 1.0);
    assert_eq!(calls(&report, "MPI_Send", None), 0.0);
}

/// gfortran gives some calls the line of the program they are in.
fn without_lines(transcript: &str) -> String {
    let lines = transcript.lines().map(|line| {
        let words = line.split(' ').enumerate();
        let words = words.filter(|(at, _)| *at != 2).map(|(_, word)| word);
        words.collect::<Vec<_>>().join(" ") + "\n"
    });
    lines.collect()
}

/// Regions of MPI, with their calls over all threads; nothing else is recorded of MPI.
fn of_mpi(report: &Value) -> Vec<(String, f64)> {
    let paths = report["call_paths"].as_array().unwrap();
    let names = paths.iter().filter_map(|path| path["region"].as_str());
    let mut names: Vec<&str> = names.filter(|name| name.starts_with("MPI_")).collect();
    names.sort_unstable();
    names.dedup();
    let counted = names
        .into_iter()
        .map(|name| (name.to_string(), calls(report, name, None)));
    counted.collect()
}

fn sum_and_ring() -> Vec<(String, f64)> {
    let once_each = ["MPI_Allreduce", "MPI_Sendrecv"].map(|name| (name.to_string(), 4.0));
    once_each.to_vec()
}

#[test]
fn openshmem_programs_may_call_mpi() {
    let Some((bench, report)) = recorded("oshcc", "with_shmem.c", &[]) else {
        return;
    };
    assert_eq!(of_mpi(&report), sum_and_ring());
    assert_eq!(calls(&report, "shmem_long_p", Some(13)), 4.0);
    contains(
        &transcript(&events(&bench), 1),
        &[
            "> MPI_Sendrecv 16 group=a partner=2 bytes=8\n< MPI_Sendrecv 16 group=a partner=0 bytes=8",
        ],
    );
}

#[test]
fn coarray_programs_may_call_mpi() {
    let Some((bench, report)) = recorded("caf", "with_coarrays.f90", &[]) else {
        return;
    };
    assert_eq!(of_mpi(&report), sum_and_ring());
    assert_eq!(calls(&report, "sync all", None), 8.0);
    contains(
        &transcript(&events(&bench), 1),
        &[
            "> MPI_Sendrecv 13 group=a partner=2 bytes=4\n< MPI_Sendrecv 13 group=a partner=0 bytes=4",
        ],
    );
}

#[test]
fn upc_programs_over_mpi_may_call_mpi() {
    let bench = Bench::new();
    bench.write("calls.c", program("calls.c"));
    if !runs(&bench, "mpicc", "calls.c") {
        return;
    }
    bench.write("prog.upc", program("with_upc.upc"));
    bench.write("part.c", program("part_of_upc.c"));
    let compiled = std::process::Command::new("mpicc")
        .args(["-O1", "-g", "-c", "part.c"])
        .current_dir(bench.path(""))
        .status();
    assert!(compiled.unwrap().success());
    let compile = [
        "compile",
        "--network",
        "mpi",
        "-O1",
        "-g",
        "-o",
        "prog",
        "prog.upc",
        "part.o",
    ];
    bench.ok(&compile);
    let report = measured(&bench, "./prog", "all right");
    assert_eq!(of_mpi(&report), sum_and_ring());
    assert_eq!(calls(&report, "upc_barrier", None), 12.0);
    let sent = "> MPI_Sendrecv 11 group=a partner=2 bytes=4";
    contains(&transcript(&events(&bench), 1), &[sent]);
}

/// The source finds the header of MPI without an option, and the report names each call's line.
#[test]
fn sources_of_upc_over_mpi_may_include_the_header_of_mpi() {
    for compiler in ["mpicc", "mpicc.mpich"] {
        let bench = Bench::new();
        bench.write("alltoallw.c", program("alltoallw.c"));
        if !runs(&bench, compiler, "alltoallw.c") {
            continue;
        }
        bench.write("prog.upc", program("in_upc.upc"));
        let compile = ["compile", "--network", "mpi", "--mpicc", compiler];
        bench.ok(&[&compile[..], &["-g", "-o", "prog", "prog.upc"]].concat());
        let report = measured(&bench, "./prog", "all right");
        assert_eq!(calls(&report, "MPI_Allreduce", Some(12)), 4.0, "{compiler}");
        assert_eq!(calls(&report, "upc_barrier", None), 12.0, "{compiler}");
    }
}

/// A report of a program that has nothing but MPI speaks of MPI, not of a PGAS runtime.
#[test]
fn reports_of_programs_of_mpi_name_it_where_time_went() {
    let Some((bench, report)) = recorded("mpicc", "alltoallw.c", &[]) else {
        return;
    };
    assert_eq!(report["metrics"]["pgas"]["name"], "MPI");
    for told in [
        bench.ok(&["report", "measured"]),
        bench.ok(&["score", "measured", "--max-overhead", "1000000"]),
        bench.ok(&["cube", "info", "measured"]),
    ] {
        assert!(told.contains("MPI") && !told.contains("PGAS"), "{told}");
    }
    let explained = bench.ok(&["explain", "MPI"]);
    assert_eq!(explained, bench.ok(&["explain", "pgas"]));
}

#[test]
fn an_exchange_with_types_counts_the_bytes_of_each() {
    for compiler in ["mpicc.openmpi", "mpicc.mpich"] {
        let Some((bench, report)) = recorded(compiler, "alltoallw.c", &[]) else {
            continue;
        };
        assert_eq!(calls(&report, "MPI_Alltoallw", Some(22)), 4.0, "{compiler}");
        // To the other processes 1, 3 and 4 integers, from each of them 2.
        let expected = "> MPI_Alltoallw 22 collective\n< MPI_Alltoallw 22 sent=32 received=24\n";
        contains(&transcript(&events(&bench), 1), &[expected]);
    }
}

#[test]
fn a_process_that_ends_without_finalize_keeps_its_exit_status() {
    const PROGRAM: &str = "\
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    if (argc > 1)
        exit(atoi(argv[1]));
    MPI_Finalize();
    return 0;
}
";
    let bench = Bench::new();
    bench.write("leaves.c", PROGRAM);
    if !runs(&bench, "mpicc", "leaves.c") {
        return;
    }
    bench.ok(&["compile", "mpicc", "-O1", "-g", "-o", "leaves", "leaves.c"]);
    let mut run = bench.command(&["run", "-n", "1", "-o", "measured", "./leaves", "3"]);
    let told = Told::of(run.envs(CONTAINER));
    assert_eq!(told.status, Some(3), "{told:?}");
    let events = events(&bench);
    let mut ends = events.iter().filter(|event| event["region"] == "exit");
    assert_eq!(
        ends.next().map(|end| &end["status"]),
        Some(&3.into()),
        "{events:?}"
    );
}

/// Each process adds up with all others, from Fortran, and prints the sum.
const SUM: &str = "\
subroutine add_up(x) bind(C, name='add_up')
  use iso_c_binding
  use mpi
  integer(c_int) :: x
  integer :: error
  call MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
end subroutine
";
const ADDS_UP: &str = "\
#include <mpi.h>
#include <stdio.h>
void add_up(int *x);
int main(int argc, char **argv)
{
    int one = 1, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    add_up(&one);
    if (rank == 0)
        printf(\"sum %d\\n\", one);
    MPI_Finalize();
    return 0;
}
";
const ADDS_UP_IN_UPC: &str = "\
#include <upc.h>
#include <stdio.h>
void add_up(int *x);
int main(void)
{
    int one = 1;
    upc_barrier;
    add_up(&one);
    if (MYTHREAD == 0)
        printf(\"sum %d\\n\", one);
    return 0;
}
";
/// The library of MPI for Fortran of the MPI at hand, and that of Fortran.
const OF_FORTRAN: [&str; 2] = ["-lmpi_mpifh", "-lgfortran"];

/// The object of Fortran, as an object and in a library; `None` if programs of `mpicc` do not link
/// with it here.
fn with_object_of_fortran() -> Option<Bench> {
    let bench = Bench::new();
    bench.write("sum.f90", SUM);
    bench.write("main.c", ADDS_UP);
    bench.write("main.upc", ADDS_UP_IN_UPC);
    let does = |words: &[&str]| {
        let mut command = Command::new(words[0]);
        let command = command.args(&words[1..]).current_dir(bench.path(""));
        command.status().is_ok_and(|status| status.success())
    };
    let link = ["mpicc", "-o", "by_itself", "main.c", "sum.o"];
    let links = does(&["mpifort", "-O1", "-g", "-fPIC", "-c", "sum.f90"])
        && does(&["mpifort", "-shared", "-o", "libsum.so", "sum.o"])
        && does(&[&link[..], &OF_FORTRAN].concat());
    if !links {
        not_tested("Fortran's MPI in programs of mpicc: they do not link here");
    }
    links.then_some(bench)
}

#[test]
fn calls_from_fortran_are_recorded_in_programs_that_a_compiler_of_c_links() {
    let Some(bench) = with_object_of_fortran() else {
        return;
    };
    let command = ["compile", "mpicc", "-g", "-o", "prog", "main.c", "sum.o"];
    bench.ok(&[&command[..], &OF_FORTRAN].concat());
    measured(&bench, "./prog", "sum 4");
    contains(&transcript(&events(&bench), 1), &["> MPI_Allreduce 6"]);
}

#[test]
fn calls_from_fortran_are_recorded_in_programs_of_upc_over_mpi() {
    let Some(bench) = with_object_of_fortran() else {
        return;
    };
    let command = [
        "compile",
        "--network",
        "mpi",
        "-o",
        "prog",
        "main.upc",
        "sum.o",
    ];
    bench.ok(&[&command[..], &OF_FORTRAN].concat());
    measured(&bench, "./prog", "sum 4");
    contains(&transcript(&events(&bench), 1), &["> MPI_Allreduce 6"]);
}

#[test]
fn calls_from_fortran_that_are_lost_are_named_when_the_program_is_linked() {
    let Some(bench) = with_object_of_fortran() else {
        return;
    };
    // The library that calls MPI brings its library of Fortran itself; only the program can.
    let rpath = format!("-Wl,-rpath,{}", bench.path("").display());
    let link = [
        "compile", "mpicc", "-o", "prog", "main.c", "-L.", "-lsum", &rpath,
    ];
    let told = Told::of(&mut bench.command(&link));
    assert_eq!(told.status, Some(0), "{told:?}");
    contains(
        &told.err,
        &[
            "calls of MPI from Fortran will not be recorded",
            "mpi_allreduce_;",
            "-lmpi_mpifh",
        ],
    );
    let told = Told::of(&mut bench.command(&[&link[..], &OF_FORTRAN].concat()));
    assert_eq!((told.status, &*told.err), (Some(0), ""), "{told:?}");
    measured(&bench, "./prog", "sum 4");
    contains(&transcript(&events(&bench), 1), &["> MPI_Allreduce"]);
}

/// Receives from no process and sends to none; then its own exception leaves a call of MPI.
const LEFT: &str = "\
#include <mpi.h>
#include <stdio.h>
static void refuse(MPI_Comm *, int *error, ...) { throw *error; }
int main(int argc, char **argv)
{
    int x = 0, rank, caught = 0;
    MPI_Errhandler handler;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Recv(&x, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    MPI_Irecv(&x, 1, MPI_INT, rank, 2, MPI_COMM_WORLD, &request);
    MPI_Send(&x, 1, MPI_INT, rank, 2, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_create_errhandler(refuse, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    try {
        MPI_Send(&x, 1, MPI_INT, 1000000, 1, MPI_COMM_WORLD);
    } catch (int) {
        caught = 1;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf(\"caught %d\\n\", caught);
    MPI_Finalize();
    return 0;
}
";

#[test]
fn exceptions_end_calls_and_messages_say_what_is_known_of_them() {
    let bench = Bench::new();
    bench.write("left.cc", LEFT);
    if !runs(&bench, "mpicxx", "left.cc") {
        return;
    }
    bench.ok(&["compile", "mpicxx", "-g", "-o", "prog", "left.cc"]);
    let report = measured(&bench, "./prog", "caught 1");
    // The call after the exception, and not below it.
    let paths = report["call_paths"].as_array().unwrap();
    let barrier = paths.iter().find(|path| path["region"] == "MPI_Barrier");
    let parent = &barrier.unwrap()["parent"];
    let above = paths.iter().find(|path| path["id"] == *parent).unwrap();
    assert_eq!(above["region"], "main", "{paths:#?}");
    assert_eq!(calls(&report, "MPI_Barrier", Some(23)), 4.0);
    let text = bench.ok(&["events", "measured", "--thread", "1"]);
    contains(
        &text,
        &[
            "from no rank",
            "to no rank",
            "up to 4 bytes from 1",
            "4 bytes to 1",
        ],
    );
}

#[test]
fn a_filter_that_hides_waiting_in_mpi_says_so() {
    let bench = Bench::new();
    bench.write("main.c", program("calls.c"));
    if !runs(&bench, "mpicc", "main.c") {
        return;
    }
    bench.ok(&["compile", "mpicc", "-o", "prog", "main.c"]);
    let rules = "SCOREP_REGION_NAMES_BEGIN EXCLUDE MPI_Barrier SCOREP_REGION_NAMES_END";
    bench.write("some.filter", rules);
    let mut command = bench.command(&["run", "-n", "4", "--filter", "some.filter", "./prog"]);
    let told = Told::of(command.envs(CONTAINER));
    contains(
        &told.err,
        &["the filter excludes MPI_Barrier; the report cannot distinguish waiting"],
    );
}
