//! Programming model and network of a study's programs: how they are compiled and started.

use crate::Error;
use pgas_base::helper;
use std::path::Path;
use std::process::Command;

/// Programming model, with the network that UPC programs use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Model {
    /// UPC, on the network that its compiler chooses.
    Upc,
    /// UPC over MPI, each thread on a node of its own, so that data goes through MPI.
    UpcBetweenNodes,
    /// OpenSHMEM.
    OpenShmem,
}

impl Model {
    /// Arguments of `pgastool compile`, in front of the compiler's own. Without `instrument`, the
    /// program cannot be recorded.
    pub fn compile_arguments(self, upcc: &str, instrument: bool) -> Vec<String> {
        let words: &[&str] = match self {
            Model::Upc => &["--upcc", upcc],
            Model::UpcBetweenNodes => &["--upcc", upcc, "--network", "mpi"],
            Model::OpenShmem => &[],
        };
        let plain = (!instrument).then_some("--no-instrument");
        let compiler = (self == Model::OpenShmem).then_some("oshcc");
        let words = words.iter().copied().chain(plain).chain(compiler);
        words.map(String::from).collect()
    }

    /// Arguments of `pgastool time` that choose the same model and network.
    pub fn time_arguments(self, upcc: &str) -> Vec<String> {
        let words: &[&str] = match self {
            Model::Upc => &["--with", upcc],
            Model::UpcBetweenNodes => &["--with", upcc, "--network", "mpi"],
            Model::OpenShmem => &["--with", "oshcc"],
        };
        words.iter().copied().map(String::from).collect()
    }

    /// Variables of the environment of each run, with their values.
    pub fn environment(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Model::UpcBetweenNodes => &[("PGAS_NODE_SIZE", "1")],
            Model::Upc | Model::OpenShmem => &[],
        }
    }

    /// The command that tells the version of the library below, with the page's word for it.
    pub fn library(self) -> Option<(&'static str, &'static str)> {
        match self {
            Model::Upc => None,
            Model::UpcBetweenNodes => Some(("MPI", "mpirun")),
            Model::OpenShmem => Some(("OpenSHMEM", "oshrun")),
        }
    }

    /// Whether the compiler that the model needs is there.
    ///
    /// # Errors
    /// [`Error::Missing`] with the compiler, and the package that has it.
    pub fn demand(self) -> Result<(), Error> {
        let (command, package) = match self {
            Model::Upc => return Ok(()),
            Model::UpcBetweenNodes => ("mpicc", "libopenmpi-dev"),
            Model::OpenShmem => ("oshcc", "openmpi-bin"),
        };
        match first_line(Path::new(command)) {
            Some(_) => Ok(()),
            None => Err(Error::Missing { command, package }),
        }
    }
}

/// The first line that a compiler or launcher prints about itself.
pub fn first_line(program: &Path) -> Option<String> {
    let mut command = Command::new(program);
    let output = helper::output(command.arg("--version"), helper::QUESTION).ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines()
        .find(|line| !line.trim().is_empty())
        .map(str::to_string)
}

#[test]
fn the_first_word_after_the_options_is_the_compiler() {
    let words = |model: Model, instrument| model.compile_arguments("upcc", instrument).join(" ");
    assert_eq!(words(Model::Upc, true), "--upcc upcc");
    assert_eq!(
        words(Model::UpcBetweenNodes, false),
        "--upcc upcc --network mpi --no-instrument"
    );
    assert_eq!(words(Model::OpenShmem, true), "oshcc");
    assert_eq!(words(Model::OpenShmem, false), "--no-instrument oshcc");
}
