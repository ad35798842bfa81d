//! Finds the streams in a file of a whole node, and says what of it cannot be read.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use memmap2::Advice;

use super::map::{MappedFile, StreamFile};
use crate::error::Error;
use crate::format::Problem;
use crate::format::extent::{EXTENT_MAGIC, ExtentHeader};
use crate::format::layout::{Extent, Source, Torn, put_together, walk};

/// Places of one file that a remark is made of.
const MOST_REMARKS: usize = 16;

/// The streams of a file.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) streams: Vec<StreamFile>,
    /// Streams, by their place in `streams`, that cannot be read to their end, and why.
    pub(super) cut: Vec<(usize, String)>,
    /// Facts that a reader must know about the file.
    pub(super) remarks: Vec<String>,
}

/// The streams in a file of extents.
pub(super) fn streams(file: &Arc<MappedFile>) -> Result<Found, Error> {
    // Pages of headers now, blocks as they are announced.
    file.advise(Advice::Random);
    let (extents, torn) = walk(file)?;
    let nothing = extents.is_empty() && torn.iter().all(|torn| torn.header.is_none());
    if nothing && !file.begins_like(&EXTENT_MAGIC)? && file.bytes().iter().any(|&byte| byte != 0) {
        return Err(file.foreign(&EXTENT_MAGIC));
    }
    let mut found = Found::default();
    remark_torn(file, &torn, &extents, &mut found.remarks);
    for (thread, recordings) in by_thread(extents) {
        let mut recordings = recordings.into_iter();
        let Some(first) = recordings.next() else {
            continue;
        };
        for other in recordings {
            found.remarks.push(format!(
                "{}: thread {thread}: process {} recorded it once more; what process {} recorded \
                 is read",
                file.path.display(),
                other.process,
                first.process
            ));
        }
        let (pieces, missing) = put_together(file, &first.extents)?;
        let Some(begin) = pieces.first().map(|piece| piece.file) else {
            found.remarks.push(format!(
                "{}: thread {thread}: the beginning of its stream is missing, nothing of it can \
                 be read",
                file.path.display()
            ));
            continue;
        };
        let stream = StreamFile::in_pieces(file, pieces)?;
        if stream.header.thread != thread {
            let problem = Problem::new(
                12,
                format!("the stream of thread {}", stream.header.thread),
                format!("that of thread {thread}, as its extent says"),
            );
            return Err(file.corrupt(begin, problem));
        }
        if let Some(missing) = missing {
            found.cut.push((found.streams.len(), missing));
        }
        found.streams.push(stream);
    }
    Ok(found)
}

/// The extents of a thread that one process wrote.
#[derive(Debug)]
struct Recording {
    process: u32,
    extents: Vec<Extent>,
}

/// The recordings of each thread, in the order in which they were begun.
fn by_thread(extents: Vec<Extent>) -> BTreeMap<u32, Vec<Recording>> {
    let mut recordings: BTreeMap<(u32, u32, u64), Vec<Extent>> = BTreeMap::new();
    for extent in extents {
        let ExtentHeader {
            thread,
            process,
            opened,
            ..
        } = extent.header;
        let recording = recordings.entry((thread, process, opened));
        recording.or_default().push(extent);
    }
    let mut threads: BTreeMap<u32, Vec<Recording>> = BTreeMap::new();
    for ((thread, process, _), extents) in recordings {
        let recording = Recording { process, extents };
        threads.entry(thread).or_default().push(recording);
    }
    for recordings in threads.values_mut() {
        recordings.sort_by_key(|recording| recording.extents.first().map(|extent| extent.offset));
    }
    threads
}

/// The stream that an extent is a piece of: thread, process and time of opening.
fn stream_of(header: &ExtentHeader) -> (u32, u32, u64) {
    (header.thread, header.process, header.opened)
}

/// Whether an extent holds all bytes of the stream that another one of it was to hold.
fn covers(extent: &ExtentHeader, cut_off: &ExtentHeader) -> bool {
    let end = |header: &ExtentHeader| header.stream_offset.saturating_add(header.length);
    extent.stream_offset <= cut_off.stream_offset && end(cut_off) <= end(extent)
}

/// Says what was not written to its end, except where the same was written once more.
fn remark_torn(file: &MappedFile, torn: &[Torn], extents: &[Extent], remarks: &mut Vec<String>) {
    if torn.is_empty() {
        return;
    }
    let mut whole: HashMap<_, Vec<&ExtentHeader>> = HashMap::new();
    for Extent { header, .. } in extents {
        whole.entry(stream_of(header)).or_default().push(header);
    }
    // The same number of bytes was written again, or what a collector found in buffers, which goes on
    // beyond them.
    let is_lost = |torn: &&Torn| {
        torn.header.is_none_or(|cut_off| {
            let written = whole.get(&stream_of(&cut_off)).into_iter().flatten();
            !written.copied().any(|extent| covers(extent, &cut_off))
        })
    };
    let lost: Vec<&Torn> = torn.iter().filter(is_lost).collect();
    for torn in lost.iter().take(MOST_REMARKS) {
        let what = match torn.header {
            Some(header) => format!(
                "the writing of {} bytes of thread {} was cut off",
                header.length, header.thread
            ),
            None => format!("{} bytes that are no extent are passed over", torn.length),
        };
        remarks.push(format!(
            "{}: offset {}: {what}",
            file.path.display(),
            torn.offset
        ));
    }
    if lost.len() > MOST_REMARKS {
        remarks.push(format!(
            "{}: likewise at {} more places",
            file.path.display(),
            lost.len() - MOST_REMARKS
        ));
    }
}
