//! JSON files of a result: bounded in size, with the version of their layout checked before
//! anything else is believed.

use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::seal::Seal;
use crate::Error;

const ADVICE: &str = "run `pgastool analyze` again";

/// Requirements on a JSON file.
pub(crate) struct Layout {
    /// For messages, e.g. "a summary".
    pub content: &'static str,
    /// Version that this program writes and reads.
    pub schema: u32,
    /// More than any analysis writes: a bound for a file that is something else.
    pub most_bytes: u64,
}

impl Layout {
    /// The content of a file, and its seal. Fields that this version does not know are ignored.
    ///
    /// # Errors
    /// Those of [`Layout::parse`]; [`pgas_cube::Error::Limit`], [`pgas_cube::Error::Io`],
    /// [`Error::Changed`].
    pub fn read<T: DeserializeOwned>(&self, path: &Path) -> Result<(T, Seal), Error> {
        let size = fs::metadata(path).map_err(Error::io("read", path))?.len();
        if size > self.most_bytes {
            return Err(Error::File(pgas_cube::Error::Limit {
                path: path.to_owned(),
                what: format!("{size} bytes"),
                limit: self.most_bytes,
                advice: ADVICE,
            }));
        }
        let bytes = pgas_files::read(path).map_err(Error::io("read", path))?;
        let content = self.parse(&bytes, path)?;
        match Seal::open(&bytes) {
            Some(seal) => Ok((content, seal)),
            None => Err(Error::Changed {
                path: path.to_owned(),
            }),
        }
    }

    /// The same from memory; `name` is the file's name in errors.
    ///
    /// # Errors
    /// [`pgas_cube::Error::Malformed`] with line and byte for anything that is not such a file of
    /// this version.
    pub fn parse<T: DeserializeOwned>(&self, bytes: &[u8], name: &Path) -> Result<T, Error> {
        #[derive(Deserialize)]
        struct Version {
            schema: u32,
        }

        let expected = self.schema;
        let malformed = |e: serde_json::Error| {
            Error::File(pgas_cube::Error::Malformed {
                path: name.to_owned(),
                line: e.line() as u64,
                offset: offset(bytes, e.line(), e.column()),
                found: e.to_string(),
                expected: format!("{} of schema {expected}", self.content),
                advice: ADVICE,
            })
        };
        let Version { schema } = serde_json::from_slice(bytes).map_err(malformed)?;
        if schema != expected {
            return Err(Error::File(pgas_cube::Error::Malformed {
                path: name.to_owned(),
                line: 1,
                offset: 0,
                found: format!("schema {schema}"),
                expected: format!("schema {expected}"),
                advice: "it was written by another version of pgastool: run `pgastool analyze` \
                         again",
            }));
        }
        serde_json::from_slice(bytes).map_err(malformed)
    }
}

/// serde_json counts lines from 1 and columns in bytes.
fn offset(bytes: &[u8], line: usize, column: usize) -> u64 {
    let before: usize = bytes
        .split_inclusive(|&b| b == b'\n')
        .take(line.saturating_sub(1))
        .map(<[u8]>::len)
        .sum();
    (before + column.saturating_sub(1)) as u64
}
