//! The bytes of a file, decompressed if they are compressed, and how far it was read.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::rc::Rc;

use flate2::bufread::MultiGzDecoder;

use crate::error::Error;

const BUFFER: usize = 1 << 18;
/// First bytes of a file that gzip has written.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// How much of a file was read.
#[derive(Debug, Clone)]
pub struct Share {
    read: Rc<Cell<u64>>,
    size: u64,
}

impl Share {
    /// 0 to 1.
    pub fn get(&self) -> f64 {
        (self.read.get() as f64 / self.size.max(1) as f64).min(1.0)
    }
}

/// Opens a file.
///
/// # Errors
/// [`Error::Io`].
pub fn open(path: &Path) -> Result<(Box<dyn Read>, Share), Error> {
    let failed = |action| move |error| Error::io(path, action, error);
    let file = File::open(path).map_err(failed("open"))?;
    let metadata = file.metadata().map_err(failed("examine"))?;
    if metadata.is_dir() {
        let error = io::Error::from(io::ErrorKind::IsADirectory);
        return Err(Error::io(path, "read", error));
    }
    let share = Share {
        read: Rc::new(Cell::new(0)),
        size: metadata.len(),
    };
    let counted = Counted {
        file,
        share: share.clone(),
    };
    let mut input = BufReader::with_capacity(BUFFER, counted);
    let compressed = input.fill_buf().map_err(failed("read"))?.starts_with(&GZIP);
    let input: Box<dyn Read> = match compressed {
        true => Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(input))),
        false => Box::new(input),
    };
    Ok((input, share))
}

struct Counted {
    file: File,
    share: Share,
}

impl Read for Counted {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let length = self.file.read(bytes)?;
        let read = &self.share.read;
        read.set(read.get() + length as u64);
        Ok(length)
    }
}
