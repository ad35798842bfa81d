//! The programming models that there are programs of: where these are, how they are compiled, and
//! which patterns they can lose time to.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::measured::succeed;
use crate::mpi::{CONTAINER, runs};
use crate::suite::folder;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Model {
    Upc,
    OpenShmem,
    Coarrays,
    Tasks,
}

/// Regions of a report.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unseen {
    /// The end of the program, where recording cannot be switched off before.
    pub end: Option<&'static str>,
    /// One that the compiler adds in the line of another one, which is named second.
    pub follows: Option<(&'static str, &'static str)>,
}

pub const MODELS: [Model; 4] = [Model::Upc, Model::OpenShmem, Model::Coarrays, Model::Tasks];

/// Patterns of programs of tasks, which no other model has; programs of tasks have no others.
const OF_TASKS: [&str; 3] = ["late_producer", "slow_consumer", "idle_without_task"];

impl Model {
    /// Name of its folder; of UPC, whose programs lie directly in `accuracy/`, none.
    pub fn name(self) -> &'static str {
        match self {
            Model::Upc => "",
            Model::OpenShmem => "openshmem",
            Model::Coarrays => "coarrays",
            Model::Tasks => "tasks",
        }
    }

    pub fn extension(self) -> &'static str {
        match self {
            Model::Upc => "upc",
            Model::OpenShmem | Model::Tasks => "c",
            Model::Coarrays => "F90",
        }
    }

    /// Patterns that its programs cannot lose time to: it has no such operation, or one that takes
    /// no time where threads share memory, so that there is nothing to compare.
    pub fn is_without(self, pattern: &str) -> bool {
        OF_TASKS.contains(&pattern) != (self == Model::Tasks) || self.without().contains(&pattern)
    }

    fn without(self) -> &'static [&'static str] {
        match self {
            Model::Tasks => &[],
            Model::Upc => &[
                "signal_wait",
                "partner_wait",
                "group_wait",
                "completion_wait",
                "fence_wait",
            ],
            // Reductions leave their result on all, and there is no gather.
            Model::OpenShmem => &[
                "split_phase_wait",
                "early_gather_receiver",
                "early_gather_sender",
                "early_prefix_reduce",
                "collective_sync_in",
                "collective_sync_out",
                "event_wait",
                "partner_wait",
            ],
            // A loop with `atomic_ref` is not seen as a wait.
            Model::Coarrays => &[
                "completion_wait",
                "fence_wait",
                "split_phase_wait",
                "early_prefix_reduce",
                "collective_sync_in",
                "collective_sync_out",
                "flag_wait",
                "signal_wait",
            ],
        }
    }

    /// Minimum number of programs that lose time to a pattern, not counting its controls.
    pub fn programs_per_pattern(self) -> usize {
        match self {
            Model::Upc | Model::Tasks => 3,
            Model::OpenShmem | Model::Coarrays => 1,
        }
    }

    /// Times of operations without stamps around them, which is no part of a
    /// truth.
    pub fn unseen(self) -> Unseen {
        match self {
            Model::Upc | Model::Tasks => Unseen::default(),
            Model::OpenShmem => Unseen {
                end: Some("shmem_finalize"),
                follows: None,
            },
            // gfortran synchronises all images behind an allocation, as a part of the statement.
            Model::Coarrays => Unseen {
                end: Some("end program"),
                follows: Some(("sync all", "allocate")),
            },
        }
    }

    /// Environment of its compiler and its programs.
    pub fn environment(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Model::Upc | Model::Tasks => &[],
            Model::OpenShmem | Model::Coarrays => &CONTAINER,
        }
    }

    fn compiler(self) -> Option<&'static str> {
        match self {
            Model::Upc | Model::Tasks => None,
            Model::OpenShmem => Some("oshcc"),
            Model::Coarrays => Some("caf"),
        }
    }

    /// Whether this machine compiles and runs its programs; says what is not tested where it does
    /// not.
    pub fn is_there(self) -> bool {
        static KNOWN: [OnceLock<bool>; 4] = [const { OnceLock::new() }; 4];
        let Some(compiler) = self.compiler() else {
            return true;
        };
        *KNOWN[self as usize].get_or_init(|| {
            let dir = tempfile::tempdir().expect("a folder");
            let source = folder()
                .join(self.name())
                .join("wait_at_barrier/control_balanced")
                .with_extension(self.extension());
            let mut command = Command::new(compiler);
            self.add_arguments(&mut command, &dir.path().join("by_itself"), &source);
            runs(compiler, command.current_dir(dir.path()), "./by_itself")
        })
    }

    /// Adds to `pgastool compile` what makes a program of `source`. Where the program names a
    /// compiler of its own, it lies in the model's folder.
    pub fn compile(
        self,
        command: &mut Command,
        program: &Path,
        source: &Path,
        compiler: Option<&str>,
    ) {
        let own = compiler.map(|name| folder().join(self.name()).join(name));
        if let Some(compiler) = own.or(self.compiler().map(PathBuf::from)) {
            command.arg(compiler);
        }
        self.add_arguments(command, program, source);
    }

    /// The compiler and arguments that make a program of tasks, whose recorder is in its library.
    pub fn compile_tasks(program: &Path, source: &Path) -> Command {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut command = Command::new("cc");
        command
            .args(["-O2", "-g", "-I"])
            .arg(crates.join("tasks-c/include"))
            .arg("-o")
            .args([program, source, tasks_library()])
            .args(["-pthread", "-ldl", "-lm"]);
        command
    }

    fn add_arguments(self, command: &mut Command, program: &Path, source: &Path) {
        command.args(["-O2", "-o"]).arg(program).arg(source);
        if self == Model::Coarrays {
            // Each program has the same module.
            let modules = program.with_extension("modules");
            std::fs::create_dir(&modules).expect("a folder for modules");
            command
                .arg(folder().join("coarrays/truth.c"))
                .args(["-w", "-ffree-line-length-none", "-J"])
                .arg(modules);
        }
    }
}

/// The library of tasks in C with the recorder in it, built once.
fn tasks_library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let programs = Path::new(env!("CARGO_BIN_EXE_pgastool"));
        let target = programs.ancestors().nth(2).expect("a target folder");
        // Apart from the library without the recorder, which has the same name.
        let target = target.join("recorded-tasks");
        let mut build = Command::new(env!("CARGO"));
        let package = ["-p", "pgas-tasks-c", "--features", "record"];
        build
            .args(["build", "--release", "--offline", "--quiet"])
            .args(package)
            .arg("--target-dir")
            .arg(&target)
            .current_dir(env!("CARGO_MANIFEST_DIR"));
        succeed(&mut build);
        target.join("release/libpgas_tasks_c.a")
    })
}
