//! Finds the blocks of a stream: from header to header, up to the last whole one.

use super::source::Source;
use super::stream::StreamFile;
use crate::Problem;
use crate::error::Error;
use crate::header::{BLOCK_HEADER, BlockHeader, BlockKind, FILE_HEADER, TRAILER, decode_trailer};

/// The blocks of a stream without a usable index.
#[derive(Debug, Default)]
pub struct Blocks {
    /// In the order of the stream, without the index.
    pub blocks: Vec<(u64, BlockHeader)>,
    /// The block with the index, if the trailer after it is all that is missing.
    pub index: Option<(u64, BlockHeader)>,
    /// Where the stream ends early.
    pub end: u64,
    /// The part that is missing there.
    pub missing: &'static str,
}

impl Blocks {
    /// Where the last whole block ends, the index not counted.
    pub fn end_of_blocks(&self) -> u64 {
        let end = |(offset, header): &(u64, BlockHeader)| offset + header.length();
        self.blocks.last().map_or(FILE_HEADER as u64, end)
    }
}

/// The block with the index that a complete stream ends with; `None` if the stream ends early.
///
/// # Errors
/// [`Error::Corrupt`], [`Error::Io`].
pub fn index<S: Source>(file: &StreamFile<S>) -> Result<Option<(u64, BlockHeader)>, Error> {
    let Some(end) = file.length().checked_sub(TRAILER as u64) else {
        return Ok(None);
    };
    let trailer = file.array::<TRAILER>(end)?;
    let Some(offset) = trailer.as_ref().and_then(decode_trailer) else {
        return Ok(None);
    };
    let wrong =
        |found: String, expected: &str| Err(file.corrupt(end, Problem::new(0, found, expected)));
    let header = match block_at(file, offset)? {
        Found::Block(header) if header.kind == BlockKind::Footer => header,
        _ => {
            let found = format!("the index at offset {offset}");
            return wrong(found, "the offset of an index");
        }
    };
    let index_end = offset + header.length();
    if index_end != end {
        let found = format!("the end of the index at offset {index_end}");
        return wrong(found, "the index directly before the trailer");
    }
    Ok(Some((offset, header)))
}

/// Goes from header to header through a stream without trailer.
///
/// # Errors
/// [`Error::Corrupt`], [`Error::Io`].
pub fn blocks<S: Source>(file: &StreamFile<S>) -> Result<Blocks, Error> {
    let length = file.length();
    let mut found = Blocks {
        end: FILE_HEADER as u64,
        missing: "the index is missing, the program was killed",
        ..Blocks::default()
    };
    while found.end < length {
        let offset = found.end;
        match block_at(file, offset)? {
            Found::Block(header) if header.kind == BlockKind::Footer => {
                // The trailer is missing, or `index` would have found it.
                let after = offset + header.length();
                if length - after >= TRAILER as u64 {
                    let expected = "the trailer and the end of the file";
                    let problem = Problem::new(0, "other bytes after the index", expected);
                    return Err(file.corrupt(after, problem));
                }
                found.index = Some((offset, header));
                found.end = after;
                found.missing = "the trailer after the index is missing, no event is";
                break;
            }
            Found::Block(header) => {
                found.blocks.push((offset, header));
                found.end += header.length();
            }
            Found::Cut(missing) => {
                found.missing = missing;
                break;
            }
            Found::Damage(problem) => return Err(file.corrupt(offset, problem)),
        }
    }
    Ok(found)
}

enum Found {
    Block(BlockHeader),
    /// The file ends before the block does.
    Cut(&'static str),
    Damage(Problem),
}

fn block_at<S: Source>(file: &StreamFile<S>, offset: u64) -> Result<Found, Error> {
    let rest = file.rest(offset);
    let header = file.array::<BLOCK_HEADER>(offset)?;
    // Some file systems leave zeros where a machine crashed before the data reached the disk.
    let begins_zero = header.is_none_or(|header| header.iter().all(|&byte| byte == 0));
    if begins_zero && file.is_zero(offset)? {
        return Ok(Found::Cut("only zeros follow"));
    }
    let Some(header) = header else {
        return Ok(Found::Cut("a block is cut off within its header"));
    };
    Ok(match BlockHeader::decode(&header) {
        Err(problem) => Found::Damage(problem),
        Ok(header) if header.length() > rest => Found::Cut("a block is cut off within its payload"),
        Ok(header) => Found::Block(header),
    })
}
