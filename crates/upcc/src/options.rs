//! Every option of the command line that is not simply handed to the C compiler, in one table: how
//! it is spelled, whether it takes a value, what it means, and what the help says about it.
//! Parsing, help and man page all come from here.

use crate::request::Stage;

/// Whether an option has a value, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// None.
    Nothing,
    /// The next argument.
    Next,
    /// The rest of the argument.
    Joined,
    /// The rest of the argument if there is any, else the next one.
    Either,
}

/// Purpose of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// Help, the manual page, or the version.
    Help,
    Man,
    Version,
    /// A question for the C compiler, which is not to compile then.
    Question,
    /// Where the work stops.
    Stop(Stage),
    SyntaxOnly,
    Output,
    Language,
    Threads,
    /// Kind of the threads, and how they reach each other.
    Network,
    /// The compiler of an MPI.
    Mpicc,
    Verbose,
    DryRun,
    NoWarnings,
    SaveTemps,
    Instrument,
    InstrumentLocal,
    CountAccesses,
    InstrumentFunctions,
    LeaveOutSmall,
    Filter,
    /// Size of the shared heap.
    Heap,
    /// Checks while the program runs, or none.
    Check(bool),
    /// The keywords of UPC 1.0.
    OldKeywords,
    /// The files are preprocessed, whatever their names.
    Preprocessed,
    /// The result is a shared library or a joined object.
    NotAProgram,
    /// For the preprocessor.
    Preprocessor,
    /// `-Wp,`: words for the preprocessor, some of which are about dependencies.
    PreprocessorWords,
    /// How preprocessed text looks, where it is what was asked for.
    TextForm,
    /// About lists of dependencies.
    Dependency,
    /// Where the list of dependencies goes.
    DependencyFile,
    /// Target of the list of dependencies.
    DependencyTarget,
    /// `-M`, `-MM`: dependencies instead of text.
    OnlyDependencies,
    /// For the linker, in its place among the files.
    Linker,
    /// For every call of the C compiler.
    General,
    /// `-Wc,`: words for every call of the C compiler.
    GeneralWords,
    /// An option of another UPC compiler that has nothing to choose here.
    Ignored,
    /// An option of another UPC compiler that cannot be done; the reason.
    Refused(&'static str),
}

/// One line of the table.
#[derive(Debug)]
pub struct OptionSpec {
    /// All spellings.
    pub names: &'static [&'static str],
    /// Where its argument stands, if it has one.
    pub takes: Takes,
    /// Effect on the request.
    pub meaning: Meaning,
    /// For the help: how to write it, and what it does.
    pub help: Option<(&'static str, &'static str)>,
}

const fn plain(names: &'static [&'static str], takes: Takes, meaning: Meaning) -> OptionSpec {
    OptionSpec {
        names,
        takes,
        meaning,
        help: None,
    }
}

const fn with_help(
    names: &'static [&'static str],
    takes: Takes,
    meaning: Meaning,
    usage: &'static str,
    text: &'static str,
) -> OptionSpec {
    OptionSpec {
        names,
        takes,
        meaning,
        help: Some((usage, text)),
    }
}

use Meaning::*;
use Takes::{Either, Joined, Next, Nothing};

/// All options that are not simply for the C compiler. Those with help come in the order of the
/// help.
pub const OPTIONS: &[OptionSpec] = &[
    with_help(
        &[
            "-T",
            "-X",
            "-fthreads",
            "--threads",
            "-threads",
            "-THREADS",
            "-fupc-threads",
        ],
        Either,
        Threads,
        "-T N, -fupc-threads=N",
        "Compile for N threads, from 1 to 1024. Without it, the number is chosen when the program \
         starts. All objects of a program must agree. Also understood: -T=N, -TN, \
         -fupc-threads-N, -fupc-threads N, --threads N, -fthreads N, -X N.",
    ),
    with_help(
        &["-network", "--network"],
        Either,
        Network,
        "-network=smp|mpi",
        "What the threads of the program are. smp: processes of one machine that share its memory. \
         mpi: processes that MPI's launcher starts, on one or several nodes. All objects of a \
         program must agree. Without it, PGAS_NETWORK says it, else it is smp.",
    ),
    with_help(
        &["-mpicc", "--mpicc"],
        Either,
        Mpicc,
        "-mpicc=PATH",
        "With -network=mpi: the compiler of the MPI that the program is linked with, unless it is \
         MPICC's or mpicc on the path. For the command that links.",
    ),
    with_help(
        &["-shared-heap", "--shared-heap"],
        Either,
        Heap,
        "-shared-heap=SIZE",
        "How much shared memory each thread may allocate unless the environment says otherwise \
         when the program starts: a number with KB, MB, GB or TB, or of MB without. For the \
         command that links.",
    ),
    with_help(
        &["-fupc-1.0"],
        Nothing,
        OldKeywords,
        "-fupc-1.0",
        "Also take forall, barrier, notify, wait and fence for keywords, and localsizeof, \
         blocksizeof and elemsizeof, as programs from before UPC 1.1 use them.",
    ),
    with_help(
        &["-fupc-check"],
        Nothing,
        Check(true),
        "-fupc-check",
        "For finding errors: check indices, pointers-to-shared and casts, memory operations, \
         locks, and that all threads make the same collective calls. What is wrong ends the \
         program with a message that says where. Such a program is slower.",
    ),
    plain(&["-fno-upc-check"], Nothing, Check(false)),
    with_help(
        &["-inst", "-fupc-instrument"],
        Nothing,
        Instrument,
        "-inst",
        "Report operations of the runtime to a GASP tool that is linked in. `pgastool compile` \
         does that.",
    ),
    with_help(
        &["-inst-functions", "-fupc-instrument-functions"],
        Nothing,
        InstrumentFunctions,
        "-inst-functions",
        "With -inst: also calls of the program's functions.",
    ),
    with_help(
        &["-inst-functions-auto"],
        Nothing,
        LeaveOutSmall,
        "-inst-functions-auto",
        "As -inst-functions, without functions that are small and do nothing that is reported.",
    ),
    with_help(
        &["-inst-local"],
        Nothing,
        InstrumentLocal,
        "-inst-local",
        "With -inst: also accesses to shared data with affinity to the accessing thread.",
    ),
    with_help(
        &["-inst-counts"],
        Nothing,
        CountAccesses,
        "-inst-counts",
        "With -inst: count single accesses to shared data instead of reporting each.",
    ),
    with_help(
        &["-inst-filter"],
        Either,
        Filter,
        "-inst-filter FILE",
        "With -inst: which functions and operations, in Score-P's filter file format.",
    ),
    with_help(
        &["-trans"],
        Nothing,
        Stop(Stage::Translate),
        "-trans",
        "Stop after translation: write the C that is compiled to NAME.trans.c, or to the file \
         that -o names.",
    ),
    with_help(
        &[
            "-save-temps",
            "-save-temps=cwd",
            "-save-temps=obj",
            "--save-temps",
            "-save-all-temps",
        ],
        Nothing,
        SaveTemps,
        "-save-temps",
        "Keep what lies between the steps: NAME.i is preprocessed UPC, NAME.trans.c is C, NAME.s \
         is assembly.",
    ),
    with_help(
        &["-v", "-vv", "--verbose"],
        Nothing,
        Verbose,
        "-v",
        "Say which commands are run.",
    ),
    with_help(
        &["-###", "--show"],
        Nothing,
        DryRun,
        "-###, --show",
        "Say which commands would be run, and run none.",
    ),
    with_help(
        &["--version", "-version", "-V"],
        Nothing,
        Version,
        "--version",
        "The version of this compiler and the C compiler that it uses.",
    ),
    with_help(
        &["--help", "-help", "-h"],
        Nothing,
        Help,
        "--help",
        "This text.",
    ),
    plain(&["--man"], Nothing, Man),
    // ---- Those of C compilers ----
    plain(
        &[
            "-dumpversion",
            "-dumpfullversion",
            "-dumpmachine",
            "-dumpspecs",
            "--target-help",
        ],
        Nothing,
        Question,
    ),
    plain(&["-print-", "--print-", "--help="], Joined, Question),
    plain(&["-E"], Nothing, Stop(Stage::Preprocess)),
    plain(&["-S"], Nothing, Stop(Stage::Assembly)),
    plain(&["-c"], Nothing, Stop(Stage::Object)),
    plain(&["-fsyntax-only"], Nothing, SyntaxOnly),
    plain(&["-o", "--output"], Either, Output),
    plain(&["-x"], Either, Language),
    plain(&["-w"], Nothing, NoWarnings),
    plain(&["-shared", "-r"], Nothing, NotAProgram),
    plain(&["-fpreprocessed"], Nothing, Preprocessed),
    plain(&["-M", "-MM"], Nothing, OnlyDependencies),
    plain(&["-MD", "-MMD", "-MG", "-MP"], Nothing, Dependency),
    plain(&["-MF"], Either, DependencyFile),
    plain(&["-MT", "-MQ"], Either, DependencyTarget),
    plain(
        &[
            "-C",
            "-CC",
            "-P",
            "-dM",
            "-dD",
            "-dN",
            "-dI",
            "-dU",
            "-fdirectives-only",
        ],
        Nothing,
        TextForm,
    ),
    plain(
        &[
            "-include",
            "-imacros",
            "-isystem",
            "-iquote",
            "-idirafter",
            "-iprefix",
            "-iwithprefixbefore",
            "-iwithprefix",
            "-imultilib",
            "-D",
            "-U",
            "-I",
            "-A",
        ],
        Either,
        Preprocessor,
    ),
    plain(&["-Xpreprocessor"], Next, Preprocessor),
    plain(&["-nostdinc", "-undef", "-H", "-I-"], Nothing, Preprocessor),
    plain(&["-Wp,"], Joined, PreprocessorWords),
    plain(
        &["-Wl,", "-Ttext", "-Tdata", "-Tbss", "-fuse-ld="],
        Joined,
        Linker,
    ),
    plain(&["-L", "-l", "-u", "-z", "-e"], Either, Linker),
    plain(&["-Xlinker"], Next, Linker),
    plain(
        &[
            "-static",
            "-rdynamic",
            "-s",
            "-pie",
            "-no-pie",
            "-static-pie",
            "-nostdlib",
            "-nodefaultlibs",
            "-nolibc",
            "-nostartfiles",
            "-static-libgcc",
            "-shared-libgcc",
            "-static-libstdc++",
            "-symbolic",
        ],
        Nothing,
        Linker,
    ),
    // Begins with the name of another one, -e.
    plain(&["-export-dynamic"], Nothing, General),
    plain(
        &[
            "--param",
            "-Xassembler",
            "-Xclang",
            "-mllvm",
            "-isysroot",
            "--sysroot",
            "-target",
            "-aux-info",
            "-arch",
            "-dumpdir",
            "-dumpbase",
            "-dumpbase-ext",
            "-wrapper",
        ],
        Next,
        General,
    ),
    plain(&["-B"], Either, General),
    // ---- Those of other UPC compilers ----
    plain(&["-Wc,"], Joined, GeneralWords),
    plain(
        &[
            "-opt",
            "-noopt",
            "-lines",
            "-nolines",
            "-pthreads",
            "-nopthreads",
            "-uses-threads",
            "-uses-mpi",
            "-norc",
            "-smart-output",
            "-nosmart-output",
            "-size-warn",
            "-nosize-warn",
            "-show-sizes",
            "-compress",
            "-nocompress",
            "-link-cache",
            "-nolink-cache",
            "-stats",
            "-trace",
            "-fupc",
            "-fupc-debug",
            "-fno-upc-debug",
            "-fupc-inline-lib",
            "-fno-upc-inline-lib",
            "-fupc-pre-include",
            "-fno-upc-pre-include",
            "-fupc-remote",
            "-fno-upc-instrument",
            "-fno-upc-instrument-functions",
            "-dwarf-2-upc",
        ],
        Nothing,
        Ignored,
    ),
    plain(
        &[
            "-pthreads=",
            "-inst-toolname=",
            "-conf=",
            "-shared-heap-max=",
            "-heap-offset=",
            "-translator=",
            "-trace-",
            "-Ww,",
            "-Wu,",
            "-Wb,",
            "-lang=",
            "-fupc-pthreads-",
            "-fupc-packed-bits=",
            "-fupc-pts=",
            "-fupc-pts-",
            "-fupc-version=",
        ],
        Joined,
        Ignored,
    ),
    plain(
        &[
            "-inst-toolname",
            "-conf",
            "-shared-heap-max",
            "-heap-offset",
            "-translator",
        ],
        Next,
        Ignored,
    ),
    plain(
        &["-extern-main"],
        Nothing,
        Refused(
            "the embedded runtime always starts the program itself; rename the other main and \
             call it",
        ),
    ),
    plain(
        &["-link-with="],
        Joined,
        Refused(
            "the embedded compiler links with the C compiler; PGAS_CC names another one, such as \
             g++ or mpicc",
        ),
    ),
];

/// The option that an argument is, and where its joined value begins (0 if there is none).
pub fn find(argument: &str) -> Option<(&'static OptionSpec, usize)> {
    let exact = OPTIONS
        .iter()
        .find(|o| o.takes != Joined && o.names.contains(&argument));
    if let Some(option) = exact {
        return Some((option, 0));
    }
    OPTIONS
        .iter()
        .filter(|o| matches!(o.takes, Joined | Either))
        .flat_map(|o| o.names.iter().map(move |name| (o, *name)))
        .filter(|(o, name)| {
            argument
                .strip_prefix(name)
                .is_some_and(|rest| joins(o.meaning, rest))
        })
        .max_by_key(|(_, name)| name.len())
        .map(|(o, name)| (o, name.len()))
}

/// Whether `rest` can be the value of an option with this meaning; if not, the argument is another
/// option.
fn joins(meaning: Meaning, rest: &str) -> bool {
    match meaning {
        // Linker scripts are given with -T too, and sections placed with -Ttext.
        Threads => rest.starts_with(|c: char| matches!(c, '=' | '-') || c.is_ascii_digit()),
        Heap | Filter | Network | Mpicc => rest.starts_with('='),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_the_table_once() {
        let mut names: Vec<(&str, bool)> = OPTIONS
            .iter()
            .flat_map(|o| o.names.iter().map(|n| (*n, o.takes == Joined)))
            .collect();
        names.sort_unstable();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    #[test]
    fn the_longest_name_counts() {
        let meaning = |argument| find(argument).map(|(o, _)| o.meaning);
        assert_eq!(meaning("-lines"), Some(Ignored));
        assert_eq!(meaning("-lm"), Some(Linker));
        assert_eq!(meaning("-static"), Some(Linker));
        assert_eq!(meaning("-Ttext=0"), Some(Linker));
        assert_eq!(meaning("-T4"), Some(Threads));
        assert_eq!(meaning("-isystem/x"), Some(Preprocessor));
        assert_eq!(meaning("-I-"), Some(Preprocessor));
        assert_eq!(meaning("-MMD"), Some(Dependency));
        assert_eq!(meaning("-MFfile"), Some(DependencyFile));
        assert_eq!(meaning("-Xlinker"), Some(Linker));
        assert_eq!(meaning("-O2"), None);
        assert_eq!(meaning("-march=native"), None);
        assert_eq!(meaning("-shared-heap=1G"), Some(Heap));
        assert_eq!(meaning("-shared"), Some(NotAProgram));
    }
}
