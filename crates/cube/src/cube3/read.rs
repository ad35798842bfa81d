//! Reads CUBE 3 files, ours and those of other tools: comments, unknown elements, other spellings
//! of ids and attributes in another order are taken as they come; what is missing, contradictory or
//! out of range is an error that names the place. Memory stays in proportion to the size of the
//! file, whatever the file says.

use std::fs;
use std::path::Path;

use super::names;
use crate::Error;
use crate::model::Cube;
use crate::xml::{self, Dialect, Limits};

/// Reads a CUBE 3 file with the default [`Limits`].
///
/// Unknown lines (-1) become 0. If a file's call paths or metrics are numbered so that a parent
/// comes after its child, they are renumbered in the order of the file. Several machines become one
/// whose name joins theirs.
///
/// # Errors
/// [`Error::Io`], [`Error::Malformed`] with line and byte, [`Error::Limit`].
pub fn read_cube3(path: impl AsRef<Path>) -> Result<Cube, Error> {
    let path = path.as_ref();
    parse_cube3(&read_file(path)?, path, &Limits::default())
}

/// The bytes of a CUBE 3 file, for [`parse_cube3`].
///
/// # Errors
/// [`Error::Io`], [`Error::Limit`].
pub fn read_file(path: &Path) -> Result<Vec<u8>, Error> {
    let most = Limits::default().file_bytes;
    let size = fs::metadata(path).map_err(Error::io("read", path))?.len();
    if size > most {
        return Err(xml::too_much(path, format!("{size} bytes"), most));
    }
    pgas_files::read(path).map_err(Error::io("read", path))
}

/// Reads a CUBE 3 file from memory; `name` is the file's name in errors.
///
/// # Errors
/// As [`read_cube3`].
pub fn parse_cube3(bytes: &[u8], name: &Path, limits: &Limits) -> Result<Cube, Error> {
    let mut cube = xml::parse(bytes, name, limits, Dialect::Three)?.cube;
    names::take(&mut cube);
    Ok(cube)
}
