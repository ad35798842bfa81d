//! The fields of a record: bytes, 32-bit integers and doubles, one after the other without padding.

use super::{ByteOrder, CONTINUATION};

/// Problem of a record; callers that know the file and the offset add them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub found: String,
    pub expected: String,
}

impl Problem {
    pub fn new(found: impl Into<String>, expected: impl Into<String>) -> Self {
        Problem {
            found: found.into(),
            expected: expected.into(),
        }
    }
}

/// Builds one record: its length, its type, its body.
#[derive(Debug)]
pub struct Packer {
    order: ByteOrder,
    bytes: [u8; 2 + CONTINUATION],
    length: usize,
}

impl Packer {
    pub fn new(order: ByteOrder) -> Self {
        Packer {
            order,
            bytes: [0; 2 + CONTINUATION],
            length: 2,
        }
    }

    /// Begins another record of type `kind`.
    pub fn begin(&mut self, kind: u8) -> &mut Self {
        self.bytes[1] = kind;
        self.length = 2;
        self
    }

    pub fn u1(&mut self, value: u8) -> &mut Self {
        self.raw(&[value])
    }

    pub fn u4(&mut self, value: u32) -> &mut Self {
        match self.order {
            ByteOrder::Little => self.raw(&value.to_le_bytes()),
            ByteOrder::Big => self.raw(&value.to_be_bytes()),
        }
    }

    pub fn d8(&mut self, value: f64) -> &mut Self {
        match self.order {
            ByteOrder::Little => self.raw(&value.to_le_bytes()),
            ByteOrder::Big => self.raw(&value.to_be_bytes()),
        }
    }

    /// Bytes as they are.
    ///
    /// # Panics
    /// If the body becomes longer than 255 bytes: the caller divides what is longer.
    pub fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        self.bytes[self.length..self.length + bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len();
        self
    }

    /// The record, with its length filled in.
    pub fn record(&mut self) -> &[u8] {
        self.bytes[0] = (self.length - 2) as u8;
        &self.bytes[..self.length]
    }
}

/// Takes the fields out of the body of one record.
#[derive(Debug, Clone, PartialEq)]
pub struct Unpacker<'a> {
    order: ByteOrder,
    rest: &'a [u8],
    whole: usize,
}

impl<'a> Unpacker<'a> {
    pub fn new(order: ByteOrder, body: &'a [u8]) -> Self {
        Unpacker {
            order,
            rest: body,
            whole: body.len(),
        }
    }

    pub fn u1(&mut self) -> Result<u8, Problem> {
        Ok(self.take::<1>()?[0])
    }

    pub fn u4(&mut self) -> Result<u32, Problem> {
        let bytes = self.take()?;
        Ok(match self.order {
            ByteOrder::Little => u32::from_le_bytes(bytes),
            ByteOrder::Big => u32::from_be_bytes(bytes),
        })
    }

    pub fn d8(&mut self) -> Result<f64, Problem> {
        let bytes = self.take()?;
        Ok(match self.order {
            ByteOrder::Little => f64::from_le_bytes(bytes),
            ByteOrder::Big => f64::from_be_bytes(bytes),
        })
    }

    /// An integer of which [`super::NONE`] means that there is none.
    pub fn option(&mut self) -> Result<Option<u32>, Problem> {
        Ok(Some(self.u4()?).filter(|&value| value != super::NONE))
    }

    /// All that is left, to be taken apart later.
    pub fn split(&mut self) -> Self {
        let rest = self.rest();
        Unpacker {
            order: self.order,
            rest,
            whole: self.whole,
        }
    }

    /// Passes over 64-bit numbers.
    pub fn skip_u8(&mut self, count: usize) -> Result<(), Problem> {
        (0..count).try_for_each(|_| self.take::<8>().map(|_| ()))
    }

    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Bytes that are left.
    pub fn len(&self) -> usize {
        self.rest.len()
    }

    /// All that is left.
    pub fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.rest)
    }

    /// To be called when all fields were taken: there may be nothing left.
    pub fn end(&self) -> Result<(), Problem> {
        match self.rest.len() {
            0 => Ok(()),
            more => Err(Problem::new(
                format!("a body of {} bytes", self.whole),
                format!("{} bytes", self.whole - more),
            )),
        }
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], Problem> {
        match self.rest.split_first_chunk::<N>() {
            Some((bytes, rest)) => {
                self.rest = rest;
                Ok(*bytes)
            }
            None => Err(Problem::new(
                format!("a body of {} bytes", self.whole),
                format!("at least {}", self.whole - self.rest.len() + N),
            )),
        }
    }
}
