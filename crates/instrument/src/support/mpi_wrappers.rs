//! Wrappers around MPI's functions: generated for those that the `mpi.h` at hand declares, and
//! compiled for programs of MPI, or for programs of another model that may call MPI, too.

use super::workshop::{Failed, Workshop};
use crate::model::command::LinkInputs;
use crate::mpi::declarations::{self, Header};
use crate::mpi::wrapping::{self, second_names_of};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Generated files.
const FOR_C: &str = "mpi_wrappers.c";
const FOR_FORTRAN: &str = "mpi_fortran_wrappers.c";
/// Left out of programs of other models, which have their own clock comparison and function hooks.
const OF_MPI_PROGRAMS: [&str; 2] = ["mpi_clocks.c", "mpi_functions.c"];
/// A program to try the wrappers with, and one that has what the other model defines for them.
const MAIN: &str = "int main(void) {\n  return 0;\n}\n";
const JOINED_MAIN: &str = "__thread void *pgas_call_recorder;\nint pgas_call_thread, \
                           pgas_call_threads;\nint main(void) {\n  return 0;\n}\n";
pub(super) const JOINED: &str = "-DPGAS_MPI_JOINED";
/// With it, exceptions of C++ that leave a call end it in the recording, too.
pub(super) const UNWINDING: &str = "-fexceptions";
/// Names of the objects, and of functions of C whose calls are not recorded, one a line.
pub(super) const OBJECTS: &str = "mpi_objects";
pub(super) const LEFT_OUT: &str = "mpi_left_out";
/// Functions of Fortran that have no wrapper here: symbols, one a line.
pub(super) const LEFT_OUT_OF_FORTRAN: &str = "mpi_left_out_of_fortran";
/// All of them.
pub(super) const LISTS: [&str; 3] = [OBJECTS, LEFT_OUT, LEFT_OUT_OF_FORTRAN];
/// A library lacks second names of functions in several versions; some linkers stop after a few
/// messages.
const MOST_ATTEMPTS: usize = 50;

/// Compiles and links with the compiler of the program, with these options of the command.
pub(super) struct Making<'a> {
    pub workshop: &'a Workshop<'a>,
    /// A command of the compiler with these words, as the program is compiled.
    pub run: &'a dyn Fn(&[OsString]) -> Result<(), Failed>,
    /// The same, for its answer.
    pub ask: &'a dyn Fn(&[OsString]) -> Result<String, Failed>,
    /// Flags of all wrappers.
    pub flags: &'a [&'a str],
    /// The tool's files, as they are.
    pub files: &'a [(&'a str, &'a str)],
    /// The recorder's library.
    pub recorder: &'a Path,
    /// Options of the linker without which the wrappers do not link.
    pub options: &'a [OsString],
    /// Another model begins and ends the recording.
    pub is_joined: bool,
}

impl Making<'_> {
    /// Makes the objects and the lists.
    pub(super) fn make(&self) -> Result<(), Failed> {
        let header = self.header()?;
        for &(name, text) in self.files {
            self.write(name, text)?;
        }
        let sources = self.sources();
        let fixed: Vec<&str> = sources.iter().copied().filter(|s| is_fixed(s)).collect();
        self.compile(&fixed)?;
        let objects: Vec<String> = sources.iter().map(|s| s.replace(".c", ".o")).collect();
        let mut missing = self.missing_in_fortran(&header);
        for _ in 0..MOST_ATTEMPTS {
            self.generate(&header, &missing)?;
            let Err(failed) = self.link(&objects) else {
                return self.note(&header, &missing, &objects);
            };
            let more = second_names(&failed.said);
            let before = missing.len();
            missing.extend(more);
            if missing.len() == before {
                return Err(failed);
            }
        }
        self.link(&objects)
    }

    /// The same for programs of another model, which are measured without wrappers of MPI where
    /// there is no MPI, or none that they can be made for.
    pub(super) fn make_if_possible(&self) -> Result<(), Failed> {
        let left_out = match self.header() {
            Err(_) => "",
            Ok(_) if self.make().is_ok() => return Ok(()),
            Ok(_) => "all of them\n",
        };
        self.write_list(OBJECTS, "")?;
        self.write_list(LEFT_OUT_OF_FORTRAN, "")?;
        self.write_list(LEFT_OUT, left_out)
    }

    fn header(&self) -> Result<Header, Failed> {
        let text = preprocessed(self.workshop, self.ask)?;
        Ok(declarations::read(&text))
    }

    fn sources(&self) -> Vec<&str> {
        let names = self.files.iter().map(|&(name, _)| name);
        let names = names.filter(|name| name.ends_with(".c"));
        let is_there = |name: &&str| !self.is_joined || !OF_MPI_PROGRAMS.contains(name);
        names.filter(is_there).chain([FOR_C, FOR_FORTRAN]).collect()
    }

    fn compile(&self, sources: &[&str]) -> Result<(), Failed> {
        let mut words = vec!["-std=gnu11", "-c", UNWINDING];
        words.extend_from_slice(self.flags);
        words.extend(self.is_joined.then_some(JOINED));
        for source in sources {
            // A driver for another language takes each file for that of which it is not told
            // otherwise.
            words.extend(["-x", "c", source]);
        }
        words.extend(["-x", "none"]);
        (self.run)(&words.into_iter().map(OsString::from).collect::<Vec<_>>())
    }

    fn generate(&self, header: &Header, missing: &BTreeSet<String>) -> Result<(), Failed> {
        self.write(FOR_C, &wrapping::for_c(&header.functions, missing))?;
        let fortran = wrapping::for_fortran(&header.functions, missing);
        self.write(FOR_FORTRAN, &fortran)?;
        self.compile(&[FOR_C, FOR_FORTRAN])
    }

    /// Links a program with the objects, by themselves.
    fn link(&self, objects: &[String]) -> Result<(), Failed> {
        let main = if self.is_joined { JOINED_MAIN } else { MAIN };
        self.write("mpi_main.c", main)?;
        let inputs = objects.iter().map(PathBuf::from).collect();
        let inputs = LinkInputs::new(inputs, self.options.to_vec(), self.recorder.to_path_buf());
        let words = ["-o", "mpi_main", "-x", "c", "mpi_main.c", "-x", "none"];
        let mut words = words.map(OsString::from).to_vec();
        words.extend(inputs.first);
        words.extend(inputs.last);
        (self.run)(&words)
    }

    /// Second names of all functions of a kind of Fortran's that this compiler does not link: most
    /// compilers of C link none.
    fn missing_in_fortran(&self, header: &Header) -> BTreeSet<String> {
        let all = wrapping::fortran_symbols(&header.functions, &BTreeSet::new());
        let mut names: BTreeSet<String> = all
            .iter()
            .flat_map(|symbol| second_names_of(symbol))
            .collect();
        for init in ["pmpi_init_", "pmpi_init_f08_", "pmpir_init_f08_"] {
            if self.links_function(init) {
                names.retain(|name| kind(name) != kind(init));
            }
        }
        names
    }

    fn links_function(&self, name: &str) -> bool {
        let text =
            format!("extern void {name}(void);\nint main(void) {{\n  {name}();\n  return 0;\n}}\n");
        let link = ["-o", "fortran", "-x", "c", "fortran.c", "-x", "none"];
        self.write("fortran.c", &text).is_ok() && (self.ask)(&link.map(OsString::from)).is_ok()
    }

    /// Functions that are not recorded are noted: calls of those go unseen.
    fn note(
        &self,
        header: &Header,
        missing: &BTreeSet<String>,
        objects: &[String],
    ) -> Result<(), Failed> {
        let lines = |names: &[String]| names.iter().map(|n| format!("{n}\n")).collect::<String>();
        let odd = header.not_understood.iter();
        let odd = odd.filter(|name| !wrapping::is_by_hand(name)).cloned();
        let unlinked = missing.iter().filter_map(|name| name.strip_prefix("PMPI_"));
        let unlinked = unlinked.map(|rest| format!("MPI_{rest}"));
        let left_out: Vec<String> = odd.chain(unlinked).collect();
        self.write_list(LEFT_OUT, &lines(&left_out))?;
        let of_fortran = self.without_wrapper(header, missing);
        self.write_list(LEFT_OUT_OF_FORTRAN, &lines(&of_fortran))?;
        self.write_list(OBJECTS, &lines(objects))
    }

    /// Functions of Fortran whose calls could be recorded, and are not.
    fn without_wrapper(&self, header: &Header, missing: &BTreeSet<String>) -> Vec<String> {
        let wrapped = wrapping::fortran_symbols(&header.functions, missing);
        let only_ask = |function: &str| {
            let line = format!("#define LEFT_OUT_{function}\n");
            let mut texts = self.files.iter().map(|(_, text)| text);
            !wrapping::is_by_hand(function) && texts.any(|text| text.contains(&line))
        };
        let all = wrapping::symbols_of_fortran(&header.functions).into_iter();
        let all = all.filter(|(function, symbol)| !only_ask(function) && !wrapped.contains(symbol));
        all.map(|(_, symbol)| symbol).collect()
    }

    /// An empty file would be taken for one that was not written to its end.
    fn write_list(&self, name: &str, lines: &str) -> Result<(), Failed> {
        self.write(name, &format!("{lines}\n"))
    }

    fn write(&self, name: &str, text: &str) -> Result<(), Failed> {
        self.workshop.write_text(name, text)
    }
}

fn is_fixed(source: &str) -> bool {
    source != FOR_C && source != FOR_FORTRAN
}

/// Second names of a kind are there all or not at all: whether it is MPICH's, and of `use mpi_f08`.
fn kind(second_name: &str) -> (bool, bool) {
    (
        second_name.starts_with("pmpir_"),
        second_name.contains("_f08"),
    )
}

/// The header's text, from the compiler that answers in the workshop.
pub(super) fn preprocessed(
    workshop: &Workshop,
    ask: &dyn Fn(&[OsString]) -> Result<String, Failed>,
) -> Result<String, Failed> {
    workshop.write_text("declared_mpi.c", "#include <mpi.h>\n")?;
    let question = ["-x", "c", "-E", "declared_mpi.c", "-x", "none"];
    ask(&question.map(OsString::from))
}

/// Second names of MPI's functions in a text, such as a linker's messages.
pub(super) fn second_names(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let is_second = |word: &&str| {
        ["PMPI_", "pmpi_", "pmpir_"]
            .iter()
            .any(|start| word.starts_with(start))
    };
    let names = words.filter(is_second);
    names.map(String::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn second_names_are_found_in_messages() {
        let said = "ld: a.o: undefined reference to `PMPI_Send_c'\nundefined symbol: \
                    pmpi_send_f08_, MPI_Recv, pmpir_send_f08ts_";
        let expected = ["PMPI_Send_c", "pmpi_send_f08_", "pmpir_send_f08ts_"].map(String::from);
        assert_eq!(second_names(said), expected.into());
    }
}
