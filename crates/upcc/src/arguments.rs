//! Reading the command line into a [`Request`]: what to do, with which files, with which of the C compiler's options.
//! Only reading; nothing is looked up and nothing is done here.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::options::{self, Meaning, Takes};
use crate::Error;

/// More threads than this cannot run.
pub const MAX_THREADS: u32 = 1024;

/// Where the work stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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
    /// UPC that is to be preprocessed.
    Upc,
    /// UPC if it uses any of it, else C.
    C,
    /// UPC that was preprocessed before.
    PreprocessedUpc,
    /// Something to include, which can be checked and listed but not compiled.
    Header,
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
    /// The manual page.
    Man,
    Version,
    /// For the C compiler, such as `-dumpmachine`.
    Compiler(OsString),
}

/// Which lists of dependencies are wanted, for `make`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Dependencies {
    /// `-M` or `-MM`
    pub instead_of_text: Option<OsString>,
    /// `-MD` or `-MMD`, the last of them.
    pub beside: Option<&'static str>,
    /// `-MG`, `-MP`
    pub form: Vec<&'static str>,
    /// `-MF`
    pub file: Option<PathBuf>,
    /// `-MT`, `-MQ` with their values.
    pub targets: Vec<OsString>,
}

impl Dependencies {
    fn add(&mut self, option: &str) {
        match option {
            "-MD" => self.beside = Some("-MD"),
            "-MMD" => self.beside = Some("-MMD"),
            "-MG" => self.form.push("-MG"),
            _ => self.form.push("-MP"),
        }
    }
}

/// What the command line asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// A question to answer instead of compiling.
    pub query: Option<Query>,
    /// The last step: `-E`, `-trans`, `-S`, `-c`, or linking.
    pub stage: Stage,
    /// In the order of the command line.
    pub inputs: Vec<Input>,
    /// `-o`
    pub output: Option<PathBuf>,
    /// `-T`; `None` if the number is chosen at start.
    pub threads: Option<u32>,
    /// `-inst`
    pub instrument: bool,
    /// `-inst-local`
    pub instrument_local: bool,
    /// `-inst-functions`
    pub instrument_functions: bool,
    /// `-inst-filter`
    pub filter: Option<PathBuf>,
    /// For the preprocessor only: `-D`, `-I`, ...
    pub preprocessor: Vec<OsString>,
    /// How preprocessed text looks, where it is what was asked for: `-C`, `-P`.
    pub text_form: Vec<OsString>,
    /// Lists for `make`.
    pub dependencies: Dependencies,
    /// For every call of the C compiler: `-O`, `-g`, `-std`, `-f`, `-m`, `-W`, ...
    pub general: Vec<OsString>,
    /// `-shared` or `-r`: what is linked is not a program.
    pub not_a_program: bool,
    /// `-fsyntax-only`: messages, and no file.
    pub syntax_only: bool,
    /// `-fpreprocessed`: the sources are, whatever their names.
    pub preprocessed: bool,
    /// What lies between the steps is kept.
    pub save_temps: bool,
    /// `-shared-heap`: bytes of each thread.
    pub heap: Option<u64>,
    /// `-fupc-1.0`
    pub old_keywords: bool,
    /// `-fupc-check`
    pub check: bool,
    /// `-v`: shows each command.
    pub verbose: bool,
    /// `-###`: shows the commands and runs none.
    pub dry_run: bool,
    /// `-w`
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
            dependencies: Dependencies::default(),
            general: Vec::new(),
            not_a_program: false,
            syntax_only: false,
            preprocessed: false,
            save_temps: false,
            heap: None,
            old_keywords: false,
            check: false,
            verbose: false,
            dry_run: false,
            no_warnings: false,
        }
    }
}

/// Reads the arguments.
///
/// # Errors
/// If an option lacks its value or has an impossible one, or if there is nothing to work on.
pub fn parse(args: &[OsString]) -> Result<Request, Error> {
    let mut reader = Reader {
        request: Request::default(),
        language: None,
        threads_from: String::new(),
    };
    let mut rest = args.iter();
    let mut only_files = false;
    while let Some(arg) = rest.next() {
        let text = arg.to_string_lossy();
        if only_files || !text.starts_with('-') || text == "-" {
            let input = input(arg, reader.language.as_deref());
            reader.request.inputs.push(input);
        } else if text == "--" {
            only_files = true;
        } else if let Some((option, joined)) = options::find(&text) {
            let value = match option.takes {
                Takes::Nothing => OsString::new(),
                _ if joined > 0 => tail(arg, joined),
                _ => rest
                    .next()
                    .cloned()
                    .ok_or_else(|| Error::Usage(format!("{text} needs a value after it")))?,
            };
            reader.option(option.meaning, arg, value, joined > 0)?;
        } else {
            reader.request.general.push(arg.clone());
        }
    }
    let mut request = reader.request;
    if request.preprocessed {
        for input in &mut request.inputs {
            if let Input::Source { language, .. } = input {
                if matches!(language, Language::Upc | Language::C) {
                    *language = Language::PreprocessedUpc;
                }
            }
        }
    }
    // `cc -Wl,--version` alone is a question too, which the linker answers.
    if let [Input::LinkerOption(option)] = request.inputs.as_slice() {
        if option.as_bytes().starts_with(b"-Wl,") {
            let question = Query::Compiler(option.clone());
            request.query.get_or_insert(question);
        }
    }
    if request.syntax_only {
        request.stage = request.stage.min(Stage::Object);
    }
    check(&request)?;
    Ok(request)
}

struct Reader {
    request: Request,
    /// Of `-x`.
    language: Option<OsString>,
    /// The argument that gave the number of threads.
    threads_from: String,
}

impl Reader {
    /// `arg`: the argument as it was written; `value`: its value, part of it if `joined`.
    fn option(
        &mut self,
        meaning: Meaning,
        arg: &OsStr,
        value: OsString,
        joined: bool,
    ) -> Result<(), Error> {
        let request = &mut self.request;
        // The option again, as one or two arguments.
        let mut both = vec![arg.to_os_string()];
        if !joined && !value.is_empty() {
            both.push(value.clone());
        }
        match meaning {
            Meaning::Help => request.query = Some(Query::Help),
            Meaning::Man => request.query = Some(Query::Man),
            Meaning::Version => request.query = Some(Query::Version),
            // As with C compilers, the first one is answered.
            Meaning::Question => {
                request
                    .query
                    .get_or_insert_with(|| Query::Compiler(arg.to_os_string()));
            }
            // The earliest one counts.
            Meaning::Stop(stage) => request.stage = request.stage.min(stage),
            Meaning::SyntaxOnly => request.syntax_only = true,
            Meaning::Output => {
                let long = arg.as_bytes().starts_with(b"--") && joined;
                let name = if long && value.as_bytes().starts_with(b"=") {
                    tail(&value, 1)
                } else {
                    value
                };
                request.output = Some(name.into());
            }
            Meaning::Language => self.language = (value != "none").then_some(value),
            Meaning::Threads => {
                let text = value.to_string_lossy();
                let number = match joined {
                    true => text.strip_prefix(['=', '-']).unwrap_or(&text),
                    false => &text,
                };
                let number = threads(number)?;
                let written = both
                    .iter()
                    .map(|word| word.to_string_lossy())
                    .collect::<Vec<_>>()
                    .join(" ");
                if request.threads.is_some_and(|before| before != number) {
                    return Err(Error::Usage(format!(
                        "{} and {written} ask for different numbers of threads; leave one of them out",
                        self.threads_from
                    )));
                }
                request.threads = Some(number);
                self.threads_from = written;
            }
            Meaning::Verbose => {
                request.verbose = true;
                // Build systems read what the C compiler then says, such as where it looks for headers.
                request.general.push("-v".into());
            }
            Meaning::DryRun => request.dry_run = true,
            Meaning::NoWarnings => {
                request.no_warnings = true;
                request.general.extend(both);
            }
            Meaning::SaveTemps => request.save_temps = true,
            Meaning::Instrument => request.instrument = true,
            Meaning::InstrumentLocal => request.instrument_local = true,
            Meaning::InstrumentFunctions => request.instrument_functions = true,
            Meaning::Filter => {
                let from = usize::from(joined);
                request.filter = Some(tail(&value, from).into());
            }
            Meaning::Heap => {
                let text = value.to_string_lossy();
                request.heap = Some(heap_bytes(text.strip_prefix('=').unwrap_or(&text))?);
            }
            Meaning::Check(check) => request.check = check,
            Meaning::OldKeywords => request.old_keywords = true,
            Meaning::Preprocessed => request.preprocessed = true,
            Meaning::NotAProgram => {
                request.not_a_program = true;
                request.inputs.push(Input::LinkerOption(arg.to_os_string()));
            }
            Meaning::Preprocessor => request.preprocessor.extend(both),
            Meaning::PreprocessorWords => {
                let words = value.to_string_lossy().into_owned();
                self.preprocessor_words(&words);
            }
            Meaning::TextForm => request.text_form.push(arg.to_os_string()),
            Meaning::Dependency => request.dependencies.add(&arg.to_string_lossy()),
            Meaning::OnlyDependencies => {
                request.stage = Stage::Preprocess;
                request.dependencies.instead_of_text = Some(arg.to_os_string());
            }
            Meaning::DependencyFile => request.dependencies.file = Some(value.into()),
            Meaning::DependencyTarget => request.dependencies.targets.extend(both),
            Meaning::Linker => request
                .inputs
                .extend(both.into_iter().map(Input::LinkerOption)),
            Meaning::General => request.general.extend(both),
            Meaning::GeneralWords => {
                let words = value.to_string_lossy();
                request.general.extend(words.split(',').map(OsString::from));
            }
            Meaning::Ignored => {}
            Meaning::Refused(why) => {
                return Err(Error::Usage(format!(
                    "{} cannot be done: {why}",
                    arg.to_string_lossy()
                )))
            }
        }
        Ok(())
    }

    /// Words of `-Wp,`. There, `-MD` and `-MMD` have the file for a value.
    fn preprocessor_words(&mut self, words: &str) {
        let dependencies = &mut self.request.dependencies;
        let mut others = Vec::new();
        let mut words = words.split(',');
        while let Some(word) = words.next() {
            match word {
                "-MD" | "-MMD" => {
                    dependencies.add(word);
                    dependencies.file = words.next().map(Into::into);
                }
                "-MP" | "-MG" => dependencies.add(word),
                "-MF" => dependencies.file = words.next().map(Into::into),
                "-MT" | "-MQ" => {
                    dependencies.targets.push(word.into());
                    dependencies
                        .targets
                        .extend(words.next().map(OsString::from));
                }
                other => others.push(other),
            }
        }
        if !others.is_empty() {
            let joined = format!("-Wp,{}", others.join(","));
            self.request.preprocessor.push(joined.into());
        }
    }
}

/// Options with which the C compiler makes further files, named after its output.
const FURTHER_FILES: [&str; 7] = [
    "--coverage",
    "-coverage",
    "-ftest-coverage",
    "-fprofile",
    "-gsplit-dwarf",
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
    for input in &request.inputs {
        if let Input::Source {
            path,
            language: Language::Header,
            ..
        } = input
        {
            if request.stage != Stage::Preprocess && !request.syntax_only {
                return Err(Error::Usage(format!(
                    "{} is a header, and there are no precompiled ones for UPC; compile what includes it, or check it \
                     with -fsyntax-only",
                    path.display()
                )));
            }
        }
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
    // `cc -v` and `cc -###` alone ask what compiler this is.
    if files == 0 && (request.verbose || request.dry_run) {
        return Ok(());
    }
    if files == 0 {
        return Err(Error::Usage(
            "no input files; `pgas-upcc --help` shows the usage".to_string(),
        ));
    }
    if request.stage != Stage::Link && sources > 1 && request.output.is_some() {
        return Err(Error::Usage(format!(
            "-o names one file, but {sources} sources are compiled; leave -o out or compile one at a time"
        )));
    }
    Ok(())
}

/// A number of threads.
fn threads(text: &str) -> Result<u32, Error> {
    match text.trim().parse() {
        Ok(number) if (1..=MAX_THREADS).contains(&number) => Ok(number),
        _ => {
            let mut message = format!(
                "'{text}' is not a number of threads; a number from 1 to {MAX_THREADS} is expected"
            );
            if Path::new(text).is_file() {
                message += &format!(" (a linker script is given with -Wl,-T,{text})");
            }
            Err(Error::Usage(message))
        }
    }
}

/// A size such as 64MB or 1g; of megabytes without a unit.
fn heap_bytes(text: &str) -> Result<u64, Error> {
    let text = text.trim();
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let shift = match text[digits..].trim().to_ascii_uppercase().as_str() {
        "B" => Some(0),
        "K" | "KB" => Some(10),
        "" | "M" | "MB" => Some(20),
        "G" | "GB" => Some(30),
        "T" | "TB" => Some(40),
        _ => None,
    };
    shift
        .zip(text[..digits].parse::<u64>().ok())
        .and_then(|(shift, number)| number.checked_mul(1 << shift))
        .filter(|bytes| *bytes > 0)
        .ok_or_else(|| {
            Error::Usage(format!(
                "'{text}' is not a size of the shared heap; expected is a number with KB, MB, GB or TB, such as 256MB"
            ))
        })
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

/// Extensions of sources that the C compiler, or one that it calls, knows and that are not UPC.
const FOREIGN: [&str; 26] = [
    "s", "S", "sx", "ii", "cc", "cp", "cxx", "cpp", "CPP", "c++", "C", "m", "mi", "mm", "M", "f",
    "for", "ftn", "F", "FOR", "fpp", "f90", "F90", "f95", "F95", "f03",
];

fn input(arg: &OsStr, language: Option<&OsStr>) -> Input {
    let path = PathBuf::from(arg);
    let source = |language, foreign_language| Input::Source {
        path: path.clone(),
        language,
        foreign_language,
    };
    match language.map(OsStr::to_string_lossy).as_deref() {
        Some("upc") => return source(Language::Upc, None),
        Some("c") => return source(Language::C, None),
        Some("cpp-output" | "upc-cpp-output") => return source(Language::PreprocessedUpc, None),
        Some("c-header" | "upc-header" | "c++-header") => return source(Language::Header, None),
        Some(other) => return source(Language::Foreign, Some(other.into())),
        None => {}
    }
    match Path::new(arg).extension().and_then(OsStr::to_str) {
        Some("upc" | "UPC") => source(Language::Upc, None),
        Some("c") => source(Language::C, None),
        Some("i") => source(Language::PreprocessedUpc, None),
        Some("h" | "uph") => source(Language::Header, None),
        Some(known) if FOREIGN.contains(&known) => source(Language::Foreign, None),
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
            "-fupc-threads 4 a.upc",
            "--threads 4 a.upc",
            "--threads=4 a.upc",
            "-THREADS=4 a.upc",
            "-fthreads 4 a.upc",
            "-X 4 a.upc",
            "-X4 a.upc",
            "-T 4 -fupc-threads=4 a.upc",
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
        let message = refused("-T 4 a.upc -fupc-threads=2");
        assert!(
            message.contains("-T 4 and -fupc-threads=2 ask for different numbers"),
            "{message}"
        );
    }

    #[test]
    fn sizes_of_the_heap() {
        for (text, bytes) in [
            ("64", 64 << 20),
            ("64MB", 64 << 20),
            ("2gb", 2 << 30),
            ("100K", 100 << 10),
            ("4096B", 4096),
        ] {
            assert_eq!(
                request(&format!("-shared-heap={text} a.upc")).heap,
                Some(bytes)
            );
            assert_eq!(
                request(&format!("-shared-heap {text} a.upc")).heap,
                Some(bytes)
            );
        }
        for text in ["", "0", "-1", "x", "1PB", "99999999999TB", "1.5GB"] {
            assert!(refused(&format!("a.upc -shared-heap={text}")).contains("is not a size"));
        }
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
        assert_eq!(r.dependencies.beside, Some("-MMD"));
        assert_eq!(r.dependencies.file, Some("d".into()));
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
    fn the_earliest_stage_counts() {
        assert_eq!(request("-c -E a.upc").stage, Stage::Preprocess);
        assert_eq!(request("-S -c a.upc").stage, Stage::Assembly);
        assert_eq!(request("-fsyntax-only a.upc").stage, Stage::Object);
        assert_eq!(request("-M -c a.upc").stage, Stage::Preprocess);
    }

    #[test]
    fn dependencies_in_words_for_the_preprocessor() {
        let r = request("-Wp,-MMD,out.d,-MT,x.o,-DA,-DB -c a.upc");
        assert_eq!(r.dependencies.beside, Some("-MMD"));
        assert_eq!(r.dependencies.file, Some("out.d".into()));
        assert_eq!(r.dependencies.targets, ["-MT", "x.o"]);
        assert_eq!(r.preprocessor, ["-Wp,-DA,-DB"]);
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
        assert_eq!(languages, [C, PreprocessedUpc, Foreign, Upc, Foreign]);
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(refused("").contains("no input files"));
        assert!(refused("-lm").contains("no input files"));
        assert!(refused("-c a.h").contains("is a header"));
        assert!(refused("-x c-header a").contains("is a header"));
        assert!(refused("-extern-main a.upc").contains("cannot be done"));
        assert!(refused("-c a.upc b.upc -o x.o").contains("2 sources"));
        assert!(refused("a.upc -o").contains("needs a value"));
    }

    #[test]
    fn options_of_other_upc_compilers_do_no_harm() {
        let r =
            request("-network=smp -pthreads=2 -shared-heap 1G -inst -inst-toolname=x -lines -Ww,-x -fupc-inline-lib a.upc");
        assert!(r.instrument);
        assert!(r.general.is_empty(), "{:?}", r.general);
        assert_eq!(r.inputs.len(), 1);
    }
}
