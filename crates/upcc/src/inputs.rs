//! Digests of the files that a source was made of, so that what a program was compiled from can be
//! told from what its line directives name.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::dependencies;
use crate::request::Request;

/// A longer file is no source that a report shows.
const LONGEST: u64 = 4 << 20;
/// More files are not of one source.
const MOST: usize = 4096;

/// The arguments that make the preprocessor list in `list` what it reads, headers of the system
/// left out; none if the user's own arguments ask for a list in another way.
pub fn arguments(request: &Request, list: &Path) -> Vec<OsString> {
    let asks = |option: &OsString| option.as_bytes().starts_with(b"-Wp,-M");
    if request
        .general
        .iter()
        .chain(&request.preprocessor)
        .any(asks)
    {
        return Vec::new();
    }
    let mut arguments = ["-MMD", "-MQ", "inputs", "-MF"]
        .map(OsString::from)
        .to_vec();
    arguments.push(list.into());
    arguments
}

/// The digests of `source` and of all files in the list that a preprocessor has left, each once.
pub fn digests(source: &Path, list: &Path) -> Vec<String> {
    let list = fs::read(list).unwrap_or_default();
    let mut paths = vec![source.to_path_buf()];
    paths.extend(
        dependencies::names(&list)
            .into_iter()
            .map(|name| PathBuf::from(OsStr::from_bytes(&name))),
    );
    paths.truncate(MOST);
    let mut digests: Vec<String> = paths.iter().filter_map(|path| digest(path)).collect();
    digests.sort();
    digests.dedup();
    digests
}

/// `None` for what is no plain file or too long: standard input, a header that was removed
/// meanwhile.
fn digest(path: &Path) -> Option<String> {
    let state = fs::metadata(path).ok()?;
    if !state.is_file() || state.len() > LONGEST {
        return None;
    }
    let digest = Sha256::digest(fs::read(path).ok()?);
    Some(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}
