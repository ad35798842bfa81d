//! Puts records into a file.

use std::io::{self, Write};

use super::definition::{CallSite, Location, Region};
use super::event::Event;
use super::fields::Packer;
use super::{
    ByteOrder, CONTINUATION, GROUP_HEAD, MAGIC, MAJOR, MAX_STRING, MINOR, NONE, STRING_HEAD, kind,
};

/// Writes records in the order in which its methods are called; that the order makes sense is up to
/// the caller.
#[derive(Debug)]
pub struct RecordWriter<W: Write> {
    out: W,
    packer: Packer,
}

impl<W: Write> RecordWriter<W> {
    /// Begins a file with its header.
    ///
    /// # Errors
    /// Of `out`, as for all methods here.
    pub fn new(mut out: W, order: ByteOrder) -> io::Result<Self> {
        out.write_all(&MAGIC)?;
        let order_number = match order {
            ByteOrder::Little => 1,
            ByteOrder::Big => 2,
        };
        out.write_all(&[MAJOR, MINOR, order_number])?;
        Ok(RecordWriter {
            out,
            packer: Packer::new(order),
        })
    }

    /// A string, at most [`MAX_STRING`] bytes of it. It ends at its first NUL, if it has one.
    pub fn string(&mut self, id: u32, text: &str) -> io::Result<()> {
        let mut bytes = text.as_bytes();
        bytes = bytes.split(|&byte| byte == 0).next().unwrap_or_default();
        if bytes.len() > MAX_STRING {
            let mut end = MAX_STRING;
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            bytes = &bytes[..end];
        }
        let packer = self.packer.begin(kind::STRING).u4(id);
        if bytes.len() < STRING_HEAD {
            packer.u1(0).raw(bytes).u1(0);
            return self.put();
        }
        let (head, rest) = bytes.split_at(STRING_HEAD);
        // The NUL counts; without it, `rest` may be empty.
        let mut rest = rest.to_vec();
        rest.push(0);
        packer.u1(rest.len().div_ceil(CONTINUATION) as u8).raw(head);
        self.put()?;
        for part in rest.chunks(CONTINUATION) {
            self.packer.begin(kind::STRING_CNT).raw(part);
            self.put()?;
        }
        Ok(())
    }

    pub fn machine(&mut self, id: u32, nodes: u32, name: u32) -> io::Result<()> {
        self.packer.begin(kind::MACHINE).u4(id).u4(nodes).u4(name);
        self.put()
    }

    /// `clock_rate` is in hertz.
    pub fn node(
        &mut self,
        id: u32,
        machine: u32,
        processors: u32,
        name: u32,
        clock_rate: f64,
    ) -> io::Result<()> {
        let packer = self.packer.begin(kind::NODE).u4(id).u4(machine);
        packer.u4(processors).u4(name).d8(clock_rate);
        self.put()
    }

    pub fn process(&mut self, id: u32, name: u32) -> io::Result<()> {
        self.packer.begin(kind::PROCESS).u4(id).u4(name);
        self.put()
    }

    pub fn thread(&mut self, id: u32, process: u32, name: u32) -> io::Result<()> {
        self.packer.begin(kind::THREAD).u4(id).u4(process).u4(name);
        self.put()
    }

    pub fn location(&mut self, id: u32, location: &Location) -> io::Result<()> {
        let packer = self.packer.begin(kind::LOCATION).u4(id);
        packer.u4(location.machine).u4(location.node);
        packer.u4(location.process).u4(location.thread);
        self.put()
    }

    pub fn file(&mut self, id: u32, name: u32) -> io::Result<()> {
        self.packer.begin(kind::FILE).u4(id).u4(name);
        self.put()
    }

    pub fn region(&mut self, id: u32, region: &Region) -> io::Result<()> {
        let packer = self.packer.begin(kind::REGION).u4(id).u4(region.name);
        let optional = [
            region.file,
            region.begin_line,
            region.end_line,
            region.description,
        ];
        for field in optional {
            packer.u4(field.unwrap_or(NONE));
        }
        packer.u1(region.kind as u8);
        self.put()
    }

    /// A communicator; bit i of `group`, least significant first, says whether process i belongs to
    /// it.
    pub fn communicator(&mut self, id: u32, group: &[u8]) -> io::Result<()> {
        let (head, rest) = group.split_at(group.len().min(GROUP_HEAD));
        let packer = self.packer.begin(kind::MPI_COMM).u4(id).u1(0);
        packer.u4(group.len() as u32).raw(head);
        self.put()?;
        for part in rest.chunks(CONTINUATION) {
            self.packer.begin(kind::MPI_COMM_CNT).raw(part);
            self.put()?;
        }
        Ok(())
    }

    pub fn call_site(&mut self, id: u32, site: &CallSite) -> io::Result<()> {
        let packer = self.packer.begin(kind::CALL_SITE).u4(id);
        packer.u4(site.file.unwrap_or(NONE));
        packer.u4(site.line.unwrap_or(NONE));
        packer.u4(site.entered).u4(site.left.unwrap_or(NONE));
        self.put()
    }

    /// The end of the definitions; `events` is the exact number of those that follow.
    pub fn end_of_definitions(&mut self, events: u32) -> io::Result<()> {
        self.packer.begin(kind::NUM_EVENTS).u4(events);
        self.put()?;
        self.packer.begin(kind::LAST_DEF);
        self.put()
    }

    pub fn event(&mut self, event: &Event) -> io::Result<()> {
        event.pack(&mut self.packer);
        self.put()
    }

    /// Returns the underlying writer.
    pub fn into_inner(self) -> W {
        self.out
    }

    fn put(&mut self) -> io::Result<()> {
        self.out.write_all(self.packer.record())
    }
}
