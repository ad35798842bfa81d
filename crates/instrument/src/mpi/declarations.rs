//! Functions that a preprocessed `mpi.h` declares, with their parameters.

/// One function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declaration {
    /// `MPI_Send`
    pub name: String,
    /// In order; their names play no part.
    pub parameters: Vec<Parameter>,
}

/// A parameter: its type around its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// `const void *`
    pub before: String,
    /// `[]`, `[][3]`, or nothing.
    pub after: String,
}

/// All that a header declares.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Header {
    /// Functions that return a status, as all do that communicate.
    pub functions: Vec<Declaration>,
    /// Names of those whose parameters are not understood.
    pub not_understood: Vec<String>,
}

/// Words that are no names of parameters: the last word of a type.
const TYPES: [&str; 9] = [
    "char", "double", "float", "int", "long", "short", "signed", "unsigned", "void",
];

/// Reads a preprocessed header.
pub fn read(preprocessed: &str) -> Header {
    let lines = preprocessed.lines();
    let text: Vec<&str> = lines.filter(|l| !l.trim_start().starts_with('#')).collect();
    let text = text.join(" ");
    let mut header = Header::default();
    for statement in text.split([';', '{', '}']) {
        let statement = without_attributes(statement);
        let Some((name, parameters)) = function(&statement) else {
            continue;
        };
        match parameters.iter().map(|text| parameter(text)).collect() {
            Some(parameters) => header.functions.push(Declaration { name, parameters }),
            None => header.not_understood.push(name),
        }
    }
    header.functions.sort_by(|a, b| a.name.cmp(&b.name));
    header.functions.dedup_by(|a, b| a.name == b.name);
    header
}

/// The statement without `__attribute__((...))` and the like.
fn without_attributes(statement: &str) -> String {
    const WITH_ARGUMENTS: [&str; 5] = [
        "__attribute__",
        "__attribute",
        "__asm__",
        "__asm",
        "_Pragma",
    ];
    let mut text = statement.to_string();
    for word in WITH_ARGUMENTS {
        while let Some(at) = text.find(word) {
            let rest = &text[at + word.len()..];
            let end = closing(rest).map_or(text.len(), |end| at + word.len() + end + 1);
            text.replace_range(at..end, " ");
        }
    }
    text
}

/// Where the first parenthesis of a text closes.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' if depth == 1 => return Some(at),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Name and texts of the parameters of a declaration like `extern int MPI_Send(...)`. Functions for
/// tools (`MPI_T_...`) are none of programs, and conversions between languages no calls of MPI's.
fn function(statement: &str) -> Option<(String, Vec<String>)> {
    let open = statement.find('(')?;
    let mut words: Vec<&str> = statement[..open].split_whitespace().collect();
    let name = words.pop()?;
    let is_of_mpi = name.starts_with("MPI_") && !name.starts_with("MPI_T_");
    words.retain(|word| *word != "extern");
    let converts = ["f2c", "c2f", "f08"].iter().any(|part| name.contains(part));
    if !is_of_mpi || converts || words != ["int"] {
        return None;
    }
    let rest = &statement[open..];
    let inside = &rest[1..closing(rest)?];
    if matches!(inside.trim(), "" | "void") {
        return Some((name.to_string(), Vec::new()));
    }
    let mut depth = 0;
    let parts = inside.split(|letter| {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        letter == ',' && depth == 0
    });
    Some((name.to_string(), parts.map(String::from).collect()))
}

/// A parameter's type; `None` if that is a function's, or there is any number of parameters.
fn parameter(text: &str) -> Option<Parameter> {
    if text.contains(['(', '.']) {
        return None;
    }
    let (first, after) = match text.find('[') {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    let spaced = first.replace('*', " * ");
    let mut words: Vec<&str> = spaced.split_whitespace().collect();
    words.retain(|word| !matches!(*word, "restrict" | "__restrict" | "__restrict__"));
    let is_word = |word: &&str| !matches!(*word, "const" | "volatile" | "struct");
    let types = words.iter().copied().filter(is_word).count();
    let last = words.last()?;
    let is_name = types > 1 && *last != "*" && !TYPES.contains(last);
    if is_name {
        words.pop();
    }
    Some(Parameter {
        before: words.join(" "),
        after: after.split_whitespace().collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(header: &Header) -> Vec<String> {
        let functions = header.functions.iter();
        let shown = functions.map(|function| {
            let parameters = function.parameters.iter();
            let parameters = parameters.map(|p| format!("{} @{}", p.before, p.after));
            format!(
                "{}: {}",
                function.name,
                parameters.collect::<Vec<_>>().join(", ")
            )
        });
        shown.collect()
    }

    #[test]
    fn functions_are_found_whatever_stands_around_them() {
        let header = read(
            "# 1 \"mpi.h\"\ntypedef int MPI_Datatype;\ntypedef int (MPI_Copy_function)(int a);\n\
             __attribute__((visibility(\"default\"))) int MPI_Send(const void *buf, int count,\n  \
             MPI_Datatype datatype, int to, int tag, MPI_Comm comm);\n\
             int MPI_Send(const void *, int, MPI_Datatype, int, int, MPI_Comm) \
             __attribute__((__pointer_with_type_tag__(mpi,1,3)));\n\
             extern int MPI_Barrier (MPI_Comm);\nint MPI_Finalize(void);\n\
             double MPI_Wtime(void);\nint PMPI_Barrier(MPI_Comm comm);\nint MPI_T_init(int *p);\
             int MPI_Status_f2c(const int *f, MPI_Status *c);",
        );
        assert_eq!(
            shown(&header),
            [
                "MPI_Barrier: MPI_Comm @",
                "MPI_Finalize: ",
                "MPI_Send: const void * @, int @, MPI_Datatype @, int @, int @, MPI_Comm @",
            ]
        );
        assert!(header.not_understood.is_empty());
    }

    #[test]
    fn types_are_told_from_names() {
        let header = read(
            "int MPI_A(const int counts[], int ranges[][3], char ***argv, unsigned int, unsigned \
             flags, MPI_Status *restrict status, char *argv[]);",
        );
        assert_eq!(
            shown(&header),
            [
                "MPI_A: const int @[], int @[][3], char * * * @, unsigned int @, unsigned @, \
                 MPI_Status * @, char * @[]"
            ]
        );
    }

    #[test]
    fn a_declaration_that_is_not_understood_is_listed() {
        let header = read("int MPI_Odd(int (*f)(int), int a); int MPI_Pcontrol(const int l, ...);");
        assert!(header.functions.is_empty());
        assert_eq!(header.not_understood, ["MPI_Odd", "MPI_Pcontrol"]);
    }
}
