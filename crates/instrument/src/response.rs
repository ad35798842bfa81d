//! Response files: an argument `@file` stands for the arguments in that file, as with other
//! compilers.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// A response file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ResponseError {
    /// They name each other too deep, perhaps in a circle.
    #[error("response files name each other more than {DEPTH} deep, at {}", .0.display())]
    Depth(PathBuf),
    /// It is too long for a list of arguments.
    #[error("response file {} has {bytes} bytes, at most {LONGEST} are expected", path.display())]
    Length {
        /// The file.
        path: PathBuf,
        /// Its size in bytes.
        bytes: u64,
    },
    /// The system refused to read it.
    #[error("cannot read the response file {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// From the system.
        source: io::Error,
    },
}

/// Files may name each other this deep.
const DEPTH: usize = 16;
/// A longer one is no list of arguments.
const LONGEST: u64 = 16 << 20;

/// Replaces each `@file`. As with other compilers, one that does not exist stays what it is.
///
/// # Errors
/// If one cannot be read, is no list of arguments, or names itself.
pub fn expand(args: Vec<OsString>) -> Result<Vec<OsString>, ResponseError> {
    let mut expanded = Vec::with_capacity(args.len());
    for arg in args {
        add(arg, 0, &mut expanded)?;
    }
    Ok(expanded)
}

fn add(arg: OsString, depth: usize, expanded: &mut Vec<OsString>) -> Result<(), ResponseError> {
    let Some(name) = arg.as_bytes().strip_prefix(b"@") else {
        expanded.push(arg);
        return Ok(());
    };
    let path = Path::new(std::ffi::OsStr::from_bytes(name));
    let Ok(metadata) = fs::metadata(path) else {
        expanded.push(arg);
        return Ok(());
    };
    let owned = || path.to_path_buf();
    if depth == DEPTH {
        return Err(ResponseError::Depth(owned()));
    }
    if metadata.len() > LONGEST {
        return Err(ResponseError::Length {
            path: owned(),
            bytes: metadata.len(),
        });
    }
    let content = fs::read(path).map_err(|source| ResponseError::Read {
        path: owned(),
        source,
    })?;
    for word in split(&content) {
        add(OsString::from_vec(word), depth + 1, expanded)?;
    }
    Ok(())
}

/// Words separated by blanks; quotes keep blanks, a backslash takes the next byte as it is.
fn split(content: &[u8]) -> Vec<Vec<u8>> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = content.iter().copied();
    while let Some(byte) = bytes.next() {
        match (quote, byte) {
            (_, b'\\') => word.get_or_insert_default().extend(bytes.next()),
            (None, b'\'' | b'"') => {
                quote = Some(byte);
                word.get_or_insert_default();
            }
            (Some(q), _) if q == byte => quote = None,
            (None, _) if byte.is_ascii_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(byte),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        split(text.as_bytes())
            .into_iter()
            .map(|w| String::from_utf8(w).unwrap())
            .collect()
    }

    #[test]
    fn words_are_split_as_compilers_do() {
        assert_eq!(words(" -c  a.upc\n-o\tb.o "), ["-c", "a.upc", "-o", "b.o"]);
        assert_eq!(
            words(r#"-DNAME="a b" 'c "d"' e\ f "" "g\"h""#),
            ["-DNAME=a b", "c \"d\"", "e f", "", "g\"h"]
        );
        assert!(words("").is_empty());
    }

    #[test]
    fn files_may_name_files_but_not_themselves() {
        let dir = tempfile::tempdir().unwrap();
        let inner = dir.path().join("inner");
        let outer = dir.path().join("outer");
        fs::write(&inner, "-O2 x.upc").unwrap();
        fs::write(&outer, format!("-c @{} -g", inner.display())).unwrap();
        let arg = OsString::from(format!("@{}", outer.display()));
        assert_eq!(
            expand(vec![arg, "@missing".into()]).unwrap(),
            ["-c", "-O2", "x.upc", "-g", "@missing"]
        );
        fs::write(&inner, format!("@{}", inner.display())).unwrap();
        let arg = OsString::from(format!("@{}", inner.display()));
        assert!(
            expand(vec![arg])
                .unwrap_err()
                .to_string()
                .contains("16 deep")
        );
    }
}
