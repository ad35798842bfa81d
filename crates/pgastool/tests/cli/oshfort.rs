//! Programs of OpenSHMEM in Fortran: through the functions of C, and through the interface of
//! Fortran, which few libraries have. A small library stands for one of those here; it calls the
//! functions of C, as Open MPI's does.

use crate::bench::{Bench, contains};
use crate::models::{calls, measured, runs};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// The first line with a text.
fn line_of(source: &str, text: &str) -> Option<u64> {
    let mut lines = source.lines();
    Some(lines.position(|line| line.contains(text)).unwrap() as u64 + 1)
}

#[test]
fn a_program_that_calls_the_functions_of_c_is_measured() {
    let bench = Bench::new();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/shmem/ring.f90");
    let source = fs::read_to_string(example).unwrap();
    bench.write("ring.f90", &source);
    if !runs(&bench, "oshfort", "ring.f90") {
        return;
    }
    let build = [
        "compile",
        "--functions",
        "all",
        "oshfort",
        "-O2",
        "-o",
        "ring",
        "ring.f90",
    ];
    bench.ok(&build);
    let report = measured(&bench, "./ring", "verified, sum 6000");
    let line = |text: &str| line_of(&source, text);
    assert_eq!(
        calls(&report, "shmem_put32", line("call shmem_put32")),
        16.0
    );
    assert_eq!(
        calls(&report, "shmem_barrier_all", line("call shmem_barrier_all")),
        16.0
    );
    assert_eq!(calls(&report, "shmem_barrier_all", None), 32.0);
    assert_eq!(calls(&report, "pass", None), 16.0);
}

const BINDINGS: &str = "\
#include <shmem.h>
#define BINDING(result, name, parameters) \\
  extern result name##_ parameters __attribute__((weak, alias(\"p\" #name \"_\"))); \\
  result p##name##_ parameters
BINDING(void, shmem_init, (void)) { shmem_init(); }
BINDING(void, shmem_finalize, (void)) { shmem_finalize(); }
BINDING(int, shmem_my_pe, (void)) { return shmem_my_pe(); }
BINDING(int, shmem_n_pes, (void)) { return shmem_n_pes(); }
BINDING(void, shmem_barrier_all, (void)) { shmem_barrier_all(); }
BINDING(void, shmem_put4, (void *dest, void *source, int *count, int *pe)) {
  shmem_put32(dest, source, *count, *pe);
}
BINDING(void, shmem_integer_get, (void *dest, void *source, int *count, int *pe)) {
  shmem_get32(dest, source, *count, *pe);
}
BINDING(int, shmem_int4_fadd, (void *word, void *value, int *pe)) {
  return shmem_int_fadd(word, *(int *)value, *pe);
}
BINDING(void, shmem_int4_wait_until, (int *word, int *comparison, int *value)) {
  shmem_int_wait_until(word, *comparison, *value);
}
BINDING(void, shmem_int4_sum_to_all,
        (void *dest, void *source, int *count, int *start, int *stride, int *size, void *work,
         void *sync)) {
  static long own_sync[64];
  static int own_work[64];
  (void)work, (void)sync;
  for (int i = 0; i < 64; i++) own_sync[i] = SHMEM_SYNC_VALUE;
  shmem_barrier_all();
  shmem_int_sum_to_all(dest, source, *count, *start, *stride, *size, own_work, own_sync);
}
";

const PROGRAM: &str = "\
program ring
  implicit none
  integer, external :: shmem_my_pe, shmem_n_pes, shmem_int4_fadd
  integer, save, volatile :: box(5), there(5), counter, sync(64), work(64)
  integer, save, volatile :: total(1), part(1)
  integer :: me, pes, next, before
  call shmem_init()
  me = shmem_my_pe()
  pes = shmem_n_pes()
  next = mod(me + 1, pes)
  box = me
  call shmem_barrier_all()
  call shmem_put4(there, box, 5, next)
  before = shmem_int4_fadd(counter, 2, next)
  call shmem_int4_wait_until(counter, 0, 2)
  call shmem_barrier_all()
  call shmem_integer_get(box, there, 3, next)
  part(1) = box(1) + there(1)
  call shmem_int4_sum_to_all(total, part, 1, 0, 0, pes, work, sync)
  if (me == 0) print '(a,i0)', 'total ', total(1)
  call shmem_finalize()
end program
";

/// A compiler whose library has the interface of Fortran; `false` without any.
fn with_bindings(bench: &Bench) -> bool {
    bench.write("trial.f90", "end\n");
    if !runs(bench, "oshfort", "trial.f90") {
        return false;
    }
    bench.write("bindings.c", BINDINGS);
    let made = Command::new("oshcc")
        .args([
            "-shared",
            "-fPIC",
            "-O1",
            "-w",
            "-o",
            "libbindings.so",
            "bindings.c",
        ])
        .current_dir(bench.path(""))
        .output()
        .unwrap();
    assert!(made.status.success(), "{made:?}");
    let directory = bench.path("").canonicalize().unwrap();
    let directory = directory.display();
    bench.write(
        "fortran",
        format!("#!/bin/sh\nexec oshfort \"$@\" -L{directory} -lbindings -Wl,-rpath,{directory}\n"),
    );
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(bench.path("fortran"), executable).unwrap();
    true
}

#[test]
fn calls_of_the_interface_of_fortran_have_bytes_partners_and_lines() {
    let bench = Bench::new();
    if !with_bindings(&bench) {
        return;
    }
    bench.write("ring.f90", PROGRAM);
    let build = ["compile", "./fortran", "-O1", "-o", "ring", "ring.f90"];
    bench.ok(&build);
    let report = measured(&bench, "./ring", "total 12");
    for name in [
        "shmem_barrier_all",
        "shmem_put4",
        "shmem_int4_fadd",
        "shmem_int4_wait_until",
        "shmem_integer_get",
        "shmem_int4_sum_to_all",
    ] {
        let line = line_of(PROGRAM, &format!("{name}("));
        assert_eq!(calls(&report, name, line), 4.0, "{name}");
    }
    assert_eq!(calls(&report, "shmem_barrier_all", None), 8.0);
    assert!(calls(&report, "shmem_finalize", line_of(PROGRAM, "finalize")) > 0.0);
    // The library's own calls are not the program's.
    for name in ["shmem_put32", "shmem_get32", "shmem_int_sum_to_all"] {
        assert_eq!(calls(&report, name, None), 0.0, "{name}");
    }
    let events = bench.ok(&["events", "measured", "--thread", "1"]);
    let of = |name: &str| {
        let mut lines = events.lines();
        lines.find(|line| line.contains(name)).unwrap().to_owned()
    };
    contains(&of("shmem_put4"), &["20", "2"]);
    contains(&of("shmem_integer_get"), &["12"]);
}
