//! Differences between launchers: the facts about one, which its module states.

use std::ffi::OsString;

/// An environment variable and its value.
pub type Variable = (String, OsString);

/// The facts about one launcher.
#[derive(Debug)]
pub struct Launcher {
    /// For people.
    pub name: &'static str,
    /// The names of its command.
    pub commands: &'static [&'static str],
    /// Whether what its command answers to `--version` is this one's answer, where several
    /// launchers share a name.
    pub recognises: Option<fn(&str) -> bool>,
    /// Words that always follow the command.
    pub first: &'static [&'static str],
    /// It starts programs of this compiler alone ([`pgas_instrument::flavour::Table::id`]), which
    /// it looks into.
    pub only: Option<&'static str>,
    /// Options for how many processes there are and where.
    pub shape: fn(&Shape) -> Vec<String>,
    /// Options by which environment variables reach the processes on other nodes, given the
    /// `options` that the user has written.
    pub environment: fn(&[Variable], options: &mut Vec<OsString>) -> Vec<OsString>,
    /// Environment variables of the launcher itself that have the same purpose; those that are set
    /// stay.
    pub own_environment: &'static [(&'static str, &'static str)],
    /// Those by which it starts more processes than the machine has cores, where it refuses them
    /// otherwise.
    pub crowded: &'static [(&'static str, &'static str)],
    /// Meaning of an exit status other than 0 beyond "a process returned it".
    pub status: fn(u8) -> Option<String>,
}

/// How many processes a program has and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Processes, or UPC threads where the launcher counts those.
    pub tasks: u32,
    /// `None`: the launcher chooses.
    pub nodes: Option<u32>,
    /// Processor cores that each process uses.
    pub cores: u32,
}

impl Shape {
    /// How many processes each node has, if that is a whole number.
    pub fn per_node(&self) -> Option<u32> {
        let nodes = self.nodes.filter(|&nodes| nodes > 0)?;
        (self.tasks % nodes == 0).then(|| self.tasks / nodes)
    }

    /// How many processes the fullest node has.
    pub fn most_per_node(&self) -> Option<u32> {
        Some(self.tasks.div_ceil(self.nodes.filter(|&nodes| nodes > 0)?))
    }
}

/// For launchers by which all variables reach all processes.
pub fn all_by_itself(_: &[(String, OsString)], _: &mut Vec<OsString>) -> Vec<OsString> {
    Vec::new()
}

/// `option NAME=VALUE` for each variable.
pub fn assigned(option: &str, variables: &[(String, OsString)]) -> Vec<OsString> {
    variables
        .iter()
        .flat_map(|(name, value)| [option.into(), assignment(name, value)])
        .collect()
}

/// `NAME=VALUE`
pub fn assignment(name: &str, value: &OsString) -> OsString {
    let mut word = OsString::from(name);
    word.push("=");
    word.push(value);
    word
}

/// Of launchers that give 128 + the number of a signal, as shells do.
pub fn as_shells(status: u8) -> Option<String> {
    let signal = i32::from(status)
        .checked_sub(128)
        .filter(|&s| s > 0 && s < 65)?;
    Some(format!(
        "a process was ended by {}",
        crate::process::signal_name(signal)
    ))
}
