//! The options of a command that decide whether its compiler compiles and links programs of a
//! model: where headers and libraries are, which libraries there are, what code is made.

use crate::response;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Options whose value is a path, joined or the next argument.
const WITH_PATH: [&str; 4] = ["-isystem", "-idirafter", "-I", "-L"];

/// Beginnings of other options of this kind.
const OTHERS: [&str; 7] = [
    "-l",
    "-fcoarray",
    "-m",
    "-pthread",
    "--sysroot",
    "-Wl,",
    "-B",
];

/// Those of a command's arguments, with absolute paths, so that they mean the same in every
/// directory.
pub fn of(arguments: &[OsString]) -> Vec<OsString> {
    let expanded = response::expand(arguments.to_vec()).unwrap_or_else(|_| arguments.to_vec());
    let mut found = Vec::new();
    let mut words = expanded.iter();
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        if let Some((option, path)) = with_path(&text) {
            let path = match path.is_empty() {
                true => words.next().map(absolute),
                false => Some(absolute(OsStr::new(path))),
            };
            found.extend(path.into_iter().flat_map(|path| [option.into(), path]));
        } else if is_library(&text) {
            found.push(absolute(word));
        } else if OTHERS.iter().any(|start| text.starts_with(start)) {
            found.push(word.clone());
        }
    }
    found
}

/// Takes such an option apart.
fn with_path(text: &str) -> Option<(&'static str, &str)> {
    let mut options = WITH_PATH.into_iter();
    options.find_map(|option| Some((option, text.strip_prefix(option)?)))
}

/// A library that is named as a file.
fn is_library(text: &str) -> bool {
    let name = Path::new(text).file_name().unwrap_or_default();
    let name = name.to_string_lossy();
    !text.starts_with('-')
        && (name.ends_with(".a") || name.ends_with(".so") || name.contains(".so."))
}

fn absolute(path: impl AsRef<OsStr>) -> OsString {
    let path = Path::new(path.as_ref());
    std::path::absolute(path).map_or_else(|_| path.into(), Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn context(line: &str) -> Vec<String> {
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        let found = of(&words).into_iter();
        found.map(|word| word.into_string().unwrap()).collect()
    }

    #[test]
    fn headers_libraries_and_the_kind_of_code_are_kept() {
        let here = std::env::current_dir().unwrap();
        let here = here.to_str().unwrap();
        assert_eq!(
            context("-O2 -fcoarray=lib -I/opt/inc -I inc -Llib -o prog a.f90 b.o libx.a -lcaf_mpi"),
            [
                "-fcoarray=lib",
                "-I",
                "/opt/inc",
                "-I",
                &format!("{here}/inc"),
                "-L",
                &format!("{here}/lib"),
                &format!("{here}/libx.a"),
                "-lcaf_mpi",
            ]
        );
        assert!(context("-O3 -Wall -DX=1 -c a.c -o a.o -MF a.d -I").is_empty());
    }
}
