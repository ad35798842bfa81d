//! Finds the blocks of a file, through the index at its end or, where the program was killed, from
//! header to header, and sorts them into streams.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::map::StreamFile;
use super::payload;
use super::stream::{BlockInfo, PlacedBlock, Stream};
use crate::error::Error;
use crate::format::footer::Footer;
use crate::format::header::{BlockHeader, BlockKind, FILE_HEADER, TRAILER};
use crate::format::{
    MAX_COMPARISONS, MAX_DEFINITION_BYTES, MAX_PROPERTIES, MAX_SITES, Problem, comparisons,
    definitions, layout,
};
use crate::properties::COLLECTED;

/// Everything that the headers of a file say.
#[derive(Debug, Default)]
struct Blocks {
    /// In the order of the file, without the footer.
    blocks: Vec<(u64, BlockHeader)>,
    footer: Option<Footer>,
    /// Where the file ends early, and what is missing there.
    cut: Option<(u64, &'static str)>,
}

/// The streams in a file, or in what of a file belongs to one thread. `missing` says why that does
/// not go on to its end.
pub(super) fn streams(
    file: &Arc<StreamFile>,
    missing: Option<String>,
) -> Result<Vec<Stream>, Error> {
    let found = match indexed(file)? {
        Some(found) => found,
        None => walk(file)?,
    };
    let mut definition_bytes = 0;
    let mut streams = BTreeMap::new();
    // The thread that opened the file has a stream even if nothing of it was written.
    let own = file.header.thread;
    streams.insert(own, Stream::new(file.clone(), own));
    for (offset, header) in &found.blocks {
        if header.thread >= file.header.threads {
            return Err(file.corrupt(
                *offset,
                Problem::new(
                    8,
                    format!("a block of thread {}", header.thread),
                    format!("one of the {} threads", file.header.threads),
                ),
            ));
        }
        let stream = streams
            .entry(header.thread)
            .or_insert_with(|| Stream::new(file.clone(), header.thread));
        if matches!(header.kind, BlockKind::Definitions | BlockKind::Properties) {
            definition_bytes += header.raw_length as usize;
            if definition_bytes > MAX_DEFINITION_BYTES {
                let expected = format!("at most {MAX_DEFINITION_BYTES} bytes of them in a file");
                let problem = Problem::new(36, "more definitions and properties", expected);
                return Err(file.corrupt(*offset, problem));
            }
        }
        add_block(stream, file, *offset, header)?;
    }
    let mut streams: Vec<Stream> = streams.into_values().collect();
    for stream in &mut streams {
        let is_collected = stream.property(COLLECTED).is_some();
        stream.complete = found.footer.is_some() && missing.is_none() && !is_collected;
        if let Some(missing) = &missing {
            stream.remark(missing.clone());
        } else if let Some((offset, missing)) = found.cut {
            let place = file.place(offset);
            let what = if file.is_alone() { "file" } else { "stream" };
            stream.remark(format!(
                "offset {place}: the {what} ends early: {missing}; the events before are read"
            ));
        }
        if stream.thread() == own {
            note_losses(stream, found.footer.as_ref());
        }
    }
    check_totals(file, found.footer.as_ref(), &streams)?;
    Ok(streams)
}

/// Through the index, if the file is complete.
fn indexed(file: &StreamFile) -> Result<Option<Blocks>, Error> {
    let Some((footer_offset, header)) = layout::index(file)? else {
        return Ok(None);
    };
    let footer = read_footer(file, footer_offset, &header)?;
    let mut offset = FILE_HEADER as u64;
    for (at, header) in &footer.blocks {
        if *at != offset || header.kind == BlockKind::Footer {
            return Err(file.corrupt(
                footer_offset,
                Problem::new(
                    0,
                    format!("an index with a block at offset {at}"),
                    format!("the next block at {offset}"),
                ),
            ));
        }
        offset += header.length();
    }
    if offset != footer_offset {
        return Err(file.corrupt(
            footer_offset,
            Problem::new(
                0,
                format!("an index of blocks up to offset {offset}"),
                "all blocks up to the index",
            ),
        ));
    }
    Ok(Some(Blocks {
        blocks: footer.blocks.clone(),
        footer: Some(footer),
        cut: None,
    }))
}

/// From header to header.
fn walk(file: &StreamFile) -> Result<Blocks, Error> {
    let found = layout::blocks(file)?;
    if let Some((offset, header)) = found.index {
        // It is whole; only the trailer is missing.
        read_footer(file, offset, &header)?;
    }
    Ok(Blocks {
        blocks: found.blocks,
        footer: None,
        cut: Some((found.end, found.missing)),
    })
}

fn read_footer(file: &StreamFile, offset: u64, header: &BlockHeader) -> Result<Footer, Error> {
    let payload = payload::read(file, offset, header, None)?;
    Footer::decode(&payload)
        .map_err(|problem| payload::within_payload(file, offset, header, problem))
}

fn add_block(
    stream: &mut Stream,
    file: &StreamFile,
    offset: u64,
    header: &BlockHeader,
) -> Result<(), Error> {
    let expected = stream.next_sequence;
    if header.sequence < expected {
        return Err(file.corrupt(
            offset,
            Problem::new(
                12,
                format!("block number {}", header.sequence),
                format!("{expected} or a later one"),
            ),
        ));
    }
    let skipped = header.sequence - expected;
    stream.lost_blocks += u64::from(skipped);
    stream.lost_events += u64::from(header.lost_events);
    stream.next_sequence = header.sequence.saturating_add(1);
    stream.pairs.push(header.written);
    if header.kind.since() > file.version {
        return Err(file.corrupt(
            offset,
            Problem::new(
                4,
                format!(
                    "a block of kind {} in a file of version {}",
                    header.kind.number(),
                    file.version
                ),
                format!("version {} of the format", header.kind.since()),
            ),
        ));
    }
    match header.kind {
        BlockKind::Definitions => {
            expect_sites(stream, file, offset, header)?;
            expect_at_most(stream.sites.len(), MAX_SITES, "sites", file, offset, header)?;
            let payload = payload::read(file, offset, header, None)?;
            let sites = definitions::read_sites(&payload, header.entries)
                .map_err(|problem| payload::within_payload(file, offset, header, problem))?;
            stream.sites.extend(sites);
        }
        BlockKind::Properties => {
            let count = stream.properties.len();
            expect_at_most(count, MAX_PROPERTIES, "properties", file, offset, header)?;
            let payload = payload::read(file, offset, header, None)?;
            let pairs = definitions::read_properties(&payload, header.entries)
                .map_err(|problem| payload::within_payload(file, offset, header, problem))?;
            stream.properties.extend(pairs);
        }
        BlockKind::Events => {
            expect_sites(stream, file, offset, header)?;
            if let Some(before) = stream.blocks.last() {
                if header.first_time < before.last_time {
                    return Err(file.corrupt(
                        offset,
                        Problem::new(
                            16,
                            format!("a block that begins at time {}", header.first_time),
                            format!(
                                "no earlier time than {}, the end of the block before",
                                before.last_time
                            ),
                        ),
                    ));
                }
            }
            let gap = skipped > 0 || header.lost_events > 0 || stream.gap_before_next;
            stream.gap_before_next = false;
            stream.blocks.push(BlockInfo {
                offset,
                first_time: header.first_time,
                last_time: header.last_time,
                events: header.entries,
                gap,
                header: *header,
            });
            return Ok(());
        }
        BlockKind::Profile => {
            expect_sites(stream, file, offset, header)?;
            stream.profile_blocks.push(PlacedBlock {
                offset,
                header: *header,
            });
        }
        BlockKind::StackSamples => {
            expect_sites(stream, file, offset, header)?;
            stream.stack_sample_blocks.push(PlacedBlock {
                offset,
                header: *header,
            });
        }
        BlockKind::ClockComparisons => {
            let count = stream.comparisons.len();
            expect_at_most(
                count,
                MAX_COMPARISONS,
                "comparisons of clocks",
                file,
                offset,
                header,
            )?;
            let payload = payload::read(file, offset, header, None)?;
            let read = comparisons::read(&payload, header.entries, file.header.threads)
                .map_err(|problem| payload::within_payload(file, offset, header, problem))?;
            stream.comparisons.extend(read);
        }
        BlockKind::Footer | BlockKind::Unknown(_) => {}
    }
    stream.gap_before_next |= skipped > 0;
    Ok(())
}

/// Before the block is read: what it claims to hold fits beside the `count` things that the stream
/// has.
fn expect_at_most(
    count: usize,
    limit: usize,
    things: &str,
    file: &StreamFile,
    offset: u64,
    header: &BlockHeader,
) -> Result<(), Error> {
    let claimed = count as u64 + u64::from(header.entries);
    if claimed <= limit as u64 {
        return Ok(());
    }
    let expected = format!("at most {limit} of a thread");
    let problem = Problem::new(32, format!("{claimed} {things}"), expected);
    Err(file.corrupt(offset, problem))
}

fn expect_sites(
    stream: &Stream,
    file: &StreamFile,
    offset: u64,
    header: &BlockHeader,
) -> Result<(), Error> {
    if header.sites as usize == stream.sites.len() {
        return Ok(());
    }
    Err(file.corrupt(
        offset,
        Problem::new(
            44,
            format!("a block that builds on {} sites", header.sites),
            format!(
                "{}, the number of those defined before it",
                stream.sites.len()
            ),
        ),
    ))
}

fn note_losses(stream: &mut Stream, footer: Option<&Footer>) {
    if let Some(footer) = footer {
        stream.lost_events = stream.lost_events.max(footer.lost_events);
        stream.limit_reached = footer.limit_reached;
        if footer.stopped != 0 {
            let reason = std::io::Error::from_raw_os_error(footer.stopped as i32);
            stream.remark(format!(
                "recording stopped before the program ended: {reason}"
            ));
        }
    }
    if stream.lost_blocks > 0 {
        stream.remark(format!("{} blocks are missing", stream.lost_blocks));
    }
    if stream.lost_events > 0 {
        stream.remark(format!("{} events were not recorded", stream.lost_events));
    }
}

fn check_totals(
    file: &StreamFile,
    footer: Option<&Footer>,
    streams: &[Stream],
) -> Result<(), Error> {
    let Some(footer) = footer else { return Ok(()) };
    let counted: u64 = streams.iter().map(Stream::event_count).sum();
    if counted == footer.events {
        return Ok(());
    }
    Err(file.corrupt(
        file.length().saturating_sub(TRAILER as u64),
        Problem::new(
            0,
            format!("an index with a total of {} events", footer.events),
            format!("{counted}, the sum over its blocks"),
        ),
    ))
}
