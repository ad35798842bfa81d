//! Calls of `pgastool`, as a user would make them, and what they print.

use crate::Error;
use crate::model::{Model, first_line};
use crate::settings::Settings;
use pgas_base::shell;
use pgas_machine::Machine;
use serde_json::Value;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Instant;

/// `pgastool` with what is the same in all calls of a study, and a directory for programs and
/// experiments that goes away with it.
#[derive(Debug)]
pub struct Tool {
    pgastool: PathBuf,
    upcc: String,
    launcher: Option<String>,
    model: Model,
    clone: PathBuf,
    scratch: tempfile::TempDir,
}

/// How a program is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Build<'a> {
    /// So that it can be recorded, with options of `pgastool compile`.
    Recorded(&'a [&'a str]),
    /// Without instrumentation.
    Plain,
}

/// A run of a program that has verified its result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Timing {
    /// Seconds from the start of `pgastool run` to its end.
    pub whole: f64,
    /// Seconds that the program says its timed part took.
    pub timed: f64,
}

impl Tool {
    /// For programs of a model. Fails if there is no `pgastool` where this program lies.
    pub fn new(settings: &Settings, model: Model) -> Result<Tool, Error> {
        let directory = match &settings.tools {
            Some(directory) => directory.clone(),
            None => std::env::current_exe()
                .ok()
                .and_then(|path| Some(path.parent()?.to_path_buf()))
                .unwrap_or_default(),
        };
        let absolute = |path: &Path| path.canonicalize().map_err(|e| Error::file(path, e));
        let pgastool = directory.join("pgastool");
        let pgastool = pgastool.canonicalize().map_err(|e| {
            Error::file(
                &pgastool,
                format!(
                    "{e}; `cargo build --release -p pgastool -p pgas-upcc -p pgas-measure` makes \
                     it"
                ),
            )
        })?;
        let place = match (&settings.scratch, &settings.launcher) {
            (Some(scratch), _) => scratch.clone(),
            (None, Some(_)) => settings.out.clone(),
            (None, None) => std::env::temp_dir(),
        };
        std::fs::create_dir_all(&place).map_err(|e| Error::file(&place, e))?;
        let scratch = tempfile::Builder::new()
            .prefix("pgas-study-")
            .tempdir_in(absolute(&place)?)
            .map_err(|e| Error::file(&place, e))?;
        Ok(Tool {
            pgastool,
            upcc: settings.upcc.clone(),
            launcher: settings.launcher.clone(),
            model,
            clone: absolute(&settings.clone)?,
            scratch,
        })
    }

    /// A file of the clone.
    pub fn in_clone(&self, path: &str) -> PathBuf {
        self.clone.join(path)
    }

    /// A place for a program or an experiment.
    pub fn in_scratch(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }

    /// Runs of studies take any time and print what they like, so that it is no helper program with
    /// limits.
    fn command(&self, directory: &Path) -> Command {
        let mut command = Command::new(&self.pgastool);
        command
            .arg("--quiet")
            .current_dir(directory)
            .env("NO_COLOR", "1")
            .env("LC_ALL", "C.UTF-8")
            .envs(self.model.environment().iter().copied())
            .stdin(Stdio::null());
        command
    }

    /// Compiles sources of the clone, to be recorded with options of `pgastool compile`, or without
    /// instrumentation.
    pub fn compile(
        &self,
        program: &str,
        sources: &[&str],
        class: &str,
        build: Build,
    ) -> Result<(), Error> {
        for source in sources {
            if !self.in_clone(source).is_file() {
                return Err(Error::file(
                    self.in_clone(source),
                    "there is no such program to study",
                ));
            }
        }
        let mut command = self.command(&self.clone);
        let (options, instrument): (&[&str], bool) = match build {
            Build::Recorded(options) => (options, true),
            Build::Plain => (&[], false),
        };
        command
            .arg("compile")
            .args(options)
            .args(self.model.compile_arguments(&self.upcc, instrument))
            .args(["-O2", &format!("-DCLASS={class}"), "-o"])
            .arg(self.in_scratch(program))
            .args(sources)
            .arg("-lm");
        succeed(&mut command, &[0]).map(drop)
    }

    /// Runs a program, recorded or not, with further options of `pgastool run`. A run that does not
    /// verify its result is an error.
    pub fn run(
        &self,
        program: &str,
        threads: u32,
        experiment: Option<&str>,
        options: &[&str],
    ) -> Result<Timing, Error> {
        let mut command = self.command(self.scratch.path());
        command
            .args(["run", "-n", &threads.to_string()])
            .args(options);
        if let Some(launcher) = &self.launcher {
            command.args(["--launcher", launcher]);
        }
        match experiment {
            // Only what a study names: measurements that lie about differ from user to user.
            Some(experiment) if options.contains(&"--machine") => command.args(["-o", experiment]),
            Some(experiment) => command.args(["--machine", "none", "-o", experiment]),
            None => command.arg("--no-measure"),
        };
        command.arg("--").arg(self.in_scratch(program));
        let begin = Instant::now();
        let output = succeed(&mut command, &[0])?;
        let whole = begin.elapsed().as_secs_f64();
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        let unexpected = |expected: &str| Error::Unexpected {
            command: shown(&command),
            expected: expected.to_string(),
            printed: printed.clone(),
        };
        if !printed
            .lines()
            .any(|line| line.trim() == "Verification = SUCCESSFUL")
        {
            return Err(unexpected("`Verification = SUCCESSFUL`"));
        }
        let timed = timed_seconds(&printed).ok_or_else(|| unexpected("`time = <seconds>`"))?;
        Ok(Timing { whole, timed })
    }

    /// Measures the costs of this machine by the study's model and network, with further options of
    /// `pgastool time`, into a file of the scratch directory. They are not kept for other runs.
    pub fn measure_machine(
        &self,
        file: &str,
        threads: u32,
        options: &[&str],
    ) -> Result<Machine, Error> {
        let mut command = self.command(self.scratch.path());
        command
            .env("PGAS_CACHE_DIR", self.in_scratch("cache"))
            .args(["time", "--machine", "-n", &threads.to_string(), "-o", file])
            .args(self.model.time_arguments(&self.upcc))
            .args(options);
        if let Some(launcher) = &self.launcher {
            command.args(["--launcher", launcher]);
        }
        succeed(&mut command, &[0])?;
        let path = self.in_scratch(file);
        Machine::read(&path).map_err(|error| Error::file(&path, error))
    }

    /// Analyses an experiment and returns its report as JSON.
    pub fn analyse(&self, experiment: &str) -> Result<Value, Error> {
        succeed(
            self.command(self.scratch.path())
                .args(["analyze", "--source-dir"])
                .arg(&self.clone)
                .arg(experiment),
            &[0],
        )?;
        self.json(&["report", "--format", "json", experiment])
    }

    /// Output of `pgastool` for these arguments, in the scratch directory.
    pub fn text(&self, arguments: &[&str]) -> Result<String, Error> {
        let output = succeed(self.command(self.scratch.path()).args(arguments), &[0])?;
        Ok(without_cache(&String::from_utf8_lossy(&output.stdout)))
    }

    /// The same, as JSON. `pgastool score` ends with 1 where it cannot keep the overhead as low as
    /// wished.
    pub fn json(&self, arguments: &[&str]) -> Result<Value, Error> {
        let mut command = self.command(self.scratch.path());
        let output = succeed(command.args(arguments), &[0, 1])?;
        serde_json::from_slice(&output.stdout).map_err(|error| Error::Unexpected {
            command: shown(&command),
            expected: format!("JSON ({error})"),
            printed: String::from_utf8_lossy(&output.stdout).into_owned(),
        })
    }

    /// Writes an experiment in another format. `false` if this `pgastool` cannot write it.
    pub fn convert(&self, experiment: &str, format: &str, to: &str) -> Result<bool, Error> {
        let mut command = self.command(self.scratch.path());
        command.args(["convert", experiment, "--to", format, "-o", to]);
        match succeed(&mut command, &[0]) {
            Ok(_) => Ok(true),
            Err(Error::Command { printed, .. }) if printed.contains("--features pgastool/otf2") => {
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    /// Takes a program's experiment away, so that disks do not fill.
    pub fn remove(&self, experiment: &str) -> Result<(), Error> {
        let path = self.in_scratch(experiment);
        let removed = if path.is_dir() {
            std::fs::remove_dir_all(&path)
        } else {
            std::fs::remove_file(&path)
        };
        removed.map_err(|e| Error::file(path, e))
    }

    pub fn version(&self) -> Result<String, Error> {
        let text = self.text(&["--version"])?;
        Ok(text.trim().trim_start_matches("pgastool ").to_string())
    }

    /// The compiler of the programs and the library below them, each with its name and version as
    /// it states them.
    pub fn compilers(&self) -> Vec<(&'static str, String)> {
        let upc = (self.model != Model::OpenShmem).then(|| ("UPC compiler", self.upc_compiler()));
        let library = self.model.library().map(|(name, command)| {
            let version = first_line(Path::new(command));
            (name, version.unwrap_or_else(|| "not known".into()))
        });
        upc.into_iter().chain(library).collect()
    }

    /// Name and version that the UPC compiler states.
    fn upc_compiler(&self) -> String {
        let beside = self.pgastool.with_file_name("pgas-upcc");
        let unknown = || format!("`{}`, which does not say its version", self.upcc_name());
        match self.upcc.as_str() {
            "auto" => "the one that `pgastool compile` chooses".to_string(),
            "embedded" => first_line(&beside).unwrap_or_else(unknown),
            upcc => first_line(Path::new(upcc)).unwrap_or_else(unknown),
        }
    }

    /// Without the directory that it lies in.
    fn upcc_name(&self) -> String {
        let name = Path::new(&self.upcc).file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    pub fn c_compiler(&self) -> String {
        ["cc", "gcc", "clang"]
            .into_iter()
            .find_map(|name| first_line(Path::new(name)))
            .unwrap_or_else(|| "not known".into())
    }
}

/// As a reader would type it.
fn shown(command: &Command) -> String {
    shell::shown(std::iter::once(OsStr::new("pgastool")).chain(command.get_args()))
}

/// Runs a command to its end; other exit statuses than the expected are an error.
fn succeed(command: &mut Command, expected: &[i32]) -> Result<Output, Error> {
    let output = command
        .output()
        .map_err(|error| Error::file(command.get_program(), error))?;
    if output
        .status
        .code()
        .is_some_and(|code| expected.contains(&code))
    {
        return Ok(output);
    }
    let printed = [output.stdout, output.stderr].concat();
    Err(Error::Command {
        command: shown(command),
        status: output.status.to_string(),
        printed: String::from_utf8_lossy(&printed).into_owned(),
    })
}

/// Seconds of the timed part: `time = 1.25 s`, or `Time in seconds = 1.25` as the NAS kernels print
/// it.
fn timed_seconds(printed: &str) -> Option<f64> {
    printed.lines().find_map(|line| {
        let (name, value) = line.split_once('=')?;
        if !matches!(
            name.trim().to_lowercase().as_str(),
            "time" | "time in seconds"
        ) {
            return None;
        }
        value.split_whitespace().next()?.parse().ok()
    })
}

#[test]
fn times_as_programs_print_them() {
    assert_eq!(timed_seconds("x\n time = 1.25 s\n"), Some(1.25));
    assert_eq!(
        timed_seconds(" Iterations = 3\n Time in seconds = 0.5\n"),
        Some(0.5)
    );
    assert_eq!(timed_seconds("time of day = 3\nlifetime = 4"), None);
}

/// A text with the names of the runtime's headers alone, where it has their paths: these are in a
/// cache, which is elsewhere on each machine.
fn without_cache(text: &str) -> String {
    const SET: &str = "/upc-runtime-";
    const HEADERS: &str = "/include/";
    let shortened = |line: &str| {
        let Some(set) = line.find(SET) else {
            return line.to_owned();
        };
        let begin = line[..set].rfind([' ', '(']).map_or(0, |before| before + 1);
        match line[set..].find(HEADERS) {
            Some(end) => format!("{}{}", &line[..begin], &line[set + end + HEADERS.len()..]),
            None => line.to_owned(),
        }
    };
    text.split_inclusive('\n').map(shortened).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_the_runtime_have_no_paths() {
        let text =
            "called at\n  /home/a/cache/upc-runtime-12ab/include/pgas_upcr.h:686), which\nb\n";
        let expected = "called at\n  pgas_upcr.h:686), which\nb\n";
        assert_eq!(without_cache(text), expected);
        assert_eq!(without_cache("a /upc-runtime-\n"), "a /upc-runtime-\n");
    }
}
