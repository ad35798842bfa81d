//! The output of `--help`, and the manual page; both from the table of options.

use crate::options::OPTIONS;

const SUMMARY: &str = "Compiles UPC (.upc, .c, .i) for the embedded runtime, and links. It takes \
                       the command line of a C compiler, so that it can be CC in a Makefile, for \
                       configure, and for CMake.";

const OTHERS: &str = "All options of the C compiler behind it work too: -c -S -E -M* -o -D -U -I \
                      -include -L -l -O -g -std= -W -f -m -x -shared -static -pthread -fopenmp \
                      -fsyntax-only -Wl, -Wp, -Wa, -dumpmachine, @file and the rest. Options of \
                      Berkeley, GNU and Clang UPC that have nothing to choose here, such as \
                      -pthreads, are accepted and have no effect.";

/// Environment variables: names and what they are for.
const ENVIRONMENT: &[(&str, &str)] = &[
    (
        "PGAS_CC",
        "The C compiler to use; else cc, gcc or clang, whichever is found first.",
    ),
    (
        "PGAS_NETWORK",
        "The network, smp or mpi, where -network does not say it.",
    ),
    (
        "MPICC",
        "The compiler of the MPI for -network=mpi; else mpicc on the path. It calls the C compiler \
         of PGAS_CC.",
    ),
    (
        "PGAS_CACHE_DIR",
        "Directory for the headers and the library of the runtime, which are written there once; \
         else pgastool below XDG_CACHE_HOME or ~/.cache.",
    ),
    (
        "PGAS_THREADS",
        "For a compiled program: the number of threads.",
    ),
];

const EXAMPLES: &[(&str, &str)] = &[
    (
        "pgas-upcc -O2 -o prog prog.upc",
        "for any number of threads",
    ),
    ("PGAS_THREADS=4 ./prog", "runs it with four"),
    (
        "pgas-upcc -network=mpi -o prog prog.upc",
        "for several nodes",
    ),
    ("mpirun -n 4 ./prog", "runs it with four threads"),
    ("make CC=pgas-upcc", ""),
    ("./configure CC=pgas-upcc", ""),
    ("cmake -DCMAKE_C_COMPILER=pgas-upcc .", ""),
];

/// Width of the help on a terminal.
const WIDTH: usize = 100;
/// Where the explanation of an option begins.
const INDENT: usize = 28;

/// The help for a terminal.
pub fn text() -> String {
    let mut text = String::from("Usage: pgas-upcc [options] file...\n\n");
    text += &wrapped(SUMMARY, 0);
    text += "\n\nOptions:\n";
    let options = OPTIONS.iter().filter_map(|o| o.help);
    for (usage, what) in options {
        text += &entry(usage, what);
    }
    text += "\n";
    text += &wrapped(OTHERS, 0);
    text += "\n\nEnvironment:\n";
    for (name, what) in ENVIRONMENT {
        text += &entry(name, what);
    }
    text += "\nExamples:\n";
    for (command, what) in EXAMPLES {
        let line = format!("  {command:<40}{what}");
        text += line.trim_end();
        text += "\n";
    }
    text
}

fn entry(name: &str, what: &str) -> String {
    format!(
        "  {name:<width$}{}\n",
        wrapped(what, INDENT),
        width = INDENT - 2
    )
}

/// The text in lines of at most [`WIDTH`], those after the first indented.
fn wrapped(text: &str, indent: usize) -> String {
    let mut result = String::new();
    let mut column = indent;
    for word in text.split_whitespace() {
        if column > indent && column + 1 + word.len() > WIDTH {
            result.push('\n');
            result.push_str(&" ".repeat(indent));
            column = indent;
        } else if column > indent {
            result.push(' ');
            column += 1;
        }
        result.push_str(word);
        column += word.len();
    }
    result
}

/// The manual page, in the language of man(7).
pub fn man_page() -> String {
    let mut page = format!(
        ".TH PGAS-UPCC 1 \"\" \"pgastool {}\" \"User Commands\"\n",
        env!("CARGO_PKG_VERSION")
    );
    page += ".SH NAME\npgas\\-upcc \\- compiler for Unified Parallel C\n";
    page += ".SH SYNOPSIS\n.B pgas\\-upcc\n[\\fIoptions\\fR] \\fIfile\\fR...\n";
    page += &format!(".SH DESCRIPTION\n{}\n.SH OPTIONS\n", roff(SUMMARY));
    for (usage, what) in OPTIONS.iter().filter_map(|o| o.help) {
        page += &format!(".TP\n\\fB{}\\fR\n{}\n", roff(usage), roff(what));
    }
    page += &format!(".PP\n{}\n.SH ENVIRONMENT\n", roff(OTHERS));
    for (name, what) in ENVIRONMENT {
        page += &format!(".TP\n\\fB{}\\fR\n{}\n", roff(name), roff(what));
    }
    page += ".SH EXIT STATUS\n0 if all is done, 1 if not, as with other C compilers.\n.SH \
             EXAMPLES\n.nf\n";
    for (command, what) in EXAMPLES {
        page += &format!(
            "{}{}\n",
            roff(command),
            match what.is_empty() {
                true => String::new(),
                false => format!("    # {}", roff(what)),
            }
        );
    }
    page += ".fi\n.SH SEE ALSO\n.BR pgastool (1),\n.BR pgastool\\-compile (1)\n";
    page
}

/// Text that has no meaning for man(7).
fn roff(text: &str) -> String {
    let escaped = text.replace('\\', "\\e").replace('-', "\\-");
    match escaped.starts_with(['.', '\'']) {
        true => format!("\\&{escaped}"),
        false => escaped,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_explained_option_is_in_help_and_manual() {
        let (text, page) = (text(), man_page());
        for (usage, _) in OPTIONS.iter().filter_map(|o| o.help) {
            assert!(text.contains(usage), "{usage}");
            assert!(page.contains(&roff(usage)), "{usage}");
        }
        assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
        assert!(!page.contains("\n-"), "{page}");
    }
}
