//! Reads a CUBE file whatever its version: by its content, not by its name.

use std::io::{BufReader, Read};
use std::path::Path;

use crate::cube3::{Limits, parse_cube3, read_cube3};
use crate::cubex::{Cubex, read_cubex};
use crate::unzip::{Refused, unzipped};
use crate::{CubexOptions, Error, cubex};

/// Reads a CUBE 4 file, a CUBE 3 file, or a compressed one (`.cube.gz`).
///
/// # Errors
/// Those of [`read_cube3`] and [`read_cubex`].
pub fn read_any(path: impl AsRef<Path>) -> Result<Cubex, Error> {
    let path = path.as_ref();
    let cube = match container(path)? {
        Container::Archive => return read_cubex(path),
        Container::Plain => read_cube3(path)?,
        Container::Compressed => parse_cube3(&uncompressed(path)?, path, &Limits::default())?,
    };
    Ok(Cubex {
        cube,
        left_out: Vec::new(),
    })
}

/// The XML of a file that [`read_any`] reads: of a CUBE 4 file, its trees.
///
/// # Errors
/// Those of [`read_any`].
pub(crate) fn xml_of(path: &Path) -> Result<String, Error> {
    let bytes = match container(path)? {
        Container::Archive => cubex::read_anchor(path)?,
        Container::Plain => pgas_files::read(path).map_err(Error::io("read", path))?,
        Container::Compressed => uncompressed(path)?,
    };
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Container of a CUBE file.
enum Container {
    Plain,
    Compressed,
    Archive,
}

/// Container of the file, from its content.
fn container(path: &Path) -> Result<Container, Error> {
    let mut start = Vec::new();
    let file = pgas_files::open(path).map_err(Error::io("read", path))?;
    let read = file.take(512).read_to_end(&mut start);
    read.map_err(Error::io("read", path))?;
    Ok(if start.starts_with(&[0x1f, 0x8b]) {
        Container::Compressed
    } else if start.get(257..262) == Some(b"ustar") {
        Container::Archive
    } else {
        Container::Plain
    })
}

fn uncompressed(path: &Path) -> Result<Vec<u8>, Error> {
    let file = pgas_files::open(path).map_err(Error::io("read", path))?;
    let length = file.metadata().map_err(Error::io("read", path))?.len();
    unzipped(BufReader::new(file), length).map_err(|refused| match refused {
        Refused::Io(error) => Error::io("uncompress", path)(error),
        Refused::TooLong(limit) => Error::Limit {
            path: path.to_owned(),
            what: "what it contains, in bytes, for the metrics, call paths and threads that it \
                   defines,"
                .into(),
            limit,
            advice: "if it is a result, uncompress it yourself",
        },
    })
}

/// A format that results are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileFormat {
    /// `.cube`
    Cube3,
    /// `.cubex`
    Cube4,
}

impl FileFormat {
    /// That of a file of this name, if its ending is one of the two.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "cube" => Some(FileFormat::Cube3),
            "cubex" => Some(FileFormat::Cube4),
            _ => None,
        }
    }

    /// Writes `cube` in this format.
    ///
    /// # Errors
    /// Those of [`write_cube3`](crate::write_cube3) and [`write_cubex`](crate::write_cubex).
    pub fn write(self, cube: &crate::model::Cube, path: &Path) -> Result<(), Error> {
        match self {
            FileFormat::Cube3 => crate::write_cube3(cube, path),
            FileFormat::Cube4 => cubex::write_cubex(cube, &CubexOptions::default(), path),
        }
    }
}
