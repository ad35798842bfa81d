//! Reading the command line into a [`Request`]: what to do, with which files, with which of the C compiler's options.
//! Only reading; nothing is looked up and nothing is done here.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::Error;

/// More threads than this cannot run.
pub const MAX_THREADS: u32 = 1024;

/// Where the work stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// `-E`, `-M`, `-MM`
    Preprocess,
    /// `-trans`
    Translate,
    /// `-S`
    Assembly,
    /// `-c`
    Object,
    /// A program, or a shared library or joined object, of which the runtime is no part.
    Link,
}

/// What a file on the command line is taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    Upc,
    /// UPC that was preprocessed before.
    PreprocessedUpc,
    /// Anything that the C compiler knows and that is no UPC, such as assembly.
    Foreign,
}

/// Something that takes part in the link, in the order of the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// `foreign_language`: the argument of `-x` if it is for the C compiler to interpret.
    Source {
        path: PathBuf,
        language: Language,
        foreign_language: Option<OsString>,
    },
    /// An object, archive or shared library.
    Object(PathBuf),
    /// An option for the linker, or a part of one.
    LinkerOption(OsString),
}

/// A question that is answered without compiling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Query {
    Help,
    Version,
    /// For the C compiler, such as `-dumpmachine`.
    Compiler(OsString),
}

/// What the command line asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    pub query: Option<Query>,
    pub stage: Stage,
    pub inputs: Vec<Input>,
    pub output: Option<PathBuf>,
    /// `-T`; `None` if the number is chosen at start.
    pub threads: Option<u32>,
    pub instrument: bool,
    pub instrument_local: bool,
    pub instrument_functions: bool,
    pub filter: Option<PathBuf>,
    /// For the preprocessor only: `-D`, `-I`, ...
    pub preprocessor: Vec<OsString>,
    /// How preprocessed text looks, where it is what was asked for: `-C`, `-P`.
    pub text_form: Vec<OsString>,
    /// For the preprocessor, but about lists of dependencies: `-MMD`, `-MF`, ...
    pub dependencies: Vec<OsString>,
    /// For every call of the C compiler: `-O`, `-g`, `-std`, `-f`, `-m`, `-W`, ...
    pub general: Vec<OsString>,
    /// `-shared` or `-r`: what is linked is not a program.
    pub not_a_program: bool,
    /// `-fsyntax-only`: messages, and no file.
    pub syntax_only: bool,
    pub verbose: bool,
    pub dry_run: bool,
    pub no_warnings: bool,
}

impl Default for Request {
    fn default() -> Self {
        Request {
            query: None,
            stage: Stage::Link,
            inputs: Vec::new(),
            output: None,
            threads: None,
            instrument: false,
            instrument_local: false,
            instrument_functions: false,
            filter: None,
            preprocessor: Vec::new(),
            text_form: Vec::new(),
            dependencies: Vec::new(),
            general: Vec::new(),
            not_a_program: false,
            syntax_only: false,
            verbose: false,
            dry_run: false,
            no_warnings: false,
        }
    }
}

/// Options for the preprocessor that take a value, joined or as the next argument.
const PREPROCESSOR_WITH_VALUE: [&str; 12] = [
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-iwithprefixbefore",
    "-iwithprefix",
    "-Xpreprocessor",
    "-D",
    "-U",
    "-I",
];
/// Options about dependencies that take a value.
const DEPENDENCY_WITH_VALUE: [&str; 3] = ["-MF", "-MT", "-MQ"];
/// Options for the linker that take a value, joined or as the next argument.
const LINKER_WITH_VALUE: [&str; 5] = ["-Xlinker", "-L", "-l", "-u", "-z"];
/// Options for all steps whose value is the next argument.
const GENERAL_WITH_VALUE: [&str; 7] = [
    "--param",
    "-Xassembler",
    "-Xclang",
    "-isysroot",
    "-target",
    "-aux-info",
    "-B",
];
/// Options that only the linker understands.
const LINKER_ALONE: [&str; 12] = [
    "-static",
    "-rdynamic",
    "-s",
    "-pie",
    "-no-pie",
    "-static-pie",
    "-nostdlib",
    "-nodefaultlibs",
    "-nostartfiles",
    "-static-libgcc",
    "-shared-libgcc",
    "-symbolic",
];
/// Options of other UPC compilers that mean nothing here: there is one network, one kind of thread.
const IGNORED: [&str; 12] = [
    "-opt",
    "-noopt",
    "-lines",
    "-nolines",
    "-nopthreads",
    "-pthreads",
    "-uses-threads",
    "-uses-mpi",
    "-norc",
    "-smart-output",
    "-size-warn",
    "-nolink-cache",
];
const IGNORED_PREFIXES: [&str; 8] = [
    "-network=",
    "-pthreads=",
    "-shared-heap=",
    "-shared-heap-max=",
    "-inst-toolname=",
    "-conf=",
    "-fupc-pthreads",
    "-fupc-inline",
];

/// Reads the arguments.
///
/// # Errors
/// If an option lacks its value or has an impossible one, or if there is nothing to work on.
pub fn parse(args: &[OsString]) -> Result<Request, Error> {
    let mut request = Request::default();
    let mut language: Option<OsString> = None;
    let mut rest = args.iter();
    let mut only_files = false;
    while let Some(arg) = rest.next() {
        let text = arg.to_string_lossy();
        let text = text.as_ref();
        let mut value = |option: &str| {
            rest.next()
                .cloned()
                .ok_or_else(|| Error::Usage(format!("{option} needs a value after it")))
        };
        if only_files || !text.starts_with('-') || text == "-" {
            request.inputs.push(input(arg, language.as_deref()));
            continue;
        }
        match text {
            "--" => only_files = true,
            "-help" | "--help" => request.query = Some(Query::Help),
            "-version" | "--version" | "-V" => request.query = Some(Query::Version),
            "-v" | "-vv" => request.verbose = true,
            "--show" | "-###" => request.dry_run = true,
            "-E" => request.stage = Stage::Preprocess,
            "-trans" => request.stage = Stage::Translate,
            "-S" => request.stage = Stage::Assembly,
            "-c" => request.stage = Stage::Object,
            "-M" | "-MM" => {
                request.stage = Stage::Preprocess;
                request.dependencies.push(arg.clone());
            }
            "-MD" | "-MMD" | "-MG" | "-MP" => request.dependencies.push(arg.clone()),
            "-o" => request.output = Some(value(text)?.into()),
            "-x" => language = known_language(value(text)?),
            "-T" | "-fupc-threads" => {
                request.threads = Some(threads(&value(text)?.to_string_lossy())?)
            }
            "-inst" | "-fupc-instrument" => request.instrument = true,
            "-inst-local" => request.instrument_local = true,
            "-inst-functions" | "-fupc-instrument-functions" => request.instrument_functions = true,
            "-inst-filter" => request.filter = Some(value(text)?.into()),
            "-network" | "-shared-heap" | "-shared-heap-max" | "-inst-toolname" | "-conf" => {
                drop(value(text)?)
            }
            "-shared" | "-r" => {
                request.not_a_program = true;
                request.inputs.push(Input::LinkerOption(arg.clone()));
            }
            "-fsyntax-only" => request.syntax_only = true,
            "-w" => {
                request.no_warnings = true;
                request.general.push(arg.clone());
            }
            "-C" | "-CC" | "-P" => request.text_form.push(arg.clone()),
            _ if text.starts_with("-dump")
                || text.starts_with("-print-")
                || text.starts_with("--print-") =>
            {
                request.query = Some(Query::Compiler(arg.clone()));
            }
            _ if IGNORED.contains(&text)
                || IGNORED_PREFIXES.iter().any(|p| text.starts_with(p)) => {}
            _ if LINKER_ALONE.contains(&text) => {
                request.inputs.push(Input::LinkerOption(arg.clone()))
            }
            _ => {
                if let Some(number) = thread_option(text) {
                    request.threads = Some(threads(number)?);
                } else if let Some(file) = text.strip_prefix("-inst-filter=") {
                    request.filter = Some(file.into());
                } else if let Some(list) = text.strip_prefix("-Wc,") {
                    request.general.extend(list.split(',').map(OsString::from));
                } else if let Some(name) = text.strip_prefix("-x") {
                    language = known_language(name.into());
                } else if text.starts_with("-o") {
                    request.output = Some(tail(arg, 2).into());
                } else if text.starts_with("-Wl,") {
                    request.inputs.push(Input::LinkerOption(arg.clone()));
                } else if text.starts_with("-Wp,")
                    || text == "-nostdinc"
                    || text == "-undef"
                    || text == "-H"
                {
                    request.preprocessor.push(arg.clone());
                } else if let Some(option) = starts_with_one_of(text, &DEPENDENCY_WITH_VALUE) {
                    request.dependencies.push(arg.clone());
                    if option == text {
                        request.dependencies.push(value(option)?);
                    }
                } else if let Some(option) = starts_with_one_of(text, &PREPROCESSOR_WITH_VALUE) {
                    request.preprocessor.push(arg.clone());
                    if option == text {
                        request.preprocessor.push(value(option)?);
                    }
                } else if let Some(option) = starts_with_one_of(text, &LINKER_WITH_VALUE) {
                    request.inputs.push(Input::LinkerOption(arg.clone()));
                    if option == text {
                        request.inputs.push(Input::LinkerOption(value(option)?));
                    }
                } else {
                    request.general.push(arg.clone());
                    if GENERAL_WITH_VALUE.contains(&text) {
                        request.general.push(value(text)?);
                    }
                }
            }
        }
    }
    if request.syntax_only && request.stage != Stage::Preprocess {
        request.stage = Stage::Object;
    }
    check(&request)?;
    Ok(request)
}

/// Options with which the C compiler makes further files, named after its output.
const FURTHER_FILES: [&str; 8] = [
    "--coverage",
    "-coverage",
    "-ftest-coverage",
    "-fprofile",
    "-gsplit-dwarf",
    "-save-temps",
    "-fdump",
    "-fstack-usage",
];

impl Request {
    /// Whether the C compiler must know the final name of what it makes.
    pub fn makes_further_files(&self) -> bool {
        self.general
            .iter()
            .any(|option| starts_with_one_of(&option.to_string_lossy(), &FURTHER_FILES).is_some())
    }
}

fn check(request: &Request) -> Result<(), Error> {
    if request.query.is_some() {
        return Ok(());
    }
    let sources = request
        .inputs
        .iter()
        .filter(|i| matches!(i, Input::Source { .. }))
        .count();
    let files = request
        .inputs
        .iter()
        .filter(|i| !matches!(i, Input::LinkerOption(_)))
        .count();
    if files == 0 {
        return Err(Error::Usage(
            "no input files; `pgas-upcc --help` shows the usage".to_string(),
        ));
    }
    if request.stage != Stage::Link {
        if sources == 0 {
            return Err(Error::Usage(
                "no source files to compile, only objects and libraries; without -c, -S, -E and -trans they would be linked"
                    .to_string(),
            ));
        }
        if sources > 1 && request.output.is_some() {
            return Err(Error::Usage(format!(
                "-o names one file, but {sources} sources are compiled; leave -o out or compile one at a time"
            )));
        }
    }
    Ok(())
}

/// `none` ends what an earlier `-x` said.
fn known_language(name: OsString) -> Option<OsString> {
    (name != "none").then_some(name)
}

/// The number in `-T4`, `-T=4`, `-fupc-threads=4`, `-fupc-threads-4`.
fn thread_option(text: &str) -> Option<&str> {
    if let Some(number) = text.strip_prefix("-fupc-threads") {
        return Some(number.strip_prefix(['=', '-']).unwrap_or(number));
    }
    let number = text.strip_prefix("-T")?;
    // Without the sign it may be an option of the linker, such as -Ttext.
    number.strip_prefix('=').or_else(|| {
        number
            .starts_with(|c: char| c.is_ascii_digit() || c == '-')
            .then_some(number)
    })
}

fn threads(text: &str) -> Result<u32, Error> {
    match text.trim().parse() {
        Ok(number) if (1..=MAX_THREADS).contains(&number) => Ok(number),
        _ => Err(Error::Usage(format!(
            "'{text}' is not a number of threads; a number from 1 to {MAX_THREADS} is expected"
        ))),
    }
}

fn starts_with_one_of<'a>(text: &str, options: &[&'a str]) -> Option<&'a str> {
    options
        .iter()
        .copied()
        .find(|option| text.starts_with(option))
}

fn tail(arg: &OsStr, from: usize) -> OsString {
    OsStr::from_bytes(&arg.as_bytes()[from..]).to_os_string()
}

fn input(arg: &OsStr, language: Option<&OsStr>) -> Input {
    let path = PathBuf::from(arg);
    let source = |language, foreign_language| Input::Source {
        path: path.clone(),
        language,
        foreign_language,
    };
    match language.map(OsStr::to_string_lossy).as_deref() {
        Some("c" | "upc") => return source(Language::Upc, None),
        Some("cpp-output") => return source(Language::PreprocessedUpc, None),
        Some(other) => return source(Language::Foreign, Some(other.into())),
        None => {}
    }
    match Path::new(arg).extension().and_then(OsStr::to_str) {
        Some("upc" | "c" | "UPC") => source(Language::Upc, None),
        Some("i") => source(Language::PreprocessedUpc, None),
        Some("s" | "S" | "cc" | "cpp" | "cxx" | "C") => source(Language::Foreign, None),
        _ if arg == "-" => source(Language::Upc, None),
        _ => Input::Object(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(line: &str) -> Request {
        parse(
            &line
                .split_whitespace()
                .map(OsString::from)
                .collect::<Vec<_>>(),
        )
        .unwrap()
    }

    fn refused(line: &str) -> String {
        parse(
            &line
                .split_whitespace()
                .map(OsString::from)
                .collect::<Vec<_>>(),
        )
        .unwrap_err()
        .to_string()
    }

    #[test]
    fn every_spelling_of_the_number_of_threads() {
        for line in [
            "-T 4 a.upc",
            "-T4 a.upc",
            "-T=4 a.upc",
            "-fupc-threads=4 a.upc",
            "-fupc-threads-4 a.upc",
        ] {
            assert_eq!(request(line).threads, Some(4), "{line}");
        }
        assert_eq!(request("a.upc").threads, None);
        for line in [
            "-T 0 a.upc",
            "-T=-1 a.upc",
            "-T=x a.upc",
            "-fupc-threads=2000 a.upc",
            "-fupc-threads- a.upc",
        ] {
            assert!(refused(line).contains("1 to 1024"), "{line}");
        }
        assert!(refused("a.upc -T").contains("needs a value"));
    }

    #[test]
    fn options_go_where_they_belong() {
        let r = request(
            "-O2 -g -DX=1 -D Y -I inc -isystem sys -include pre.h -Wall -MMD -MF d -o out a.upc b.o -lm -L lib \
             -Wl,-z,now -Xlinker --as-needed -std=c99 -pthread c.c libd.a --param x=1 -static",
        );
        assert_eq!(r.output, Some("out".into()));
        assert_eq!(r.stage, Stage::Link);
        assert_eq!(
            r.general,
            ["-O2", "-g", "-Wall", "-std=c99", "-pthread", "--param", "x=1"]
        );
        assert_eq!(
            r.preprocessor,
            ["-DX=1", "-D", "Y", "-I", "inc", "-isystem", "sys", "-include", "pre.h"]
        );
        assert_eq!(r.dependencies, ["-MMD", "-MF", "d"]);
        let names: Vec<String> = r
            .inputs
            .iter()
            .map(|input| match input {
                Input::Source { path, .. } => format!("source {}", path.display()),
                Input::Object(path) => format!("object {}", path.display()),
                Input::LinkerOption(option) => option.to_string_lossy().into_owned(),
            })
            .collect();
        assert_eq!(
            names,
            [
                "source a.upc",
                "object b.o",
                "-lm",
                "-L",
                "lib",
                "-Wl,-z,now",
                "-Xlinker",
                "--as-needed",
                "source c.c",
                "object libd.a",
                "-static"
            ]
        );
    }

    #[test]
    fn languages_are_as_told_or_by_the_name() {
        let r = request("-x c a.txt -x none b.i c.S d.upc -xassembler e.c");
        let languages: Vec<Language> = r
            .inputs
            .iter()
            .map(|input| match input {
                Input::Source { language, .. } => *language,
                other => panic!("{other:?}"),
            })
            .collect();
        use Language::*;
        assert_eq!(languages, [Upc, PreprocessedUpc, Foreign, Upc, Foreign]);
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(refused("").contains("no input files"));
        assert!(refused("-lm").contains("no input files"));
        assert!(refused("-c a.o").contains("no source files"));
        assert!(refused("-c a.upc b.upc -o x.o").contains("2 sources"));
        assert!(refused("a.upc -o").contains("needs a value"));
    }

    #[test]
    fn options_of_other_upc_compilers_do_no_harm() {
        let r =
            request("-network=smp -pthreads=2 -shared-heap 1G -inst -inst-toolname=x -lines a.upc");
        assert!(r.instrument);
        assert!(r.general.is_empty(), "{:?}", r.general);
        assert_eq!(r.inputs.len(), 1);
    }
}
