//! Rewrites a user's compile or link command into the one that makes a measurable program.

use crate::compiler::Compiler;
use crate::flavour::Table;
use crate::invocation::Invocation;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The user's options, beside the compiler's own arguments.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The arguments that fix the number of threads, as [`crate::support::threads_arguments`] has
    /// them; none leave it to the start of the program, or to the user's own arguments.
    pub threads: Vec<OsString>,
    /// The arguments that say for which network the program is; none leave it to the compiler and
    /// to the user's own arguments.
    pub network: Vec<OsString>,
    /// Leave the program as it is.
    pub no_instrument: bool,
    /// Which of the program's functions report their calls.
    pub functions: Functions,
    /// How single accesses to shared data are recorded.
    pub accesses: Accesses,
    /// Report each access to shared data of the own thread too. Where accesses are counted, those
    /// are; so this is for compilers and programs that report each.
    pub local_accesses: bool,
    /// Which functions and operations are instrumented.
    pub filter: Option<PathBuf>,
    /// Headers that come before the compiler's own: see [`crate::support::headers_of`].
    pub headers: Option<PathBuf>,
    /// Headers that come after all others: see [`crate::support::own_headers_of`].
    pub own_headers: Option<PathBuf>,
}

/// Which of the program's functions report their calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Functions {
    /// All but those that are small and do nothing else that is reported, where the compiler can
    /// distinguish them.
    #[default]
    Auto,
    /// All.
    All,
    /// None: operations of the PGAS runtime alone are reported.
    None,
}

/// How single accesses to shared data are recorded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Accesses {
    /// The program counts them, where the compiler can have it do so and not each access to own
    /// data must be reported.
    #[default]
    Auto,
    /// The program counts them where they happen.
    Counted,
    /// Each is reported.
    All,
}

impl Options {
    /// Whether programs of a compiler count single accesses.
    fn counts(&self, table: &Table) -> bool {
        let is_wanted = match self.accesses {
            Accesses::Auto => !self.local_accesses,
            Accesses::Counted => true,
            Accesses::All => false,
        };
        is_wanted && table.counts.is_some()
    }
}

/// The command to run, and what the user must know about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Program and arguments.
    pub command: Vec<OsString>,
    /// Parts of the request that this compiler cannot fulfil.
    pub remarks: Vec<String>,
}

/// Whether `options` can be fulfilled for programs of `compiler`, so that [`plan`] changes its
/// commands.
pub fn instruments(compiler: &Compiler, options: &Options) -> bool {
    !options.no_instrument && compiler.flavour.table().unmeasurable.is_none()
}

/// The flags with which `compiler` makes programs report what `options` ask for, without the
/// filter.
pub fn instrumentation(compiler: &Compiler, options: &Options) -> Vec<&'static str> {
    let table = compiler.flavour.table();
    let mut flags = table.instrument.to_vec();
    match options.functions {
        Functions::None => {}
        Functions::Auto => flags.extend(table.larger_functions.unwrap_or(table.functions)),
        Functions::All => flags.extend(table.functions),
    }
    if options.counts(table) {
        flags.extend(table.counts.unwrap_or_default());
    }
    if options.local_accesses {
        flags.extend(table.local_accesses);
    }
    flags
}

/// Options that this compiler knows nothing like. What it does by itself needs no remark.
fn ignored(table: &Table, options: &Options) -> Option<String> {
    (options.accesses == Accesses::Counted && table.counts.is_none()).then(|| {
        format!(
            "{} reports every single access, so --accesses counted changes nothing: frequent ones \
             are throttled when the program runs",
            table.name
        )
    })
}

/// The instrumented form of `compiler arguments`. `link_inputs` are the files and libraries that a
/// program under measurement is linked with; they are added if the command links one. A command
/// without inputs is a question to the compiler and stays as it is, and so does one of a compiler
/// whose programs cannot be measured.
pub fn plan(
    compiler: &Compiler,
    options: &Options,
    arguments: &[OsString],
    link_inputs: &[OsString],
) -> Plan {
    let table = compiler.flavour.table();
    let invocation = Invocation::of(arguments, table);
    let mut command: Vec<OsString> = vec![compiler.path.clone().into()];
    let mut remarks = Vec::new();
    if !invocation.has_inputs {
        command.extend_from_slice(arguments);
        return Plan { command, remarks };
    }
    command.extend_from_slice(&options.threads);
    command.extend_from_slice(&options.network);
    if !instruments(compiler, options) {
        if !options.no_instrument {
            remarks.extend(table.unmeasurable.map(String::from));
        }
        command.extend_from_slice(arguments);
        return Plan { command, remarks };
    }

    let flags = instrumentation(compiler, options);
    command.extend(flags.into_iter().map(OsString::from));
    remarks.extend(ignored(table, options));
    let is_debug = |option: &OsString| option.to_string_lossy().starts_with("-g");
    if !invocation.options.iter().any(is_debug) {
        command.extend(table.line_tables.map(OsString::from));
    }
    if let Some(headers) = &options.headers {
        command.extend(["-I".into(), headers.clone().into()]);
    }
    if let Some(headers) = &options.own_headers {
        command.extend(["-idirafter".into(), headers.clone().into()]);
    }
    if let Some(filter) = &options.filter {
        match table.filter {
            Some(flag) => command.extend([OsString::from(flag), filter.clone().into()]),
            None => remarks.push(format!(
                "{} cannot leave anything out when it compiles: the filter {} is for `pgastool \
                 run --filter`",
                table.name,
                filter.display()
            )),
        }
    }
    command.extend_from_slice(arguments);

    if invocation.links_program {
        if invocation.language_set {
            command.extend(["-x", "none"].map(OsString::from));
        }
        command.extend_from_slice(link_inputs);
        remarks.extend(table.lacks.iter().map(ToString::to_string));
    }
    Plan { command, remarks }
}

/// Inputs to the link of every measured program: extra objects or sources, the recorder, and the
/// system libraries that the recorder needs.
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
    use pgas_base::shell::shown;

    fn rewritten(flavour: Flavour, options: &Options, line: &str) -> String {
        let compiler = Compiler {
            path: "/opt/upc".into(),
            flavour,
            version: String::new(),
        };
        let arguments: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        let inputs = link_inputs(&["d.o".into()], Path::new("lib/libpgas_measure.a"));
        shown(&plan(&compiler, options, &arguments, &inputs).command)
    }

    #[test]
    fn linking_adds_the_recorder_compiling_does_not() {
        let options = Options::default();
        assert_eq!(
            rewritten(Flavour::Embedded, &options, "-O2 -o is is.c"),
            "/opt/upc -inst -inst-functions-auto -inst-counts -g1 -O2 -o is is.c d.o \
             lib/libpgas_measure.a -lpthread -ldl -lm"
        );
        assert_eq!(
            rewritten(Flavour::Embedded, &options, "-O2 -c is.c"),
            "/opt/upc -inst -inst-functions-auto -inst-counts -g1 -O2 -c is.c"
        );
        assert_eq!(
            rewritten(Flavour::Embedded, &options, "-x c is"),
            "/opt/upc -inst -inst-functions-auto -inst-counts -g1 -x c is -x none d.o \
             lib/libpgas_measure.a -lpthread -ldl -lm"
        );
    }

    #[test]
    fn options_become_the_flags_of_each_compiler() {
        let options = Options {
            threads: vec!["-of-threads".into(), "4".into()],
            network: vec!["-network=mpi".into()],
            local_accesses: true,
            filter: Some("my.filter".into()),
            ..Options::default()
        };
        assert_eq!(
            rewritten(Flavour::Embedded, &options, "-c a.upc"),
            "/opt/upc -of-threads 4 -network=mpi -inst -inst-functions-auto -inst-local -g1 -inst-filter my.filter \
             -c a.upc"
        );
        assert_eq!(
            rewritten(Flavour::Berkeley, &options, "-c a.upc"),
            "/opt/upc -of-threads 4 -network=mpi -inst -inst-toolname=pgastool -lines -inst-functions \
             -inst-local -c a.upc"
        );
        assert_eq!(
            rewritten(Flavour::Gnu, &options, "-c a.upc"),
            "/opt/upc -of-threads 4 -network=mpi -fupc-instrument -fupc-instrument-functions -g1 -c a.upc"
        );
        assert_eq!(
            rewritten(Flavour::Clang, &options, "-c a.upc"),
            "/opt/upc -of-threads 4 -network=mpi -fupc-debug -D__UPC_PUPC_INST__ -g1 -c a.upc"
        );
        let without_functions = Options {
            functions: Functions::None,
            ..Options::default()
        };
        assert_eq!(
            rewritten(Flavour::Embedded, &without_functions, "-c a.upc"),
            "/opt/upc -inst -inst-counts -g1 -c a.upc"
        );
    }

    #[test]
    fn line_tables_are_added_unless_the_user_says_what_debug_information_to_make() {
        let options = Options::default();
        for chosen in ["-g", "-g0", "-ggdb3", "-gdwarf-4"] {
            assert_eq!(
                rewritten(
                    Flavour::Embedded,
                    &options,
                    &format!("-O2 {chosen} -c is.c")
                ),
                format!("/opt/upc -inst -inst-functions-auto -inst-counts -O2 {chosen} -c is.c")
            );
        }
    }

    #[test]
    fn everything_is_reported_on_request_and_own_accesses_are_reported_with_all_others() {
        let flags = |options: &Options| {
            let line = rewritten(Flavour::Embedded, options, "-c a.upc");
            let flags = line.strip_prefix("/opt/upc -inst ").map(String::from);
            flags.and_then(|flags| Some(flags.strip_suffix(" -g1 -c a.upc")?.to_string()))
        };
        let all = Options {
            functions: Functions::All,
            accesses: Accesses::All,
            ..Options::default()
        };
        assert_eq!(flags(&all).as_deref(), Some("-inst-functions"));
        let own = Options {
            local_accesses: true,
            ..Options::default()
        };
        let expected = Some("-inst-functions-auto -inst-local");
        assert_eq!(flags(&own).as_deref(), expected);
        let counted = Options {
            accesses: Accesses::Counted,
            ..Options::default()
        };
        let expected = Some("-inst-functions-auto -inst-counts");
        assert_eq!(flags(&counted).as_deref(), expected);
    }

    #[test]
    fn a_compiler_that_cannot_count_says_so_only_if_it_is_asked_to() {
        let compiler = Compiler {
            path: "gupc".into(),
            flavour: Flavour::Gnu,
            version: String::new(),
        };
        let remarks = |accesses| {
            let options = Options {
                accesses,
                ..Options::default()
            };
            plan(&compiler, &options, &["a.upc".into()], &[]).remarks
        };
        let silent = remarks(Accesses::All);
        assert_eq!(remarks(Accesses::Auto), silent);
        let told = remarks(Accesses::Counted);
        assert_eq!(told.len(), silent.len() + 1);
        assert!(told[0].contains("reports every single access"), "{told:?}");
    }

    #[test]
    fn without_instrumentation_the_command_stays() {
        let options = Options {
            no_instrument: true,
            threads: vec!["-T".into(), "2".into()],
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
        let plan = plan(&compiler, &options, &["a.upc".into()], &[]);
        assert_eq!(
            plan.remarks,
            [
                "Berkeley UPC cannot leave anything out when it compiles: the filter my.filter is \
                 for `pgastool run --filter`"
            ]
        );
    }

    #[test]
    fn what_cannot_be_measured_is_compiled_as_it_was_and_said() {
        let compiler = Compiler {
            path: "cc".into(),
            flavour: Flavour::Cray,
            version: String::new(),
        };
        let arguments = ["-h", "upc", "a.c", "-lm"].map(OsString::from);
        let planned = plan(&compiler, &Options::default(), &arguments, &[]);
        assert_eq!(shown(&planned.command), "cc -h upc a.c -lm");
        assert!(planned.remarks[0].contains("cannot be measured"));
        let options = Options {
            no_instrument: true,
            ..Options::default()
        };
        assert!(
            plan(&compiler, &options, &arguments, &[])
                .remarks
                .is_empty()
        );
    }

    #[test]
    fn questions_stay_as_they_are() {
        let options = Options {
            threads: vec!["-T=4".into()],
            ..Options::default()
        };
        for flavour in crate::flavour::ALL {
            assert_eq!(
                rewritten(flavour, &options, "--version"),
                "/opt/upc --version"
            );
        }
    }
}
