//! Launching of programs: directly, by a launcher that the tool knows, or by one that the user
//! describes.

pub mod environment;
mod launchers;
pub mod over_mpi;
pub mod target;
mod template;
pub mod threads;

use crate::failure::Failure;
use crate::job::Job;

use launchers::{ALL, Launcher, Shape, known};
use over_mpi::Written;
use pgas_instrument::flavour::Launch;
use std::ffi::OsString;
use target::{Processes, Target};

/// Options that state what starts a program, and on how many nodes.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Starter {
    /// Launcher of the program: `auto` ($PGAS_LAUNCHER, else as its compiler demands), `direct`, a
    /// launcher with options such as "srun --exclusive", or a template with places such as
    /// {threads} and {program}
    #[arg(long, value_name = "COMMAND")]
    pub launcher: Option<String>,
    /// Number of nodes [default: the launcher chooses]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub nodes: Option<u32>,
}

/// Options that state how a program of the user's is started.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Launching {
    #[command(flatten)]
    pub starter: Starter,
    /// The instrumented program, if what is started is a script that does not have it among its
    /// arguments
    #[arg(long, value_name = "FILE")]
    pub program: Option<std::path::PathBuf>,
}

/// The launcher for programs that need one, unless an option says otherwise.
pub const VARIABLE: &str = "PGAS_LAUNCHER";

/// A decision about a start, from which commands for several runs can be made.
#[derive(Debug)]
pub struct Start {
    by: By,
    shape: Shape,
    threads: u32,
    /// Nodes that the program runs on; `None` if nobody has said.
    pub nodes: Option<u32>,
    /// The option by which the program itself gets its threads.
    option: Option<&'static str>,
    /// There are more threads than cores that a launcher counts.
    crowded: bool,
}

#[derive(Debug)]
enum By {
    Nobody,
    Known(&'static Launcher, Vec<OsString>),
    /// The user's own command, which stands before the program.
    Written(Written),
    Template(Vec<String>),
}

/// The launcher that the user asks for.
enum Wish {
    Auto,
    Direct,
    By(By),
}

impl Start {
    /// Decides how `target` is started: as `given` says, else as the site's default, else as its
    /// compiler demands.
    ///
    /// # Errors
    /// If a launcher is not known or cannot start such a program, or if it cannot run on the given
    /// number of nodes.
    pub fn decide(
        target: &Target,
        threads: u32,
        nodes: Option<u32>,
        given: Option<&str>,
        job: Option<&Job>,
    ) -> Result<Self, Failure> {
        let (by, is_ours) = chosen(target, nodes, given, job)?;
        let shown = target.named.to_string_lossy();
        if let (By::Known(launcher, _), Some((id, name))) = (&by, target.compiled_as()) {
            if launcher.only.is_some_and(|only| only != id) {
                let what = match target.model {
                    Some(_) => "is a program of",
                    None => "was compiled by the",
                };
                return Err(Failure::new(format!(
                    "{} cannot start `{shown}`: it {what} {name}",
                    launcher.name,
                ))
                .help("leave --launcher out, and it is started as such programs are"));
            }
        }
        if let (By::Known(launcher, _), true) = (&by, !target.before.is_empty()) {
            if launcher.only.is_some() {
                let wrapper = pgas_base::shell::shown(&target.before);
                return Err(Failure::new(format!(
                    "{} starts compiled UPC programs alone, not `{wrapper}`",
                    launcher.name
                ))
                .help(format!(
                    "put it in front of the launcher: --launcher '{wrapper} {}'",
                    launcher.commands[0]
                )));
            }
        }
        let several = nodes.is_some_and(|nodes| nodes > 1);
        if let (true, Some(reason)) = (several, target.one_node_only()) {
            return Err(Failure::new(format!(
                "`{shown}` cannot run on {} nodes: {reason}",
                nodes.unwrap_or(1)
            ))
            .help("run it on one node, or compile it for a network that spans several"));
        }
        if threads > 1 && target.is_over_mpi() && matches!(by, By::Nobody) {
            return Err(Failure::new(format!(
                "`{shown}` cannot be started directly with {threads} threads: each is a process \
                 that MPI's launcher starts"
            ))
            .help("leave --launcher out, and the launcher of its MPI is used"));
        }
        if several && matches!(by, By::Nobody) {
            return Err(Failure::new(format!(
                "a program that is started directly runs on this node alone, --nodes {} given",
                nodes.unwrap_or(1)
            ))
            .help("say what starts it on several, as in --launcher srun"));
        }
        let each = match target.processes() {
            Processes::One(_) => false,
            Processes::Each => true,
            Processes::Unknown => !matches!(by, By::Nobody),
        };
        let option = match target.processes() {
            Processes::One(option) => option,
            _ => None,
        };
        let shape = match each {
            true => Shape {
                tasks: threads,
                nodes,
                cores: 1,
            },
            false => Shape {
                tasks: 1,
                nodes: Some(1),
                cores: threads,
            },
        };
        // Without a wish the launcher spreads processes over the nodes of the job.
        let nodes = match each && !matches!(by, By::Nobody) {
            true => nodes.or_else(|| job.and_then(|job| job.nodes)),
            false => Some(1),
        };
        Ok(Start {
            by,
            shape,
            threads,
            nodes,
            option,
            crowded: is_ours && nodes.is_none() && over_mpi::is_crowded(target, threads, job),
        })
    }

    /// The launcher, if it is a known one.
    pub fn launcher(&self) -> Option<&'static Launcher> {
        match &self.by {
            By::Known(launcher, _) => Some(launcher),
            By::Written(written) => Some(written.launcher),
            _ => None,
        }
    }

    /// The launcher as it is called, without what this tool adds; the template, if it is one. None
    /// if the program is started directly.
    pub fn launched_by(&self) -> Option<String> {
        match &self.by {
            By::Nobody => None,
            By::Known(_, words) => Some(pgas_base::shell::shown(words)),
            By::Written(written) => Some(pgas_base::shell::shown(&written.words)),
            By::Template(words) => Some(words.join(" ")),
        }
    }

    /// Whether anything stands between this tool and the program.
    pub fn is_direct(&self) -> bool {
        matches!(self.by, By::Nobody)
    }

    /// The command, and variables of the launcher itself. `variables` are those that have to reach
    /// the program's processes wherever they are; `wrapper` stands before the program in each of them.
    ///
    /// # Errors
    /// If a template has places that cannot be filled.
    #[allow(clippy::type_complexity)]
    pub fn command(
        &self,
        target: &Target,
        variables: &[(String, OsString)],
        wrapper: &[OsString],
    ) -> Result<(Vec<OsString>, Vec<(&'static str, OsString)>), Failure> {
        let mut program = target.before.clone();
        program.extend_from_slice(wrapper);
        program.push(target.program.clone().into());
        if let Some(option) = self.option {
            program.extend([option.into(), self.threads.to_string().into()]);
        }
        let mut own = Vec::new();
        let command = match &self.by {
            By::Nobody => [program, target.arguments.clone()].concat(),
            By::Template(words) => {
                let values = template::Values {
                    threads: self.threads,
                    nodes: self.nodes.unwrap_or(1),
                    environment: variables,
                    program: &program,
                    arguments: &target.arguments,
                };
                template::fill(words, &values)?
            }
            By::Written(written) => {
                let program = [target.program.clone().into()];
                let written = written.command(variables);
                [&*written, wrapper, &program, &target.arguments].concat()
            }
            By::Known(launcher, words) => {
                let mut words = words.clone();
                let environment = (launcher.environment)(variables, &mut words);
                words.extend(
                    (launcher.shape)(&self.shape)
                        .into_iter()
                        .map(OsString::from),
                );
                let crowded = match self.crowded {
                    true => launcher.crowded,
                    false => &[],
                };
                for (name, value) in launcher.own_environment.iter().chain(crowded) {
                    if std::env::var_os(name).is_none() {
                        own.push((*name, OsString::from(value)));
                    }
                }
                [words, environment, program, target.arguments.clone()].concat()
            }
        };
        Ok((command, own))
    }
}

/// The launcher: as `given` says, else what the user has written before the program, else the
/// site's default, else as the program's compiler demands; and whether it is this last one.
fn chosen(
    target: &Target,
    nodes: Option<u32>,
    given: Option<&str>,
    job: Option<&Job>,
) -> Result<(By, bool), Failure> {
    let wish = match (given, Written::of(target)?) {
        (Some(text), _) => understood(text)?,
        (None, Some(written)) => Wish::By(By::Written(written)),
        (None, None) => site_default(target)?,
    };
    Ok(match wish {
        Wish::Direct => (By::Nobody, false),
        Wish::By(by) => (by, false),
        Wish::Auto if target.is_over_mpi() => (over_mpi::automatic(target, job)?, true),
        Wish::Auto => (automatic(target, nodes, job), true),
    })
}

/// The launcher that the environment variable asks for; `Auto` without one. A launcher that starts
/// programs of one compiler only is no default for others'.
fn site_default(target: &Target) -> Result<Wish, Failure> {
    let Some(text) = std::env::var_os(VARIABLE).filter(|text| !text.is_empty()) else {
        return Ok(Wish::Auto);
    };
    let text = text.to_string_lossy();
    let named = |failure: Failure| {
        Failure::new(format!(
            "the environment variable {VARIABLE}: {}",
            failure.message
        ))
        .help(failure.help.unwrap_or_default())
    };
    Ok(match understood(&text).map_err(named)? {
        Wish::By(By::Known(launcher, words)) => {
            let id = target.compiled_as().map(|(id, _)| id);
            match launcher.only.is_none_or(|only| Some(only) == id) {
                true => Wish::By(By::Known(launcher, words)),
                false => Wish::Auto,
            }
        }
        other => other,
    })
}

/// Takes `auto`, `direct`, a known launcher with options, or a template.
fn understood(text: &str) -> Result<Wish, Failure> {
    let words = shlex::split(text)
        .filter(|words| !words.is_empty())
        .ok_or_else(|| {
            Failure::new(format!(
                "`{text}` is no launcher: a quote that ends, or a word, is missing"
            ))
        })?;
    match words[0].as_str() {
        "auto" if words.len() == 1 => return Ok(Wish::Auto),
        "direct" if words.len() == 1 => return Ok(Wish::Direct),
        _ => {}
    }
    if template::is_template(&words) {
        return Ok(Wish::By(By::Template(words)));
    }
    // Something such as numactl may stand in front of it.
    for (at, word) in words.iter().enumerate() {
        let Some(launcher) = known(word)? else {
            continue;
        };
        let mut command: Vec<OsString> = words.iter().map(OsString::from).collect();
        let missing = |first: &&&str| !words[at + 1..].iter().any(|word| word == **first);
        let first: Vec<OsString> = launcher
            .first
            .iter()
            .filter(missing)
            .map(OsString::from)
            .collect();
        command.splice(at + 1..at + 1, first);
        return Ok(Wish::By(By::Known(launcher, command)));
    }
    let mut names: Vec<&str> = ALL.iter().map(|launcher| launcher.commands[0]).collect();
    names.dedup();
    Err(Failure::new(format!(
        "`{text}` is no launcher that pgastool knows (auto, direct, {})",
        names.join(", ")
    ))
    .help(format!(
        "say where the number of threads and the program go: '{text} -n {{threads}} {{program}} \
         {{arguments}}'; there are {}",
        template::PLACES
    )))
}

/// The launcher that the program's compiler demands if it is installed, since it knows its programs
/// best; else, for a program for a network in a batch job, the batch system's.
fn automatic(target: &Target, nodes: Option<u32>, job: Option<&Job>) -> By {
    let of_compiler = match target.flavour.map(|flavour| flavour.table().launch) {
        Some(Launch::Launcher(name, _)) => ALL
            .into_iter()
            .find(|launcher| launcher.commands.contains(&name)),
        _ => None,
    };
    let is_here = |launcher: &Launcher| which::which(launcher.commands[0]).is_ok();
    if let Some(launcher) = of_compiler.filter(|launcher| is_here(launcher)) {
        return by_name(launcher.commands[0], launcher);
    }
    let several = nodes.is_some_and(|nodes| nodes > 1);
    let is_networked = match target.processes() {
        Processes::Each => target.one_node_only().is_none(),
        Processes::Unknown => several,
        Processes::One(_) => false,
    };
    if is_networked {
        let candidates = job.map_or(&[][..], |job| job.system.launchers);
        for name in candidates.iter().filter(|name| which::which(name).is_ok()) {
            if let Ok(Some(launcher)) = known(name) {
                return by_name(name, launcher);
            }
        }
    }
    // If it is not here, the start fails and says so.
    of_compiler.map_or(By::Nobody, |launcher| {
        by_name(launcher.commands[0], launcher)
    })
}

fn by_name(name: &str, launcher: &'static Launcher) -> By {
    let first = launcher.first.iter().map(OsString::from);
    By::Known(
        launcher,
        [OsString::from(name)].into_iter().chain(first).collect(),
    )
}

#[cfg(test)]
mod tests;
