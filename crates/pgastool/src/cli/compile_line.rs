//! The arguments of `pgastool compile`: its own options and those of the compiler, in whatever
//! order they were written.

use super::Cli;
use std::ffi::OsString;

/// Sorts the arguments of `compile` so that its own options come first, wherever they were written,
/// and all else goes to the compiler: a user need not know whose option is whose. Arguments after a
/// `--` go to the compiler unchanged.
pub fn sort(arguments: Vec<OsString>) -> Vec<OsString> {
    let root = <Cli as clap::CommandFactory>::command();
    let at = super::usage::command_at(&root, &arguments);
    if arguments.get(at).is_none_or(|command| command != "compile") {
        return arguments;
    }
    let Some(compile) = root.find_subcommand("compile") else {
        return arguments;
    };
    // Long options of ours by name, and whether a value follows.
    let ours: Vec<(String, bool)> = root
        .get_arguments()
        .chain(compile.get_arguments())
        .filter_map(|argument| {
            let long = argument.get_long()?;
            Some((format!("--{long}"), argument.get_action().takes_values()))
        })
        .chain([("--help".to_string(), false)])
        .collect();
    // Cray's compiler has an -h with a value.
    if arguments[at + 1..] == ["-h"] {
        return arguments;
    }

    let mut own = arguments[..=at].to_vec();
    let mut compilers = Vec::new();
    let mut rest = arguments.into_iter().skip(at + 1);
    while let Some(argument) = rest.next() {
        if argument == "--" {
            compilers.extend(rest);
            break;
        }
        let text = argument.to_string_lossy();
        let name = text.split_once('=').map_or(&*text, |(name, _)| name);
        // `--version` asks the compiler: build systems do that.
        match ours
            .iter()
            .find(|(long, _)| long == name && long != "--version")
        {
            Some((long, takes_value)) => {
                let value = (*takes_value && *text == **long).then(|| rest.next());
                own.push(argument);
                own.extend(value.flatten());
            }
            None => compilers.push(argument),
        }
    }
    if !compilers.is_empty() {
        own.push("--".into());
        own.extend(compilers);
    }
    own
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Command;
    use clap::Parser;

    fn sorted(line: &str) -> String {
        sort(line.split(' ').map(OsString::from).collect())
            .into_iter()
            .map(|a| a.into_string().unwrap())
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn own_options_of_compile_may_stand_anywhere() {
        assert_eq!(
            sorted("pgastool compile -O2 --threads 4 -o is is.c --no-functions"),
            "pgastool compile --threads 4 --no-functions -- -O2 -o is is.c"
        );
        assert_eq!(
            sorted("pgastool --quiet compile --threads=4 -v a.c"),
            "pgastool --quiet compile --threads=4 -- -v a.c"
        );
    }

    #[test]
    fn the_command_is_found_behind_options_with_values() {
        assert_eq!(
            sorted("pgastool --color always compile -O2 --show"),
            "pgastool --color always compile --show -- -O2"
        );
    }

    #[test]
    fn the_rest_belongs_to_the_compiler() {
        assert_eq!(
            sorted("pgastool compile -- --threads 4"),
            "pgastool compile -- --threads 4"
        );
        assert_eq!(
            sorted("pgastool compile --version"),
            "pgastool compile -- --version"
        );
        assert_eq!(
            sorted("pgastool compile -h upc a.c --quiet"),
            "pgastool compile --quiet -- -h upc a.c"
        );
        assert_eq!(sorted("pgastool compile -h"), "pgastool compile -h");
        assert_eq!(
            sorted("pgastool run -n 4 ./a --quiet"),
            "pgastool run -n 4 ./a --quiet"
        );
        assert_eq!(sorted("pgastool compile"), "pgastool compile");
    }

    #[test]
    fn everything_reaches_its_place() {
        let arguments = sorted("pgastool compile -O2 --inst-local -c a.upc --upcc embedded");
        let cli = Cli::try_parse_from(arguments.split(' ')).unwrap();
        let Command::Compile(compile) = cli.command else {
            panic!("another command")
        };
        assert!(compile.inst_local);
        assert_eq!(compile.upcc, "embedded");
        assert_eq!(compile.arguments, ["-O2", "-c", "a.upc"]);
    }
}
