//! From a request to files: each source through preprocessor, UPC compiler and C compiler, then the link.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use anstream::{AutoStream, ColorChoice};
use pgas_instrument::filter::Filter;
use pgas_upc_runtime::Paths;

use crate::arguments::{Input, Language, Request, Stage};
use crate::link;
use crate::output::Output;
use crate::toolchain::Toolchain;
use crate::unit_note;
use crate::Error;

/// For C that was written before C99, and for shared memory that is accessed through two kinds of pointer. What newer C
/// compilers take for errors stays a warning.
const C_FLAGS: [&str; 9] = [
    "-std=gnu11",
    "-fno-strict-aliasing",
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

struct Build<'a> {
    request: &'a Request,
    toolchain: Toolchain,
    runtime: Paths,
    filter_text: Option<(String, String)>,
    scratch: tempfile::TempDir,
}

/// Does what is asked for.
pub fn build(request: &Request) -> Result<(), Error> {
    let toolchain = Toolchain::find(request)?;
    let runtime = pgas_upc_runtime::materialize().map_err(|e| Error::Unusable(e.to_string()))?;
    let filter_text = match &request.filter {
        Some(path) => {
            let text =
                fs::read_to_string(path).map_err(|e| Error::io("read the filter file", path, e))?;
            let name = path.display().to_string();
            // A wrong filter is an error even if no function is ever asked about.
            Filter::parse(&text, &name)?;
            Some((text, name))
        }
        None => None,
    };
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
    Build {
        request,
        toolchain,
        runtime,
        filter_text,
        scratch,
    }
    .all()
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
            let target = self.target(path, number);
            match self.source(
                path,
                *language,
                foreign_language.as_deref(),
                target.as_deref(),
                number,
            ) {
                Ok(()) => {}
                // The messages of the other sources are wanted too.
                Err(Error::Shown) => failed = true,
                Err(e) => return Err(e),
            }
            to_link.extend(target.map(Input::Object));
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
            )?;
        }
        Ok(())
    }

    /// The file that is made from a source; `None` for standard output.
    fn target(&self, path: &Path, number: usize) -> Option<PathBuf> {
        let extension = match self.request.stage {
            Stage::Link => {
                let name = format!("{number}-{}.o", stem(path).to_string_lossy());
                return Some(self.scratch.path().join(name));
            }
            Stage::Preprocess => return self.request.output.clone(),
            Stage::Translate => "trans.c",
            Stage::Assembly => "s",
            Stage::Object => "o",
        };
        Some(match &self.request.output {
            Some(output) => output.clone(),
            None => PathBuf::from(stem(path)).with_extension(extension),
        })
    }

    fn source(
        &self,
        path: &Path,
        language: Language,
        foreign_language: Option<&OsStr>,
        target: Option<&Path>,
        number: usize,
    ) -> Result<(), Error> {
        if language == Language::Foreign {
            return self.foreign(path, foreign_language, target);
        }
        if path != Path::new("-") {
            // Said here, it does not depend on which C compiler there is.
            fs::File::open(path).map_err(|e| Error::io("read", path, e))?;
        }
        if self.request.stage == Stage::Preprocess {
            return self.preprocess(path, target, None);
        }
        let preprocessed = match language {
            Language::PreprocessedUpc => path.to_path_buf(),
            _ => {
                let text = self.scratch.path().join(format!("{number}.i"));
                self.preprocess(path, Some(&text), target)?;
                text
            }
        };
        let c_file = self.scratch.path().join(format!("{number}.c"));
        if !self.toolchain.dry_run() {
            self.translate(&preprocessed, path, &c_file)?;
        }
        let Some(target) = target else {
            return Ok(());
        };
        if self.request.stage == Stage::Translate {
            if self.toolchain.dry_run() {
                return Ok(());
            }
            let output = Output::new(target);
            fs::copy(&c_file, output.path()).map_err(|e| Error::io("write", target, e))?;
            return output.finish();
        }
        let output = match self.request.makes_further_files() {
            true => Output::in_place(target),
            false => Output::new(target),
        };
        let mut args = vec![match self.request.stage {
            Stage::Assembly => "-S".into(),
            _ => "-c".into(),
        }];
        args.extend(C_FLAGS.map(OsString::from));
        if gnu_version(&preprocessed) >= 14 {
            args.extend(GCC_14_FLAGS.map(OsString::from));
        }
        args.extend(self.request.general.iter().cloned());
        // Objects of shared data have two names in C, which link-time optimisation takes for two objects.
        if self
            .request
            .general
            .iter()
            .any(|o| o.to_string_lossy().starts_with("-flto"))
        {
            args.push("-fno-lto".into());
        }
        if self.request.syntax_only {
            args.push("-fsyntax-only".into());
        }
        args.extend([
            "-o".into(),
            output.path().into(),
            "-x".into(),
            "cpp-output".into(),
            c_file.into(),
        ]);
        self.finish(&args, output)
    }

    /// Something that is not UPC; the C compiler knows what to do.
    fn foreign(
        &self,
        path: &Path,
        language: Option<&OsStr>,
        target: Option<&Path>,
    ) -> Result<(), Error> {
        let mut args: Vec<OsString> = vec![match self.request.stage {
            Stage::Preprocess => "-E".into(),
            Stage::Assembly => "-S".into(),
            _ => "-c".into(),
        }];
        args.extend(self.request.general.iter().cloned());
        args.extend(self.request.preprocessor.iter().cloned());
        if let Some(language) = language {
            args.extend(["-x".into(), language.into()]);
        }
        args.push(path.into());
        match target {
            None => match self.toolchain.run(&args)?.success {
                true => Ok(()),
                false => Err(Error::Shown),
            },
            Some(target) => {
                let output = Output::new(target);
                args.extend(["-o".into(), output.path().into()]);
                self.finish(&args, output)
            }
        }
    }

    fn finish(&self, args: &[OsString], output: Output) -> Result<(), Error> {
        if !self.toolchain.run(args)?.success {
            return Err(Error::Shown);
        }
        match self.toolchain.dry_run() || (self.request.syntax_only && !output.path().exists()) {
            true => Ok(()),
            false => output.finish(),
        }
    }

    /// `final_target`: what will be made of the text, for the list of dependencies.
    fn preprocess(
        &self,
        path: &Path,
        target: Option<&Path>,
        final_target: Option<&Path>,
    ) -> Result<(), Error> {
        let request = self.request;
        let mut args: Vec<OsString> = ["-E", "-x", "c"].map(OsString::from).to_vec();
        args.extend(self.definitions().into_iter().map(OsString::from));
        args.extend(["-isystem".into(), self.runtime.include_dir.clone().into()]);
        args.extend(["-include", "pgas_upcr.h"].map(OsString::from));
        args.extend(request.general.iter().cloned());
        args.extend(request.preprocessor.iter().cloned());
        args.extend(request.dependencies.iter().cloned());
        let output = target.map(Output::new);
        match final_target {
            None => args.extend(request.text_form.iter().cloned()),
            Some(object)
                if request
                    .dependencies
                    .iter()
                    .any(|d| d == "-MD" || d == "-MMD") =>
            {
                // While a program is linked from sources, there is no object that anybody could name.
                let object = match request.stage {
                    Stage::Link => PathBuf::from(stem(path)).with_extension("o"),
                    _ => object.to_path_buf(),
                };
                let given = |option: &str| {
                    request
                        .dependencies
                        .iter()
                        .any(|d| d.to_string_lossy().starts_with(option))
                };
                if !given("-MF") {
                    args.extend(["-MF".into(), object.with_extension("d").into()]);
                }
                if !given("-MT") && !given("-MQ") {
                    args.extend(["-MQ".into(), object.into()]);
                }
            }
            Some(_) => {}
        }
        if let Some(output) = &output {
            args.extend(["-o".into(), output.path().into()]);
        }
        args.push(path.into());
        match output {
            Some(output) => self.finish(&args, output),
            None => match self.toolchain.run(&args)?.success {
                true => Ok(()),
                false => Err(Error::Shown),
            },
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
        ];
        match request.threads {
            Some(n) => macros.extend([
                "__UPC_STATIC_THREADS__=1".to_string(),
                format!("THREADS={n}"),
                format!("UPCR_STATIC_THREADS={n}"),
            ]),
            None => macros.push("__UPC_DYNAMIC_THREADS__=1".to_string()),
        }
        if request.instrument {
            macros.push("UPCR_INST=1".to_string());
            if request.instrument_local {
                macros.push("UPCR_INST_LOCAL=1".to_string());
            }
        }
        macros.into_iter().map(|m| format!("-D{m}")).collect()
    }

    fn translate(&self, preprocessed: &Path, source: &Path, c_file: &Path) -> Result<(), Error> {
        let request = self.request;
        let bytes = fs::read(preprocessed).map_err(|e| Error::io("read", preprocessed, e))?;
        // Text that is not UTF-8 passes through as bytes, each in the guise of a character.
        let (text, is_utf8) = match String::from_utf8(bytes) {
            Ok(text) => (text, true),
            Err(e) => (e.into_bytes().into_iter().map(char::from).collect(), false),
        };
        let function_filter = match &self.filter_text {
            Some((text, name)) => {
                let filter = Filter::parse(text, name)?;
                Some(
                    Box::new(move |function: &str, file: &str| filter.includes(function, file))
                        as _,
                )
            }
            None => None,
        };
        let options = pgas_upc::Options {
            threads: request.threads,
            instrument: request.instrument,
            instrument_local: request.instrument && request.instrument_local,
            instrument_functions: request.instrument && request.instrument_functions,
            function_filter,
            name: source.display().to_string(),
        };
        let output = match pgas_upc::compile(&text, &options) {
            Ok(output) => output,
            Err(diagnostics) => {
                self.show(&diagnostics);
                return Err(Error::Shown);
            }
        };
        if !request.no_warnings {
            self.show(&output.warnings);
        }
        let mut c = output.c;
        c += "\n# 1 \"<pgas-upcc>\"\n";
        c += &unit_note::source(request.threads, request.instrument);
        let bytes = match is_utf8 {
            true => c.into_bytes(),
            false => c
                .chars()
                .flat_map(|c| match u8::try_from(c) {
                    Ok(byte) => vec![byte],
                    Err(_) => c.to_string().into_bytes(),
                })
                .collect(),
        };
        fs::write(c_file, bytes).map_err(|e| Error::io("write", c_file, e))
    }

    fn show(&self, diagnostics: &[pgas_upc::Diagnostic]) {
        let asked = |value: &str| {
            let option = format!("-fdiagnostics-color={value}");
            self.request.general.iter().any(|o| *o == *option)
        };
        let choice = if asked("always") {
            ColorChoice::Always
        } else if asked("never") {
            ColorChoice::Never
        } else {
            AutoStream::choice(&std::io::stderr())
        };
        let mut stderr = AutoStream::new(std::io::stderr(), choice);
        for diagnostic in diagnostics {
            // Nobody is left to tell if standard error is closed.
            let _ = writeln!(stderr, "{}", diagnostic.render(true));
        }
    }
}

/// The version of GCC that preprocessed a text, as our header in it says; 0 if it does not say. Clang says 4.
fn gnu_version(preprocessed: &Path) -> u32 {
    const MARK: &[u8] = b"upcr_gnuc = ";
    // The header comes first.
    let mut start = Vec::new();
    let read = fs::File::open(preprocessed).and_then(|f| f.take(1 << 16).read_to_end(&mut start));
    let Some(at) = start
        .windows(MARK.len())
        .position(|w| w == MARK)
        .filter(|_| read.is_ok())
    else {
        return 0;
    };
    let digits = start[at + MARK.len()..]
        .iter()
        .take_while(|b| b.is_ascii_digit())
        .take(6);
    digits.fold(0, |n, digit| n * 10 + u32::from(digit - b'0'))
}

/// Name of a source without directory and extension.
fn stem(path: &Path) -> &OsStr {
    match path.file_stem() {
        Some(stem) if path != Path::new("-") => stem,
        _ => OsStr::new("stdin"),
    }
}
