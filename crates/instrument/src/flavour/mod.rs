//! Differences between implementations of UPC, as one table each: its names, its flags, how its
//! programs are started, its limits. To add an implementation, add a module with its [`Table`] and
//! list it in [`ALL`].

mod berkeley;
mod clang;
mod cray;
mod embedded;
mod gnu;

use std::ffi::OsString;
use std::path::Path;

/// Those of GNU UPC and Clang UPC, which share a library.
const GNU_HEADERS: &[(&str, &str)] = &[
    ("gasp.h", include_str!("../../support/gasp/gnu/gasp.h")),
    (
        "gasp_upc.h",
        include_str!("../../support/gasp/gnu/gasp_upc.h"),
    ),
    ("pupc.h", include_str!("../../support/gasp/gnu/pupc.h")),
];

/// An implementation of UPC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Flavour {
    /// The compiler that belongs to this tool, `pgas-upcc`.
    Embedded,
    /// Berkeley UPC, `upcc`.
    Berkeley,
    /// GNU UPC, `gupc`.
    Gnu,
    /// Clang UPC.
    Clang,
    /// Cray's compiler, which cannot be instrumented.
    Cray,
}

/// All flavours, in the order in which an answer is compared with them: Clang UPC's also contains
/// words of GNU's.
pub const ALL: [Flavour; 5] = [
    Flavour::Embedded,
    Flavour::Berkeley,
    Flavour::Cray,
    Flavour::Clang,
    Flavour::Gnu,
];

/// The facts about one implementation.
#[derive(Debug)]
pub struct Table {
    /// One word, as in the section `.pgas_info` of programs.
    pub id: &'static str,
    /// For people.
    pub name: &'static str,
    /// Whether what a compiler prints when it is asked for its version is this one's answer.
    pub recognises: fn(&str) -> bool,
    /// Why its programs cannot be measured, if so; what they are compiled with is then left as it
    /// is.
    pub unmeasurable: Option<&'static str>,
    /// Flags that make it report events.
    pub instrument: &'static [&'static str],
    /// Flags for entry and exit of the program's functions, in addition.
    pub functions: &'static [&'static str],
    /// The same without functions that are small and do nothing else that is reported; `None` where
    /// the compiler cannot distinguish them.
    pub larger_functions: Option<&'static [&'static str]>,
    /// Flags that make single accesses be counted where they happen, in addition; `None` where the
    /// compiler can only report each.
    pub counts: Option<&'static [&'static str]>,
    /// The option with which it leaves line tables and inlined calls in the program, and nothing else
    /// that could change it, where that is known: samples are resolved by them.
    pub line_tables: Option<&'static str>,
    /// Flags for accesses to shared data of the own thread, in addition.
    pub local_accesses: &'static [&'static str],
    /// The flag for a fixed number of threads; the number follows, as the next argument if there
    /// is a blank. Where releases of the compiler spell it differently there are several, the
    /// usual one first: see [`crate::support::threads_arguments`].
    pub threads: &'static [&'static str],
    /// How users may spell that flag; the number is joined to it, also by `=` or `-`, or is the
    /// next argument.
    pub threads_spelled: &'static [&'static str],
    /// The option for the network that a program is compiled for, to which the network's name is
    /// joined; `None` if there is nothing to choose.
    pub network: Option<&'static str>,
    /// Flags of a user's command that all parts of a program must have alike, so that what the
    /// tool adds gets them too: with or without a value, or all that begin so, if it ends in
    /// `-`.
    pub configuration: &'static [&'static str],
    /// The flag that a filter file follows, if the compiler has one.
    pub filter: Option<&'static str>,
    /// Options beside the usual ones of C compilers with which it stops before linking.
    pub stops: &'static [&'static str],
    /// Remedy if this build of the compiler compiles programs, but not with
    /// [`Table::instrument`].
    pub remedy: &'static str,
    /// The headers of its instrumentation that programs and the decoder need: name, and the tool's
    /// own text for an installation without it.
    pub headers: &'static [(&'static str, &'static str)],
    /// Its runtime does not report collective operations: the tool stands between them and the
    /// program.
    pub wraps_collectives: bool,
    /// Limitations that users who measure with it must know.
    pub lacks: &'static [&'static str],
    /// How its programs are started.
    pub launch: Launch,
}

/// How a program gets its threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Launch {
    /// It takes their number from the environment variable `PGAS_THREADS`.
    Environment,
    /// A launcher starts it: its name and its arguments, before the number.
    Launcher(&'static str, &'static [&'static str]),
    /// It takes an argument of its own, before the number and the program's arguments.
    Argument(&'static str),
}

impl Flavour {
    /// The facts about it.
    pub fn table(self) -> &'static Table {
        match self {
            Flavour::Embedded => &embedded::TABLE,
            Flavour::Berkeley => &berkeley::TABLE,
            Flavour::Gnu => &gnu::TABLE,
            Flavour::Clang => &clang::TABLE,
            Flavour::Cray => &cray::TABLE,
        }
    }

    /// Which compiler gave this answer to the question for its version; `None` if it is none that
    /// we know.
    pub fn recognise(answer: &str) -> Option<Self> {
        ALL.into_iter().find(|f| (f.table().recognises)(answer))
    }

    /// Which compiler predefines these macros, as a preprocessor lists them (`-dM`); `None` if it
    /// does not compile UPC. Tells GNU's and Clang's compilers with UPC from those without,
    /// whatever name and version they were given.
    pub fn of_macros(listed: &str) -> Option<Self> {
        let defined = |name: &str| {
            listed.lines().any(|line| {
                let mut words = line.split_whitespace();
                words.next() == Some("#define") && words.next() == Some(name)
            })
        };
        if !defined("__UPC__") {
            None
        } else if defined("__BERKELEY_UPC__") {
            Some(Flavour::Berkeley)
        } else if defined("_CRAYC") {
            Some(Flavour::Cray)
        } else if defined("__clang__") {
            Some(Flavour::Clang)
        } else if defined("__GNUC__") {
            Some(Flavour::Gnu)
        } else {
            None
        }
    }

    /// The flavour with this [`Table::id`].
    pub fn from_id(id: &str) -> Option<Self> {
        ALL.into_iter().find(|f| f.table().id == id)
    }

    /// The command that starts `program` with `threads` threads.
    pub fn launch_command(
        self,
        program: &Path,
        threads: u32,
        arguments: &[OsString],
    ) -> Vec<OsString> {
        let mut command = Vec::new();
        match self.table().launch {
            Launch::Environment => command.push(program.into()),
            Launch::Launcher(launcher, options) => {
                command.push(launcher.into());
                command.extend(options.iter().map(OsString::from));
                command.push(threads.to_string().into());
                command.push(program.into());
            }
            Launch::Argument(option) => {
                command.push(program.into());
                command.push(option.into());
                command.push(threads.to_string().into());
            }
        }
        command.extend_from_slice(arguments);
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compilers_are_distinguished_by_their_answers() {
        use Flavour::*;
        for (answer, flavour) in [
            (
                "pgas-upcc 0.1.0, the embedded UPC compiler of pgastool",
                Some(Embedded),
            ),
            (
                "This is upcc (the Berkeley Unified Parallel C compiler), v. 2020.4.0",
                Some(Berkeley),
            ),
            // A site's wrapper says something first; the translator behind it is Clang's.
            (
                "loading upc/2022.10\nThis is upcc (the Berkeley Unified Parallel C compiler), v. \
                 2022.10.0\nUPC-to-C translator | Clang UPC-to-C (clang-upc2c), clang version 3.4",
                Some(Berkeley),
            ),
            (
                "gupc (GCC) 5.2.0 20150716 (GNU UPC 5.2.0-1)\nCopyright (C) 2015 Free Software \
                 Foundation, Inc.",
                Some(Gnu),
            ),
            ("upc (GCC) 4.2.3 (GCC UPC 4.2.3.5)", Some(Gnu)),
            (
                "clang version 3.8.1 (https://github.com/Intrepid/clang-upc)",
                Some(Clang),
            ),
            (
                "clang version 3.4.1 (UPC 3.4.1-1)\nTarget: x86_64-unknown-linux-gnu",
                Some(Clang),
            ),
            ("Cray C : Version 8.7.3  Tue Nov 20, 2018", Some(Cray)),
            (
                "Cray clang version 15.0.1  (0123456789abcdef)\nTarget: x86_64-unknown-linux-gnu",
                Some(Cray),
            ),
            // The compilers behind `cc` on a Cray, which are not its own.
            ("gcc (GCC) 10.3.0 20210408 (Cray Inc.)", None),
            ("cc (Debian 12.2.0-14) 12.2.0", None),
            // GCC says the name under which it was called.
            ("gupc (GCC) 12.2.0", None),
            ("Debian clang version 14.0.6", None),
            (
                "clang version 14.0.6\nTarget: x86_64-pc-linux-gnu\nInstalledDir: /opt/upc/bin",
                None,
            ),
            ("usage: upc [power monitor options]", None),
        ] {
            assert_eq!(Flavour::recognise(answer), flavour, "{answer}");
        }
    }

    #[test]
    fn compilers_are_distinguished_by_their_macros() {
        let of = |names: &[&str]| {
            let lines: Vec<String> = names.iter().map(|n| format!("#define {n} 1")).collect();
            Flavour::of_macros(&lines.join("\n"))
        };
        assert_eq!(of(&["__GNUC__", "__UPC__"]), Some(Flavour::Gnu));
        assert_eq!(
            of(&["__GNUC__", "__clang__", "__UPC__"]),
            Some(Flavour::Clang)
        );
        assert_eq!(
            of(&["__UPC__", "__BERKELEY_UPC__"]),
            Some(Flavour::Berkeley)
        );
        assert_eq!(of(&["__GNUC__", "__clang__"]), None);
        assert_eq!(of(&["__UPC__X", "__GNUC__"]), None);
    }

    #[test]
    fn ids_are_unique() {
        for flavour in ALL {
            assert_eq!(Flavour::from_id(flavour.table().id), Some(flavour));
        }
    }

    #[test]
    fn programs_are_started_in_each_runtimes_way() {
        let command = |f: Flavour| {
            f.launch_command(Path::new("./is"), 4, &["W".into()])
                .into_iter()
                .map(|a| a.into_string().unwrap())
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(command(Flavour::Embedded), "./is W");
        assert_eq!(command(Flavour::Berkeley), "upcrun -q -n 4 ./is W");
        assert_eq!(command(Flavour::Gnu), "./is -n 4 W");
    }
}
