//! Makes what goes into programs of a compiler: first it is tried whether the compiler instruments
//! at all, then the event decoder is compiled against the headers of the compiler at hand.

use super::workshop::{Failed, Workshop};
use super::{
    CELLS_NAME, CELLS_SOURCE, COLLECTIVES_HEADER, COLLECTIVES_NAME, COLLECTIVES_REFUSED,
    COLLECTIVES_SOURCES, DECODER_OBJECT, HEADERS, NOTE_OBJECT, OWN_HEADERS, Purpose, QUERY_HEADER,
    QUERY_NAME, QUERY_SOURCE, Sources, SupportError, read,
};
use crate::compiler::Compiler;
use crate::flavour::Flavour;
use crate::program::note_source;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

const DECODER_SOURCE: &str = "gasp_decoder.c";
const NOTE_SOURCE: &str = "pgas_info.c";
const COLLECTIVE_CALL: &str = "collective_call.upc";

/// Request for a set of files to be made.
pub(super) struct Request<'a> {
    pub compiler: &'a Compiler,
    pub c_compiler: &'a Path,
    pub purpose: &'a Purpose,
    pub sources: &'a Sources<'a>,
}

/// Makes it in `directory`, which is empty.
pub(super) fn make(request: &Request, directory: &Path) -> Result<(), SupportError> {
    let workshop = Workshop::new(directory);
    let sources = request.sources;
    let texts = [
        (DECODER_SOURCE, sources.decoder),
        (CELLS_NAME, CELLS_SOURCE),
    ];
    for &(name, text) in texts.iter().chain(sources.headers) {
        workshop.write(name, text.as_bytes()).map_err(not_written)?;
    }
    if request.compiler.flavour == Flavour::Embedded {
        embedded_decoder(request, &workshop)?;
    } else {
        let header = read(&sources.runtime_include.join(QUERY_HEADER))?;
        let note = note_source(&request.compiler.note(request.purpose.threads, true));
        for (name, text) in [
            (QUERY_NAME, QUERY_SOURCE.as_bytes()),
            (QUERY_HEADER, &header),
            (NOTE_SOURCE, note.as_bytes()),
        ] {
            workshop.write(name, text).map_err(not_written)?;
        }
        try_instrumentation(request, &workshop)?;
        compile(&workshop, request.c_compiler, &[], NOTE_SOURCE, NOTE_OBJECT)
            .map_err(|failed| not_compiled(&[failed]))?;
        sites_decoder(request, &workshop)?;
        if request.compiler.flavour.table().wraps_collectives {
            collectives(request, &workshop)?;
        }
    }
    workshop.note_commands().map_err(not_written)
}

/// The embedded runtime is C and brings its headers.
fn embedded_decoder(request: &Request, workshop: &Workshop) -> Result<(), SupportError> {
    let mut flags = ["-O2", "-fPIC", "-I.", "-I"].map(OsString::from).to_vec();
    flags.push(request.sources.runtime_include.into());
    compile(
        workshop,
        request.c_compiler,
        &flags,
        DECODER_SOURCE,
        DECODER_OBJECT,
    )
    .map_err(|failed| not_compiled(&[failed]))
}

/// Some builds of UPC compilers cannot instrument, and say so in ways that are hard to understand,
/// or only when they link. So the tool's own UPC file is compiled as the user's files will be.
fn try_instrumentation(request: &Request, workshop: &Workshop) -> Result<(), SupportError> {
    let compiler = request.compiler;
    let table = compiler.flavour.table();
    let attempt = |flags: &[OsString]| {
        [QUERY_NAME, CELLS_NAME]
            .iter()
            .try_for_each(|name| compile(workshop, &compiler.path, flags, name, "trial.o"))
    };
    let plain = configuration(request);
    let mut instrumented = instrumented(request);
    instrumented.extend(table.functions.iter().map(OsString::from));
    let Err(failed) = attempt(&instrumented) else {
        return Ok(());
    };
    Err(match attempt(&plain) {
        Ok(()) => SupportError::NoInstrumentation {
            compiler: table.name,
            command: failed.command,
            output: failed.said,
            remedy: table.remedy,
        },
        Err(failed) => SupportError::Broken {
            compiler: table.name,
            command: failed.command,
            output: failed.said,
        },
    })
}

/// Makes the UPC file that reports collective operations in the runtime's place. A compiler that
/// rejects it must not make the user's link fail: then the operations are called as they are, and a
/// file states why.
fn collectives(request: &Request, workshop: &Workshop) -> Result<(), SupportError> {
    workshop.directory_for(HEADERS).map_err(not_written)?;
    for (name, text) in COLLECTIVES_SOURCES {
        workshop.write(name, text.as_bytes()).map_err(not_written)?;
    }
    let mut flags = instrumented(request);
    flags.extend(["-I", HEADERS].map(OsString::from));
    // A call as programs have it, which the header replaces.
    let call = "#include <upc.h>\n#include <upc_collective.h>\nvoid call(shared void *p) { \
                upc_all_broadcast(p, p, 1, UPC_IN_NOSYNC | UPC_OUT_NOSYNC); }\n";
    workshop
        .write(COLLECTIVE_CALL, call.as_bytes())
        .map_err(not_written)?;
    let compiler = &request.compiler.path;
    let attempts = [COLLECTIVES_NAME, COLLECTIVE_CALL]
        .iter()
        .try_for_each(|name| compile(workshop, compiler, &flags, name, "trial.o"));
    let Err(failed) = attempts else {
        return Ok(());
    };
    let why = format!("{}\n  {}\n", failed.command, failed.said);
    for (name, text) in [
        (COLLECTIVES_REFUSED, &*why),
        (COLLECTIVES_NAME, "static int pgas_no_collectives;\n"),
        (COLLECTIVES_HEADER, "#include_next <upc_collective.h>\n"),
    ] {
        workshop.write(name, text.as_bytes()).map_err(not_written)?;
    }
    Ok(())
}

/// The decoder is plain C. With a C compiler it fits into programs of every configuration; the
/// headers that it needs are where the UPC compiler finds them, or the tool's own. If that cannot
/// be found out or does not work, the UPC compiler has to take the decoder itself.
fn sites_decoder(request: &Request, workshop: &Workshop) -> Result<(), SupportError> {
    let mut failures = Vec::new();
    let mut own = Vec::new();
    match find_headers(request, workshop) {
        Ok(found) => {
            let mut flags = ["-O2", "-fPIC", "-I."].map(OsString::from).to_vec();
            for directory in found.directories {
                // The UPC compiler's versions of the system's headers are not meant for others.
                flags.extend(["-idirafter".into(), directory.into()]);
            }
            if !found.missing.is_empty() {
                own = own_headers(workshop, &found.missing).map_err(not_written)?;
                flags.extend_from_slice(&own);
            }
            let compiler = request.c_compiler;
            match compile(workshop, compiler, &flags, DECODER_SOURCE, DECODER_OBJECT) {
                Ok(()) => return Ok(()),
                Err(failed) => failures.push(failed),
            }
        }
        Err(failed) => failures.push(failed),
    }
    let mut flags = instrumented(request);
    flags.extend(["-O2", "-I."].map(OsString::from));
    flags.extend(own);
    let compiler = &request.compiler.path;
    match compile(workshop, compiler, &flags, DECODER_SOURCE, DECODER_OBJECT) {
        Ok(()) => Ok(()),
        Err(failed) => {
            failures.push(failed);
            Err(not_compiled(&failures))
        }
    }
}

/// The headers of a compiler's instrumentation.
struct Headers {
    /// Where those are that it has and the decoder needs.
    directories: Vec<PathBuf>,
    /// Those that it does not have, with the tool's own text.
    missing: Vec<(&'static str, &'static str)>,
}

/// Asks the UPC compiler where it finds them.
fn find_headers(request: &Request, workshop: &Workshop) -> Result<Headers, Failed> {
    let all = request.compiler.flavour.table().headers;
    let mut found = Headers {
        directories: Vec::new(),
        missing: Vec::new(),
    };
    match preprocessed(request, workshop, "headers.upc", all) {
        Ok((text, command)) => {
            found.directories = directories_of_headers(&text);
            if found.directories.is_empty() {
                return Err(Failed {
                    command,
                    said: "its output does not tell where gasp.h is".to_string(),
                });
            }
        }
        Err(failed) => {
            // One that preprocesses nothing is not one without headers.
            if preprocessed(request, workshop, "no_header.upc", &[]).is_err() {
                return Err(failed);
            }
            for header in all {
                let asked = format!("{}.upc", header.0.trim_end_matches(".h"));
                match preprocessed(request, workshop, &asked, &[*header]) {
                    Ok((text, _)) => found.directories.extend(directories_of_headers(&text)),
                    Err(_) => found.missing.push(*header),
                }
            }
        }
    }
    Ok(found)
}

/// Output of the UPC compiler's preprocessor for a file with these headers, and the command.
fn preprocessed(
    request: &Request,
    workshop: &Workshop,
    file: &str,
    headers: &[(&str, &str)],
) -> Result<(String, String), Failed> {
    let includes = headers
        .iter()
        .map(|(name, _)| format!("#include <{name}>\n"));
    let question = includes.collect::<String>() + "int pgas_headers;\n";
    workshop
        .write(file, question.as_bytes())
        .map_err(|(path, error)| Failed {
            command: format!("write {}", path.display()),
            said: error.to_string(),
        })?;
    let mut arguments = instrumented(request);
    arguments.extend(["-E", file].map(OsString::from));
    let compiler = &request.compiler.path;
    let text = workshop.ask(compiler, &arguments)?;
    let command = [vec![compiler.clone().into()], arguments].concat();
    Ok((text, pgas_base::shell::shown(&command)))
}

/// Puts the tool's own headers into the set; returns the flags by which a compiler finds them after
/// its own.
fn own_headers(
    workshop: &Workshop,
    missing: &[(&str, &str)],
) -> Result<Vec<OsString>, (PathBuf, io::Error)> {
    workshop.directory_for(OWN_HEADERS)?;
    for (name, text) in missing {
        workshop.write(&format!("{OWN_HEADERS}/{name}"), text.as_bytes())?;
    }
    Ok(["-idirafter", OWN_HEADERS].map(OsString::from).to_vec())
}

/// From the lines `# 1 "/usr/include/gasp.h"` of a preprocessor.
fn directories_of_headers(preprocessed: &str) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    for line in preprocessed.lines().filter(|line| line.starts_with('#')) {
        let Some(path) = line.split('"').nth(1).map(Path::new) else {
            continue;
        };
        let is_header = path.ends_with("gasp.h") || path.ends_with("gasp_upc.h");
        if let (true, true, Some(directory)) = (is_header, path.is_absolute(), path.parent()) {
            if !found.iter().any(|known| known == directory) {
                found.push(directory.to_path_buf());
            }
        }
    }
    found
}

/// The flags that all parts of the program have.
fn configuration(request: &Request) -> Vec<OsString> {
    let purpose = request.purpose;
    [&*purpose.threads_arguments, &purpose.configuration].concat()
}

fn instrumented(request: &Request) -> Vec<OsString> {
    let mut flags = configuration(request);
    let instrument = request.compiler.flavour.table().instrument;
    flags.extend(instrument.iter().map(OsString::from));
    flags
}

fn compile(
    workshop: &Workshop,
    compiler: &Path,
    flags: &[OsString],
    source: &str,
    object: &str,
) -> Result<(), Failed> {
    let mut arguments = flags.to_vec();
    arguments.extend(["-c", "-o", object, source].map(OsString::from));
    workshop.run(compiler, &arguments)
}

/// The note that `pgastool run` looks for, for programs of compilers that leave none.
fn not_written((path, error): (PathBuf, io::Error)) -> SupportError {
    SupportError::Cache { path, error }
}

fn not_compiled(failures: &[Failed]) -> SupportError {
    let attempts = failures
        .iter()
        .map(|failed| format!("\n  command: {}\n  {}", failed.command, failed.said));
    SupportError::Compile {
        attempts: attempts.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_found_in_preprocessed_text() {
        let text = "# 1 \"headers.upc\"\n# 1 \"/opt/bupc/opt_inst/include/gasp.h\" 1 3\nint \
                    x;\n#line 1 \"/opt/bupc/opt_inst/include/gasp_upc.h\"\n# 4 \"gasp.h\"\n# 1 \
                    \"/usr/include/stdio.h\" 1 3 4\n";
        assert_eq!(
            directories_of_headers(text),
            [PathBuf::from("/opt/bupc/opt_inst/include")]
        );
        assert!(directories_of_headers("").is_empty());
    }
}
