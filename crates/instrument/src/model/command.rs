//! Rewrites a compile or link command of a compiler that is not one of UPC: what is compiled gets
//! line tables, since places of calls are code addresses that become lines after the run; what is
//! linked gets the wrappers and the recorder.

use super::ModelCompiler;
use crate::invocation::Invocation;
use std::ffi::OsString;
use std::path::PathBuf;

/// Options that make functions of the program report their calls.
pub const FUNCTIONS: &str = "-finstrument-functions";
/// Functions whose names contain the text that follows do not report them, and those of files
/// whose names contain the text that follows the other one.
pub const EXCLUDED_FUNCTIONS: &str = "-finstrument-functions-exclude-function-list=";
/// See [`EXCLUDED_FUNCTIONS`].
pub const EXCLUDED_FILES: &str = "-finstrument-functions-exclude-file-list=";
/// Asks whether a compiler takes both.
const EXCLUDES: &str = "-finstrument-functions-exclude-file-list=pgastool:no:file";
/// Line tables, and nothing else that could change the program.
const LINE_TABLES: &str = "-g1";
/// A call at the end of a function returns to that function, and not to the one that has called it:
/// the place of a call is where it returns to.
const TRUE_CALL_SITES: &str = "-fno-optimize-sibling-calls";

/// Flags for compiling objects. A flag that the compiler rejects is left out.
pub const FLAGS: [&str; 4] = [LINE_TABLES, TRUE_CALL_SITES, FUNCTIONS, EXCLUDES];

/// Functions of threads that libgfortran and libstdc++ call if the program has any thread, and that
/// a static program gets only where somebody asks for them: the recorder has threads.
const OF_THREADS: [&str; 22] = [
    "pthread_once",
    "pthread_getspecific",
    "pthread_setspecific",
    "pthread_key_create",
    "pthread_key_delete",
    "pthread_create",
    "pthread_join",
    "pthread_detach",
    "pthread_cancel",
    "pthread_self",
    "pthread_equal",
    "pthread_mutex_init",
    "pthread_mutex_destroy",
    "pthread_mutex_lock",
    "pthread_mutex_trylock",
    "pthread_mutex_unlock",
    "pthread_cond_init",
    "pthread_cond_destroy",
    "pthread_cond_broadcast",
    "pthread_cond_signal",
    "pthread_cond_wait",
    "pthread_cond_timedwait",
];

/// Options of a static link, which must have all [`OF_THREADS`] or none.
fn static_options(arguments: &[OsString]) -> Vec<OsString> {
    let is_static = arguments
        .iter()
        .any(|word| word == "-static" || word == "-static-pie");
    let asked = OF_THREADS.iter().filter(|_| is_static);
    asked.map(|name| format!("-Wl,-u,{name}").into()).collect()
}

/// Whether a compiler leaves out functions and files that its command names.
pub fn excludes(compiler: &ModelCompiler) -> bool {
    compiler.flags.iter().any(|flag| flag == EXCLUDES)
}

/// The user's options, beside the compiler's own arguments.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// Leave the program as it is.
    pub no_instrument: bool,
    /// Functions of the program report their calls, too.
    pub functions: bool,
}

/// Inputs to the link of a measured program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LinkInputs {
    /// Objects and options that stand before all of the user's, so that libraries come after them.
    pub first: Vec<OsString>,
    /// Arguments after them: the recorder, and the system libraries that it needs.
    pub last: Vec<OsString>,
}

impl LinkInputs {
    /// Those of wrappers that need these `options` of the linker.
    pub fn new(objects: Vec<PathBuf>, options: Vec<OsString>, recorder: PathBuf) -> Self {
        let objects = objects.into_iter().map(OsString::from);
        let mut last = vec![recorder.into()];
        last.extend(["-lpthread", "-ldl", "-lm"].map(OsString::from));
        Self {
            first: objects.chain(options).collect(),
            last,
        }
    }
}

/// The instrumented form of `compiler arguments`; questions and what makes text stay as they are.
pub fn plan(
    compiler: &ModelCompiler,
    options: Options,
    arguments: &[OsString],
    added: &LinkInputs,
) -> Vec<OsString> {
    let invocation = Invocation::of_wrapper(arguments);
    let mut command: Vec<OsString> = vec![compiler.path.clone().into()];
    if options.no_instrument || !invocation.makes_code {
        command.extend_from_slice(arguments);
        return command;
    }
    let is_debug = |option: &OsString| option.to_string_lossy().starts_with("-g");
    let flags = compiler.flags.iter().filter(|flag| match flag.as_str() {
        LINE_TABLES => !invocation.options.iter().any(is_debug),
        FUNCTIONS => options.functions,
        EXCLUDES => false,
        _ => true,
    });
    command.extend(flags.map(OsString::from));
    if !invocation.links_program {
        command.extend_from_slice(arguments);
        return command;
    }
    command.extend_from_slice(&added.first);
    command.extend(static_options(arguments));
    command.extend_from_slice(arguments);
    if invocation.language_set {
        command.extend(["-x", "none"].map(OsString::from));
    }
    command.extend_from_slice(&added.last);
    command
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;
    use pgas_base::shell::shown;

    fn planned(options: Options, line: &str) -> String {
        let compiler = ModelCompiler {
            path: "/usr/bin/oshcc".into(),
            model: Model::OpenShmem,
            version: String::new(),
            mpi: None,
            flags: FLAGS.map(String::from).to_vec(),
            context: Vec::new(),
        };
        let arguments: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        let wrap = vec!["-Wl,--wrap=f".into()];
        let added = LinkInputs::new(vec!["w.o".into()], wrap, "r.a".into());
        let command = shown(plan(&compiler, options, &arguments, &added));
        command
            .replace("/usr/bin/oshcc", "cc")
            .replace("-fno-optimize-sibling-calls", "SITES")
    }

    #[test]
    fn wrappers_stand_before_all_and_the_recorder_after_all() {
        let options = Options::default();
        assert_eq!(
            planned(options, "-O2 -o a a.c -lx"),
            "cc -g1 SITES w.o -Wl,--wrap=f -O2 -o a a.c -lx r.a -lpthread -ldl -lm"
        );
        assert_eq!(
            planned(options, "-x c a"),
            "cc -g1 SITES w.o -Wl,--wrap=f -x c a -x none r.a -lpthread -ldl -lm"
        );
        assert_eq!(planned(options, "-c a.c"), "cc -g1 SITES -c a.c");
        for line in ["-shared -o l.so a.o", "-r -o b.o a.o"] {
            assert_eq!(planned(options, line), format!("cc -g1 SITES {line}"));
        }
        let all = planned(options, "-static a.o");
        assert!(all.contains(" -Wl,-u,pthread_mutex_lock "), "{all}");
        for given in ["-g", "-g0", "-ggdb"] {
            let line = format!("{given} -c a.c");
            assert_eq!(planned(options, &line), format!("cc SITES {line}"));
        }
    }

    #[test]
    fn functions_report_on_request() {
        let options = Options {
            functions: true,
            ..Options::default()
        };
        let compiled = planned(options, "-c a.c");
        assert_eq!(compiled, "cc -g1 SITES -finstrument-functions -c a.c");
        assert_eq!(planned(options, "-E a.c"), "cc -E a.c");
    }

    #[test]
    fn questions_and_text_stay_as_they_are() {
        for line in ["--version", "-show a.c", "-E a.c", "-M a.c", "-S a.c", ""] {
            let command = format!("cc {line}");
            assert_eq!(planned(Options::default(), line), command.trim_end());
        }
        let plain = Options {
            no_instrument: true,
            functions: true,
        };
        assert_eq!(planned(plain, "-o a a.c"), "cc -o a a.c");
    }
}
