//! Command lines that are refused: adds to clap's message what was probably meant, above all where
//! users bring options and commands along from other tools (`mpirun -np 4`, `gdb run`).

use std::ffi::OsString;
use std::path::Path;

use clap::CommandFactory;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::Cli;
use crate::arguments::Seconds;
use crate::terminal::visible;

/// Options that launchers and runtimes have for the number of threads.
const THREADS: [&str; 14] = [
    "-np",
    "--np",
    "-nt",
    "-p",
    "-t",
    "-T",
    "--threads",
    "--nthreads",
    "--num-threads",
    "--ntasks",
    "--procs",
    "--nprocs",
    "-fupc-threads",
    "--n",
];
/// Those for the number of nodes.
const NODES: [&str; 3] = ["-N", "--nnodes", "--num-nodes"];
/// Those for the file that is written.
const OUTPUT: [&str; 4] = ["--output", "--out", "--outfile", "--output-file"];

/// Commands of this tool, each with its names in other tools.
const COMMANDS: [(&str, &[&str]); 11] = [
    ("compile", &["build", "cc", "upcc", "instrument", "make"]),
    (
        "run",
        &[
            "exec", "launch", "measure", "mpirun", "record", "start", "upcrun",
        ],
    ),
    ("analyze", &["analysis", "search"]),
    (
        "report",
        &["print", "result", "results", "show", "stat", "summary"],
    ),
    ("view", &["browse", "gui", "open", "tui"]),
    ("explain", &["metrics", "patterns", "what"]),
    ("score", &["filter", "overhead"]),
    ("convert", &["export", "import"]),
    ("diff", &["compare"]),
    (
        "time",
        &["bench", "benchmark", "osu", "imb", "microbenchmark"],
    ),
    ("events", &["dump", "log", "state", "timeline", "trace"]),
];

/// Index of the command: the first argument that is neither an option nor the value of one.
pub fn command_at(root: &clap::Command, arguments: &[OsString]) -> usize {
    let takes_value = |name: &str| {
        let mut known = root.get_arguments();
        known.any(|a| a.get_long() == Some(name) && a.get_action().takes_values())
    };
    let mut at = 1;
    while let Some(option) = arguments.get(at).and_then(|argument| argument.to_str()) {
        at += match option.strip_prefix("--") {
            Some(long) if takes_value(long) => 2,
            Some(_) => 1,
            None if option.starts_with('-') && option.len() > 1 => 1,
            None => break,
        };
    }
    at
}

/// The error with a better suggestion, if there is one.
pub fn explained(mut error: clap::Error, arguments: &[OsString]) -> clap::Error {
    let mut root = Cli::command();
    root.build();
    let known = |kind| context(&error, kind).unwrap_or_default();
    let argument = known(ContextKind::InvalidArg);
    let value = known(ContextKind::InvalidValue);
    let subcommand = known(ContextKind::InvalidSubcommand);
    // Nothing that was typed acts on the terminal.
    for (kind, text) in [
        (ContextKind::InvalidArg, &argument),
        (ContextKind::InvalidValue, &value),
        (ContextKind::InvalidSubcommand, &subcommand),
    ] {
        if !text.is_empty() {
            error.insert(kind, ContextValue::String(visible(text)));
        }
    }
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            // Of subcommands (`cube inf`) clap knows enough.
            let named = arguments.get(command_at(&root, arguments));
            if named.is_some_and(|named| *named == *subcommand) {
                suggest_command(&mut error, &root, &subcommand);
            }
        }
        ErrorKind::UnknownArgument => {
            // Clap's advice to put `--` in front of it is wrong for each of our commands.
            error.remove(ContextKind::Suggested);
            let Some((command, given)) = of_command(&root, arguments) else {
                return error;
            };
            let culprit = given.iter().position(|word| is_culprit(word, &argument));
            if let Some((at, meant)) =
                culprit.and_then(|at| Some((at, meant(command, &given, at)?)))
            {
                error.remove(ContextKind::SuggestedArg);
                let word = visible(name_of(&given[at]));
                error.insert(ContextKind::InvalidArg, ContextValue::String(word));
                suggest(&mut error, did_you_mean(&meant));
            }
        }
        ErrorKind::ValueValidation | ErrorKind::InvalidValue => {
            let Some((command, given)) = of_command(&root, arguments) else {
                return error;
            };
            // `-np` is an -n with the value p.
            let joined = given.iter().position(|word| {
                let letters = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
                letters.is_some_and(|rest| rest.len() > value.len() && rest.ends_with(&value))
            });
            if let Some((at, meant)) = joined.and_then(|at| Some((at, meant(command, &given, at)?)))
            {
                error = clap::Error::new(ErrorKind::UnknownArgument).with_cmd(command);
                let word = visible(name_of(&given[at]));
                error.insert(ContextKind::InvalidArg, ContextValue::String(word));
                let usage = command.clone().render_usage();
                error.insert(ContextKind::Usage, ContextValue::StyledStr(usage));
                suggest(&mut error, did_you_mean(&meant));
                return error;
            }
            // In `convert` these say which format.
            let window = [("--from ", "--since"), ("--to ", "--until")];
            let window = window.iter().find(|(name, _)| argument.starts_with(name));
            if let (Some((_, right)), Ok(_)) = (window, value.parse::<Seconds>()) {
                suggest(&mut error, did_you_mean(&format!("{right} {value}")));
            }
        }
        _ => {}
    }
    error
}

/// The command that was named, also one of `cube`, and what follows it up to a `--`.
fn of_command<'c>(
    root: &'c clap::Command,
    arguments: &[OsString],
) -> Option<(&'c clap::Command, Vec<String>)> {
    let mut at = command_at(root, arguments);
    let mut command = root.find_subcommand(arguments.get(at)?)?;
    while let Some(below) = arguments
        .get(at + 1)
        .and_then(|name| command.find_subcommand(name))
    {
        command = below;
        at += 1;
    }
    let given = arguments[at + 1..].iter();
    let given = given.map(|word| word.to_string_lossy().into_owned());
    Some((command, given.take_while(|word| word != "--").collect()))
}

/// Whether clap calls this word `shown`: by its name, or by one letter of several after one dash.
fn is_culprit(word: &str, shown: &str) -> bool {
    if name_of(word) == shown {
        return true;
    }
    let letter = shown.strip_prefix('-').filter(|rest| rest.len() == 1);
    let letters = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
    matches!((letter, letters), (Some(letter), Some(letters)) if letters.contains(letter))
}

/// An option without a value that is attached with a `=`.
fn name_of(word: &str) -> &str {
    word.split_once('=').map_or(word, |(name, _)| name)
}

/// The option that word `at` probably stands for, with its value.
fn meant(command: &clap::Command, given: &[String], at: usize) -> Option<String> {
    let word = given[at].as_str();
    let has = |long: &str| command.get_arguments().any(|a| a.get_long() == Some(long));
    let has_short = |short: char| {
        command
            .get_arguments()
            .any(|a| a.get_short() == Some(short))
    };
    let name = name_of(word);
    // A number may follow without a blank: -np4.
    let digits = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let attached = word
        .get(name.len() + 1..)
        .or_else(|| name.get(digits.len()..));
    let attached = attached.filter(|value| !value.is_empty());
    let next = given.get(at + 1).filter(|next| !next.starts_with('-'));
    let value = attached.or(next.map(String::as_str));
    let with = |option: &str, default: &str| format!("{option} {}", value.unwrap_or(default));
    let known = |table: &[&str]| table.contains(&name) || table.contains(&digits);
    if has_short('n') && known(&THREADS) {
        return Some(with("-n", "4"));
    }
    if has("nodes") && known(&NODES) {
        return Some(with("--nodes", "2"));
    }
    if has_short('o') && known(&OUTPUT) {
        return Some(with("-o", "NAME"));
    }
    if matches!(name, "--no-color" | "--no-colour") {
        return Some("--color never".to_owned());
    }
    // -nodes, --format's values as options of their own (--html), a short option that is only a
    // long one (-f).
    let bare = name.trim_start_matches('-');
    let dashes = name.len() - bare.len();
    let find = |long: &str| command.get_arguments().find(|a| a.get_long() == Some(long));
    if dashes == 1 && bare.len() > 1 {
        for (long, value) in [(bare, attached), (digits.trim_start_matches('-'), attached)] {
            if let Some(argument) = find(long) {
                let takes = argument.get_action().takes_values();
                return Some(match value.filter(|_| takes) {
                    Some(value) => format!("--{long} {value}"),
                    None if takes => with(&format!("--{long}"), "VALUE"),
                    None => format!("--{long}"),
                });
            }
        }
    }
    command.get_arguments().find_map(|argument| {
        let long = argument.get_long()?;
        let values = argument.get_possible_values();
        let values = values.iter().filter(|value| !value.is_hide_set());
        let mut names = values.map(|value| value.get_name().to_owned());
        // `--json` is also asked for where the format is called `jsonl`.
        let value = names.find(|name| name == bare || name.strip_suffix('l') == Some(bare))?;
        let takes_one = argument.get_action().takes_values() && long != "color";
        takes_one.then(|| format!("--{long} {value}"))
    })
}

/// For a word that is no command: what it may have been meant for.
fn suggest_command(error: &mut clap::Error, root: &clap::Command, word: &str) {
    let path = Path::new(word);
    let ending = path.extension().and_then(|ending| ending.to_str());
    let tip = if matches!(ending, Some("upc" | "c")) {
        format!("to compile it: pgastool compile -o prog {word}")
    } else if matches!(ending, Some("cube" | "cubex")) {
        format!("to see what is in it: pgastool cube info {word}")
    } else if path.is_dir() {
        format!("to see an experiment: pgastool analyze {word}; pgastool report {word}")
    } else if path.is_file() {
        format!("to measure it: pgastool run -n 4 {word}")
    } else {
        let lower = word.to_lowercase();
        let of_others = COMMANDS
            .iter()
            .find(|(_, names)| names.contains(&lower.as_str()))
            .map(|(name, _)| *name);
        let close = || {
            let visible = root.get_subcommands().filter(|c| !c.is_hide_set());
            let near = visible.map(|c| (strsim::osa_distance(&lower, c.get_name()), c.get_name()));
            let near = near.min_by_key(|(distance, _)| *distance)?;
            (near.0 <= 1 + word.len() / 5).then_some(near.1)
        };
        match of_others.or_else(close) {
            Some(name) => did_you_mean(&format!("pgastool {name}")),
            None => return,
        }
    };
    error.remove(ContextKind::SuggestedSubcommand);
    suggest(error, tip);
}

fn did_you_mean(what: &str) -> String {
    format!("did you mean `{what}`?")
}

fn suggest(error: &mut clap::Error, tip: String) {
    let tips = vec![StyledStr::from(visible(&tip))];
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
}

fn context(error: &clap::Error, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    /// The message about a command line.
    fn told(line: &str) -> String {
        let arguments: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let error = Cli::try_parse_from(&arguments).expect_err(line);
        explained(error, &arguments).to_string()
    }

    #[test]
    fn options_of_other_tools_are_translated() {
        for (line, unexpected, meant) in [
            ("run -np 2 ./a", "'-np'", "`-n 2`"),
            ("run -np2 ./a", "'-np2'", "`-n 2`"),
            ("run -np=2 ./a", "'-np'", "`-n 2`"),
            ("run --np 2 ./a", "'--np'", "`-n 2`"),
            ("run --np=2 ./a", "'--np'", "`-n 2`"),
            ("run --threads=8 ./a", "'--threads'", "`-n 8`"),
            ("run -p 2 ./a", "'-p'", "`-n 2`"),
            ("run -N 2 ./a", "'-N'", "`--nodes 2`"),
            ("run -nodes 2 ./a", "'-nodes'", "`--nodes 2`"),
            ("run -nodes=2 ./a", "'-nodes'", "`--nodes 2`"),
            ("run --output dir ./a", "'--output'", "`-o dir`"),
            ("script slurm -np 4 -- ./a", "'-np'", "`-n 4`"),
            ("report --html", "'--html'", "`--format html`"),
            ("report -format html", "'-format'", "`--format html`"),
            ("report --output=x", "'--output'", "`-o x`"),
            ("analyze -quiet", "'-quiet'", "`--quiet`"),
            ("--color never events --json", "'--json'", "--format jsonl"),
            ("cube info --json a", "'--json'", "`--format json`"),
            ("report --no-color", "'--no-color'", "`--color never`"),
        ] {
            let message = told(&format!("pgastool {line}"));
            assert!(message.contains(unexpected), "{line}\n{message}");
            assert!(message.contains(meant), "{line}\n{message}");
            assert!(!message.contains("as a value"), "{line}\n{message}");
            assert!(message.contains("Usage: pgastool"), "{line}\n{message}");
        }
    }

    #[test]
    fn wrong_values_stay_wrong_values() {
        for (line, expected) in [
            ("run -n four ./a", "whole number"),
            ("run -nfour ./a", "whole number"),
            ("run -n 0 ./a", "at least 1"),
            ("run -n p ./a", "whole number"),
        ] {
            let message = told(&format!("pgastool {line}"));
            assert!(message.contains(expected), "{line}\n{message}");
            assert!(!message.contains("did you mean"), "{line}\n{message}");
        }
    }

    #[test]
    fn a_stretch_of_time_is_no_format() {
        let message = told("pgastool convert --to perfetto --from 1.5s");
        assert!(message.contains("`--since 1.5s`"), "{message}");
    }

    #[test]
    fn commands_of_other_tools_and_typing_errors_are_recognised() {
        for (word, meant) in [
            ("rnu", "`pgastool run`"),
            ("anlyze", "`pgastool analyze`"),
            ("analyse", "`pgastool analyze`"),
            ("compare", "`pgastool diff`"),
            ("evnts", "`pgastool events`"),
            ("show", "`pgastool report`"),
            ("Report", "`pgastool report`"),
            ("prog.upc", "pgastool compile -o prog prog.upc"),
            ("./src", "pgastool report ./src"),
            ("Cargo.toml", "pgastool run -n 4 Cargo.toml"),
            ("a.cubex", "pgastool cube info a.cubex"),
        ] {
            let message = told(&format!("pgastool {word}"));
            assert!(message.contains(meant), "{word}\n{message}");
        }
        let message = told("pgastool zzzzzz");
        assert!(!message.contains("tip"), "{message}");
    }

    #[test]
    fn the_command_is_found_after_all_options() {
        let root = Cli::command();
        for (line, at) in [
            ("pgastool run", 1),
            ("pgastool -q --color never -v run", 5),
            ("pgastool --color=never run", 2),
            ("pgastool", 1),
            ("pgastool -qv", 2),
        ] {
            let arguments: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            assert_eq!(command_at(&root, &arguments), at, "{line}");
        }
    }
}
