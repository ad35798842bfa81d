//! Takes records out of a file of either byte order.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::definition::Definition;
use super::event::Event;
use super::fields::{Problem, Unpacker};
use super::foreign::ForeignEvent;
use super::{ByteOrder, CONTINUATION, FIRST_EVENT, HEADER, MAGIC, MAJOR, MINOR, kind};
use crate::error::Error;

/// One record.
#[derive(Debug, Clone, PartialEq)]
pub enum Record<'a> {
    Definition(Definition<'a>),
    Event(Event),
    /// An event of an MPI or OpenMP program.
    Foreign(ForeignEvent),
    /// Something more about the event after it.
    Attribute,
}

/// Properties of a file on which the layout of an event record depends beside its type.
#[derive(Debug, Clone, Copy, Default)]
struct Layout {
    /// Version of the format after the dot.
    minor: u8,
    /// Counters: each has a value in records that enter and leave regions.
    counters: usize,
    /// Locations defined, and the last one: where there is one alone, records may leave it out.
    locations: usize,
    location: u32,
}

/// Reads one record after the other. Lengths and types are checked, what the records refer to is
/// not.
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
    layout: Layout,
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
        if major != MAJOR || minor > MINOR {
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
            layout: Layout {
                minor,
                ..Layout::default()
            },
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
    /// [`Error::Malformed`] if it is cut off, of an unknown type or of a wrong length;
    /// [`Error::Io`].
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
        let record = match self.number {
            FIRST_EVENT.. => self.layout.event(self.number, unpacker),
            kind::ATTR_UI1 | kind::ATTR_UI4 => Ok(Some(Record::Attribute)),
            _ => self.layout.definition(self.number, unpacker),
        };
        match record {
            Ok(Some(record)) => Ok(Some(record)),
            Ok(None) => Err(malformed(
                &self.path,
                (self.offset, self.number),
                Problem::new(
                    "a type that is not supported",
                    "definitions 1 to 30, attributes 60 and 61, events 101 to 135, 201 to 204",
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
            // Errors that the decompression found.
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

impl Layout {
    /// Reads a definition, and learns from it how events look.
    fn definition<'a>(
        &mut self,
        number: u8,
        body: Unpacker<'a>,
    ) -> Result<Option<Record<'a>>, Problem> {
        let definition = Definition::unpack(number, self.minor, body)?;
        match definition {
            Some(Definition::Metric { .. }) => self.counters += 1,
            Some(Definition::Location { id, .. }) => {
                self.locations += 1;
                self.location = id;
            }
            _ => {}
        }
        Ok(definition.map(Record::Definition))
    }

    fn event<'a>(&self, number: u8, mut body: Unpacker<'a>) -> Result<Option<Record<'a>>, Problem> {
        let Some((fixed, has_counters)) = kind::layout(number) else {
            return Ok(None);
        };
        let counters = if has_counters { self.counters } else { 0 };
        let short = 8 + 8 * counters + fixed;
        let location = match self.locations == 1 && body.len() == short {
            true => self.location,
            false => body.u4()?,
        };
        let time = body.d8()?;
        let is_enter = matches!(number, kind::ENTER | kind::ENTER_CS);
        if !is_enter {
            body.skip_u8(counters)?;
        }
        let record = match Event::unpack(number, location, time, &mut body)? {
            Some(event) => Some(Record::Event(event)),
            None => ForeignEvent::unpack(number, location, time, &mut body)?.map(Record::Foreign),
        };
        if is_enter {
            body.skip_u8(counters)?;
        }
        body.end()?;
        Ok(record)
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
