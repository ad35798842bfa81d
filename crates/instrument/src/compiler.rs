//! Compilers on this machine: where they are and what they are. A compiler is recognised by its
//! answer to the question for its version, or by what it predefines for UPC, never by its file
//! name, since sites call their compilers as they like.

use crate::flavour::Flavour;
use crate::program::instrumented_word;
use pgas_base::helper;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Names under which UPC compilers of sites are looked for.
const USUAL_NAMES: [&str; 4] = ["upcc", "gupc", "clang-upc", "upc"];

/// A UPC compiler that said what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compiler {
    /// Its executable.
    pub path: PathBuf,
    /// Which implementation of UPC.
    pub flavour: Flavour,
    /// The line of its answer that says what it is.
    pub version: String,
}

/// Which compiler a user asks for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Choice {
    /// `$PGAS_UPCC`, else the site's UPC compiler on the search path, else the embedded one.
    #[default]
    Auto,
    /// The one that belongs to this tool.
    Embedded,
    /// This one; a name without a directory is looked up on the search path.
    Named(PathBuf),
}

impl Choice {
    /// `auto`, `embedded`, or a compiler's name.
    pub fn parse(text: &OsStr) -> Self {
        match text.to_str() {
            Some("auto") => Choice::Auto,
            Some("embedded") => Choice::Embedded,
            _ => Choice::Named(text.into()),
        }
    }
}

/// Why there is no compiler to work with.
#[derive(Debug, thiserror::Error)]
pub enum CompilerError {
    /// There is no such program.
    #[error("there is no compiler `{name}`: {reason}")]
    NotFound {
        /// As it was given.
        name: String,
        /// From the search.
        reason: String,
    },
    /// It could not be run, or did not answer.
    #[error("`{}` cannot be asked for its version: {reason}", path.display())]
    NoAnswer {
        /// The program that was run.
        path: PathBuf,
        /// The cause.
        reason: String,
    },
    /// It is something else.
    #[error(
        "`{}` is not a UPC compiler that pgastool knows (Berkeley UPC, GNU UPC, Clang UPC, or its own pgas-upcc); asked \
         for its version, it said: {answer}", path.display()
    )]
    Unknown {
        /// The program that was run.
        path: PathBuf,
        /// The first line that it printed.
        answer: String,
    },
    /// The embedded compiler's executable is missing.
    #[error(
        "the embedded compiler `pgas-upcc` is not in {}: build it with `cargo build --release --workspace`, or install \
         pgastool again with `scripts/install`", directory.display()
    )]
    NoEmbedded {
        /// Where it should be.
        directory: PathBuf,
    },
}

impl Compiler {
    /// Runs the program at `path` and recognises it by what it says.
    ///
    /// # Errors
    /// If it cannot be run, does not answer in time, or is no UPC compiler that we know.
    pub fn ask(path: &Path) -> Result<Self, CompilerError> {
        let mut first_answer = None;
        // GNU's and Clang's way, Berkeley's, Cray's.
        for question in ["--version", "-version", "-V"] {
            let answer = ask(path, &[question])?;
            let mut lines = answer.lines().map(str::trim).filter(|l| !l.is_empty());
            let first_line = lines.clone().next().unwrap_or("").to_string();
            if let Some(flavour) = Flavour::recognise(&answer) {
                // A site's wrapper may have said something of its own first.
                let telling = lines.find(|line| Flavour::recognise(line) == Some(flavour));
                return Ok(Self {
                    path: path.to_path_buf(),
                    flavour,
                    version: telling.map_or(first_line, String::from),
                });
            }
            if !first_line.is_empty() {
                first_answer.get_or_insert(first_line);
            }
            // One that packagers gave a version of their own may know UPC all the same.
            let lists_macros =
                answer.contains("clang version") || answer.contains("Free Software Foundation");
            if lists_macros {
                let macros = ask(path, &["-x", "upc", "-E", "-dM", "/dev/null"])?;
                if let Some(flavour) = Flavour::of_macros(&macros) {
                    return Ok(Self {
                        path: path.to_path_buf(),
                        flavour,
                        version: first_answer.unwrap_or_default(),
                    });
                }
                break;
            }
        }
        Err(CompilerError::Unknown {
            path: path.to_path_buf(),
            answer: first_answer.unwrap_or_else(|| "nothing".to_string()),
        })
    }

    /// The compiler for a [`Choice`]. `tool_directory` is where this tool's executables are.
    ///
    /// # Errors
    /// As [`Compiler::ask`]; with [`Choice::Auto`] only `$PGAS_UPCC` must be usable if it is set,
    /// since what else is found under a usual name may be another program.
    pub fn choose(choice: &Choice, tool_directory: &Path) -> Result<Self, CompilerError> {
        match choice {
            Choice::Embedded => Self::embedded(tool_directory),
            Choice::Named(name) => Self::ask(&locate(name)?),
            Choice::Auto => {
                if let Some(named) = std::env::var_os("PGAS_UPCC").filter(|v| !v.is_empty()) {
                    return match Choice::parse(&named) {
                        Choice::Named(name) => Self::ask(&locate(&name)?),
                        Choice::Embedded => Self::embedded(tool_directory),
                        Choice::Auto => Self::of_site(tool_directory),
                    };
                }
                Self::of_site(tool_directory)
            }
        }
    }

    /// UPC compilers on the search path, under the names that they usually have, each asked when it
    /// is its turn.
    pub fn on_path() -> impl Iterator<Item = Self> {
        USUAL_NAMES
            .iter()
            .filter_map(|name| which::which(name).ok())
            .filter_map(|path| Self::ask(&path).ok())
    }

    /// The compiler that belongs to this tool.
    ///
    /// # Errors
    /// If its executable is missing or broken.
    pub fn embedded(tool_directory: &Path) -> Result<Self, CompilerError> {
        let path = tool_directory.join("pgas-upcc");
        if path.is_file() {
            Self::ask(&path)
        } else {
            Err(CompilerError::NoEmbedded {
                directory: tool_directory.to_path_buf(),
            })
        }
    }

    /// The note that a program of this compiler carries, for a fixed number of threads or any.
    pub(crate) fn note(&self, threads: Option<u32>, instrumented: bool) -> String {
        let id = self.flavour.table().id;
        let threads = threads.map_or("dynamic".to_string(), |n| n.to_string());
        let instrumented = instrumented_word(instrumented);
        format!("compiler={id};threads={threads};{instrumented}")
    }

    fn of_site(tool_directory: &Path) -> Result<Self, CompilerError> {
        match Self::on_path().next() {
            Some(compiler) => Ok(compiler),
            None => Self::embedded(tool_directory),
        }
    }
}

/// Endings of files that compilers take, which no compiler has.
const INPUTS: [&str; 24] = [
    "upc", "c", "i", "h", "C", "cc", "cp", "cpp", "cxx", "CPP", "c++", "ii", "s", "S", "o", "a",
    "so", "f", "F", "f90", "F90", "f03", "f08", "for",
];

/// The compiler that a command begins with, if it begins with one: its executable, as an absolute
/// path, and the rest of the command. Options and files that compilers take are none.
pub fn named_first(command: &[OsString]) -> Option<(PathBuf, &[OsString])> {
    let (first, rest) = command.split_first()?;
    let is_option = first.as_encoded_bytes().starts_with(b"-");
    let ending = Path::new(first).extension().and_then(OsStr::to_str);
    if is_option || ending.is_some_and(|ending| INPUTS.contains(&ending)) {
        return None;
    }
    let found = which::which(first).ok()?;
    Some((std::path::absolute(&found).unwrap_or(found), rest))
}

/// The C compiler that compiles what is C: `$PGAS_CC`, else `cc`, `gcc` or `clang` on the search
/// path.
///
/// # Errors
/// If there is none; the message says how to get one.
pub fn c_compiler() -> Result<PathBuf, NoCCompiler> {
    if let Some(named) = std::env::var_os("PGAS_CC").filter(|v| !v.is_empty()) {
        return which::which(&named).map_err(|_| NoCCompiler {
            looked_for: format!("`{}` (from PGAS_CC)", named.to_string_lossy()),
        });
    }
    ["cc", "gcc", "clang"]
        .iter()
        .find_map(|name| which::which(name).ok())
        .ok_or_else(|| NoCCompiler {
            looked_for: "`cc`, `gcc` or `clang` on PATH".to_string(),
        })
}

/// There is no C compiler.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "no C compiler: looked for {looked_for}; install one (Debian, Ubuntu: `apt install gcc \
     libc6-dev`; Fedora: `dnf install gcc`) or name one in PGAS_CC"
)]
pub struct NoCCompiler {
    looked_for: String,
}

fn locate(name: &Path) -> Result<PathBuf, CompilerError> {
    which::which(name).map_err(|error| CompilerError::NotFound {
        name: name.display().to_string(),
        reason: error.to_string(),
    })
}

/// Output of `path question`, on either stream, whatever its exit status.
fn ask(path: &Path, question: &[&str]) -> Result<String, CompilerError> {
    let no_answer = |reason: String| CompilerError::NoAnswer {
        path: path.to_path_buf(),
        reason,
    };
    let output = helper::output(Command::new(path).args(question), helper::QUESTION);
    let output = output.map_err(|error| match error.kind() {
        io::ErrorKind::TimedOut => no_answer(format!(
            "`{}` was not answered within {} seconds",
            question.join(" "),
            helper::QUESTION.as_secs()
        )),
        _ => no_answer(error.to_string()),
    })?;
    let text = [output.stdout, b"\n".to_vec(), output.stderr].concat();
    Ok(String::from_utf8_lossy(&text).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_may_begin_with_a_compiler() {
        let of = |line: &str| {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            named_first(&words).map(|(path, rest)| (path, rest.to_vec()))
        };
        let (path, rest) = of("sh -c a.c").unwrap();
        assert!(path.is_absolute() && path.ends_with("sh"));
        assert_eq!(rest, ["-c", "a.c"]);
        for line in [
            "-O2 sh",
            "a.c sh",
            "no-such-compiler a.c",
            "@sh",
            "libx.a a.c",
        ] {
            assert_eq!(of(line), None, "{line}");
        }
    }
}
