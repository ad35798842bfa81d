//! From a request to files: each source through preprocessor, UPC compiler and C compiler, then the
//! link.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use pgas_instrument::mpi::Mpicc;
use pgas_instrument::network::Network;
use pgas_upc_runtime::Paths;

use crate::Error;
use crate::c_messages;
use crate::dependencies::{self, renamed};
use crate::inputs;
use crate::interrupt;
use crate::link;
use crate::messages::Messages;
use crate::output::Output;
use crate::request::{Input, Language, Request, Stage};
use crate::toolchain::Toolchain;
use crate::translate::{FilterFile, Translated, gnu_version, translate};

/// Newer C compilers take C23 for what is not said, in which old C means something else.
const STANDARD: &str = "-std=gnu17";

/// Warnings that would be about generated C, whatever the program is.
const QUIET: [&str; 6] = [
    "-Wno-bad-function-cast",
    "-Wno-nested-externs",
    "-Wno-long-long",
    "-Wno-aggregate-return",
    "-Wno-pedantic",
    "-Wno-declaration-after-statement",
];

/// Warnings about UPC code that the program's own options can switch off: `sizeof(void)`,
/// arithmetic on `void *`.
const UPC_WARNINGS: [&str; 1] = ["-Wpointer-arith"];

/// For C that was written before C99. Constructs that newer C compilers reject stay warnings.
const C_FLAGS: [&str; 8] = [
    STANDARD,
    "-fcommon",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-pointer-types",
    "-Wno-unused-value",
    "-Wno-unknown-pragmas",
];

/// Likewise what GCC takes for errors from version 14 on, and does not know before.
const GCC_14_FLAGS: [&str; 2] = [
    "-Wno-error=return-mismatch",
    "-Wno-error=declaration-missing-parameter-type",
];

/// Loops over own elements have a number of iterations that is not known before the program runs.
/// Without these, GCC vectorises none of them at -O2, and short ones take up to twice the time if
/// they lie badly in memory.
const GCC_LOOP_FLAGS: [&str; 2] = ["-fvect-cost-model=dynamic", "-falign-loops=32"];

/// By it functions of other languages report their calls; what is small cannot be left out.
const FUNCTIONS_REPORT: &str = "-finstrument-functions";

/// For units that convert pointers between types. In others the C compiler may assume, as it does
/// by default, that pointers to different types point to different memory, without which it
/// vectorises fewer loops.
const PUNS_FLAG: &str = "-fno-strict-aliasing";

struct Build<'a> {
    request: &'a Request,
    messages: Messages,
    toolchain: Toolchain,
    runtime: Paths,
    /// Options by which sources find the headers of MPI in a program over it.
    mpi_headers: Vec<OsString>,
    filter: Option<FilterFile>,
    scratch: tempfile::TempDir,
}

impl Drop for Build<'_> {
    fn drop(&mut self) {
        interrupt::release(self.scratch.path());
    }
}

/// A source of the command line.
struct Source<'a> {
    path: &'a Path,
    language: Language,
    /// The argument of `-x`, if it is for the C compiler to interpret.
    foreign_language: Option<&'a OsStr>,
    /// Among the inputs, from 0.
    number: usize,
    /// The file that is made of it; `None` for standard output.
    target: Option<PathBuf>,
}

/// Does what is asked for.
pub fn build(request: &Request) -> Result<(), Error> {
    let toolchain = Toolchain::find(request)?;
    let runtime = pgas_upc_runtime::materialize().map_err(|e| Error::Unusable(e.to_string()))?;
    let filter = FilterFile::of(request)?;
    interrupt::watch();
    let scratch = tempfile::Builder::new()
        .prefix("pgas-upcc-")
        .tempdir()
        .map_err(|e| {
            Error::io(
                "make a directory for temporary files in",
                std::env::temp_dir(),
                e,
            )
        })?;
    interrupt::register(scratch.path());
    Build {
        request,
        messages: Messages::new(request),
        mpi_headers: mpi_headers(request, &toolchain),
        toolchain,
        runtime,
        filter,
        scratch,
    }
    .all()
}

/// Where the headers of the MPI lie that the program is linked with. Sources that include none of
/// them compile without an MPI.
fn mpi_headers(request: &Request, toolchain: &Toolchain) -> Vec<OsString> {
    if request.network() != Network::Mpi {
        return Vec::new();
    }
    let mpicc = Mpicc::find(request.mpicc.as_deref(), toolchain.compiler());
    let directories = mpicc.map_or_else(|_| Vec::new(), |mpicc| mpicc.header_directories());
    // After the directories that the user names, and without the compiler's warnings about them.
    let options = directories.into_iter();
    options
        .flat_map(|directory| ["-isystem".into(), directory.into()])
        .collect()
}

impl Build<'_> {
    fn all(&self) -> Result<(), Error> {
        let mut failed = false;
        let mut to_link = Vec::new();
        for (number, input) in self.request.inputs.iter().enumerate() {
            let Input::Source {
                path,
                language,
                foreign_language,
            } = input
            else {
                to_link.push(input.clone());
                continue;
            };
            let source = Source {
                path,
                language: *language,
                foreign_language: foreign_language.as_deref(),
                number,
                target: self.target(path, number),
            };
            match self.source(&source) {
                Ok(()) => {}
                // The messages of the other sources are wanted too.
                Err(Error::Shown) => failed = true,
                Err(e) => return Err(e),
            }
            to_link.extend(source.target.map(Input::Object));
        }
        if failed {
            return Err(Error::Shown);
        }
        if self.request.stage == Stage::Link {
            link::link(
                self.request,
                &self.toolchain,
                &self.runtime,
                self.scratch.path(),
                &to_link,
            )
        } else {
            self.without_link()
        }
    }

    /// Objects and libraries that are given without being linked are tolerated, as by other C
    /// compilers.
    fn without_link(&self) -> Result<(), Error> {
        for input in &self.request.inputs {
            if let Input::Object(path) = input {
                fs::metadata(path).map_err(|e| Error::io("read", path, e))?;
                if !self.request.no_warnings {
                    crate::warn(&format!(
                        "{} is not used, since nothing is linked",
                        path.display()
                    ));
                }
            }
        }
        Ok(())
    }

    fn target(&self, path: &Path, number: usize) -> Option<PathBuf> {
        let output = self.request.output.clone();
        let extension = match self.request.stage {
            Stage::Link if self.request.save_temps => return Some(with_stem(path, "o")),
            Stage::Link => {
                let name = format!("{number}-{}.o", stem(path).to_string_lossy());
                return Some(self.scratch.path().join(name));
            }
            Stage::Preprocess => return output.filter(|o| o.as_os_str() != "-"),
            Stage::Translate => "trans.c",
            Stage::Assembly => "s",
            Stage::Object => "o",
        };
        match output {
            Some(output) if output.as_os_str() == "-" && self.request.stage != Stage::Object => {
                Some("/dev/stdout".into())
            }
            Some(output) => Some(output),
            None => Some(with_stem(path, extension)),
        }
    }

    fn source(&self, source: &Source) -> Result<(), Error> {
        let request = self.request;
        let path = source.path;
        if source.language == Language::Foreign {
            return self.foreign(source);
        }
        if path != Path::new("-") {
            // Said here, it does not depend on which C compiler there is.
            fs::File::open(path).map_err(|e| Error::io("read", path, e))?;
        }
        if request.stage == Stage::Preprocess {
            return self.preprocess(source, source.target.as_deref());
        }
        // Files between the steps, which -save-temps keeps beside what is made.
        let between = |extension: &str| match &source.target {
            Some(target) if request.save_temps => renamed(target, extension),
            _ => self
                .scratch
                .path()
                .join(format!("{}.{extension}", source.number)),
        };
        let preprocessed = match source.language {
            Language::PreprocessedUpc => path.to_path_buf(),
            _ => {
                let text = between("i");
                self.preprocess(source, Some(&text))?;
                text
            }
        };
        let c_file = between("trans.c");
        let translated = match self.toolchain.dry_run() {
            true => None,
            false => Some(translate(
                request,
                self.filter.as_ref(),
                &preprocessed,
                (path, source.language),
                &inputs::digests(path, &self.list_file(source)),
                &c_file,
            )?),
        };
        let translated = translated.filter(|_| self.messages_are_for_people());
        let Some(target) = &source.target else {
            return Ok(());
        };
        if request.stage == Stage::Translate {
            if self.toolchain.dry_run() || c_file == *target {
                return Ok(());
            }
            let output = Output::new(target);
            fs::copy(&c_file, output.path()).map_err(|e| Error::io("write", target, e))?;
            return output.finish();
        }
        if request.save_temps && request.stage != Stage::Assembly {
            let assembly = between("s");
            self.compile(&preprocessed, &c_file, "-S", &assembly, translated.as_ref())?;
            let mut args = vec!["-c".into()];
            args.extend(request.general.iter().cloned());
            args.push(assembly.into());
            return self.make(args, target);
        }
        let step = match request.stage {
            Stage::Assembly => "-S",
            _ => "-c",
        };
        self.compile(&preprocessed, &c_file, step, target, translated.as_ref())
    }

    /// C that was translated, to an object or assembly.
    fn compile(
        &self,
        preprocessed: &Path,
        c_file: &Path,
        step: &str,
        target: &Path,
        translated: Option<&Translated>,
    ) -> Result<(), Error> {
        let request = self.request;
        let mut args: Vec<OsString> = vec![step.into()];
        args.extend(C_FLAGS.map(OsString::from));
        if translated.is_none_or(|t| t.output.puns) {
            args.push(PUNS_FLAG.into());
        }
        if gnu_version(preprocessed) >= 14 {
            args.extend(GCC_14_FLAGS.map(OsString::from));
        }
        let optimises = request.general.iter().rfind(|o| {
            let text = o.to_string_lossy();
            text.starts_with("-O") && text.len() <= 6
        });
        if optimises.is_some_and(|o| matches!(o.to_str(), Some("-O2" | "-O3" | "-Ofast")))
            && gnu_version(preprocessed) >= 8
        {
            args.extend(GCC_LOOP_FLAGS.map(OsString::from));
        }
        let is_c = translated.is_some_and(|t| t.output.is_c);
        if !is_c {
            args.extend(UPC_WARNINGS.map(OsString::from));
        }
        // Functions report themselves by what was added to their source.
        let reports_itself = request.instrument && request.instrument_functions;
        let general = request.general.iter();
        let general = general.filter(|option| !(reports_itself && *option == FUNCTIONS_REPORT));
        args.extend(general.cloned());
        if !is_c {
            args.extend(QUIET.map(OsString::from));
            // Objects of shared data have two names in C, which link-time optimisation takes for
            // two objects.
            if request
                .general
                .iter()
                .any(|o| o.to_string_lossy().starts_with("-flto"))
            {
                args.push("-fno-lto".into());
            }
        }
        if request.syntax_only {
            args.push("-fsyntax-only".into());
        }
        args.extend(["-x", "cpp-output"].map(OsString::from));
        args.push(c_file.into());
        let Some(translated) = translated else {
            return self.make(args, target);
        };
        let color = self.messages.colored();
        let choice = if color { "always" } else { "never" };
        args.push(format!("-fdiagnostics-color={choice}").into());
        self.make_by(args, target, |args| {
            let outcome = self.toolchain.run_quietly(args)?;
            self.show_c_messages(&outcome.messages, translated, color);
            Ok(outcome.success)
        })
    }

    /// Shows messages of the C compiler about generated C as messages about the source.
    fn show_c_messages(&self, raw: &[u8], translated: &Translated, color: bool) {
        if raw.is_empty() {
            return;
        }
        let origins =
            pgas_upc::Origins::new(&translated.text, &translated.name, &translated.output);
        let text = c_messages::rewrite(&String::from_utf8_lossy(raw), &origins, color);
        if !text.is_empty() {
            self.messages.write(text.trim_end_matches('\n'));
        }
    }

    /// Whether nobody asked for messages in a form for programs.
    fn messages_are_for_people(&self) -> bool {
        !self.request.general.iter().any(|o| {
            let option = o.to_string_lossy();
            option.starts_with("-fdiagnostics-format") || option.starts_with("-fdiagnostics-plain")
        })
    }

    /// Something that is not UPC; the C compiler knows what to do.
    fn foreign(&self, source: &Source) -> Result<(), Error> {
        let request = self.request;
        let mut args: Vec<OsString> = vec![match request.stage {
            Stage::Preprocess => "-E".into(),
            Stage::Assembly => "-S".into(),
            _ => "-c".into(),
        }];
        if request.instrument && request.instrument_functions && !request.leave_out_small {
            args.push(FUNCTIONS_REPORT.into());
        }
        args.extend(request.general.iter().cloned());
        args.extend(request.preprocessor.iter().cloned());
        args.extend(self.mpi_headers.iter().cloned());
        if request.stage == Stage::Preprocess {
            args.extend(request.text_form.iter().cloned());
        }
        if request.syntax_only {
            args.push("-fsyntax-only".into());
        }
        let list = self.wanted_list(source);
        args.extend(list.iter().flat_map(|(_, args)| args.clone()));
        if let Some(language) = source.foreign_language {
            args.extend(["-x".into(), language.into()]);
        }
        args.push(source.path.into());
        self.text_or_file(args, source.target.as_deref(), list)
    }

    fn preprocess(&self, source: &Source, target: Option<&Path>) -> Result<(), Error> {
        let request = self.request;
        let mut args: Vec<OsString> = ["-E", "-x"].map(OsString::from).to_vec();
        args.push(match source.language {
            Language::PreprocessedUpc => "cpp-output".into(),
            _ => "c".into(),
        });
        args.extend(self.definitions().into_iter().map(OsString::from));
        args.extend(["-isystem".into(), self.runtime.include_dir.clone().into()]);
        args.extend(["-include", "pgas_upcr.h", STANDARD].map(OsString::from));
        args.extend(request.general.iter().cloned());
        args.extend(request.preprocessor.iter().cloned());
        args.extend(self.mpi_headers.iter().cloned());
        if request.stage == Stage::Preprocess {
            args.extend(request.text_form.iter().cloned());
        }
        let list = self.wanted_list(source);
        args.extend(list.iter().flat_map(|(_, args)| args.clone()));
        if list.is_none() && request.stage != Stage::Preprocess && !self.toolchain.dry_run() {
            args.extend(inputs::arguments(request, &self.list_file(source)));
        }
        args.push(source.path.into());
        self.text_or_file(args, target, list)
    }

    /// Where the preprocessor lists what it reads.
    fn list_file(&self, source: &Source) -> PathBuf {
        self.scratch.path().join(format!("{}.d", source.number))
    }

    /// The list of dependencies that is wanted about a source.
    fn wanted_list(&self, source: &Source) -> Option<(dependencies::List, Vec<OsString>)> {
        let sources = self.request.inputs.iter();
        let alone = sources
            .filter(|i| matches!(i, Input::Source { .. }))
            .count()
            == 1;
        dependencies::wanted(
            self.request,
            &with_stem(source.path, "o"),
            alone,
            self.list_file(source),
        )
    }

    /// Runs the C compiler to write `target`, or standard output, and a list of dependencies.
    fn text_or_file(
        &self,
        args: Vec<OsString>,
        target: Option<&Path>,
        list: Option<(dependencies::List, Vec<OsString>)>,
    ) -> Result<(), Error> {
        // Where there are only dependencies, -o is about them.
        let only_list = self.request.dependencies.instead_of_text.is_some()
            && self.request.stage == Stage::Preprocess;
        match target {
            Some(target) if !only_list => self.make(args, target)?,
            _ => match self.toolchain.run(&args)?.success {
                true => {}
                false => return Err(Error::Shown),
            },
        }
        match list {
            Some((list, _)) if !self.toolchain.dry_run() => list.deliver(&self.runtime.include_dir),
            _ => Ok(()),
        }
    }

    /// Runs the C compiler with these arguments and `-o target`.
    fn make(&self, args: Vec<OsString>, target: &Path) -> Result<(), Error> {
        self.make_by(args, target, |args| Ok(self.toolchain.run(args)?.success))
    }

    /// The same by `run`, which says whether it succeeded.
    fn make_by(
        &self,
        mut args: Vec<OsString>,
        target: &Path,
        run: impl Fn(&[OsString]) -> Result<bool, Error>,
    ) -> Result<(), Error> {
        let output = match self.request.makes_further_files() {
            true => Output::in_place(target),
            false => Output::new(target),
        };
        args.extend(["-o".into(), output.path().into()]);
        if !run(&args)? {
            return Err(Error::Shown);
        }
        match self.toolchain.dry_run() || (self.request.syntax_only && output.is_empty()) {
            true => Ok(()),
            false => output.finish(),
        }
    }

    /// The macros that say what language this is.
    fn definitions(&self) -> Vec<String> {
        let request = self.request;
        let mut macros = vec![
            "__UPC__=1".to_string(),
            "__UPC_VERSION__=201311L".to_string(),
            format!("UPC_MAX_BLOCK_SIZE={}", pgas_upc::MAX_BLOCK_SIZE),
            "__UPC_PUPC__=1".to_string(),
            "__UPC_COLLECTIVE__=1".to_string(),
            "__UPC_TICK__=1".to_string(),
            "__UPC_ATOMIC__=1".to_string(),
            "__UPC_CASTABLE__=1".to_string(),
            "__UPC_NB__=1".to_string(),
            "__UPC_IO__=1".to_string(),
        ];
        match request.threads {
            Some(n) => macros.extend([
                "__UPC_STATIC_THREADS__=1".to_string(),
                format!("THREADS={n}"),
                format!("UPCR_STATIC_THREADS={n}"),
            ]),
            None => macros.push("__UPC_DYNAMIC_THREADS__=1".to_string()),
        }
        if request.network() == Network::Mpi {
            macros.push("UPCR_MPI=1".to_string());
        }
        if request.check {
            macros.push("UPCR_CHECK=1".to_string());
        }
        if request.instrument {
            macros.push("UPCR_INST=1".to_string());
            if request.instrument_local {
                macros.push("UPCR_INST_LOCAL=1".to_string());
            }
        }
        macros.into_iter().map(|m| format!("-D{m}")).collect()
    }
}

/// Name of a source without directory and extension.
fn stem(path: &Path) -> &OsStr {
    match path.file_stem() {
        Some(stem) if path != Path::new("-") => stem,
        _ => OsStr::new("stdin"),
    }
}

/// The name, in the current directory, of what is made of a source.
fn with_stem(path: &Path, extension: &str) -> PathBuf {
    let mut name = stem(path).to_os_string();
    name.push(".");
    name.push(extension);
    name.into()
}
