//! The programs of the folder `accuracy/`: which there are, how they are compiled, and one of them
//! run and compared with its truth.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use serde_json::Value;

use crate::comparison::{FLOOR, Outcome};
use crate::machine::{Attempt, Watch, judge};
use crate::measured::{analysed, pgastool, run_with, succeed};
use crate::model::{MODELS, Model};
use crate::truth::{Truth, truth};

/// How often a run is measured at most, if the machine disturbs it each time.
const ATTEMPTS: usize = 5;
/// Seconds without a core, of all threads, above which a run is disturbed: it is as much as a thread
/// may deviate from its truth in any case.
const DISTURBED: f64 = FLOOR;

/// Programs are measured while no other is, and while nothing is compiled or analysed.
static CORES: RwLock<()> = RwLock::new(());

/// The cores, with others that need no quiet machine.
fn busy() -> RwLockReadGuard<'static, ()> {
    CORES.read().unwrap_or_else(PoisonError::into_inner)
}

/// The cores for one program by itself.
pub fn alone() -> RwLockWriteGuard<'static, ()> {
    CORES.write().unwrap_or_else(PoisonError::into_inner)
}

/// One program.
#[derive(Debug, Clone)]
pub struct Case {
    pub model: Model,
    /// Folder, which is the pattern that it is about or `combined`, and name.
    pub folder: String,
    pub name: String,
    /// Numbers of threads that it is run with; the first is that of the short form.
    pub threads: Vec<u32>,
    pub source: PathBuf,
}

impl Case {
    pub fn title(&self) -> String {
        let model = self.model.name();
        let separator = if model.is_empty() { "" } else { "/" };
        format!("{model}{separator}{}/{}", self.folder, self.name)
    }

    /// Programs that lose nothing to the pattern that they are about.
    pub fn is_control(&self) -> bool {
        self.name.starts_with("control_")
    }

    /// Panics unless the program injects what its name says: something of the pattern it is about,
    /// nothing of it, or several.
    fn check_plan(&self, truth: &Truth) {
        let planned = truth.losses.iter().filter(|loss| loss.planned > 0.0);
        let patterns: Vec<&str> = planned.map(|loss| loss.pattern.as_str()).collect();
        let fits = match self.folder == "combined" {
            true => patterns.len() > 1,
            false => patterns.contains(&self.folder.as_str()) != self.is_control(),
        };
        assert!(fits, "{} injects {patterns:?}", self.title());
    }

    /// Compiles it into `dir`, and returns the program.
    pub fn compile(&self, dir: &Path, how: &How) -> PathBuf {
        let _busy = busy();
        let program = dir.join(self.title().replace('/', "-"));
        if self.model == Model::Tasks {
            succeed(&mut Model::compile_tasks(&program, &self.source));
            return program;
        }
        let mut command = pgastool(dir);
        command
            .envs(self.model.environment().iter().copied())
            .envs(how.environment.iter().copied())
            .arg("compile");
        if let Some(options) = said(&self.source, "options") {
            command.args(options.split(' '));
        }
        let compiler = said(&self.source, "compiler");
        self.model
            .compile(&mut command, &program, &self.source, compiler.as_deref());
        if let Some(rounds) = how.rounds {
            command.arg(format!("-DROUNDS={rounds}"));
        }
        succeed(&mut command);
        program
    }
}

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../accuracy")
}

/// All programs, in the order of their titles.
pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let entries = |path: &Path| {
        let entries = std::fs::read_dir(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        entries.map(|entry| entry.expect("an entry").path())
    };
    let text =
        |name: Option<&std::ffi::OsStr>| name.expect("a name").to_string_lossy().into_owned();
    for model in MODELS {
        let sources = entries(&folder().join(model.name()))
            .filter(|path| path.is_dir())
            .flat_map(|directory| entries(&directory).collect::<Vec<_>>())
            .filter(|path| path.extension().is_some_and(|e| e == model.extension()));
        cases.extend(sources.map(|source| Case {
            model,
            folder: text(source.parent().expect("a folder").file_name()),
            name: text(source.file_stem()),
            threads: threads(&source),
            source,
        }));
    }
    cases.sort_by_key(|case| {
        let folder = case.folder.clone();
        (case.model, folder, case.is_control(), case.name.clone())
    });
    cases
}

pub fn case(title: &str) -> Case {
    let found = cases().into_iter().find(|case| case.title() == title);
    found.unwrap_or_else(|| panic!("no program '{title}' in {}", folder().display()))
}

/// A program's statement about itself in a comment line such as `// options: --functions all`.
fn said(source: &Path, what: &str) -> Option<String> {
    let text = std::fs::read_to_string(source).expect("a program");
    text.lines().find_map(|line| {
        let comment = line
            .strip_prefix("// ")
            .or_else(|| line.strip_prefix("! "))?;
        let value = comment.strip_prefix(what)?.strip_prefix(": ")?;
        Some(value.to_owned())
    })
}

/// The numbers in the comment line `// threads: 4 2 16`.
fn threads(source: &Path) -> Vec<u32> {
    let list = said(source, "threads");
    let list = list.and_then(|list| list.split(' ').map(|n| n.parse().ok()).collect());
    list.unwrap_or_else(|| panic!("{}: no line '// threads: 4 2'", source.display()))
}

/// How a program is measured.
#[derive(Debug, Clone, Default)]
pub struct How<'a> {
    /// Variables in the environment of the compiler and of the run.
    pub environment: &'a [(&'a str, &'a str)],
    /// The trace is converted to EPILOG and back before it is analysed.
    pub through_epilog: bool,
    /// In place of the programs' own number of rounds.
    pub rounds: Option<u32>,
}

/// Runs a program and compares it with its truth; repeats that if it deviates and the machine has
/// taken its cores. `None` if the machine did so in all runs. `also` adds what else must hold of a
/// report.
pub fn agree(
    case: &Case,
    program: &Path,
    threads: u32,
    how: &How,
    also: impl Fn(&Value) -> Vec<String>,
) -> Option<Outcome> {
    let dir = tempfile::tempdir().expect("a folder");
    // The programs' truth does not tell a lost core from waiting.
    let mut environment = case.model.environment().to_vec();
    environment.extend(how.environment);
    environment.push(("PGAS_NO_CORE", "0"));
    let title = format!("{} with {threads} threads", case.title());
    judge(&title, ATTEMPTS, |attempt| {
        let experiment = dir.path().join(format!("run-{attempt}"));
        let (printed, taken) = {
            let _alone = alone();
            let watch = Watch::start();
            let printed = run_with(&environment, dir.path(), program, &[], threads, &experiment);
            (printed, watch.end(&experiment))
        };
        let _busy = busy();
        let experiment = match how.through_epilog {
            true => there_and_back(dir.path(), &experiment),
            false => experiment,
        };
        let report = analysed(dir.path(), &experiment);
        let truth = truth(&printed, threads);
        case.check_plan(&truth);
        let mut outcome = Outcome::new(&report, &truth, &case.folder, case.model.unseen());
        outcome.deviations.extend(also(&report));
        if !outcome.deviations.is_empty() {
            outcome.deviations.push(format!(
                "the machine took {:.6} s of the cores",
                taken.seconds()
            ));
        }
        Attempt {
            is_right: outcome.deviations.is_empty(),
            is_disturbed: taken.seconds() > DISTURBED && outcome.may_be_disturbed(),
            result: outcome,
        }
    })
}

/// Converts an experiment to EPILOG, and that to a new experiment.
fn there_and_back(dir: &Path, experiment: &Path) -> PathBuf {
    let (file, back) = (
        experiment.with_extension("elg"),
        experiment.with_extension("back"),
    );
    let convert = |from: &Path, direction: [&str; 2], to: &Path| {
        let mut command: Command = pgastool(dir);
        succeed(
            command
                .arg("convert")
                .arg(from)
                .args(direction)
                .arg("-o")
                .arg(to),
        );
    };
    convert(experiment, ["--to", "epilog"], &file);
    convert(&file, ["--from", "epilog"], &back);
    back
}
