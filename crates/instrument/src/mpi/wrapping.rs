//! Generates C functions that take the place of MPI's: each reports the call as `mpi_table.h` says,
//! and calls the one of MPI's that has a second name. Functions for Fortran do the same with
//! arguments by reference and handles that are numbers.

use super::declarations::{Declaration, Parameter};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The generated code changes with it.
pub const GENERATOR: &str = include_str!("wrapping.rs");

/// Endings of a function's symbols in Fortran: `mpi_send_` of `mpif.h` and `use mpi`, `mpi_send_f08_`
/// of `use mpi_f08`.
const FORTRAN: [&str; 2] = ["_", NEW];
const NEW: &str = "_f08_";
/// That of functions that give memory to a `type(c_ptr)` in `use mpi`.
const POINTER: &str = "_cptr_";
/// That of functions with buffers in MPICH's `use mpi_f08`, which arrive as array descriptors.
const DESCRIBED: &str = "_f08ts_";
/// Follows the ending of `use mpi_f08` where counts are large.
const LARGE: &str = "large_";
const WITH_POINTER: [&str; 4] = [
    "MPI_Alloc_mem",
    "MPI_Win_allocate",
    "MPI_Win_allocate_shared",
    "MPI_Win_shared_query",
];
/// Functions by which programs begin and end: their wrappers are written by hand.
const OF_PROGRAMS: [&str; 5] = [
    "MPI_Abort",
    "MPI_Finalize",
    "MPI_Init",
    "MPI_Init_thread",
    "MPI_Pcontrol",
];

/// Whether a function has a wrapper that is written by hand.
pub fn is_by_hand(name: &str) -> bool {
    OF_PROGRAMS.contains(&name)
}

/// The function whose row of the table counts: large counts make no difference.
fn row(name: &str) -> &str {
    name.strip_suffix("_c").unwrap_or(name)
}

/// Arguments `a1, a2, ...`, which begin with these letters.
fn arguments(letter: char, count: usize) -> String {
    let numbers = (1..=count).map(|number| format!("{letter}{number}"));
    numbers.collect::<Vec<_>>().join(", ")
}

/// Wrappers for C, but for functions whose second names are `missing`.
pub fn for_c(functions: &[Declaration], missing: &BTreeSet<String>) -> String {
    let mut text = "#include \"mpi_table.h\"\n#define TYPE_AT(types, at) (types)[at]\n".to_string();
    let there = |function: &&Declaration| !missing.contains(&format!("P{}", function.name));
    for function in functions.iter().filter(there) {
        if !is_by_hand(&function.name) {
            c_wrapper(&mut text, function);
        }
    }
    text
}

fn c_wrapper(text: &mut String, function: &Declaration) {
    let name = &function.name;
    let all = function.parameters.iter().zip(1..);
    let parameters = all.map(|(p, number)| format!("{} a{number}{}", p.before, p.after));
    let parameters = match parameters.collect::<Vec<_>>().join(", ") {
        none if none.is_empty() => "void".to_string(),
        some => some,
    };
    let arguments = arguments('a', function.parameters.len());
    let row = row(name);
    let _ = write!(
        text,
        "\n#ifndef LEFT_OUT_{row}\n\
         extern int real_{name}({parameters}) __asm__(\"P{name}\");\n\
         extern int wrapper_{name}({parameters}) __asm__(\"{name}\");\n\
         int wrapper_{name}({parameters}) {{\n  \
         struct pgas_mpi_call call LEFT_IN_ANY_WAY = NEW_CALL(\"{name}\");\n  \
         if (!begin_call(&call)) return real_{name}({arguments});\n\
         {enter}  int result = real_{name}({arguments});\n\
         {exit}  end_call(&call);\n  return result;\n}}\n#endif\n",
        enter = choice("ENTER", row, &arguments, "pgas_mpi_enter_plain(&call);"),
        exit = choice("EXIT", row, &arguments, "pgas_mpi_exit(&call);"),
    );
}

/// The row's text, or this one if there is none.
fn choice(kind: &str, row: &str, arguments: &str, otherwise: &str) -> String {
    format!("#ifdef {kind}_{row}\n  {kind}_{row}({arguments})\n#else\n  {otherwise}\n#endif\n")
}

/// Wrappers for Fortran, but for functions whose second names are `missing`.
pub fn for_fortran(functions: &[Declaration], missing: &BTreeSet<String>) -> String {
    let mut text = "#include \"mpi_fortran.h\"\n".to_string();
    for name in OF_PROGRAMS {
        for (symbol, second) in with_second_names(name, false, missing) {
            let _ = writeln!(text, "FORTRAN_{name}({symbol}, \"{symbol}\", \"{second}\")");
        }
    }
    for function in functions
        .iter()
        .filter(|function| !is_by_hand(&function.name))
    {
        let symbols = with_second_names(&function.name, has_buffers(function), missing);
        if !symbols.is_empty() {
            fortran_body(&mut text, function);
        }
        for (symbol, second) in symbols {
            fortran_wrapper(&mut text, function, &symbol, &second);
        }
    }
    text
}

/// Symbols of the functions that [`for_fortran`] makes wrappers for.
pub fn fortran_symbols(functions: &[Declaration], missing: &BTreeSet<String>) -> Vec<String> {
    let generated = functions
        .iter()
        .filter(|function| !is_by_hand(&function.name));
    let possible =
        generated.flat_map(|function| possible_symbols(&function.name, has_buffers(function)));
    let of_programs = OF_PROGRAMS
        .iter()
        .flat_map(|name| possible_symbols(name, false));
    let is_there = |symbol: &String| second_name(symbol, missing).is_some();
    of_programs.chain(possible).filter(is_there).collect()
}

/// All symbols by which Fortran may call these functions, each after the function's name, whether or
/// not there can be a wrapper.
pub fn symbols_of_fortran(functions: &[Declaration]) -> Vec<(String, String)> {
    let declared = functions
        .iter()
        .filter(|function| !is_by_hand(&function.name));
    let declared = declared.map(|function| (&*function.name, has_buffers(function)));
    let all = OF_PROGRAMS
        .map(|name| (name, false))
        .into_iter()
        .chain(declared);
    let of = |(name, has_buffers)| {
        possible_symbols(name, has_buffers)
            .into_iter()
            .map(move |symbol| (row(name).to_string(), symbol))
    };
    all.flat_map(of).collect()
}

/// Symbols of a function in Fortran that a library may have.
fn possible_symbols(name: &str, has_buffers: bool) -> Vec<String> {
    let described = has_buffers.then_some(DESCRIBED);
    let endings: Vec<String> = if row(name) == name {
        let pointer = WITH_POINTER.contains(&name).then_some(POINTER);
        let endings = FORTRAN.into_iter().chain(pointer).chain(described);
        endings.map(String::from).collect()
    } else {
        let endings = [NEW].into_iter().chain(described);
        endings.map(|ending| format!("{ending}{LARGE}")).collect()
    };
    let name = row(name).to_lowercase();
    endings
        .iter()
        .map(|ending| format!("{name}{ending}"))
        .collect()
}

/// Names by which libraries may have the function of a symbol a second time: `pmpi_send_f08_` of Open
/// MPI, `pmpir_send_f08ts_` of MPICH.
pub fn second_names_of(symbol: &str) -> Vec<String> {
    let of_mpich = symbol.replacen("mpi_", "pmpir_", 1);
    let usual = format!("p{symbol}");
    if symbol.ends_with(DESCRIBED) || symbol.ends_with(LARGE) {
        vec![of_mpich]
    } else if symbol.ends_with(NEW) {
        vec![usual, of_mpich]
    } else {
        vec![usual]
    }
}

/// Symbols of a function that the library has under second names, and those.
fn with_second_names(
    name: &str,
    has_buffers: bool,
    missing: &BTreeSet<String>,
) -> Vec<(String, String)> {
    let symbols = possible_symbols(name, has_buffers).into_iter();
    let with_second = |symbol: String| second_name(&symbol, missing).map(|second| (symbol, second));
    symbols.filter_map(with_second).collect()
}

/// The one that the library has.
fn second_name(symbol: &str, missing: &BTreeSet<String>) -> Option<String> {
    let mut names = second_names_of(symbol).into_iter();
    names.find(|name| !missing.contains(name))
}

/// Whether arguments may be buffers, or else attributes, of any type.
fn has_buffers(function: &Declaration) -> bool {
    function.parameters.iter().any(is_buffer)
}

fn is_buffer(parameter: &Parameter) -> bool {
    base(parameter) == "void" && stars(parameter) == 1
}

/// How many times the type is "pointer to".
fn stars(parameter: &Parameter) -> usize {
    let arrays = parameter.after.matches('[').count();
    parameter.before.matches('*').count() + arrays
}

fn is_string(parameter: &Parameter) -> bool {
    parameter.before.contains("char")
}

/// The common part of all wrappers of a function in Fortran, whatever its symbol: `real` is the
/// library's.
fn fortran_body(text: &mut String, function: &Declaration) {
    let name = &function.name;
    let row = row(name);
    let (types, passed) = fortran_parameters(function);
    let converted = arguments('c', function.parameters.len());
    let numbered = || function.parameters.iter().zip(1..);
    let before: String = numbered().map(|(p, n)| conversion(p, n)).collect();
    let after: String = numbered().map(|(p, n)| conversion_back(p, n)).collect();
    let _ = write!(
        text,
        "\n#ifndef LEFT_OUT_{row}\n\
         static void body_{name}(void (*real)({types}), const void *caller,\n    \
         void *(*buffer_of)(void *), {types}) {{\n  \
         struct pgas_mpi_call call LEFT_IN_ANY_WAY = CALL_FROM(\"{row}\", caller);\n  \
         if (!begin_call(&call)) {{\n    real({passed});\n    return;\n  }}\n\
         #ifdef ENTER_{row}\n{before}  ENTER_{row}({converted})\n#else\n  \
         pgas_mpi_enter_plain(&call);\n#endif\n  real({passed});\n\
         #ifdef EXIT_{row}\n  int result = error ? *error : MPI_SUCCESS;\n{after}  \
         EXIT_{row}({converted})\n#else\n  pgas_mpi_exit(&call);\n#endif\n  \
         end_call(&call);\n}}\n#endif\n",
    );
}

fn fortran_wrapper(text: &mut String, function: &Declaration, symbol: &str, second: &str) {
    let name = &function.name;
    let row = row(name);
    let buffer = if symbol.contains(DESCRIBED) {
        "described_buffer"
    } else {
        "plain_buffer"
    };
    let (types, passed) = fortran_parameters(function);
    let _ = write!(
        text,
        "#ifndef LEFT_OUT_{row}\n\
         extern void real_{symbol}({types}) __asm__(\"{second}\");\n\
         extern void wrapper_{symbol}({types}) __asm__(\"{symbol}\");\n\
         void wrapper_{symbol}({types}) {{\n  \
         body_{name}(real_{symbol}, __builtin_return_address(0), {buffer}, {passed});\n}}\n#endif\n",
    );
}

/// Parameters of a function in Fortran, and the same as arguments: after those of C the error, then
/// the lengths of strings.
fn fortran_parameters(function: &Declaration) -> (String, String) {
    let count = function.parameters.len();
    let lengths = function.parameters.iter().filter(|p| is_string(p)).count();
    let mut types: Vec<String> = (1..=count).map(|n| format!("void *a{n}")).collect();
    types.push("MPI_Fint *error".to_string());
    types.extend((1..=lengths).map(|n| format!("size_t l{n}")));
    let mut passed: Vec<String> = (1..=count).map(|n| format!("a{n}")).collect();
    passed.push("error".to_string());
    passed.extend((1..=lengths).map(|n| format!("l{n}")));
    (types.join(", "), passed.join(", "))
}

/// The type without what is said of its use, `MPI_Comm`.
fn base(parameter: &Parameter) -> String {
    let words = parameter.before.split_whitespace();
    let words = words.filter(|word| !matches!(*word, "const" | "*" | "struct"));
    words.collect::<Vec<_>>().join(" ")
}

/// The function that makes a handle of Fortran's number.
fn handle(base: &str) -> Option<String> {
    let kind = match base {
        "MPI_Datatype" => "Type",
        "MPI_Comm" | "MPI_Group" | "MPI_Win" | "MPI_Op" | "MPI_Request" | "MPI_File"
        | "MPI_Info" | "MPI_Errhandler" | "MPI_Message" => &base["MPI_".len()..],
        _ => return None,
    };
    Some(format!("PMPI_{kind}_f2c"))
}

/// Whether it is one handle that the table may look at, rather than several.
fn is_handle_by_reference(parameter: &Parameter) -> bool {
    let base = base(parameter);
    parameter.after.is_empty() && stars(parameter) == 1 && matches!(&*base, "MPI_Comm" | "MPI_Win")
}

/// Argument `aN` of Fortran as `cN` of C, for the table.
fn conversion(parameter: &Parameter, n: usize) -> String {
    let base = base(parameter);
    let function = handle(&base);
    match (stars(parameter), function) {
        (0, Some(function)) => format!("  {base} c{n} = {function}(*(MPI_Fint *)a{n});\n"),
        (0, None) if base == "int" => format!("  MPI_Fint c{n} = *(MPI_Fint *)a{n};\n"),
        (0, None) if base.starts_with("MPI_") && !base.ends_with("_function") => {
            format!("  {base} c{n} = *({base} *)a{n};\n")
        }
        (1, Some(function)) if is_handle_by_reference(parameter) => {
            format!("  {base} v{n} = {function}(*(MPI_Fint *)a{n});\n  {base} *c{n} = &v{n};\n")
        }
        (1, None) if base == "MPI_Status" && parameter.after.is_empty() => format!(
            "  MPI_Fint own{n}[STATUS_WORDS];\n  MPI_Status v{n}, *c{n} = &v{n};\n  \
             if (is_ignored(a{n})) a{n} = own{n};\n"
        ),
        (1, None) if is_buffer(parameter) => format!("  void *c{n} = buffer_of(a{n});\n"),
        (1, None) if matches!(&*base, "MPI_Aint" | "MPI_Count" | "MPI_Offset") => {
            format!("  {base} *c{n} = a{n};\n")
        }
        _ => format!("  MPI_Fint *c{n} = a{n};\n"),
    }
}

/// Variables that the call has set.
fn conversion_back(parameter: &Parameter, n: usize) -> String {
    let base = base(parameter);
    if base == "MPI_Status" && stars(parameter) == 1 && parameter.after.is_empty() {
        return format!("  PMPI_Status_f2c(a{n}, c{n});\n");
    }
    match handle(&base) {
        Some(function) if is_handle_by_reference(parameter) => {
            format!("  v{n} = {function}(*(MPI_Fint *)a{n});\n")
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mpi::declarations;

    fn functions(text: &str) -> Vec<Declaration> {
        declarations::read(text).functions
    }

    #[test]
    fn a_function_calls_the_one_of_its_second_name() {
        let send = functions("int MPI_Send_c(const void *buf, MPI_Count n);");
        let text = for_c(&send, &BTreeSet::new());
        for part in [
            "int wrapper_MPI_Send_c(const void * a1, MPI_Count a2) {",
            "__asm__(\"PMPI_Send_c\")",
            "ENTER_MPI_Send(a1, a2)",
            "return real_MPI_Send_c(a1, a2);",
        ] {
            assert!(text.contains(part), "{text}");
        }
        let missing = BTreeSet::from(["PMPI_Send_c".to_string()]);
        assert!(!for_c(&send, &missing).contains("MPI_Send_c"));
    }

    #[test]
    fn arguments_of_fortran_are_converted_for_the_table() {
        let all = functions(
            "int MPI_Recv(void *buf, int count, MPI_Datatype type, MPI_Comm comm, MPI_Status *s);\
             int MPI_Info_get(MPI_Info info, const char *key, int length, char *value, int *flag);",
        );
        let text = for_fortran(&all, &BTreeSet::new());
        for part in [
            "__asm__(\"mpi_recv_f08_\")",
            "MPI_Datatype c3 = PMPI_Type_f2c(*(MPI_Fint *)a3);",
            "if (is_ignored(a5)) a5 = own5;",
            "PMPI_Status_f2c(a5, c5);",
            "real(a1, a2, a3, a4, a5, error, l1, l2);",
            "FORTRAN_MPI_Init(mpi_init_, \"mpi_init_\", \"pmpi_init_\")",
        ] {
            assert!(text.contains(part), "no {part} in {text}");
        }
        let missing = BTreeSet::from(["pmpi_recv_".to_string()]);
        let text = for_fortran(&all, &missing);
        assert!(!text.contains("\"mpi_recv_\"") && text.contains("\"mpi_recv_f08_\""));
    }

    /// The length of each follows the error, as for a single string.
    #[test]
    fn lists_of_strings_are_passed_on() {
        let spawn = functions("int MPI_Comm_spawn(const char *command, char *argv[], int n);");
        let text = for_fortran(&spawn, &BTreeSet::new());
        assert!(text.contains("real(a1, a2, a3, error, l1, l2);"), "{text}");
        assert!(for_c(&spawn, &BTreeSet::new()).contains("char * a2[]"));
    }
}
