//! Takes records out of a file of either byte order.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::definition::Definition;
use super::event::Event;
use super::fields::{Problem, Unpacker};
use super::{kind, ByteOrder, CONTINUATION, FIRST_EVENT, HEADER, MAGIC, MAJOR, MINOR};
use crate::error::Error;

/// One record.
#[derive(Debug, Clone, PartialEq)]
pub enum Record<'a> {
    Definition(Definition<'a>),
    Event(Event),
}

/// Reads one record after the other. Lengths and types are checked, what the records refer to is not.
#[derive(Debug)]
pub struct RecordReader<R: Read> {
    input: R,
    path: PathBuf,
    order: ByteOrder,
    /// Where the next record begins.
    next: u64,
    /// Where the current one does, and its type.
    offset: u64,
    number: u8,
    body: [u8; CONTINUATION],
}

impl<R: Read> RecordReader<R> {
    /// Reads the header. `path` is what errors call the file.
    ///
    /// # Errors
    /// [`Error::NotEpilog`], [`Error::Version`], [`Error::Malformed`], [`Error::Io`].
    pub fn new(mut input: R, path: &Path) -> Result<Self, Error> {
        let mut header = [0; HEADER];
        let length =
            read_up_to(&mut input, &mut header).map_err(|error| Error::io(path, "read", error))?;
        let header = &header[..length];
        if !header.starts_with(&MAGIC) {
            let shown = &header[..header.len().min(MAGIC.len())];
            return Err(Error::NotEpilog {
                path: path.to_owned(),
                found: format!("\"{}\"", shown.escape_ascii()),
            });
        }
        let malformed = |found: String, expected: &str| Error::Malformed {
            path: path.to_owned(),
            offset: header.len().min(HEADER - 1) as u64,
            record: "header".to_owned(),
            found,
            expected: expected.to_owned(),
        };
        let &[major, minor, order] = &header[MAGIC.len()..] else {
            return Err(malformed("the end of the file".to_owned(), "ten bytes"));
        };
        if (major, minor) != (MAJOR, MINOR) {
            return Err(Error::Version {
                path: path.to_owned(),
                major,
                minor,
            });
        }
        let order = match order {
            1 => ByteOrder::Little,
            2 => ByteOrder::Big,
            _ => {
                let found = format!("byte order {order}");
                return Err(malformed(found, "1 (little-endian) or 2 (big-endian)"));
            }
        };
        Ok(RecordReader {
            input,
            path: path.to_owned(),
            order,
            next: HEADER as u64,
            offset: 0,
            number: 0,
            body: [0; CONTINUATION],
        })
    }

    /// The byte order that the header names.
    pub fn byte_order(&self) -> ByteOrder {
        self.order
    }

    /// Bytes read so far, of the uncompressed file.
    pub fn position(&self) -> u64 {
        self.next
    }

    /// Where the record that was read last begins, and its type.
    pub fn place(&self) -> (u64, u8) {
        (self.offset, self.number)
    }

    /// The next record; `None` at the end of the file.
    ///
    /// # Errors
    /// [`Error::Malformed`] if it is cut off, of an unknown type or of a wrong length; [`Error::Io`].
    pub fn next_record(&mut self) -> Result<Option<Record<'_>>, Error> {
        self.offset = self.next;
        let mut head = [0; 2];
        let length = self.fill(&mut head)?;
        if length == 0 {
            return Ok(None);
        }
        self.number = head[1];
        let body_length = usize::from(head[0]);
        let mut body = self.body;
        let found = match length {
            2 => self.fill(&mut body[..body_length])?,
            _ => 0,
        };
        self.body = body;
        if length < 2 || found < body_length {
            if length < 2 {
                self.number = 0;
            }
            let problem = Problem::new(
                format!("the end of the file after {} bytes", length + found),
                format!("a record of {} bytes", 2 + body_length),
            );
            return Err(self.error(problem));
        }
        self.next += (2 + body_length) as u64;
        let unpacker = Unpacker::new(self.order, &self.body[..body_length]);
        let record = if self.number >= FIRST_EVENT {
            Event::unpack(self.number, unpacker).map(|event| event.map(Record::Event))
        } else {
            Definition::unpack(self.number, unpacker)
                .map(|definition| definition.map(Record::Definition))
        };
        match record {
            Ok(Some(record)) => Ok(Some(record)),
            Ok(None) => Err(malformed(
                &self.path,
                (self.offset, self.number),
                Problem::new(
                    "a type that is not supported",
                    "definitions 1 to 15 and 19, events 101, 102, 111, 123 to 126, 129 to 131, 201, 202",
                ),
            )),
            Err(problem) => Err(malformed(&self.path, (self.offset, self.number), problem)),
        }
    }

    /// An error about the record that was read last.
    pub fn error(&self, problem: Problem) -> Error {
        self.error_at(self.place(), problem)
    }

    /// An error about the record at another [`place`](RecordReader::place).
    pub fn error_at(&self, place: (u64, u8), problem: Problem) -> Error {
        malformed(&self.path, place, problem)
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<usize, Error> {
        read_up_to(&mut self.input, bytes).map_err(|error| match error.kind() {
            // What decompression finds wrong.
            io::ErrorKind::InvalidInput
            | io::ErrorKind::InvalidData
            | io::ErrorKind::UnexpectedEof => Error::Malformed {
                path: self.path.clone(),
                offset: self.next,
                record: "compressed data".to_owned(),
                found: error.to_string(),
                expected: "a whole gzip file".to_owned(),
            },
            _ => Error::io(&self.path, "read", error),
        })
    }
}

fn malformed(path: &Path, (offset, number): (u64, u8), problem: Problem) -> Error {
    Error::Malformed {
        path: path.to_owned(),
        offset,
        record: kind::describe(number),
        found: problem.found,
        expected: problem.expected,
    }
}

/// Fills `bytes` as far as there is something; how far.
fn read_up_to(input: &mut impl Read, bytes: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    while length < bytes.len() {
        match input.read(&mut bytes[length..]) {
            Ok(0) => break,
            Ok(more) => length += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}
