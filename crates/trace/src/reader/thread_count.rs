//! How many threads the program had: the description of the experiment says it, and each file in its
//! header. Everything that is computed by thread has the size of this number, so a damaged one must
//! not be believed.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::map::StreamFile;
use super::stream::Stream;
use crate::error::Error;
use crate::format::Problem;
use crate::names::METADATA_FILE;

/// Offset of the number in a file's header.
const AT: usize = 16;

/// The number of threads; `described` is that of the description. Appends a remark if that is not
/// the one.
///
/// # Errors
/// [`Error::Corrupt`]: a file's header contradicts the others, or the description and the streams
/// that are there.
pub(super) fn thread_count(
    files: &[Arc<StreamFile>],
    streams: &[Stream],
    described: u32,
    remarks: &mut Vec<String>,
) -> Result<u32, Error> {
    let mut said: BTreeMap<u32, usize> = BTreeMap::new();
    for file in files {
        *said.entry(file.header.threads).or_default() += 1;
    }
    let most = said.iter().max_by_key(|(_, files)| **files);
    let most = most.map_or(described, |(threads, _)| *threads);
    let expected = match said.contains_key(&described) {
        true => described,
        false => most,
    };
    if let Some(other) = files.iter().find(|file| file.header.threads != expected) {
        let what = match expected == described {
            true => format!("{expected} threads, as {METADATA_FILE} and other files say"),
            false => format!("{expected} threads, as other files say"),
        };
        return Err(wrong(other, what));
    }
    let are_all_there = streams.len() == described as usize
        && streams
            .last()
            .is_some_and(|last| last.thread() + 1 == described);
    match files.first() {
        Some(first) if expected != described && are_all_there => Err(wrong(
            first,
            format!("{described} threads, as {METADATA_FILE} says and as many as have streams"),
        )),
        Some(_) if expected != described => {
            remarks.push(format!(
                "{METADATA_FILE} says that the program had {described} threads, its streams say \
                 {expected}: it is taken to have had {expected}"
            ));
            Ok(expected)
        }
        _ => Ok(expected),
    }
}

fn wrong(file: &StreamFile, expected: String) -> Error {
    let found = format!("{} threads", file.header.threads);
    file.corrupt(0, Problem::new(AT, found, expected))
}
