//! The last step: whether the objects fit together, the note about the program, and the linker.

mod networks;
mod over_mpi;

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use over_mpi::OverMpi;
use pgas_instrument::network::Network;
use pgas_upc_runtime::Paths;

use crate::Error;
use crate::output::Output;
use crate::request::{Input, Request};
use crate::toolchain::Toolchain;
use crate::unit_note::{self, UnitNote};

/// Links these inputs as the request says.
pub fn link(
    request: &Request,
    toolchain: &Toolchain,
    runtime: &Paths,
    scratch: &Path,
    inputs: &[Input],
) -> Result<(), Error> {
    let output = Output::new(request.output.as_deref().unwrap_or(Path::new("a.out")));
    let mut args: Vec<OsString> = request.general.clone();
    args.extend(["-o".into(), output.path().into()]);
    let mut over_mpi = None;
    if inputs.contains(&Input::LinkerOption("-shared".into())) {
        refuse_shared_data(inputs, scratch)?;
    }
    if !request.not_a_program {
        let notes: Vec<UnitNote> = files(inputs)
            .iter()
            .flat_map(|path| unit_note::read(path))
            .collect();
        // Sources of this command are compiled as it says.
        let own = |note: &UnitNote| Path::new(&note.object).starts_with(scratch);
        let others: Vec<UnitNote> = notes.iter().filter(|n| !own(n)).cloned().collect();
        networks::check(request.network(), &others)?;
        let threads = threads_of_program(request.threads, &others)?;
        let instrumented = notes.iter().any(|note| note.instrumented);
        let checked = notes.iter().all(|note| note.checked);
        if request.network() == Network::Mpi {
            over_mpi = Some(OverMpi::prepare(request, toolchain, runtime)?);
        }
        let network = noted_network(over_mpi.as_ref());
        let note = program_note(threads, instrumented, checked, &network, request.heap);
        // The first object: it asks for main, which may be in an archive.
        args.push(note_object(toolchain, scratch, &note)?.into());
    }
    for input in inputs {
        match input {
            Input::Object(path) => args.push(path.into()),
            Input::LinkerOption(option) => args.push(option.clone()),
            Input::Source { path, .. } => args.push(path.into()),
        }
    }
    if !request.not_a_program {
        args.extend(libraries(runtime, over_mpi.as_ref()));
        args.extend(over_mpi.as_ref().and_then(|_| fixed_addresses(request)));
        // The system's start code calls the runtime, which calls the program's main.
        args.push("-Wl,--wrap=main".into());
    }
    let outcome = match &over_mpi {
        Some(over_mpi) => toolchain.run_instead(&over_mpi.mpicc.command(), &args)?,
        None => toolchain.run_quietly(&args)?,
    };
    // Nobody is left to tell if standard error is closed.
    let messages = with_sources(&outcome.messages, request, scratch, inputs);
    let _ = std::io::stderr().write_all(messages.as_bytes());
    if !outcome.success {
        return Err(explained(&messages));
    }
    match toolchain.dry_run() {
        true => Ok(()),
        false => output.finish(),
    }
}

/// The runtime, and what it needs of the system.
fn libraries(runtime: &Paths, over_mpi: Option<&OverMpi>) -> Vec<OsString> {
    match over_mpi {
        None => vec![runtime.archive.clone().into(), "-lm".into()],
        Some(over_mpi) => vec![
            over_mpi.transport.clone().into(),
            runtime.mpi_archive.clone().into(),
            "-lpthread".into(),
            "-lm".into(),
        ],
    }
}

/// Processes that are not forked from one must have functions and static data at equal addresses:
/// programs keep pointers to them in shared memory. Unless the command line says otherwise.
fn fixed_addresses(request: &Request) -> Option<OsString> {
    let chosen = ["-pie", "-no-pie", "-static-pie", "-static"];
    let is_chosen = request
        .general
        .iter()
        .any(|o| chosen.iter().any(|c| o == c));
    (!is_chosen).then(|| "-no-pie".into())
}

/// The network in the note about the program.
fn noted_network(over_mpi: Option<&OverMpi>) -> String {
    match over_mpi {
        None => format!("network={};", Network::Smp.word()),
        Some(over_mpi) => {
            let mpicc = over_mpi.noted().map(|path| format!("mpicc={path};"));
            let network = Network::Mpi.word();
            format!("network={network};{}", mpicc.unwrap_or_default())
        }
    }
}

/// The runtime gives shared objects their places when a program starts; of those in shared
/// libraries it does not know.
fn refuse_shared_data(inputs: &[Input], scratch: &Path) -> Result<(), Error> {
    for input in inputs {
        match input {
            Input::Object(path) if unit_note::has_shared_data(path) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                // Objects of sources in this command have a number before their names.
                let name = match path.starts_with(scratch) {
                    true => name.split_once('-').map_or(&*name, |(_, name)| name),
                    false => &name,
                };
                return Err(Error::Link(format!(
                    "{name} defines shared data, which cannot be in a shared library; make an \
                     archive (ar rcs) of it, or define the data in the program and declare it \
                     extern here"
                )));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Objects and archives among the inputs, also those that `-l` finds in directories that `-L`
/// names.
fn files(inputs: &[Input]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut directories: Vec<PathBuf> = Vec::new();
    let mut libraries: Vec<OsString> = Vec::new();
    let mut rest = inputs.iter();
    while let Some(input) = rest.next() {
        match input {
            Input::Object(path) => files.push(path.clone()),
            Input::Source { .. } => {}
            Input::LinkerOption(option) => {
                let bytes = option.as_bytes();
                let is_directory = bytes.starts_with(b"-L");
                if !is_directory && !bytes.starts_with(b"-l") {
                    continue;
                }
                let value = match &bytes[2..] {
                    [] => match rest.next() {
                        Some(Input::LinkerOption(next)) => next.clone(),
                        _ => continue,
                    },
                    joined => OsStr::from_bytes(joined).to_os_string(),
                };
                match is_directory {
                    true => directories.push(value.into()),
                    false => libraries.push(value),
                }
            }
        }
    }
    for library in libraries {
        let mut name = OsString::from("lib");
        name.push(library);
        name.push(".a");
        let found = directories.iter().map(|dir| dir.join(&name));
        files.extend(found.into_iter().find(|path| path.is_file()));
    }
    files
}

/// The number of threads that all objects agree on. Those that were compiled for any number fit
/// everywhere.
fn threads_of_program(asked: Option<u32>, notes: &[UnitNote]) -> Result<Option<u32>, Error> {
    let mut numbers: Vec<u32> = notes
        .iter()
        .filter_map(|note| note.threads)
        .chain(asked)
        .collect();
    numbers.sort_unstable();
    numbers.dedup();
    if numbers.len() < 2 {
        return Ok(numbers.first().copied());
    }
    let mut message = "these were compiled for different numbers of threads and cannot be linked \
                       together:"
        .to_string();
    for note in notes {
        if let Some(n) = note.threads {
            message += &format!("\n  {}: {n} (-T {n})", note.object);
        }
    }
    if let Some(n) = asked {
        message += &format!("\n  this command: {n} (-T {n})");
    }
    message += "\nCompile all of them for the same number, or without -T for any number";
    Err(Error::Link(message))
}

/// C that says for runtime and tools what the program is.
fn program_note(
    threads: Option<u32>,
    instrumented: bool,
    checked: bool,
    network: &str,
    heap: Option<u64>,
) -> String {
    let text = threads.map_or("dynamic".to_string(), |n| n.to_string());
    let yes_or_no = if instrumented { "yes" } else { "no" };
    let network = unit_note::escaped(network);
    let mut c = format!(
        "const int upcr_static_threads = {};\n__asm__(\".pushsection \
         .pgas_info,\\\"\\\"\\n\\t.string \
         \\\"compiler=embedded;threads={text};instrumented={yes_or_no};{network}\\\"\\n\\t.popsection\");\n",
        threads.unwrap_or(0)
    );
    if checked {
        // No call that all threads must make is hidden from the checks.
        c += "const int upcr_all_checked = 1;\n";
    }
    // A main that this compiler has not seen, in an object that another one has made.
    c += "extern char **environ;\nextern int __real_main(int, char **, char \
          **);\n__attribute__((weak)) int upcr_user_main(int argc, char **argv) { return \
          __real_main(argc, argv, environ); }\n";
    if instrumented {
        // Events of begin and end are wanted even if no other code mentions the runtime's
        // instrumentation.
        c += "extern const char upcr_instrumentation;\nconst void *const \
              upcr_instrumentation_used __attribute__((used)) = &upcr_instrumentation;\n";
    }
    if let Some(bytes) = heap {
        c += &format!("const unsigned long upcr_default_heap = {bytes}ul;\n");
    }
    c
}

fn note_object(toolchain: &Toolchain, scratch: &Path, c: &str) -> Result<PathBuf, Error> {
    let source = scratch.join("program-note.c");
    let object = scratch.join("program-note.o");
    fs::write(&source, c).map_err(|e| Error::io("write", &source, e))?;
    let args: Vec<OsString> = vec![
        "-c".into(),
        "-fPIC".into(),
        "-o".into(),
        object.clone().into(),
        source.into(),
    ];
    match toolchain.run(&args)?.success {
        true => Ok(object),
        false => Err(Error::Shown),
    }
}

/// The linker's messages with the sources of this command in the place of the objects that were
/// made of them.
fn with_sources(messages: &[u8], request: &Request, scratch: &Path, inputs: &[Input]) -> String {
    let mut text = String::from_utf8_lossy(messages).into_owned();
    for input in inputs {
        let Input::Object(object) = input else {
            continue;
        };
        // An object is named after the number of its source.
        let number = object.strip_prefix(scratch).ok().and_then(|name| {
            let (number, _) = name.to_str()?.split_once('-')?;
            number.parse::<usize>().ok()
        });
        if let Some(Input::Source { path, .. }) = number.and_then(|n| request.inputs.get(n)) {
            let source = match path.as_os_str() == "-" {
                true => "<stdin>".into(),
                false => path.to_string_lossy(),
            };
            text = text.replace(&*object.to_string_lossy(), &source);
        }
    }
    text
}

/// Meaning of a linker's message here, where that is not obvious.
fn explained(messages: &str) -> Error {
    let mut undefined = messages
        .lines()
        .filter(|line| line.contains("undefined reference") || line.contains("undefined symbol"))
        .peekable();
    if undefined.peek().is_none() {
        return Error::Shown;
    }
    // Not "in function `main'".
    let ends = ["`main'", "`__real_main'", ": main", ": __real_main"];
    if undefined.any(|line| ends.iter().any(|end| line.trim_end().ends_with(end))) {
        return Error::Link("no source or object that is linked defines `main`".to_string());
    }
    if messages.contains("gasp_init") {
        return Error::Link(
            "the program is instrumented (-inst), but no performance tool is linked in that takes \
             its events; use `pgastool compile`, which adds one, or compile without -inst"
                .to_string(),
        );
    }
    Error::Shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(object: &str, threads: Option<u32>) -> UnitNote {
        UnitNote {
            object: object.to_string(),
            threads,
            network: Network::Smp,
            instrumented: false,
            checked: false,
        }
    }

    #[test]
    fn objects_must_agree_on_the_number_of_threads() {
        assert_eq!(threads_of_program(None, &[]).unwrap(), None);
        assert_eq!(
            threads_of_program(Some(2), &[note("a.o", None)]).unwrap(),
            Some(2)
        );
        assert_eq!(
            threads_of_program(
                None,
                &[
                    note("a.o", Some(4)),
                    note("b.o", None),
                    note("c.o", Some(4))
                ]
            )
            .unwrap(),
            Some(4)
        );
        let message = threads_of_program(
            None,
            &[
                note("a.o", Some(4)),
                note("b.o", Some(2)),
                note("c.o", None),
            ],
        )
        .unwrap_err()
        .to_string();
        assert!(
            message.contains("a.o: 4 (-T 4)") && message.contains("b.o: 2 (-T 2)"),
            "{message}"
        );
        assert!(!message.contains("c.o"), "{message}");
        assert!(threads_of_program(Some(3), &[note("a.o", Some(4))]).is_err());
    }
}
