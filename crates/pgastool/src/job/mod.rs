//! The batch job that the tool runs in, and scripts for new ones. Each batch system is a module
//! with its [`System`] table; to add one, add a module and list it in [`ALL`].

mod cobalt;
mod flux;
mod lsf;
mod pbs;
mod sge;
mod slurm;

use std::path::PathBuf;

/// All batch systems that are known.
pub const ALL: [&System; 6] = [
    &slurm::TABLE,
    &flux::TABLE,
    &pbs::TABLE,
    &lsf::TABLE,
    &cobalt::TABLE,
    // Its variables have the plainest names, which others may use.
    &sge::TABLE,
];

/// The value of an environment variable.
pub type Variable<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The facts about one batch system.
#[derive(Debug)]
pub struct System {
    /// For people.
    pub name: &'static str,
    /// Commands that start programs on the nodes of a job, the likeliest first.
    pub launchers: &'static [&'static str],
    /// The job whose script or shell has this environment.
    pub job: fn(Variable<'_>) -> Option<Granted>,
    /// How scripts for it are written.
    pub script: Option<&'static Script>,
}

/// How batch scripts are written.
#[derive(Debug)]
pub struct Script {
    /// The command to hand a script in, followed by the file's name.
    pub submit: &'static str,
    /// Whether the command reads the script from its standard input.
    pub reads_input: bool,
    /// The variable that holds the directory in which it was handed in.
    pub directory: &'static str,
    /// The variable that holds the job's number.
    pub number: &'static str,
    /// The lines that say what the job needs.
    pub lines: fn(&Wanted) -> Vec<String>,
}

/// Resources that a job asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// Its name.
    pub name: String,
    /// Processes that the launcher starts.
    pub tasks: u32,
    /// Cores of each.
    pub cores: u32,
    /// `None`: the batch system chooses.
    pub nodes: Option<u32>,
    /// The longest time, as `D-HH:MM:SS` or what the batch system understands otherwise.
    pub time: Option<String>,
    pub account: Option<String>,
    /// Queue, or partition.
    pub queue: Option<String>,
}

/// Resources that a job was given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Granted {
    pub number: String,
    /// Processes it may start, and the source of the number.
    pub tasks: Option<(u32, String)>,
    pub nodes: Option<u32>,
    /// Cores of each process, and the source of the number; `None` if nobody has asked for a
    /// number.
    pub cores: Option<(u32, String)>,
}

/// The job that this process belongs to.
#[derive(Debug)]
pub struct Job {
    pub system: &'static System,
    granted: Granted,
    pub nodes: Option<u32>,
}

impl Job {
    /// The job of this process; `None` outside of any.
    pub fn here() -> Option<Self> {
        Self::of(&|name| {
            let value = std::env::var(name).ok()?;
            Some(value).filter(|value| !value.is_empty())
        })
    }

    fn of(variable: Variable<'_>) -> Option<Self> {
        ALL.into_iter().find_map(|system| {
            let granted = (system.job)(variable)?;
            Some(Job {
                system,
                nodes: granted.nodes,
                granted,
            })
        })
    }

    /// How a person would call it.
    pub fn shown(&self) -> String {
        format!("{} job {}", self.system.name, self.granted.number)
    }

    /// How many threads it is meant for if each is a process, and what says so.
    pub fn tasks(&self) -> Option<(u32, &str)> {
        let tasks = self.granted.tasks.as_ref();
        tasks.map(|(number, source)| (*number, source.as_str()))
    }

    /// How many threads it is meant for if they all belong to one process: the cores of a single
    /// process, else one for each process that it may start.
    pub fn threads_of_one(&self) -> Option<(u32, &str)> {
        let cores = self.granted.cores.as_ref().filter(|(cores, _)| *cores > 1);
        match (self.tasks(), cores) {
            (None | Some((1, _)), Some((cores, source))) => Some((*cores, source)),
            (tasks, _) => tasks,
        }
    }

    /// Cores that it has in all, as far as that is known.
    pub fn cores(&self) -> Option<u32> {
        let cores = self.granted.cores.as_ref().map_or(1, |(cores, _)| *cores);
        let tasks = self.granted.tasks.as_ref().map_or(1, |(tasks, _)| *tasks);
        let is_known = self.granted.tasks.is_some() || self.granted.cores.is_some();
        is_known.then(|| tasks.saturating_mul(cores))
    }
}

/// The launcher that started this process several times at once, if one did, and the number of
/// these processes: each would then measure the program.
pub fn started_several_times() -> Option<(&'static str, u32)> {
    [
        ("srun", "SLURM_STEP_NUM_TASKS"),
        ("mpirun", "OMPI_COMM_WORLD_SIZE"),
        ("mpirun", "PMI_SIZE"),
        ("aprun", "ALPS_APP_SIZE"),
        ("jsrun", "JSM_NAMESPACE_SIZE"),
    ]
    .into_iter()
    .find_map(|(launcher, name)| {
        let size = std::env::var(name).ok()?.trim().parse().ok()?;
        (size > 1).then_some((launcher, size))
    })
}

/// A number that a variable holds, and the variable's name.
fn number(variable: Variable<'_>, name: &str) -> Option<(u32, String)> {
    let number = variable(name)?.trim().parse().ok()?;
    (number > 0).then(|| (number, name.to_string()))
}

/// Lines of a file that names a node for each process: how many, and how many different.
fn node_file(variable: Variable<'_>, name: &str) -> Option<(u32, u32)> {
    let text = std::fs::read_to_string(PathBuf::from(variable(name)?)).ok()?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut nodes: Vec<&str> = lines.collect();
    let processes = u32::try_from(nodes.len()).ok().filter(|&n| n > 0)?;
    nodes.sort_unstable();
    nodes.dedup();
    Some((processes, u32::try_from(nodes.len()).ok()?))
}

#[cfg(test)]
mod tests;
