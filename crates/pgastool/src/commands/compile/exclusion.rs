//! Options by which GCC leaves functions and files out of what `-finstrument-functions` reports.
//!
//! GCC takes texts, and leaves out whatever has one of them within its name. So a text is used only
//! if all that it could mean is excluded, which the preprocessed source shows: a name of a function
//! in C that no other identifier there contains, a file or directory that is within the name of no
//! file that is to be recorded. The rest is left to the recorder.

use pgas_base::helper;
use pgas_filter::{Filter, file_names};
use pgas_instrument::model::ModelCompiler;
use pgas_instrument::model::command::{EXCLUDED_FILES, EXCLUDED_FUNCTIONS, excludes};
use pgas_instrument::response;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

/// Bytes of each of the two options at most; a command line has no room for much more.
const LONGEST: usize = 64 << 10;

/// The options for a command with these arguments.
pub(super) fn flags(
    compiler: &ModelCompiler,
    filter: &Filter,
    arguments: &[OsString],
) -> Vec<OsString> {
    if !excludes(compiler) || filter.is_empty() {
        return Vec::new();
    }
    let Some(text) = preprocessed(compiler, arguments) else {
        return Vec::new();
    };
    let source = Source::read(&text);
    let functions = list(EXCLUDED_FUNCTIONS, functions(&source, filter));
    functions
        .into_iter()
        .chain(list(EXCLUDED_FILES, files(&source, filter)))
        .collect()
}

/// The option with these texts, as many as there is room for.
fn list(option: &str, texts: BTreeSet<String>) -> Option<OsString> {
    let mut list = String::new();
    for text in texts {
        let text = text.replace(',', "\\,");
        if list.len() + text.len() < LONGEST {
            list += if list.is_empty() { "" } else { "," };
            list += &text;
        }
    }
    (!list.is_empty()).then(|| format!("{option}{list}").into())
}

/// The sources of a command after the preprocessor, with the macros that it has defined.
fn preprocessed(compiler: &ModelCompiler, arguments: &[OsString]) -> Option<String> {
    let arguments = response::expand(arguments.to_vec()).ok()?;
    let question = question(&arguments);
    // Fortran compilers preprocess on request only, which others do not understand.
    [None, Some("-cpp")].into_iter().find_map(|more| {
        let mut command = Command::new(&compiler.path);
        command.args(&question).args(more);
        let output = helper::output(&mut command, helper::WORK).ok()?;
        let text = String::from_utf8_lossy(&output.stdout);
        output.status.success().then(|| text.into_owned())
    })
}

/// The same arguments for preprocessing, which writes nothing but its output.
fn question(arguments: &[OsString]) -> Vec<OsString> {
    const WITH_VALUE: [&str; 5] = ["-o", "-MF", "-MT", "-MQ", "-MJ"];
    const ALONE: [&str; 8] = ["-c", "-S", "-MD", "-MMD", "-MP", "-MG", "-M", "-MM"];
    let mut question: Vec<OsString> = vec!["-E".into(), "-dD".into()];
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        if WITH_VALUE.contains(&&*text) {
            words.next();
        } else if !ALONE.contains(&&*text) && !WITH_VALUE.iter().any(|o| text.starts_with(o)) {
            question.push(word.clone());
        }
    }
    question
}

/// Facts about preprocessed sources.
#[derive(Debug, Default, PartialEq, Eq)]
struct Source {
    /// Parts of it are not C.
    is_other: bool,
    files: BTreeSet<String>,
    identifiers: BTreeSet<String>,
    /// Identifiers that seem to be functions whose bodies follow.
    defined: BTreeSet<String>,
}

impl Source {
    fn read(text: &str) -> Self {
        let mut source = Source::default();
        let mut code = String::with_capacity(text.len());
        for line in text.lines() {
            match line.strip_prefix('#') {
                Some(directive) => source.directive(directive),
                None => {
                    code += line;
                    code.push('\n');
                }
            }
        }
        Scan {
            source: &mut source,
            braces: 0,
            parentheses: 0,
            candidate: None,
        }
        .all(&code);
        source
    }

    fn directive(&mut self, text: &str) {
        let mut words = text.split_whitespace();
        match (words.next(), words.next()) {
            (Some("define"), Some("__cplusplus" | "__GFORTRAN__" | "__OBJC__")) => {
                self.is_other = true;
            }
            (Some(line), Some(_)) if line.bytes().all(|byte| byte.is_ascii_digit()) => {
                self.files.extend(file_of_marker(text));
            }
            _ => {}
        }
    }
}

/// The file of a marker such as ` 12 "a.c" 1 3`.
fn file_of_marker(text: &str) -> Option<String> {
    let quoted = text.split_once('"')?.1;
    let mut file = String::new();
    let mut characters = quoted.chars();
    loop {
        match characters.next()? {
            '"' => break,
            '\\' => file.push(characters.next()?),
            c => file.push(c),
        }
    }
    (!file.starts_with('<')).then_some(file)
}

/// A walk over the tokens of C.
struct Scan<'a> {
    source: &'a mut Source,
    braces: usize,
    parentheses: usize,
    /// The last identifier outside of all brackets before a parenthesis.
    candidate: Option<String>,
}

impl Scan<'_> {
    fn all(mut self, code: &str) {
        let bytes = code.as_bytes();
        let is_part =
            |byte: u8| byte.is_ascii_alphanumeric() || b"_$".contains(&byte) || byte >= 128;
        let mut at = 0;
        let mut last = "";
        while let Some(&byte) = bytes.get(at) {
            let begin = at;
            at += 1;
            if is_part(byte) {
                at += bytes[at..]
                    .iter()
                    .take_while(|&&byte| is_part(byte))
                    .count();
                last = &code[begin..at];
                self.source.identifiers.insert(last.to_owned());
            } else if byte == b'"' || byte == b'\'' {
                at = after_quoted(bytes, at, byte);
            } else if !byte.is_ascii_whitespace() {
                self.sign(byte, last);
                last = "";
            }
        }
    }

    /// A sign after the identifier `last`, or after another sign.
    fn sign(&mut self, sign: u8, last: &str) {
        const NO_FUNCTIONS: [&str; 7] = [
            "__attribute__",
            "__attribute",
            "__asm__",
            "__asm",
            "asm",
            "__typeof__",
            "typeof",
        ];
        let is_outside = self.braces == 0 && self.parentheses == 0;
        match sign {
            b'(' => {
                if is_outside && !last.is_empty() && !NO_FUNCTIONS.contains(&last) {
                    self.candidate = Some(last.to_owned());
                }
                self.parentheses += 1;
            }
            b')' => self.parentheses = self.parentheses.saturating_sub(1),
            b'{' => {
                if is_outside {
                    self.source.defined.extend(self.candidate.take());
                }
                self.braces += 1;
            }
            b'}' => self.braces = self.braces.saturating_sub(1),
            b';' | b'=' if is_outside => self.candidate = None,
            _ => {}
        }
    }
}

/// The place after the end of a string or character that begins before `at`.
fn after_quoted(bytes: &[u8], mut at: usize, quote: u8) -> usize {
    while let Some(&byte) = bytes.get(at) {
        at += 1 + usize::from(byte == b'\\');
        if byte == quote {
            break;
        }
    }
    at.min(bytes.len())
}

/// Names of functions that are excluded, and are within no other identifier.
fn functions(source: &Source, filter: &Filter) -> BTreeSet<String> {
    // Names of C++ have arguments, those of Fortran modules, which identifiers do not show.
    let defined = source.defined.iter().filter(|_| !source.is_other);
    // A rule for files excludes more, never less.
    let excluded = defined.filter(|name| !filter.includes_function_of(name, &[]));
    let is_alone = |name: &&String| {
        let mut others = source.identifiers.iter();
        !others.any(|other| other != *name && other.contains(name.as_str()))
    };
    excluded.filter(is_alone).cloned().collect()
}

/// Files and directories that are excluded, and within the name of no file that is not.
fn files(source: &Source, filter: &Filter) -> BTreeSet<String> {
    let here = std::env::current_dir().ok();
    let here = here.as_deref().and_then(Path::to_str);
    let is_included = |file: &&String| {
        let names = file_names(file, here);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        filter.includes_file(&names)
    };
    let (included, excluded): (Vec<&String>, Vec<&String>) =
        source.files.iter().partition(is_included);
    let is_safe = |text: &String| !included.iter().any(|file| file.contains(text.as_str()));
    let shortest = excluded.into_iter().filter_map(|file| {
        let slashes = file
            .match_indices('/')
            .map(|(at, _)| at)
            .filter(|&at| at > 0);
        let mut texts = slashes
            .map(|at| file[..=at].to_owned())
            .chain([file.clone()]);
        texts.find(is_safe)
    });
    shortest.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
# 0 \"<built-in>\"\n\
#define __GNUC__ 12\n\
# 1 \"src/a.c\"\n\
# 1 \"/usr/include/x/y.h\" 1 3\n\
extern int printf(const char *, ...);\n\
static inline int tiny(int n) { return n; }\n\
# 2 \"src/a.c\" 2\n\
int foo(int n) { return printf(\"{ tiny2 ( %d\", n) + '\"'; }\n\
int foobar(int n) __attribute__((noinline));\n\
int foobar(int n) { return foo(n); }\n\
__attribute__((cold)) static long (*table[])(int) = { 0 };\n\
int alone(void) __attribute__((weak))\n{ return bar(1); }\n";

    fn filter(files: &str, regions: &str) -> Filter {
        let text = format!(
            "SCOREP_FILE_NAMES_BEGIN {files} SCOREP_FILE_NAMES_END SCOREP_REGION_NAMES_BEGIN \
             {regions} SCOREP_REGION_NAMES_END"
        );
        Filter::parse(&text, "test").unwrap()
    }

    fn names(all: BTreeSet<String>) -> Vec<String> {
        all.into_iter().collect()
    }

    #[test]
    fn functions_with_bodies_are_found() {
        let source = Source::read(TEXT);
        assert_eq!(
            names(source.defined.clone()),
            ["alone", "foo", "foobar", "tiny"]
        );
        assert!(!source.is_other && !source.identifiers.contains("tiny2"));
    }

    #[test]
    fn a_name_within_another_one_is_left_to_the_recorder() {
        let source = Source::read(TEXT);
        let excluded = |rules: &str| names(functions(&source, &filter("", rules)));
        assert_eq!(excluded("EXCLUDE foo"), [""; 0]);
        assert_eq!(excluded("EXCLUDE foobar alone main"), ["alone", "foobar"]);
        assert_eq!(excluded("EXCLUDE * INCLUDE foo*"), ["alone", "tiny"]);
        let other = Source::read(&format!("#define __cplusplus 201703L\n{TEXT}"));
        assert_eq!(names(functions(&other, &filter("", "EXCLUDE *"))), [""; 0]);
    }

    #[test]
    fn directories_stand_for_their_files_where_nothing_else_is_in_them() {
        let source = Source::read(TEXT);
        let excluded = |rules: &str| names(files(&source, &filter(rules, "")));
        assert_eq!(excluded("EXCLUDE /usr/include/*"), ["/usr/"]);
        assert_eq!(excluded("EXCLUDE a.c"), [""; 0]);
        assert_eq!(excluded("EXCLUDE src/a.c"), ["src/"]);
        let extra = Source::read(&format!("# 1 \"src/extra.c\"\n{TEXT}# 1 \"a.c\"\n"));
        let excluded = |rules: &str| names(files(&extra, &filter(rules, "")));
        assert_eq!(excluded("EXCLUDE src/a.c"), ["src/a.c"]);
        // Within the name of src/extra.c.
        assert_eq!(excluded("EXCLUDE a.c"), [""; 0]);
        assert_eq!(
            excluded("EXCLUDE * INCLUDE src/a.c"),
            ["/usr/", "src/extra.c"]
        );
    }

    #[test]
    fn the_question_writes_no_files() {
        let words = "-O2 -c -o a.o -MMD -MF a.d -MTa.o -Iinc a.c".split_whitespace();
        let words: Vec<OsString> = words.map(OsString::from).collect();
        assert_eq!(question(&words), ["-E", "-dD", "-O2", "-Iinc", "a.c"]);
    }

    #[test]
    fn commas_are_no_separators() {
        let texts = ["a,b", "c"].map(String::from);
        let option = list("-x=", texts.into_iter().collect());
        assert_eq!(option, Some("-x=a\\,b,c".into()));
        assert_eq!(list("-x=", BTreeSet::new()), None);
    }
}
