//! UPC programs over MPI that link C++ and Fortran, and call MPI themselves: they run as without the
//! tool, and their UPC is in the report.

mod measured;
#[path = "measured/mpi.rs"]
mod mpi;
#[path = "../../trace/tests/support/not_tested.rs"]
mod not_tested;

use std::path::Path;
use std::process::Command;

use measured::{EACH_AN_EVENT, analysed, check_sums, pgastool, run_with, succeed};
use mpi::{CONTAINER, is_there};
use not_tested::not_tested;
use serde_json::Value;

/// Each thread has numbers from its neighbour, which Fortran has scaled; C++ adds them up over all
/// processes by MPI, and UPC does the same by its own means.
const UPC: &str = r#"#include <mpi.h>
#include <stdio.h>
#include <upc.h>
#include <upc_collective.h>
#define N 100
#define ROUNDS 5

void scale(double *values, int count, double factor);
double sum_of_all(const double *values, int count);

shared [N] double numbers[THREADS][N];
shared double sums[THREADS], total;

int main(void)
{
    double own[N];
    int rank, round, i, wrong = 0;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (round = 1; round <= ROUNDS; round++) {
        for (i = 0; i < N; i++)
            own[i] = MYTHREAD + i;
        scale(own, N, round);
        upc_memput(&numbers[(MYTHREAD + 1) % THREADS][0], own, sizeof own);
        upc_barrier;
        upc_memget(own, &numbers[MYTHREAD][0], sizeof own);
        sums[MYTHREAD] = 0;
        for (i = 0; i < N; i++)
            sums[MYTHREAD] += own[i];
        upc_all_reduceD(&total, sums, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
        wrong += total != sum_of_all(own, N);
        upc_barrier;
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("total %.1f, %d wrong\n", total, wrong);
    return wrong != 0 || rank != MYTHREAD;
}
"#;

/// Without the C++ interface of old MPIs, which would take a library of its own.
const CXX: &str = r#"#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>
#include <numeric>
#include <stdexcept>
#include <vector>

// Exceptions pass through C++ alone.
static double sum(const std::vector<double> &values)
{
    if (values.empty())
        throw std::runtime_error("no values");
    return std::accumulate(values.begin(), values.end(), 0.0);
}

extern "C" double sum_of_all(const double *values, int count)
{
    double own = sum(std::vector<double>(values, values + count)), all = 0;
    try {
        sum({});
    } catch (const std::runtime_error &) {
        MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    return all;
}
"#;

const FORTRAN: &str = "\
subroutine scale(values, count, factor) bind(C)
  use, intrinsic :: iso_c_binding
  integer(c_int), value :: count
  real(c_double), value :: factor
  real(c_double), intent(inout) :: values(count)
  values = factor * values
end subroutine
";

const THREADS: u32 = 4;
const ROUNDS: f64 = 5.0;
/// Bytes that a thread puts, and gets, in each round.
const BYTES: f64 = 800.0;

/// Where the headers of MPI are, as options.
fn include_options() -> Vec<String> {
    let shown = succeed(Command::new("mpicc").arg("-show")).stdout;
    let shown = String::from_utf8(shown).expect("text");
    let words = shown
        .split_whitespace()
        .filter(|word| word.starts_with("-I"));
    words.map(String::from).collect()
}

/// Compiles all three parts, two of them as if they were of another project, and links the program.
fn build(dir: &Path) {
    for (name, text, compiler) in [("sum.cc", CXX, "mpicxx"), ("scale.f90", FORTRAN, "mpifort")] {
        std::fs::write(dir.join(name), text).expect("a source");
        let mut compile = Command::new(compiler);
        succeed(compile.args(["-O2", "-c", name]).current_dir(dir));
    }
    std::fs::write(dir.join("main.upc"), UPC).expect("a source");
    succeed(
        pgastool(dir)
            .args(["compile", "--network", "mpi"])
            .args(EACH_AN_EVENT)
            .args(["-O2", "-o", "mixed"])
            .args(include_options())
            .args([
                "main.upc",
                "sum.o",
                "scale.o",
                "-lstdc++",
                "-lgfortran",
                "-lm",
            ]),
    );
}

/// A metric of a region, by thread.
fn of_region(report: &Value, region: &str, metric: &str) -> Vec<f64> {
    let mut sums = vec![0.0; THREADS as usize];
    for path in report["call_paths"].as_array().expect("call paths") {
        let row = path["metrics"].get(metric).and_then(Value::as_array);
        for (sum, value) in sums.iter_mut().zip(row.into_iter().flatten()) {
            if path["region"] == region {
                *sum += value.as_f64().expect("a number");
            }
        }
    }
    sums
}

#[test]
fn upc_with_fortran_and_cxx_calls_mpi() {
    let missing = ["mpicc", "mpicxx", "mpifort", "mpirun"]
        .iter()
        .find(|name| !is_there(name));
    if let Some(missing) = missing {
        not_tested(&format!(
            "UPC with C++, Fortran and MPI: there is no {missing}"
        ));
        return;
    }
    let dir = tempfile::tempdir().expect("a folder");
    build(dir.path());
    let experiment = dir.path().join("experiment");
    let program = dir.path().join("mixed");
    let printed = run_with(&CONTAINER, dir.path(), &program, &[], THREADS, &experiment);
    // Five times the sum of t + i over all threads t and numbers i.
    assert!(
        printed.starts_with("total 102000.0, 0 wrong\n"),
        "{printed}"
    );

    let report = analysed(dir.path(), &experiment);
    check_sums(&report);
    assert_eq!(report["threads"], THREADS);
    let each = |value: f64| vec![value; THREADS as usize];
    let visits = |region: &str| of_region(&report, region, "visits");
    // The last one is that at the end of the program.
    assert_eq!(visits("upc_barrier"), each(2.0 * ROUNDS + 1.0));
    assert_eq!(visits("upc_memput"), each(ROUNDS));
    assert_eq!(visits("upc_memget"), each(ROUNDS));
    assert_eq!(visits("upc_all_reduce"), each(ROUNDS));
    let put = of_region(&report, "upc_memput", "bytes_put");
    assert_eq!(put, each(ROUNDS * BYTES));
    let got = of_region(&report, "upc_memget", "bytes_get");
    assert_eq!(got, each(ROUNDS * BYTES));
    let remarks = report["remarks"].as_array().expect("remarks");
    let of_loss = |remark: &&Value| {
        let text = remark.as_str().expect("text");
        ["disagree", "missing", "lost", "do not reach"]
            .iter()
            .any(|word| text.contains(word))
    };
    assert_eq!(remarks.iter().find(of_loss), None);
}
