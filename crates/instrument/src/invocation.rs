//! Reads a compiler's command line: whether it links a program, from what, and for how many
//! threads. Only to commands that link are the recorder and the event decoder added.

use crate::flavour::Table;
use crate::response;
use std::ffi::{OsStr, OsString};

/// Properties of a command line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Invocation {
    /// It ends with a linked program (not an object, not preprocessed text, not a shared library).
    pub links_program: bool,
    /// It makes objects, a library or a program, and not text or an answer.
    pub makes_code: bool,
    /// An `-x` is in effect at its end, so that files added there need `-x none` before them.
    pub language_set: bool,
    /// Sources, objects and libraries that it names as files.
    pub files: Vec<OsString>,
    /// Its arguments without files and libraries, and without those that say what comes out and
    /// where to.
    pub options: Vec<OsString>,
    /// It names files or libraries; otherwise it can only be a question, such as for the version.
    pub has_inputs: bool,
    /// The number of threads that it fixes.
    pub threads: Option<u32>,
    /// The one or two of its arguments that do so, as they are spelled.
    pub threads_arguments: Vec<OsString>,
    /// Those of its arguments that all parts of a program must have alike: see
    /// [`Table::configuration`].
    pub configuration: Vec<OsString>,
}

/// Options that take the next argument as their value, so that it is not an input.
const WITH_VALUE: [&str; 44] = [
    "-o",
    "-I",
    // Of Fortran compilers.
    "-J",
    "-L",
    "-D",
    "-U",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-isysroot",
    "-iprefix",
    "-iwithprefix",
    "-x",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-T",
    "-X",
    "-fthreads",
    "--threads",
    "-threads",
    "-fupc-threads",
    "-Xlinker",
    "-Xpreprocessor",
    "-Xassembler",
    "-Xclang",
    "-u",
    "-z",
    "-e",
    "-h",
    "-arch",
    "-inst-filter",
    "--param",
    "-network",
    "--network",
    "-mpicc",
    "--mpicc",
    "-conf",
    "-translator",
    "-link-with",
    "-shared-heap",
];

/// Options with which C compilers do something else than linking a program.
const STOPS: [&str; 17] = [
    "-c",
    "-E",
    "-S",
    "-M",
    "-MM",
    "-fsyntax-only",
    "-shared",
    "-r",
    "-V",
    "-version",
    "--version",
    "--help",
    "--target-help",
    "-dumpversion",
    "-dumpmachine",
    "-dumpspecs",
    "-###",
];

/// Of those, the ones with which they make code all the same.
const MAKES_CODE: [&str; 3] = ["-c", "-shared", "-r"];

/// Questions to compilers that stand for others, such as those of an MPI.
const QUESTIONS: [&str; 4] = ["-show", "--show", "-compile-info", "-link-info"];

impl Invocation {
    /// Reads a compiler's arguments; `table` is about the compiler. Response files (`@file`) are
    /// looked into; one that cannot be read counts as an input, for the compiler to complain
    /// about.
    pub fn of(arguments: &[OsString], table: &Table) -> Self {
        Self::read(arguments, Some(table))
    }

    /// The same for a compiler that is not one of UPC, and may stand for another compiler.
    pub fn of_wrapper(arguments: &[OsString]) -> Self {
        Self::read(arguments, None)
    }

    fn read(arguments: &[OsString], table: Option<&Table>) -> Self {
        let mut scan = Scan {
            table,
            stopped: false,
            makes_text: false,
            value_of: None,
            found: Self::default(),
        };
        match response::expand(arguments.to_vec()) {
            Ok(expanded) => expanded.iter().for_each(|a| scan.argument(a)),
            Err(_) => arguments.iter().for_each(|a| scan.argument(a)),
        }
        scan.found.links_program = scan.found.has_inputs && !scan.stopped;
        scan.found.makes_code = scan.found.has_inputs && !scan.makes_text;
        scan.found
    }
}

struct Scan<'a> {
    /// `None`: no compiler of UPC.
    table: Option<&'a Table>,
    stopped: bool,
    makes_text: bool,
    /// The option whose value comes next.
    value_of: Option<String>,
    found: Invocation,
}

impl Scan<'_> {
    fn argument(&mut self, argument: &OsStr) {
        let text = argument.to_string_lossy();
        if let Some(option) = self.value_of.take() {
            if option == "-x" {
                self.found.language_set = text != "none";
            }
            if self.threads_spelled().contains(&&*option) {
                self.found.threads = text.parse().ok().filter(|&n| n > 0);
                self.found.threads_arguments = vec![option.clone().into(), argument.into()];
            }
            if self.is_configuration(&option) {
                self.found.configuration.push(argument.into());
            }
            if !is_about_output(&option) {
                self.found.options.push(argument.into());
            }
            return;
        }
        if let Some(threads) = self.joined_threads(&text) {
            self.found.threads = Some(threads);
            self.found.threads_arguments = vec![argument.into()];
        }
        if self.is_configuration(&text) {
            self.found.configuration.push(argument.into());
        }
        let is_input = !text.starts_with('-') || text == "-" || text.starts_with("-l");
        if !is_input && !is_about_output(&text) {
            self.found.options.push(argument.into());
        }
        if WITH_VALUE.contains(&&*text) {
            self.value_of = Some(text.into_owned());
        } else if let Some(language) = text.strip_prefix("-x") {
            self.found.language_set = language != "none";
        } else if self.is_stop(&text) {
            self.stopped = true;
            self.makes_text |= !MAKES_CODE.contains(&&*text);
        } else if !text.starts_with('-') || text == "-" {
            self.found.has_inputs = true;
            self.found.files.push(argument.into());
        } else if text.starts_with("-l") && !text.starts_with("-lines") {
            self.found.has_inputs = true;
        }
    }

    fn is_stop(&self, text: &str) -> bool {
        let of_compiler = match self.table {
            Some(table) => table.stops.contains(&text),
            None => QUESTIONS.contains(&text) || text.trim_start_matches('-').starts_with("showme"),
        };
        of_compiler
            || STOPS.contains(&text)
            || text.starts_with("-print-")
            || text.starts_with("--print-")
    }

    fn threads_spelled(&self) -> &'static [&'static str] {
        self.table.map_or(&[], |table| table.threads_spelled)
    }

    fn joined_threads(&self, text: &str) -> Option<u32> {
        let spelled = self.threads_spelled().iter();
        let number = spelled.filter_map(|name| text.strip_prefix(name));
        number
            .filter_map(|n| n.trim_start_matches(['=', '-']).parse().ok())
            .find(|&n| n > 0)
    }

    fn is_configuration(&self, text: &str) -> bool {
        let Some(table) = self.table else {
            return false;
        };
        let name = text.split_once('=').map_or(text, |(name, _)| name);
        table
            .configuration
            .iter()
            .any(|option| name == *option || (option.ends_with('-') && text.starts_with(option)))
            && !table.instrument.contains(&text)
            && !table.functions.contains(&text)
            && !table
                .threads_spelled
                .iter()
                .any(|threads| text.starts_with(threads))
    }
}

/// Options that say what is made and where it goes, or that are for linking alone.
fn is_about_output(option: &str) -> bool {
    let about_files = ["-o", "-c", "-S", "-E", "-Xlinker", "-z", "-u", "-e"];
    about_files.contains(&option)
        || ["-M", "-Wl,", "-L"]
            .iter()
            .any(|start| option.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flavour::Flavour;

    fn of(line: &str) -> Invocation {
        let arguments: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        Invocation::of(&arguments, Flavour::Berkeley.table())
    }

    #[test]
    fn commands_that_link_a_program() {
        for line in [
            "-O2 -o is is.c randdp.c",
            "main.o -lm",
            "@no-such-file",
            "-x c foo -x none",
            "-",
        ] {
            assert!(of(line).links_program, "{line}");
        }
    }

    #[test]
    fn commands_that_do_not() {
        for line in [
            "",
            "-O2",
            "-c is.c",
            "is.c -c -o is.o",
            "-E is.c",
            "-M is.c",
            "--version",
            "-version",
            "-print-search-dirs",
            "-shared -o lib.so a.o",
            "-trans a.upc",
            "-lines",
            "-network udp",
            "-o prog",
            "-include config.h",
        ] {
            assert!(!of(line).links_program, "{line}");
        }
    }

    #[test]
    fn code_is_told_from_text_and_answers() {
        let of = |line: &str| {
            let arguments: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
            Invocation::of_wrapper(&arguments)
        };
        for line in ["-c a.f90", "-shared -o lib.so a.o", "-r a.o", "a.c -lm"] {
            assert!(of(line).makes_code, "{line}");
        }
        for line in [
            "-E a.c",
            "-S a.c",
            "-MM a.c",
            "-c -E a.c",
            "-show a.c",
            "--showme:link a.c",
            "-print-search-dirs a.c",
            "--version",
        ] {
            assert!(!of(line).makes_code, "{line}");
            assert!(!of(line).links_program, "{line}");
        }
        assert_eq!(of("-J modules a.f90").files, ["a.f90"]);
    }

    #[test]
    fn the_value_of_an_option_is_not_an_option() {
        assert!(of("-o -c main.c").links_program);
        assert!(of("-MF -E main.c").links_program);
    }

    #[test]
    fn the_number_of_threads_is_found_in_every_spelling() {
        for line in ["-T=4 a.upc", "-T 4 a.upc", "a.upc -T4", "-threads=4 a.upc"] {
            assert_eq!(of(line).threads, Some(4), "{line}");
        }
        for line in ["a.upc", "-T=0 a.upc", "-trace a.upc", "-Tmany a.upc"] {
            assert_eq!(of(line).threads, None, "{line}");
        }
        for line in ["-fupc-threads=4", "-fupc-threads-4", "-fupc-threads 4"] {
            let arguments: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
            let found = Invocation::of(&arguments, Flavour::Gnu.table());
            assert_eq!(found.threads, Some(4), "{line}");
            assert_eq!(found.threads_arguments, arguments, "{line}");
            assert!(found.configuration.is_empty(), "{line}");
        }
    }

    #[test]
    fn what_all_parts_must_have_alike_is_found() {
        assert_eq!(
            of("-O2 -network=udp -pthreads -g -T=4 -c a.upc").configuration,
            ["-network=udp", "-pthreads", "-g"]
        );
        assert_eq!(
            of("-network udp -pthreads=2 a.upc").configuration,
            ["-network", "udp", "-pthreads=2"]
        );
        let arguments = ["-fupc-instrument", "-fupc-packed-bits=20,10,34", "a.upc"];
        let found = Invocation::of(&arguments.map(OsString::from), Flavour::Gnu.table());
        assert_eq!(found.configuration, ["-fupc-packed-bits=20,10,34"]);
    }

    #[test]
    fn files_are_told_from_options() {
        let found = of("-O2 -I inc -o prog a.upc b.o -lm");
        assert_eq!(found.files, ["a.upc", "b.o"]);
        assert_eq!(found.options, ["-O2", "-I", "inc"]);
        assert_eq!(of("-MMD -MF d -c -Wl,-x -DX a.upc").options, ["-DX"]);
        assert!(of("-lm").has_inputs && !of("-version").has_inputs);
    }

    #[test]
    fn a_language_in_effect_is_noticed() {
        assert!(of("-x c a").language_set);
        assert!(of("-xc a").language_set);
        assert!(!of("-x c a -x none b.o").language_set);
        assert!(!of("a.c").language_set);
    }

    #[test]
    fn response_files_are_looked_into() {
        let directory = tempfile::tempdir().unwrap();
        let inner = directory.path().join("inner");
        std::fs::write(&inner, "'my file.c' -c").unwrap();
        let outer = directory.path().join("outer");
        std::fs::write(&outer, format!("-O2 \"@{}\"\n", inner.display())).unwrap();
        assert!(!of(&format!("@{}", outer.display())).links_program);
        std::fs::write(&inner, "my\\ file.c").unwrap();
        assert!(of(&format!("@{}", outer.display())).links_program);
        // One that names itself ends.
        std::fs::write(&inner, format!("@{}", inner.display())).unwrap();
        assert!(of(&format!("@{}", inner.display())).links_program);
    }
}
