//! Rewrites a user's compile or link command into the one that makes a measurable program.

use crate::compiler::Compiler;
use crate::invocation::Invocation;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What the user asked for, beside the compiler's own arguments.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Fixed number of threads; `None` leaves it to the start of the program.
    pub threads: Option<u32>,
    /// Leave the program as it is.
    pub no_instrument: bool,
    /// Do not report the program's functions, operations of the PGAS runtime alone.
    pub no_functions: bool,
    /// Report accesses to shared data of the own thread too.
    pub local_accesses: bool,
    /// Which functions and operations are instrumented.
    pub filter: Option<PathBuf>,
}

/// The command to run, and what the user must know about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Program and arguments.
    pub command: Vec<OsString>,
    /// What this compiler cannot do of what was asked for.
    pub remarks: Vec<String>,
}

/// Why a command cannot be rewritten.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// This compiler reports nothing to a tool.
    #[error("{0}")]
    Refused(&'static str),
}

/// Whether `compiler` with `arguments` links a program, so that [`plan`] needs something to add.
pub fn links_program(compiler: &Compiler, arguments: &[OsString]) -> bool {
    Invocation::of(arguments, compiler.flavour.table().stops).links_program
}

/// The instrumented form of `compiler arguments`. `link_inputs` are the files and libraries that a program under
/// measurement is linked with; they are added if the command links one.
///
/// # Errors
/// If programs of this compiler cannot be measured.
pub fn plan(
    compiler: &Compiler,
    options: &Options,
    arguments: &[OsString],
    link_inputs: &[OsString],
) -> Result<Plan, PlanError> {
    let table = compiler.flavour.table();
    let mut command: Vec<OsString> = vec![compiler.path.clone().into()];
    let mut remarks = Vec::new();
    if let Some(threads) = options.threads {
        let flags = compiler.flavour.threads_arguments(threads);
        command.extend(flags.into_iter().map(OsString::from));
    }
    if options.no_instrument {
        command.extend_from_slice(arguments);
        return Ok(Plan { command, remarks });
    }
    if let Some(refusal) = table.refusal {
        return Err(PlanError::Refused(refusal));
    }

    let mut flags = table.instrument.to_vec();
    if !options.no_functions {
        flags.extend(table.functions);
    }
    if options.local_accesses {
        flags.extend(table.local_accesses);
    }
    command.extend(flags.into_iter().map(OsString::from));
    if let Some(filter) = &options.filter {
        match table.filter {
            Some(flag) => command.extend([OsString::from(flag), filter.clone().into()]),
            None => remarks.push(format!(
                "{} cannot leave anything out when it compiles: the filter {} is for `pgastool run --filter`",
                table.name,
                filter.display()
            )),
        }
    }
    command.extend_from_slice(arguments);

    let invocation = Invocation::of(arguments, table.stops);
    if invocation.links_program {
        if invocation.language_set {
            command.extend(["-x", "none"].map(OsString::from));
        }
        command.extend_from_slice(link_inputs);
        remarks.extend(table.lacks.iter().map(ToString::to_string));
    }
    Ok(Plan { command, remarks })
}

/// A command as a person would type it, for messages.
pub fn shown(command: &[OsString]) -> String {
    command
        .iter()
        .map(|word| quoted(&word.to_string_lossy()))
        .collect::<Vec<_>>()
        .join(" ")
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=+,:@%^".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// What every measured program is linked with: extra objects or sources, the recorder, and the system libraries that
/// the recorder needs.
pub fn link_inputs(objects: &[PathBuf], recorder: &Path) -> Vec<OsString> {
    let mut inputs: Vec<OsString> = objects.iter().map(|path| path.clone().into()).collect();
    inputs.push(recorder.into());
    inputs.extend(["-lpthread", "-ldl", "-lm"].map(OsString::from));
    inputs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flavour::Flavour;

    fn rewritten(flavour: Flavour, options: &Options, line: &str) -> String {
        let compiler = Compiler {
            path: "/opt/upc".into(),
            flavour,
            version: String::new(),
        };
        let arguments: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        let inputs = link_inputs(&["d.o".into()], Path::new("lib/libpgas_measure.a"));
        shown(
            &plan(&compiler, options, &arguments, &inputs)
                .unwrap()
                .command,
        )
    }

    #[test]
    fn linking_adds_the_recorder_compiling_does_not() {
        let options = Options::default();
        assert_eq!(
            rewritten(Flavour::Embedded, &options, "-O2 -o is is.c"),
            "/opt/upc -inst -inst-functions -O2 -o is is.c d.o lib/libpgas_measure.a -lpthread -ldl -lm"
        );
        assert_eq!(
            rewritten(Flavour::Embedded, &options, "-O2 -c is.c"),
            "/opt/upc -inst -inst-functions -O2 -c is.c"
        );
        assert_eq!(
            rewritten(Flavour::Embedded, &options, "-x c is"),
            "/opt/upc -inst -inst-functions -x c is -x none d.o lib/libpgas_measure.a -lpthread -ldl -lm"
        );
    }

    #[test]
    fn options_become_the_flags_of_each_compiler() {
        let options = Options {
            threads: Some(4),
            local_accesses: true,
            filter: Some("my.filter".into()),
            ..Options::default()
        };
        assert_eq!(
            rewritten(Flavour::Embedded, &options, "-c a.upc"),
            "/opt/upc -T 4 -inst -inst-functions -inst-local -inst-filter my.filter -c a.upc"
        );
        assert_eq!(
            rewritten(Flavour::Berkeley, &options, "-c a.upc"),
            "/opt/upc -T=4 -inst -inst-toolname=pgastool -lines -inst-functions -inst-local -c a.upc"
        );
        assert_eq!(
            rewritten(Flavour::Gnu, &options, "-c a.upc"),
            "/opt/upc -fupc-threads=4 -fupc-instrument -fupc-instrument-functions -c a.upc"
        );
        assert_eq!(
            rewritten(Flavour::Clang, &options, "-c a.upc"),
            "/opt/upc -fupc-threads=4 -fupc-debug -D__UPC_PUPC_INST__ -c a.upc"
        );
        let without_functions = Options {
            no_functions: true,
            ..Options::default()
        };
        assert_eq!(
            rewritten(Flavour::Embedded, &without_functions, "-c a.upc"),
            "/opt/upc -inst -c a.upc"
        );
    }

    #[test]
    fn without_instrumentation_the_command_stays() {
        let options = Options {
            no_instrument: true,
            threads: Some(2),
            ..Options::default()
        };
        assert_eq!(
            rewritten(Flavour::Embedded, &options, "-o is is.c"),
            "/opt/upc -T 2 -o is is.c"
        );
    }

    #[test]
    fn what_a_compiler_lacks_is_said() {
        let compiler = Compiler {
            path: "upcc".into(),
            flavour: Flavour::Berkeley,
            version: String::new(),
        };
        let options = Options {
            filter: Some("my.filter".into()),
            ..Options::default()
        };
        let plan = plan(&compiler, &options, &["a.upc".into()], &[]).unwrap();
        assert_eq!(
            plan.remarks,
            ["Berkeley UPC cannot leave anything out when it compiles: the filter my.filter is for `pgastool run --filter`"]
        );
    }

    #[test]
    fn cray_is_refused_unless_nothing_is_instrumented() {
        let compiler = Compiler {
            path: "cc".into(),
            flavour: Flavour::Cray,
            version: String::new(),
        };
        let arguments = ["a.upc".into()];
        assert!(plan(&compiler, &Options::default(), &arguments, &[]).is_err());
        let options = Options {
            no_instrument: true,
            ..Options::default()
        };
        assert!(plan(&compiler, &options, &arguments, &[]).is_ok());
    }

    #[test]
    fn commands_are_shown_so_that_a_shell_takes_them() {
        let command: Vec<OsString> = ["cc", "-DCLASS='S'", "my file.c", ""]
            .map(OsString::from)
            .into();
        assert_eq!(shown(&command), r"cc '-DCLASS='\''S'\''' 'my file.c' ''");
    }
}
