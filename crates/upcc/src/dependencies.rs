//! Lists of dependencies for `make`: where they go, what they are about, and that they do not name
//! the compiler's own headers, which lie in a cache that may move or go away.

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use crate::Error;
use crate::output::Output;
use crate::request::{Dependencies, Request, Stage};

/// A list that the preprocessor is about to write.
pub struct List {
    /// Where it is written at first.
    collected: PathBuf,
    /// Where it goes; `None` for standard output.
    destination: Option<PathBuf>,
}

/// The list that is wanted about a source, if any, and the arguments that make the preprocessor
/// write it. `object` is what the source's object is called, `alone` whether no other source is
/// compiled.
pub fn wanted(
    request: &Request,
    object: &Path,
    alone: bool,
    collected: PathBuf,
) -> Option<(List, Vec<OsString>)> {
    let Dependencies {
        instead_of_text,
        beside,
        form,
        file,
        targets,
    } = &request.dependencies;
    let mut args: Vec<OsString> = form.iter().map(OsString::from).collect();
    args.extend(targets.iter().cloned());
    let destination = if let Some(option) = instead_of_text {
        args.push(option.clone());
        file.clone().or_else(|| request.output.clone())
    } else {
        args.push((*beside)?.into());
        // The file that is made, if the list is about it.
        let made = match request.stage {
            // Of the objects that lie between sources and a program, nobody could make use.
            Stage::Link if !alone => None,
            _ if request.syntax_only => None,
            _ => request.output.clone(),
        };
        let about = match (&made, request.stage) {
            (Some(made), stage) if stage != Stage::Preprocess => made.as_path(),
            _ => object,
        };
        if targets.is_empty() {
            args.extend(["-MQ".into(), about.into()]);
        }
        let beside = made.as_deref().unwrap_or(object).with_extension("d");
        Some(file.clone().unwrap_or(beside))
    };
    args.extend(["-MF".into(), collected.clone().into()]);
    let list = List {
        collected,
        destination: destination.filter(|path| path.as_os_str() != "-"),
    };
    Some((list, args))
}

impl List {
    /// Puts the list where it belongs, without the headers below `own_headers`.
    pub fn deliver(self, own_headers: &Path) -> Result<(), Error> {
        let bytes = match fs::read(&self.collected) {
            Ok(bytes) => bytes,
            // About an assembly file there is nothing to say.
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(e) => return Err(Error::io("read", &self.collected, e)),
        };
        let list = without(&bytes, &quoted(own_headers));
        match &self.destination {
            None => std::io::stdout()
                .write_all(&list)
                .map_err(|e| Error::io("write to standard output", "", e)),
            Some(path) => {
                let output = Output::new(path);
                fs::write(output.path(), list).map_err(|e| Error::io("write", path, e))?;
                output.finish()
            }
        }
    }
}

/// A directory as `make` reads it at the beginning of a name.
fn quoted(dir: &Path) -> Vec<u8> {
    let mut quoted = Vec::new();
    for &byte in dir.as_os_str().as_bytes() {
        match byte {
            b' ' | b'\t' | b'#' => quoted.extend([b'\\', byte]),
            b'$' => quoted.extend(b"$$"),
            _ => quoted.push(byte),
        }
    }
    quoted.push(b'/');
    quoted
}

/// Length of a line of the list at which it goes on in the next.
const WIDTH: usize = 76;

/// The rules in `list` without names that begin with `prefix`. Rules without such names stay as
/// they are.
fn without(list: &[u8], prefix: &[u8]) -> Vec<u8> {
    let mut result = Vec::with_capacity(list.len());
    let mut rest = list;
    while !rest.is_empty() {
        let (rule, after) = rest.split_at(rule_length(rest));
        rest = after;
        let words = words(rule);
        if !words.iter().any(|word| word.starts_with(prefix)) {
            result.extend_from_slice(rule);
            continue;
        }
        // An empty rule for such a header (-MP) goes altogether.
        if words.first().is_some_and(|word| word.starts_with(prefix)) {
            continue;
        }
        let mut column = 0;
        for word in words.iter().filter(|word| !word.starts_with(prefix)) {
            if column > 0 && column + word.len() >= WIDTH {
                result.extend(b" \\\n ");
                column = 1;
            } else if column > 0 {
                result.push(b' ');
                column += 1;
            }
            result.extend_from_slice(word);
            column += word.len();
        }
        result.push(b'\n');
    }
    result
}

/// Bytes up to the end of the first line that does not go on in the next.
fn rule_length(list: &[u8]) -> usize {
    let mut at = 0;
    while at < list.len() {
        match list[at] {
            b'\\' => at += 1,
            b'\n' => return at + 1,
            _ => {}
        }
        at += 1;
    }
    list.len()
}

/// Words separated by blanks that no backslash stands before.
fn words(rule: &[u8]) -> Vec<Vec<u8>> {
    let mut words = Vec::new();
    let mut word = Vec::new();
    let mut at = 0;
    while at < rule.len() {
        match rule[at] {
            b'\\' if rule.get(at + 1) == Some(&b'\n') => {
                words.push(std::mem::take(&mut word));
                at += 1;
            }
            b'\\' => {
                word.push(b'\\');
                word.extend(rule.get(at + 1));
                at += 1;
            }
            b' ' | b'\t' | b'\n' => words.push(std::mem::take(&mut word)),
            byte => word.push(byte),
        }
        at += 1;
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

/// The names that the first rule of a list depends on.
pub fn names(list: &[u8]) -> Vec<Vec<u8>> {
    let rule = &list[..rule_length(list)];
    let mut names = words(rule).into_iter();
    // The target, which may have blanks in it.
    names.by_ref().find(|word| word.ends_with(b":"));
    names.map(|word| unquoted(&word)).collect()
}

/// A name as it is, from a word that `make` reads.
fn unquoted(word: &[u8]) -> Vec<u8> {
    let mut name = Vec::new();
    let mut bytes = word.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        let next = bytes.peek().copied();
        let is_quoted = match byte {
            b'\\' => matches!(next, Some(b' ' | b'\t' | b'#')),
            b'$' => next == Some(b'$'),
            _ => false,
        };
        name.push(match is_quoted {
            true => bytes.next().unwrap_or(byte),
            false => byte,
        });
    }
    name
}

/// A name with its last extension replaced by `extension`, which may have dots.
pub fn renamed(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().as_bytes().to_vec();
    name.push(b'.');
    name.extend(extension.as_bytes());
    path.with_file_name(OsString::from_vec(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filtered(list: &str) -> String {
        let prefix = quoted(Path::new("/my cache/include"));
        String::from_utf8(without(list.as_bytes(), &prefix)).unwrap()
    }

    #[test]
    fn names_of_a_list_are_those_of_files() {
        let list = b"a\\ b.o: a\\ b.upc \\\n x$$y.h \\\n c\\#d.h\n\nx$$y.h:\n";
        let expected: [&[u8]; 3] = [b"a b.upc", b"x$y.h", b"c#d.h"];
        assert_eq!(names(list), expected);
        assert!(names(b"").is_empty());
    }

    #[test]
    fn own_headers_are_left_out() {
        assert_eq!(
            filtered(
                "a.o: a.upc /my\\ cache/include/upc.h \\\n b\\ c.h \\\n /my\\ \
                 cache/include/upc_types.h\n"
            ),
            "a.o: a.upc b\\ c.h\n"
        );
        assert_eq!(
            filtered(
                "a.o: a.upc \\\n /my\\ cache/include/upc.h\nb.h:\n/my\\ \
                 cache/include/upc.h:\nc.h:\n"
            ),
            "a.o: a.upc\nb.h:\nc.h:\n"
        );
        let long = format!("a.o: {}", "/usr/include/x.h ".repeat(9));
        let text = filtered(&format!("{long} /my\\ cache/include/upc.h\n"));
        assert!(text.lines().all(|line| line.len() < 80), "{text}");
        assert_eq!(text.matches("x.h").count(), 9);
    }

    #[test]
    fn all_else_stays_as_it_is() {
        for list in [
            "a.o: b.h \\\n  c.h\n\nc.h:\n",
            "",
            "a.o:",
            "a\\",
            "$$x.o: y\\#z.h\n",
        ] {
            assert_eq!(filtered(list), list);
        }
    }
}
