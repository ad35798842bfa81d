//! Reading the command line into a [`Request`]: what to do, with which files, with which of the C
//! compiler's options. Only reading; nothing is looked up and nothing is done here.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use pgas_instrument::network::Network;

use crate::Error;
use crate::options::{self, Meaning, Takes};
use crate::request::{Input, Language, Query, Request, Stage};

/// More threads than this cannot run.
pub const MAX_THREADS: u32 = 1024;

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
                        "{} and {written} ask for different numbers of threads; leave one of them \
                         out",
                        self.threads_from
                    )));
                }
                request.threads = Some(number);
                self.threads_from = written;
            }
            Meaning::Verbose => {
                request.verbose = true;
                // Build systems read what the C compiler then says, such as where it looks for
                // headers.
                request.general.push("-v".into());
            }
            Meaning::DryRun => request.dry_run = true,
            Meaning::NoWarnings => {
                request.no_warnings = true;
                request.general.extend(both);
            }
            Meaning::SaveTemps => request.save_temps = true,
            Meaning::Instrument => request.instrument = true,
            Meaning::LeaveOutSmall => {
                (request.instrument_functions, request.leave_out_small) = (true, true);
            }
            Meaning::InstrumentLocal => request.instrument_local = true,
            Meaning::CountAccesses => request.count_accesses = true,
            Meaning::InstrumentFunctions => request.instrument_functions = true,
            Meaning::Filter => {
                let from = usize::from(joined);
                request.filter = Some(tail(&value, from).into());
            }
            Meaning::Heap => {
                let text = value.to_string_lossy();
                request.heap = Some(heap_bytes(text.strip_prefix('=').unwrap_or(&text))?);
            }
            Meaning::Network => {
                let from = usize::from(joined);
                request.network = Some(Network::parse(&tail(&value, from).to_string_lossy())?);
            }
            Meaning::Mpicc => {
                let from = usize::from(joined);
                request.mpicc = Some(tail(&value, from).into());
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
                )));
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
                    "{} is a header, and there are no precompiled ones for UPC; compile what \
                     includes it, or check it with -fsyntax-only",
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
            "-o names one file, but {sources} sources are compiled; leave -o out or compile one \
             at a time"
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
                "'{text}' is not a size of the shared heap; expected is a number with KB, MB, GB \
                 or TB, such as 256MB"
            ))
        })
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
mod tests;
