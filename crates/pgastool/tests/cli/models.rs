//! Programs of OpenSHMEM and of coarrays, where their compilers are installed: from the compiler's
//! command to a report.

use crate::bench::{Bench, Told, cache, contains};
use crate::mpi::{self, CONTAINER, has, is_there};
use crate::not_tested::not_tested;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// Each processing element puts its number into the next one's memory, three times.
const SHMEM: &str = "\
#include <shmem.h>
#include <stdio.h>
void meet(void);
static long box;
int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), all = shmem_n_pes();
    for (int round = 0; round < 3; round++) {
        long mine = me + round;
        shmem_long_put(&box, &mine, 1, (me + 1) % all);
        meet();
    }
    if (me == 0)
        printf(\"box %ld\\n\", box);
    shmem_finalize();
    return 0;
}
";
const MEETING: &str = "\
#include <shmem.h>
void meet(void)
{
    shmem_barrier_all();
}
";

/// Each image puts its number into the next one's memory, three times.
const COARRAY: &str = "\
program ring
  implicit none
  integer :: box[*]
  integer :: round
  do round = 1, 3
    box[mod(this_image(), num_images()) + 1] = this_image() + round
    sync all
  end do
  if (this_image() == 1) print '(a,i0)', 'box ', box
end program
";

/// Whether programs of the compiler run on this machine by themselves; says what is not tested where
/// they do not.
pub fn runs(bench: &Bench, compiler: &str, source: &str) -> bool {
    let mut compile = Command::new(compiler);
    compile
        .args(["-o", "by_itself", source])
        .current_dir(bench.path(""));
    mpi::runs(compiler, &mut compile, "./by_itself")
}

/// Runs the program by itself, then measures it on four processes, which prints the same, and
/// returns the report.
pub fn measured(bench: &Bench, program: &str, expected: &str) -> Value {
    let mut command = bench.command(&["run", "-n", "4", "-o", "measured", program]);
    let told = Told::of(command.envs(CONTAINER));
    assert_eq!(told.status, Some(0), "{told:?}");
    contains(&told.out, &[expected]);
    bench.ok(&["analyze", "measured"]);
    let report = bench.ok(&["report", "measured", "--format", "json"]);
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["threads"], 4);
    report
}

/// Calls of regions of this name, over all threads, at this line if one is named.
pub fn calls(report: &Value, region: &str, line: Option<u64>) -> f64 {
    let paths = report["call_paths"].as_array().unwrap();
    paths
        .iter()
        .filter(|path| path["region"] == region)
        .filter(|path| line.is_none_or(|line| path["line"] == line))
        .flat_map(|path| path["metrics"]["visits"].as_array().unwrap())
        .map(|visits| visits.as_f64().unwrap())
        .sum()
}

#[test]
fn a_program_of_openshmem_is_measured() {
    let bench = Bench::new();
    bench.write("ring.c", format!("{MEETING}{SHMEM}"));
    if !runs(&bench, "oshcc", "ring.c") {
        return;
    }
    bench.ok(&["compile", "oshcc", "-O2", "-o", "ring", "ring.c"]);
    let report = measured(&bench, "./ring", "box 5");
    assert_eq!(calls(&report, "shmem_long_put", Some(16)), 12.0);
    assert_eq!(calls(&report, "shmem_barrier_all", Some(4)), 12.0);
}

#[test]
fn a_program_of_coarrays_is_measured() {
    let bench = Bench::new();
    bench.write("ring.f90", COARRAY);
    if !runs(&bench, "caf", "ring.f90") {
        return;
    }
    bench.ok(&["compile", "caf", "-O2", "-o", "ring", "ring.f90"]);
    let report = measured(&bench, "./ring", "box 7");
    assert_eq!(calls(&report, "sync all", Some(7)), 12.0);
    // The library of another compiler command, which has no options for coarrays when it links.
    let plain = ["compile", "gfortran", "-fcoarray=lib", "-c", "ring.f90"];
    bench.ok(&plain);
    let link = ["compile", "caf", "--show", "-o", "ring", "ring.o"];
    contains(&bench.ok(&link), &[" -Wl,--wrap=_gfortran_caf_init "]);
}

#[test]
fn it_stands_for_the_compiler_in_steps_and_libraries() {
    let bench = Bench::new();
    bench.write("whole.c", format!("{MEETING}{SHMEM}"));
    if !runs(&bench, "oshcc", "whole.c") || !is_there("make") {
        return;
    }
    bench.write("ring.c", SHMEM);
    bench.write("meeting.c", MEETING);
    bench.write(
        "Makefile",
        "ring: ring.o libmeeting.a\n\t$(CC) $(CFLAGS) -o $@ ring.o -L. -lmeeting\nlibmeeting.a: \
         meeting.o\n\tar rcs $@ meeting.o\n%.o: %.c\n\t$(CC) $(CFLAGS) -c -o $@ $<\n",
    );
    let pgastool = env!("CARGO_BIN_EXE_pgastool");
    let made = Command::new("make")
        .arg(format!("CC={pgastool} compile oshcc"))
        .arg("CFLAGS=-O2 -g")
        .env("PGAS_CACHE_DIR", cache())
        .current_dir(bench.path(""))
        .output()
        .unwrap();
    assert!(made.status.success(), "{made:?}");
    let report = measured(&bench, "./ring", "box 5");
    assert_eq!(calls(&report, "shmem_barrier_all", None), 12.0);
}

#[test]
fn cmake_takes_it_for_a_compiler() {
    let bench = Bench::new();
    bench.write("ring.c", format!("{MEETING}{SHMEM}"));
    if !runs(&bench, "oshcc", "ring.c") {
        return;
    }
    if !is_there("cmake") {
        not_tested("CMake with the compiler of pgastool: there is no cmake");
        return;
    }
    bench.write(
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.13)\nproject(ring C)\nadd_executable(ring ring.c)\n",
    );
    let pgastool = env!("CARGO_BIN_EXE_pgastool");
    for arguments in [&["-S", ".", "-B", "build"][..], &["--build", "build"]] {
        let made = Command::new("cmake")
            .args(arguments)
            .env("CC", format!("{pgastool} compile oshcc"))
            .env("PGAS_CACHE_DIR", cache())
            .current_dir(bench.path(""))
            .output()
            .unwrap();
        assert!(made.status.success(), "{made:?}");
    }
    measured(&bench, "build/ring", "box 5");
}

#[test]
fn questions_and_text_are_the_compilers_own() {
    if !has("oshcc") {
        return;
    }
    let bench = Bench::new();
    bench.write("ring.c", "int ring;\n");
    for arguments in [
        &["--version"][..],
        &["-show", "ring.c"],
        &["-E", "ring.c"],
        &["-S", "-o", "-", "ring.c"],
        &["-MM", "ring.c"],
        &["-print-search-dirs"],
    ] {
        let plain = Command::new("oshcc")
            .args(arguments)
            .current_dir(bench.path(""))
            .output()
            .unwrap();
        let told = bench.told(&[&["compile", "oshcc"], arguments].concat());
        assert_eq!(told.out, String::from_utf8_lossy(&plain.stdout));
    }
}

#[test]
fn a_compiler_of_no_model_is_refused() {
    let bench = Bench::new();
    bench.write("a.c", "int main(void) { return 0; }\n");
    let err = bench.refused(&["compile", "cc", "-c", "a.c"]);
    contains(
        &err,
        &[
            "compiles no programs that pgastool can measure",
            "shmem_init or MPI_Init",
            "-fcoarray=lib",
        ],
    );
    assert!(!bench.path("a.o").exists());
}

#[test]
fn options_for_upc_alone_are_refused() {
    if !has("oshcc") {
        return;
    }
    let bench = Bench::new();
    bench.write("a.c", "int a;\n");
    for option in [
        &["--threads", "4"][..],
        &["--network", "mpi"],
        &["--inst-local"],
        &["--accesses", "all"],
    ] {
        let arguments = [&["compile"], option, &["oshcc", "-c", "a.c"]].concat();
        let err = bench.refused(&arguments);
        contains(&err, &[option[0], "is for UPC programs", "of OpenSHMEM"]);
    }
    let show = [
        "compile",
        "--show",
        "--functions",
        "all",
        "oshcc",
        "-c",
        "a.c",
    ];
    contains(&bench.ok(&show), &[" -finstrument-functions -c a.c"]);
}

/// A program that says that a compiler in this directory has linked it.
fn noted(bench: &Bench, model: &str, compiler: &Path) {
    let note = format!(
        "compiler={model};threads=dynamic;instrumented=yes;network=mpi;mpicc={};",
        compiler.display()
    );
    bench.write(
        "noted.c",
        format!(
            "__attribute__((section(\".pgas_info\"), used)) static const char note[] = \
             \"{note}\";\nint main(void) {{ return 0; }}\n"
        ),
    );
    let compiled = Command::new("cc")
        .args(["-o", "noted", "noted.c"])
        .current_dir(bench.path(""))
        .status();
    assert!(compiled.unwrap().success());
}

#[test]
fn programs_start_by_the_launcher_beside_their_compiler() {
    let bench = Bench::new();
    let site = bench.path("site").canonicalize().unwrap_or_else(|_| {
        fs::create_dir(bench.path("site")).unwrap();
        bench.path("site").canonicalize().unwrap()
    });
    for name in ["oshrun", "mpirun", "mpirun.openmpi", "srun"] {
        let path = site.join(name);
        fs::write(&path, "#!/bin/sh\necho 'mpirun (Open MPI) 4.1.4'\n").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let show = |arguments: &[&str], job: &[(&str, &str)]| {
        let arguments = [&["run", "--show"], arguments, &["./noted"]].concat();
        let mut command = bench.command(&arguments);
        for name in ["SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "PGAS_LAUNCHER"] {
            command.env_remove(name);
        }
        let path = format!("{}:{}", site.display(), std::env::var("PATH").unwrap());
        let told = Told::of(command.env("PATH", path).envs(job.iter().copied()));
        assert_eq!(told.status, Some(0), "{told:?}");
        told.out
    };
    let of_site = |name: &str| format!("{}/{name} -np 3 ", site.display());
    noted(&bench, "openshmem", &site.join("oshcc"));
    contains(&show(&["-n", "3"], &[]), &[&of_site("oshrun"), "-x PGAS_"]);
    let job = [("SLURM_JOB_ID", "7"), ("SLURM_NTASKS", "3")];
    contains(&show(&[], &job), &["srun --ntasks=3 "]);
    noted(&bench, "coarrays", &site.join("mpif90.openmpi"));
    contains(&show(&["-n", "3"], &[]), &[&of_site("mpirun.openmpi")]);
    // Of a compiler that is there no more.
    noted(&bench, "openshmem", Path::new("/nothing/oshcc"));
    contains(&show(&["-n", "3"], &[]), &[" oshrun -np 3 "]);
}

/// Asks for the states of images, and changes to a team of every second image.
const STATES: &str = "\
program states
  use iso_fortran_env
  implicit none
  type(team_type) :: half
  integer, allocatable :: gone(:)
  call random_init(.true., .true.)
  gone = failed_images()
  gone = stopped_images()
  if (image_status(1) /= 0) stop 1
  form team (1 + mod(this_image(), 2), half)
  change team (half)
    sync all
  end team
  if (this_image() == 1) print '(a)', 'all there'
end program
";

#[test]
fn states_of_images_and_changes_of_teams_are_recorded() {
    let bench = Bench::new();
    bench.write("states.f90", STATES);
    if !runs(&bench, "caf", "states.f90") {
        return;
    }
    bench.ok(&["compile", "caf", "-g", "-o", "states", "states.f90"]);
    let report = measured(&bench, "./states", "all there");
    for (region, line) in [
        ("random_init", 6),
        ("failed_images", 7),
        ("stopped_images", 8),
        ("image_status", 9),
    ] {
        assert_eq!(calls(&report, region, Some(line)), 4.0, "{region}");
    }
    // The images of a team are known when they come to change to it.
    let events = bench.ok(&["events", "measured", "--thread", "1"]);
    let group = |region: &str| {
        let line = events
            .lines()
            .find(|line| line.contains(&format!("> {region} ")));
        let line = line.unwrap();
        let text = line.split("group ").nth(1);
        let text = text.unwrap_or_else(|| panic!("{line}"));
        text.to_string()
    };
    assert_eq!(group("change team"), group("sync all"));
    assert!(group("change team").ends_with(" of 2"), "{events}");
}

/// Writes a file at its end, when libgfortran locks it if the program has threads.
const FILE_WRITER: &str = "program writer
  implicit none
  integer :: x[*]
  open(unit=10, file='written')
  x = 7
  sync all
  write(10, *) x
  print *, 'done'
end program
";

#[test]
fn a_static_program_of_one_image_ends_in_good_order() {
    let bench = Bench::new();
    bench.write("writer.f90", FILE_WRITER);
    let options = [
        "-fcoarray=lib",
        "-static",
        "-o",
        "plain",
        "writer.f90",
        "-lcaf_single",
    ];
    let mut compile = Command::new("gfortran");
    let compiled = compile.args(options).current_dir(bench.path("")).output();
    if !compiled.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: gfortran links no static programs of coarrays here");
        return;
    }
    let mut arguments = vec!["compile", "gfortran"];
    arguments.extend(options);
    bench.ok(&arguments);
    let run = [
        "run",
        "-n",
        "1",
        "--launcher",
        "direct",
        "-o",
        "e",
        "./plain",
    ];
    let told = bench.told(&run);
    assert_eq!(told.status, Some(0), "{told:?}");
    contains(&told.out, &["done"]);
    assert!(!told.err.contains("warning"), "{told:?}");
}

/// The last image fails, when the others have left the synchronisation; these go on without it,
/// and then, if they have an argument, wait until somebody ends them.
const FAILING: &str = "program failing
  use iso_fortran_env, only: event_type
  implicit none
  type(event_type) :: ready[*]
  integer :: me, round
  me = this_image()
  sync all
  if (me < num_images()) event post (ready[num_images()])
  if (me == num_images()) then
    event wait (ready, until_count=num_images() - 1)
    fail image
  end if
  do round = 1, 3
    if (me == 1) sync images ([2, 3])
    if (me == 2) sync images ([1, 3])
    if (me == 3) sync images ([1, 2])
  end do
  if (me == 1) print '(a)', 'survived'
  if (command_argument_count() > 0) call sleep(600)
  call exit(0)
end program
";

/// Measures the failing program with options of the launcher and returns the report.
fn failed(bench: &Bench, options: &str) -> (Told, Value) {
    let launcher = format!("mpirun {options}");
    let run = [
        "run",
        "-n",
        "4",
        "-o",
        "failed",
        "--launcher",
        launcher.trim(),
    ];
    let program: &[&str] = match options {
        "" => &["./failing", "stay"],
        _ => &["./failing"],
    };
    let mut command = bench.command(&[&run[..], program].concat());
    let told = Told::of(command.envs(CONTAINER));
    bench.ok(&["analyze", "failed"]);
    let report = bench.ok(&["report", "failed", "--format", "json"]);
    fs::remove_dir_all(bench.path("failed")).unwrap();
    (told, serde_json::from_str(&report).unwrap())
}

#[test]
fn a_report_names_the_image_that_failed() {
    let bench = Bench::new();
    bench.write("ring.f90", COARRAY);
    bench.write("failing.f90", FAILING);
    if !runs(&bench, "caf", "ring.f90") {
        return;
    }
    bench.ok(&["compile", "caf", "-g", "-o", "failing", "failing.f90"]);
    // By default launchers end the other images.
    for options in ["", "--enable-recovery"] {
        let (told, report) = failed(&bench, options);
        assert_eq!(options.is_empty(), told.status != Some(0), "{told:?}");
        let remarks = report["remarks"].as_array().unwrap();
        let remark = remarks.iter().find(|remark| {
            let text = remark.as_str().unwrap();
            text.starts_with("image 4 left the program in fail image (failing.f90:11)")
                && text.ends_with(", without the other images")
        });
        assert!(remark.is_some(), "{options}: {remarks:?}");
        assert_eq!(calls(&report, "fail image", Some(11)), 1.0, "{options}");
        assert_eq!(calls(&report, "sync all", Some(7)), 4.0, "{options}");
        if !options.is_empty() {
            contains(&told.out, &["survived"]);
            assert_eq!(calls(&report, "sync images", None), 9.0);
        }
    }
}

/// Completes transfers so often that the recorder only counts it.
const OFTEN: &str = "\
#include <shmem.h>
#include <stdio.h>
static long box;
int main(void)
{
    shmem_init();
    for (int call = 0; call < 300000; call++)
        shmem_quiet();
    shmem_barrier_all();
    if (shmem_my_pe() == 0)
        printf(\"box %ld\\n\", box);
    shmem_finalize();
    return 0;
}
";

#[test]
fn completions_that_were_throttled_are_counted_in_a_remark() {
    let bench = Bench::new();
    bench.write("often.c", OFTEN);
    if !runs(&bench, "oshcc", "often.c") {
        return;
    }
    bench.ok(&["compile", "oshcc", "-O2", "-g", "-o", "often", "often.c"]);
    let report = measured(&bench, "./often", "box 0");
    let throttled = report["recording"]["throttled"].as_array().unwrap();
    let quiet = throttled
        .iter()
        .find(|calls| calls["region"] == "shmem_quiet");
    let calls = quiet.unwrap_or_else(|| panic!("{throttled:?}"))["calls"].as_u64();
    let expected = format!(
        "{} calls that complete or order transfers were throttled, shmem_quiet (often.c:8): ",
        calls.unwrap()
    );
    let remarks = report["remarks"].as_array().unwrap().iter();
    let remarks: Vec<&str> = remarks.map(|remark| remark.as_str().unwrap()).collect();
    assert!(
        remarks.iter().any(|text| text.starts_with(&expected)),
        "{remarks:?}"
    );
}

/// Reports say what is lost, and how to have it.
#[test]
fn without_debug_information_calls_have_names_and_addresses() {
    let bench = Bench::new();
    bench.write("ring.c", format!("{MEETING}{SHMEM}"));
    if !runs(&bench, "oshcc", "ring.c") {
        return;
    }
    let no_lines = "it has no debug information (compile all of it with -g)";
    let no_names = "it is stripped, of its functions' names too";
    for (options, place, lost) in [
        (&["-g0"][..], "meet, 0x", no_lines),
        (&["-g0", "-s"], "0x", no_names),
    ] {
        let compile = ["compile", "oshcc", "-O0", "-o", "ring", "ring.c"];
        bench.ok(&[&compile[..], options].concat());
        let report = measured(&bench, "./ring", "box 5");
        assert_eq!(calls(&report, "shmem_long_put", Some(0)), 12.0);
        assert_eq!(calls(&report, "shmem_barrier_all", Some(0)), 12.0);
        let mut paths = report["call_paths"].as_array().unwrap().iter();
        let barrier = paths.find(|path| path["region"] == "shmem_barrier_all");
        let file = barrier.unwrap()["file"].as_str().unwrap();
        assert!(
            file.starts_with(place) && file.ends_with(" in ring"),
            "{file}"
        );
        let remarks = report["remarks"].as_array().unwrap();
        let said = remarks
            .iter()
            .any(|text| text.as_str().unwrap().contains(lost));
        assert!(said, "{remarks:?}");
        fs::remove_dir_all(bench.path("measured")).unwrap();
    }
}
