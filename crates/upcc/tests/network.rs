//! Programs over MPI: the option, the compiler of the MPI, what is linked, and what is kept.
//! Stand-ins take the place of `mpicc`, so that no MPI is needed; with those that are there, programs
//! run.

mod common;
#[path = "../../trace/tests/support/not_tested.rs"]
mod not_tested;

use common::{HELLO, Place, text};
use not_tested::not_tested;
use pgas_instrument::mpi::{Mpicc, launcher_beside};
use pgas_instrument::network::Network;
use pgas_instrument::program::{ProgramInfo, inspect};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Writes down what it is called with, compiles the transport without MPI, and links a program's
/// note alone. `answer` is the file with its answer to `-show`.
const MPICC: &str = r#"#!/bin/sh
here=$(dirname "$0")
case $1 in
-show) cat "$here/answer"; exit ;;
--version) echo 'cc 1.0'; exit ;;
esac
echo "OMPI_CC=$OMPI_CC MPICH_CC=$MPICH_CC I_MPI_CC=$I_MPI_CC $0 $*" >>"$here/log"
note=
for word; do
    case $word in
    *program-note.o) note=$word ;;
    transport.c)
        if [ -e "$here/broken" ]; then echo 'transport.c:1: error: mpi.h: nowhere to be seen' >&2; exit 1; fi
        echo 'int transport;' | "$OMPI_CC" -c -x c -o transport.o -
        exit ;;
    esac
    [ "$last" = -o ] && output=$word
    last=$word
done
"$OMPI_CC" -r -nostdlib -o "$output" "$note" && chmod +x "$output"
"#;

struct Site {
    place: Place,
}

impl Site {
    fn new() -> Self {
        let place = Place::new(&[
            ("hello.upc", HELLO),
            ("mpicc", MPICC),
            ("answer", "cc -lone"),
        ]);
        let mpicc = place.dir.path().join("mpicc");
        std::fs::set_permissions(mpicc, std::fs::Permissions::from_mode(0o755)).unwrap();
        Site { place }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.place.dir.path().canonicalize().unwrap().join(name)
    }

    /// The compiler, where the stand-in is `$MPICC` and nothing is kept from other tests.
    fn command(&self, line: &str) -> Command {
        let mut command = self.place.command(env!("CARGO_BIN_EXE_pgas-upcc"), line);
        command
            .env("MPICC", self.path("mpicc"))
            .env("PGAS_CACHE_DIR", self.path("cache"))
            .env_remove("PGAS_NETWORK");
        command
    }

    fn ok(&self, line: &str) -> String {
        succeeds(&mut self.command(line))
    }

    fn fails(&self, line: &str) -> String {
        fails(&mut self.command(line))
    }

    fn log(&self) -> Vec<String> {
        match self.place.has("log") {
            true => self.place.read("log").lines().map(String::from).collect(),
            false => Vec::new(),
        }
    }

    fn note(&self, program: &str) -> ProgramInfo {
        inspect(&self.path(program)).unwrap().unwrap()
    }
}

fn ended(command: &mut Command) -> Output {
    command.output().unwrap()
}

/// Standard error of a command that succeeds.
fn succeeds(command: &mut Command) -> String {
    let output = ended(command);
    let said = text(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}");
    said
}

fn fails(command: &mut Command) -> String {
    let output = ended(command);
    assert_eq!(output.status.code(), Some(1), "{command:?}");
    text(&output.stderr)
}

#[test]
fn the_network_is_named_by_an_option_or_the_environment() {
    let site = Site::new();
    let wrong = site.fails("-network=udp -c hello.upc");
    for part in ["'udp' is not a network", "smp (", "mpi ("] {
        assert!(wrong.contains(part), "{wrong}");
    }
    let wrong = fails(site.command("-c hello.upc").env("PGAS_NETWORK", "ibv"));
    assert!(wrong.contains("'ibv' (from PGAS_NETWORK)"), "{wrong}");
    // The option is what counts.
    succeeds(
        site.command("-network=smp hello.upc")
            .env("PGAS_NETWORK", "ibv"),
    );
    assert_eq!(site.note("a.out").network, Some(Network::Smp));

    site.place.write(
        "which.upc",
        "#ifdef UPCR_MPI\nover_mpi\n#else\none_machine\n#endif\n",
    );
    let preprocessed = |command: &mut Command| text(&ended(command).stdout);
    for line in ["-network=mpi", "-network mpi", "--network=mpi"] {
        let found = preprocessed(&mut site.command(&format!("{line} -E which.upc")));
        assert!(found.contains("\nover_mpi"), "{line}: {found}");
    }
    let mut by_environment = site.command("-E which.upc");
    let found = preprocessed(by_environment.env("PGAS_NETWORK", "mpi"));
    assert!(found.contains("\nover_mpi"), "{found}");
    let found = preprocessed(&mut site.command("-E which.upc"));
    assert!(found.contains("\none_machine"), "{found}");
    assert!(site.log().is_empty(), "{:?}", site.log());
}

#[test]
fn without_mpicc_everything_works_but_the_link() {
    let site = Site::new();
    site.ok("-network=mpi -c hello.upc");
    let without = |command: &mut Command| {
        let cc = which("cc");
        fails(command.env("PGAS_CC", cc).env("PATH", site.path("cache")))
    };
    let mut command = site.command("-network=mpi hello.o");
    let message = without(command.env_remove("MPICC"));
    for part in [
        "no mpicc: looked for `mpicc` on PATH",
        "apt install libopenmpi-dev",
        "module load",
        "-network=smp) needs none",
    ] {
        assert!(message.contains(part), "{message}");
    }
    let message = without(
        site.command("-network=mpi hello.o")
            .env("MPICC", "/no/mpicc"),
    );
    assert!(message.contains("`/no/mpicc` (from MPICC)"), "{message}");
    let message = without(&mut site.command("-network=mpi -mpicc=/no/cc hello.o"));
    assert!(message.contains("`/no/cc` (from --mpicc)"), "{message}");
}

fn which(name: &str) -> String {
    let found = Command::new("sh")
        .args(["-c", &format!("command -v {name}")])
        .output();
    text(&found.unwrap().stdout).trim().to_string()
}

#[test]
fn a_program_is_linked_by_mpicc_and_says_so() {
    let site = Site::new();
    symlink(site.path("mpicc"), site.path("other")).unwrap();
    site.ok("-network=mpi -T 3 -O2 -o prog hello.upc");
    let info = site.note("prog");
    assert_eq!((info.network, info.threads), (Some(Network::Mpi), Some(3)));
    assert_eq!(info.mpicc, Some(site.path("mpicc")));
    let [transport, link] = site.log().try_into().unwrap();
    let cc = which("cc");
    let behind = format!("OMPI_CC={cc} MPICH_CC={cc} I_MPI_CC={cc} ");
    for (command, parts) in [
        (
            transport,
            &["-O2 -fPIC -std=gnu11 -Wall -c -o transport.o transport.c"][..],
        ),
        (
            link,
            &[
                "-O2",
                "transport.o ",
                "libpgas_upcr_mpi.a -lpthread -lm",
                "--wrap=main",
            ],
        ),
    ] {
        assert!(command.starts_with(&behind), "{command}");
        for part in parts {
            assert!(command.contains(part), "{command}");
        }
        assert!(!command.contains("libpgas_upcr.a"), "{command}");
    }
    // The option comes before the environment.
    let other = site.path("other").display().to_string();
    site.ok(&format!("-network=mpi --mpicc {other} -o prog hello.upc"));
    assert_eq!(site.note("prog").mpicc, Some(site.path("other")));
    // Shared libraries and joined objects have no runtime in them.
    let before = site.log().len();
    site.ok("-network=mpi -r -o joined.o hello.upc");
    assert_eq!(site.log().len(), before);
}

#[test]
fn commands_are_shown() {
    let site = Site::new();
    let shown = site.ok("-network=mpi -### hello.upc");
    let cc = which("cc");
    let mpicc = site.path("mpicc");
    let mpicc = format!(
        "env OMPI_CC={cc} MPICH_CC={cc} I_MPI_CC={cc} {}",
        mpicc.display()
    );
    let lines: Vec<&str> = shown.lines().filter(|l| l.starts_with(&mpicc)).collect();
    assert_eq!(lines.len(), 2, "{shown}");
    assert!(lines[0].ends_with("-o transport.o transport.c"), "{shown}");
    assert!(lines[1].contains("libpgas_upcr_mpi.a"), "{shown}");
    assert!(site.log().is_empty(), "{:?}", site.log());
    let shown = site.ok("-network=mpi -v hello.upc");
    assert!(shown.contains(&mpicc), "{shown}");
}

#[test]
fn the_transport_is_made_once_for_each_mpi() {
    let site = Site::new();
    let made = || {
        let log = site.log();
        log.iter().filter(|l| l.ends_with("transport.c")).count()
    };
    site.ok("-network=mpi hello.upc");
    site.ok("-network=mpi hello.upc");
    assert_eq!(made(), 1);
    // Another module was loaded.
    site.place.write("answer", "cc -ltwo");
    site.ok("-network=mpi hello.upc");
    assert_eq!(made(), 2);
    site.place.write("answer", "cc -lone");
    site.ok("-network=mpi hello.upc");
    assert_eq!(made(), 2);
    // What others could have written is not linked.
    let sets = std::fs::read_dir(site.path("cache")).unwrap();
    let sets = sets.map(|entry| entry.unwrap().path());
    for object in sets
        .map(|set| set.join("transport.o"))
        .filter(|o| o.is_file())
    {
        std::fs::set_permissions(object, std::fs::Permissions::from_mode(0o666)).unwrap();
    }
    site.ok("-network=mpi hello.upc");
    assert_eq!(made(), 3);
}

#[test]
fn an_mpicc_that_does_not_compile_the_transport_is_quoted() {
    let site = Site::new();
    site.place.write("broken", "");
    let message = site.fails("-network=mpi -o prog hello.upc");
    for part in [
        "cannot be compiled",
        "command: env OMPI_CC=",
        "transport.c:1: error: mpi.h: nowhere to be seen",
        "--mpicc or MPICC names another one",
    ] {
        assert!(message.contains(part), "{message}");
    }
    assert!(!site.place.has("prog"));
}

#[test]
fn objects_for_different_networks_do_not_link() {
    let site = Site::new();
    site.place
        .write("part.upc", "#include <upc.h>\nshared int part;\n");
    site.place.write("plain.c", "int plain;\n");
    site.ok("-network=mpi -c hello.upc");
    site.ok("-c part.upc");
    assert!(
        site.place
            .command("cc", "-c plain.c")
            .status()
            .unwrap()
            .success()
    );
    let message = site.fails("-network=mpi -o prog hello.o part.o plain.o");
    for part in [
        "hello.o: mpi",
        "part.o: smp",
        "this command: mpi",
        "-network=smp, or all",
    ] {
        assert!(message.contains(part), "{message}");
    }
    assert!(!message.contains("plain.o"), "{message}");
    let message = site.fails("-o prog hello.o plain.o");
    assert!(
        message.contains("hello.o: mpi\n  this command: smp"),
        "{message}"
    );
    assert!(message.contains("Link them with -network=mpi"), "{message}");
    site.ok("-network=mpi -o prog hello.o plain.o");
    assert!(
        site.place
            .command("ar", "rcs libpart.a part.o")
            .status()
            .unwrap()
            .success()
    );
    let message = site.fails("-network=mpi -o prog hello.o libpart.a");
    assert!(message.contains("libpart.a(part.o): smp"), "{message}");
}

/// Runs something with the compiler and the launcher of each MPI that is here.
fn with_every_mpi(what: &str, test: impl Fn(&Path, &Path)) {
    let cc = which("cc");
    let mut found: Vec<PathBuf> = ["mpicc.openmpi", "mpicc.mpich", "mpicc"]
        .iter()
        .filter_map(|name| Mpicc::find(Some(Path::new(name)), Path::new(&cc)).ok())
        .map(|mpicc| mpicc.path)
        .collect();
    found.sort();
    found.dedup();
    if found.is_empty() {
        not_tested(&format!("{what}: there is no mpicc"));
    }
    for mpicc in found {
        match launcher_beside(&mpicc) {
            Ok(launcher) => test(&mpicc, &launcher),
            Err(_) => not_tested(&format!(
                "{what} that {} links: there is no mpirun beside it",
                mpicc.display()
            )),
        }
    }
}

/// The command that runs a program with two processes, at most two minutes.
fn launch(launcher: &Path, program: &Path) -> Command {
    launch_two(launcher, program, program)
}

/// The same of two programs with a process each.
fn launch_two(launcher: &Path, first: &Path, second: &Path) -> Command {
    let mut command = Command::new("timeout");
    command
        .arg("120")
        .arg(launcher)
        .args(["-n", "1"])
        .arg(first)
        .args([":", "-n", "1"])
        .arg(second)
        // Containers have one user and few cores.
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .env("OMPI_MCA_rmaps_base_oversubscribe", "1")
        .env_remove("PGAS_THREADS");
    command
}

#[test]
fn programs_run_over_every_mpi_that_is_here() {
    let site = Site::new();
    with_every_mpi("programs over MPI", |mpicc, launcher| {
        let mpicc_option = mpicc.display();
        site.ok(&format!(
            "-network=mpi -mpicc={mpicc_option} -O2 -o prog hello.upc"
        ));
        assert_eq!(site.note("prog").mpicc.as_deref(), Some(mpicc));
        let mut command = launch(launcher, &site.path("prog"));
        let output = ended(&mut command);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert_eq!(text(&output.stdout), "2\n", "{command:?}");
    });
}

/// Thread 0 reads and writes data of thread 1, whose process has stopped itself, and lets it go on.
const STOPPED: &str = r#"
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <upc.h>

#define N 100000

strict shared [1] int processes[THREADS];
shared [N] char block[N * THREADS];
static char own[N];

static int is_stopped(int process)
{
    char name[64], text[512] = "";
    sprintf(name, "/proc/%d/stat", process);
    FILE *file = fopen(name, "r");
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    return length > 0 && strrchr(text, ')')[2] == 'T';
}

int main(void)
{
    memset((char *)&block[N * MYTHREAD], 'a' + MYTHREAD, N);
    processes[MYTHREAD] = getpid();
    upc_barrier;
    if (MYTHREAD == 1) {
        raise(SIGSTOP);
    } else {
        int process = processes[1];
        while (!is_stopped(process))
            usleep(1000);
        upc_memget(own, &block[N], N);
        own[0]++;
        upc_memput(&block[N], own, N);
        kill(process, SIGCONT);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        printf("%c%c%c\n", own[0], own[N - 1], (char)block[N]);
    return 0;
}
"#;

/// The same of two nodes, with or without one-sided operations.
fn launch_nodes(launcher: &Path, program: &Path, one_sided: &str) -> Command {
    let mut command = launch(launcher, program);
    command
        .env("PGAS_NODE_SIZE", "1")
        .env("PGAS_ONE_SIDED", one_sided);
    command
}

#[test]
fn one_sided_operations_need_no_help_or_are_not_used() {
    let site = Site::new();
    site.place.write("stopped.upc", STOPPED);
    with_every_mpi("one-sided operations", |mpicc, launcher| {
        let mpicc = mpicc.display();
        site.ok(&format!(
            "-network=mpi -mpicc={mpicc} -O2 -o prog hello.upc"
        ));
        let mut command = launch_nodes(launcher, &site.path("prog"), "say");
        let output = ended(&mut command);
        let said = text(&output.stderr);
        assert_eq!(text(&output.stdout), "2\n", "{command:?}: {said}");
        if said.contains("messages are used, not one-sided operations of this MPI (") {
            // Of those that Debian has, over shared memory.
            let is_known = said.contains("they wait for calls of the other process");
            assert!(is_known, "{said}");
            not_tested(&format!(
                "one-sided operations of the MPI of {mpicc}, which wait for the other process"
            ));
            return;
        }
        assert!(said.contains("are used: a read takes "), "{said}");
        site.ok(&format!(
            "-network=mpi -mpicc={mpicc} -O2 -o stopped stopped.upc"
        ));
        let mut command = launch_nodes(launcher, &site.path("stopped"), "1");
        let output = ended(&mut command);
        assert_eq!(text(&output.stdout), "cbc\n", "{}", text(&output.stderr));
    });
}

#[test]
fn a_wrong_setting_of_one_sided_operations_is_an_error() {
    let site = Site::new();
    with_every_mpi("settings over MPI", |mpicc, launcher| {
        site.ok(&format!(
            "-network=mpi -mpicc={} -o prog hello.upc",
            mpicc.display()
        ));
        let mut command = launch_nodes(launcher, &site.path("prog"), "yes");
        let output = ended(&mut command);
        assert_eq!(output.status.code(), Some(2), "{command:?}");
        let said = text(&output.stderr);
        assert!(said.contains("PGAS_ONE_SIDED is 'yes', but"), "{said}");
    });
}

#[test]
fn programs_for_different_numbers_of_threads_do_not_run_together() {
    let site = Site::new();
    with_every_mpi("programs over MPI", |mpicc, launcher| {
        for threads in [2, 3] {
            site.ok(&format!(
                "-network=mpi -mpicc={} -T={threads} -o for-{threads} hello.upc",
                mpicc.display()
            ));
        }
        for (first, second) in [("for-2", "for-3"), ("for-3", "for-2")] {
            let mut command = launch_two(launcher, &site.path(first), &site.path(second));
            let output = ended(&mut command);
            assert_eq!(output.status.code(), Some(2), "{command:?}");
            let said = text(&output.stderr);
            let why = "compiled for 3 threads (-T 3), but 2 processes were started";
            assert!(said.contains(why), "{said}");
        }
    });
}
