//! What a compiler command line asks for: whether it links a program, and with what kind of inputs. Only then are the
//! recorder and the event decoder added to it.

use crate::response;
use std::ffi::{OsStr, OsString};

/// What was found out about a command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Invocation {
    /// It ends with a linked program (not an object, not preprocessed text, not a shared library).
    pub links_program: bool,
    /// An `-x` is in effect at its end, so that files added there need `-x none` before them.
    pub language_set: bool,
}

/// Options that take the next argument as their value, so that it is not an input.
const WITH_VALUE: [&str; 35] = [
    "-o",
    "-I",
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

impl Invocation {
    /// Reads a compiler's arguments; `more_stops` are options of this compiler that end before linking. Response files
    /// (`@file`) are looked into; one that cannot be read counts as an input, for the compiler to complain about.
    pub fn of(arguments: &[OsString], more_stops: &[&str]) -> Self {
        let mut scan = Scan {
            more_stops,
            inputs: 0,
            stopped: false,
            language_set: false,
            value_of: None,
        };
        match response::expand(arguments.to_vec()) {
            Ok(expanded) => expanded.iter().for_each(|a| scan.argument(a)),
            Err(_) => arguments.iter().for_each(|a| scan.argument(a)),
        }
        Self {
            links_program: scan.inputs > 0 && !scan.stopped,
            language_set: scan.language_set,
        }
    }
}

struct Scan<'a> {
    more_stops: &'a [&'a str],
    inputs: usize,
    stopped: bool,
    language_set: bool,
    /// The option whose value comes next.
    value_of: Option<String>,
}

impl Scan<'_> {
    fn argument(&mut self, argument: &OsStr) {
        let text = argument.to_string_lossy();
        if let Some(option) = self.value_of.take() {
            if option == "-x" {
                self.language_set = text != "none";
            }
        } else if WITH_VALUE.contains(&&*text) {
            self.value_of = Some(text.into_owned());
        } else if let Some(language) = text.strip_prefix("-x") {
            self.language_set = language != "none";
        } else if STOPS.contains(&&*text)
            || self.more_stops.contains(&&*text)
            || text.starts_with("-print-")
            || text.starts_with("--print-")
        {
            self.stopped = true;
        } else if !text.starts_with('-') || text == "-" || text.starts_with("-l") {
            self.inputs += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Invocation {
        let arguments: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        Invocation::of(&arguments, &["-trans"])
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
            "-o prog",
            "-include config.h",
        ] {
            assert!(!of(line).links_program, "{line}");
        }
    }

    #[test]
    fn the_value_of_an_option_is_not_an_option() {
        assert!(of("-o -c main.c").links_program);
        assert!(of("-MF -E main.c").links_program);
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
