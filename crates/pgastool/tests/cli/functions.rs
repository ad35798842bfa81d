//! Functions of C, C++ and Fortran as their compilers report them: which are recorded, by which
//! names, where a filter excludes some of them, and whatever way a program leaves them.

use crate::bench::{Bench, Told, contains};
use crate::control::visits;
use crate::filtering::without;
use crate::models::runs;
use crate::mpi::{CONTAINER, is_there};
use crate::not_tested::not_tested;
use serde_json::Value;
use std::collections::BTreeMap;
use std::process::Command;

/// Names within names, functions of two files, and functions that end or begin in unusual ways.
const PROGRAM: &str = r#"
#include <pthread.h>
#include <setjmp.h>
#include <shmem.h>
#include <stdio.h>
int helper(int), helper_two(int);
static int tiny(int n) { return n * 3; }
static int tiny_two(int n) { return tiny(n) + 1; }
__attribute__((constructor)) static void before_main(void) { tiny(1); }
__attribute__((destructor)) static void after_main(void) { tiny(1); }
static jmp_buf place;
static int dive(int n) {
  if (n == 0) longjmp(place, 1);
  return dive(n - 1) + 1;
}
static int recurse(int n) {
  if (n == 2 && setjmp(place) == 0) return dive(2);
  return n == 0 ? 0 : recurse(n - 1);
}
static void meet(void) { shmem_barrier_all(); }
static void *elsewhere(void *nothing) { tiny_two(3); return nothing; }
static int add_up(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += tiny_two(i);
  return helper_two(sum);
}
static void start(void) { shmem_init(); tiny(1); }
int main(void) {
  start();
  int sum = add_up(10) + recurse(4);
  pthread_t other;
  pthread_create(&other, 0, elsewhere, 0);
  pthread_join(other, 0);
  meet();
  if (shmem_my_pe() == 0) printf("sum %d\n", sum);
  shmem_finalize();
  return tiny(0);
}
"#;
const LIBRARY: &str = "int helper(int n) { return n + 7; }\n\
                       int helper_two(int n) { return helper(n) + 1; }\n";

/// Visits of the call paths below `main` of two processes.
fn recorded(bench: &Bench, options: &[&str], program: &str) -> BTreeMap<String, u64> {
    recorded_below("main", bench, options, program)
}

/// The same below another main program.
fn recorded_below(
    main: &str,
    bench: &Bench,
    options: &[&str],
    program: &str,
) -> BTreeMap<String, u64> {
    let arguments = [&["run", "-n", "2", "-o", "e"], options, &[program]].concat();
    let _ = std::fs::remove_dir_all(bench.path("e"));
    let told = Told::of(bench.command(&arguments).envs(CONTAINER));
    assert_eq!(told.status, Some(0), "{told:?}");
    bench.ok(&["analyze", "e"]);
    let report = bench.ok(&["report", "e", "--format", "json"]);
    let report: Value = serde_json::from_str(&report).unwrap();
    let mut visits = visits(&report);
    visits.retain(|path, _| path.starts_with(main) && !path.ends_with("no core"));
    visits
}

fn filter(files: &str, regions: &str) -> String {
    format!(
        "SCOREP_FILE_NAMES_BEGIN {files} SCOREP_FILE_NAMES_END\nSCOREP_REGION_NAMES_BEGIN \
         {regions} SCOREP_REGION_NAMES_END\n"
    )
}

fn program() -> Option<Bench> {
    let bench = Bench::new();
    bench.write("prog.c", PROGRAM);
    bench.write("lib.c", LIBRARY);
    bench.write("whole.c", format!("{PROGRAM}{LIBRARY}"));
    runs(&bench, "oshcc", "whole.c").then_some(bench)
}

fn compile(bench: &Bench, options: &[&str], command: &[&str]) -> String {
    let arguments = [&["compile", "--functions", "all"], options, command].concat();
    bench.ok(&arguments)
}

const BUILD: [&str; 6] = ["oshcc", "-O2", "-o", "prog", "prog.c", "lib.c"];

#[test]
fn functions_begin_and_end_where_the_program_says() {
    let Some(bench) = program() else { return };
    compile(&bench, &[], &BUILD);
    let expected = [
        ("main", 2),
        ("main/meet", 2),
        ("main/meet/shmem_barrier_all", 2),
        ("main/recurse", 2),
        ("main/recurse/recurse", 2),
        ("main/recurse/recurse/recurse", 2),
        ("main/recurse/recurse/recurse/dive", 2),
        ("main/recurse/recurse/recurse/dive/dive", 2),
        ("main/recurse/recurse/recurse/dive/dive/dive", 2),
        ("main/recurse/recurse/recurse/recurse", 2),
        ("main/recurse/recurse/recurse/recurse/recurse", 2),
        ("main/shmem_finalize", 2),
        ("main/shmem_finalize/shmem_finalize", 2),
        ("main/tiny", 2),
        ("main/add_up", 2),
        ("main/add_up/helper_two", 2),
        ("main/add_up/helper_two/helper", 2),
        ("main/add_up/tiny_two", 20),
        ("main/add_up/tiny_two/tiny", 20),
    ];
    let expected = expected.map(|(path, visits)| (path.to_owned(), visits));
    assert_eq!(recorded(&bench, &[], "./prog"), BTreeMap::from(expected));
}

/// The same rules leave out the same, whether given to the compiler or to the run, and nothing but
/// what they exclude.
#[test]
fn a_filter_means_the_same_when_compiling_and_when_running() {
    let Some(bench) = program() else { return };
    compile(&bench, &[], &BUILD);
    std::fs::rename(bench.path("prog"), bench.path("whole")).unwrap();
    let all = recorded(&bench, &[], "./whole");
    for (files, regions, excluded, left_to_the_recorder) in [
        // Within other names.
        (
            "",
            "EXCLUDE tiny recurse",
            &["tiny", "recurse"][..],
            &["tiny"][..],
        ),
        ("EXCLUDE lib.c", "", &["helper", "helper_two"], &[]),
        (
            "",
            "EXCLUDE * INCLUDE main tiny*",
            &["add_up", "dive", "helper", "helper_two", "meet", "recurse"],
            &["helper"],
        ),
        (
            "",
            "EXCLUDE shmem_barrier_all t*_two",
            &["shmem_barrier_all", "tiny_two"],
            &[],
        ),
    ] {
        bench.write("some.filter", filter(files, regions));
        let expected = without(&all, excluded);
        let given = ["--filter", "some.filter"];
        assert_eq!(
            recorded(&bench, &given, "./whole"),
            expected,
            "{regions} when running"
        );
        let shown = compile(&bench, &["--show", "--filter", "some.filter"], &BUILD);
        let list = shown
            .split_whitespace()
            .find_map(|word| word.split_once("function-list="));
        let list: Vec<&str> = list.map_or_else(Vec::new, |(_, list)| list.split(',').collect());
        for name in left_to_the_recorder {
            assert!(!list.contains(name), "{shown}");
        }
        compile(&bench, &given, &BUILD);
        assert_eq!(
            recorded(&bench, &[], "./prog"),
            expected,
            "{regions} when compiling"
        );
    }
}

/// Both hold, and the report says so.
#[test]
fn filters_of_compiling_and_of_the_run_add_up() {
    let Some(bench) = program() else { return };
    compile(&bench, &[], &BUILD);
    let all = recorded(&bench, &[], "./prog");
    bench.write("a.filter", filter("", "EXCLUDE tiny shmem_barrier_all"));
    bench.write("b.filter", filter("EXCLUDE */lib.c", ""));
    compile(&bench, &["--filter", "a.filter"], &BUILD);
    let expected = without(&all, &["tiny", "shmem_barrier_all", "helper", "helper_two"]);
    assert_eq!(
        recorded(&bench, &["--filter", "b.filter"], "./prog"),
        expected
    );
    let report = bench.ok(&["report", "e"]);
    contains(
        &report,
        &[
            "compiled with the filter a.filter",
            "recorded with the filter b.filter",
        ],
    );
}

/// Where nobody has looked up the functions, the recorder says that it leaves none out.
#[test]
fn a_filter_by_the_environment_alone_leaves_out_no_functions_and_says_so() {
    let Some(bench) = program() else { return };
    compile(&bench, &[], &BUILD);
    bench.write("some.filter", filter("", "EXCLUDE tiny"));
    std::fs::create_dir_all(bench.path("by_hand/streams")).unwrap();
    let run = Command::new("mpirun")
        .args(["-np", "2", "./prog"])
        .envs(CONTAINER)
        .env("PGAS_EXPERIMENT", bench.path("by_hand"))
        .env("PGAS_FILTER", bench.path("some.filter"))
        .current_dir(bench.path(""))
        .output()
        .unwrap();
    assert!(run.status.success(), "{run:?}");
    contains(
        &String::from_utf8_lossy(&run.stderr),
        &["PGAS_FILTER", "`pgastool run`"],
    );
}

/// Libraries that are loaded with the program are looked up, too.
#[test]
fn functions_of_shared_libraries_are_filtered() {
    let Some(bench) = program() else { return };
    compile(
        &bench,
        &[],
        &[
            "oshcc",
            "-O2",
            "-shared",
            "-fPIC",
            "-o",
            "liblib.so",
            "lib.c",
        ],
    );
    let link = [
        "oshcc",
        "-O2",
        "-o",
        "prog",
        "prog.c",
        "-L.",
        "-llib",
        "-Wl,-rpath,$ORIGIN",
    ];
    compile(&bench, &[], &link);
    let all = recorded(&bench, &[], "./prog");
    assert_eq!(all["main/add_up/helper_two/helper"], 2);
    bench.write("some.filter", filter("", "EXCLUDE helper tiny"));
    let filtered = recorded(&bench, &["--filter", "some.filter"], "./prog");
    assert_eq!(filtered, without(&all, &["helper", "tiny"]));
}

const CPP: &str = r#"
#include <cstdio>
#include <shmem.h>
#include <stdexcept>
#include <vector>
namespace solver {
template <class T> struct Grid {
  T step(T x) { return x + 1; }
};
}
int thrower(int n) {
  if (n == 0) throw std::runtime_error("deep");
  return thrower(n - 1) + 1;
}
int guard(int n) {
  try { return thrower(n); } catch (std::exception &) { return 5; }
}
int after(int n) { return n; }
int main() {
  shmem_init();
  std::vector<int> all{1, 2, 3};
  solver::Grid<int> whole;
  solver::Grid<double> real;
  int sum = whole.step(all.front()) + (int)real.step(2.0);
  sum += guard(2);
  sum = after(sum);
  if (shmem_my_pe() == 0) std::printf("sum %d\n", sum);
  shmem_finalize();
}
"#;

#[test]
fn exceptions_end_functions_and_names_of_cpp_are_those_of_the_report() {
    let bench = Bench::new();
    bench.write("prog.cc", CPP);
    if !runs(&bench, "oshc++", "prog.cc") {
        return;
    }
    let build = ["oshc++", "-O1", "-o", "prog", "prog.cc"];
    let regions = "EXCLUDE solver::Grid<double>::* std::vector* guard";
    bench.write("some.filter", filter("EXCLUDE /usr/*", regions));
    let shown = compile(&bench, &["--show", "--filter", "some.filter"], &build);
    contains(&shown, &["exclude-file-list=/usr/"]);
    assert!(!shown.contains("exclude-function-list"), "{shown}");
    let expected = [
        ("main", 2),
        ("main/after(int)", 2),
        ("main/guard(int)", 2),
        ("main/guard(int)/thrower(int)", 2),
        ("main/guard(int)/thrower(int)/thrower(int)", 2),
        ("main/guard(int)/thrower(int)/thrower(int)/thrower(int)", 2),
        ("main/shmem_finalize", 2),
        ("main/shmem_finalize/shmem_finalize", 2),
        ("main/solver::Grid<int>::step(int)", 2),
    ];
    let expected: BTreeMap<_, _> = expected.map(|(path, n)| (path.to_owned(), n)).into();
    compile(&bench, &["--filter", "some.filter"], &build);
    assert_eq!(recorded(&bench, &[], "./prog"), expected);
    compile(&bench, &[], &build);
    assert_eq!(
        recorded(&bench, &["--filter", "some.filter"], "./prog"),
        expected
    );
}

const FORTRAN: &str = "\
module solver
contains
  subroutine step(x)
    real, intent(inout) :: x(:)
    x = x + 1
  end subroutine
  subroutine step_twice(x)
    real, intent(inout) :: x(:)
    call step(x)
    call step(x)
  end subroutine
end module
program heat
  use solver
  real, save :: box(4)[*]
  box = 0
  call step_twice(box)
  sync all
  call outside(box(1))
  if (this_image() == 1) print '(a,f4.1)', 'box ', box(1)
end program
subroutine outside(x)
  real :: x
  x = x * 2
end subroutine
";

#[test]
fn procedures_of_fortran_are_filtered_by_the_names_of_the_report() {
    let bench = Bench::new();
    bench.write("prog.f90", FORTRAN);
    if !runs(&bench, "caf", "prog.f90") {
        return;
    }
    let build = ["caf", "-O1", "-o", "prog", "prog.f90"];
    compile(&bench, &[], &build);
    let paths = |options: &[&str]| {
        let visits = recorded_below("heat", &bench, options, "./prog");
        let paths = visits
            .into_iter()
            .filter(|(path, _)| path.contains("step") || path.contains("outside"));
        paths.collect::<Vec<_>>()
    };
    let expected = [
        ("heat/outside", 2),
        ("heat/solver::step_twice", 2),
        ("heat/solver::step_twice/solver::step", 4),
    ];
    let named = |all: &[(&str, u64)]| -> Vec<(String, u64)> {
        all.iter().map(|&(path, n)| (path.to_owned(), n)).collect()
    };
    assert_eq!(paths(&[]), named(&expected));
    bench.write("some.filter", filter("", "EXCLUDE solver::step outside"));
    let given = ["--filter", "some.filter"];
    assert_eq!(paths(&given), named(&expected[1..2]));
    compile(&bench, &given, &build);
    assert_eq!(paths(&[]), named(&expected[1..2]));
}

/// Calls that would fill the trace are counted.
#[test]
fn frequent_functions_are_throttled() {
    const CALLS: u64 = 300_000;
    let bench = Bench::new();
    bench.write(
        "prog.c",
        format!(
            "#include <shmem.h>\n__attribute__((noinline)) int tiny(int n) {{ return n ^ 5; }}\nint \
             main(void) {{\n  shmem_init();\n  int sum = 0;\n  for (int i = 0; i < {CALLS}; i++) \
             sum += tiny(i);\n  shmem_finalize();\n  return sum == 7;\n}}\n"
        ),
    );
    if !runs(&bench, "oshcc", "prog.c") {
        return;
    }
    compile(&bench, &[], &["oshcc", "-O2", "-o", "prog", "prog.c"]);
    let visits = recorded(&bench, &[], "./prog");
    assert_eq!(visits["main/tiny"], 2 * CALLS);
    let events = bench
        .ok(&["events", "e"])
        .lines()
        .filter(|line| line.contains("tiny"))
        .count();
    // Each would be two on two threads.
    assert!((events as u64) < 2 * CALLS, "{events}");
}

/// Functions of C++, and of objects that the user has compiled for it, stand beside those of UPC,
/// and each only once.
#[test]
fn functions_of_other_languages_are_recorded_in_upc_programs() {
    let bench = Bench::new();
    bench.write(
        "prog.upc",
        "#include <upc.h>\nint by_hand(int), in_cpp(int), in_c(int);\nint own(int n) { return in_c(n) \
         + in_cpp(n) + by_hand(n); }\nint main(void) {\n  int sum = own(3);\n  upc_barrier;\n  \
         return sum == 7;\n}\n",
    );
    bench.write("plain.c", "int in_c(int n) { return n + 1; }\n");
    bench.write(
        "other.cc",
        "extern \"C\" int in_cpp(int n) { return n + 2; }\n",
    );
    bench.write(
        "hand.c",
        "static int below(int n) { return n * 3; }\nint by_hand(int n) { return below(n); }\n",
    );
    let by_hand = ["-g", "-O0", "-finstrument-functions", "-c", "hand.c"];
    let made = Command::new("cc")
        .args(by_hand)
        .current_dir(bench.path(""))
        .status();
    assert!(made.unwrap().success());
    if !is_there("c++") {
        not_tested("C++ within UPC programs: there is no c++");
        return;
    }
    let upc = [
        "compile",
        "--functions",
        "all",
        "-finstrument-functions",
        "-O1",
        "-c",
    ];
    for source in ["prog.upc", "plain.c", "other.cc"] {
        bench.ok(&[&upc[..], &[source]].concat());
    }
    let objects = ["prog.o", "plain.o", "other.o", "hand.o"];
    bench.ok(&[
        &["compile", "--functions", "all", "-o", "prog"],
        &objects[..],
    ]
    .concat());
    let expected = [
        ("main", 2),
        ("main/own", 2),
        ("main/own/by_hand", 2),
        ("main/own/by_hand/below", 2),
        ("main/own/in_c", 2),
        ("main/own/in_cpp", 2),
        ("main/upc_barrier", 2),
    ];
    let expected: BTreeMap<_, _> = expected.map(|(path, n)| (path.to_owned(), n)).into();
    assert_eq!(recorded(&bench, &[], "./prog"), expected);
    bench.write(
        "some.filter",
        filter("EXCLUDE other.cc", "EXCLUDE below in_c"),
    );
    let filtered = recorded(&bench, &["--filter", "some.filter"], "./prog");
    assert_eq!(filtered, without(&expected, &["below", "in_c", "in_cpp"]));
    // Without the tool, what the user has compiled is linked and runs as well.
    let plain = ["compile", "--no-instrument", "-o", "plain"];
    let parts = ["prog.upc", "plain.c", "other.cc", "hand.o"];
    bench.ok(&[&plain[..], &parts].concat());
    bench.ok(&["run", "-n", "2", "--no-measure", "./plain"]);
}
