//! Which threads are drawn, and what each of them did in the window.

use pgas_earl::access::EventTrace;
use pgas_earl::{Observer, PathId, Span};
use pgas_result::timeline::{Activity, Place};
use pgas_trace::Numbered;
use pgas_trace::model::{Attributes, Operation, ThreadId};

use crate::bars::{Bar, Bars, activity};
use crate::error::Error;
use crate::records::Follower;

/// Rows at most.
pub const MOST_ROWS: usize = 32;
/// Bars of a timeline at most, and of one of its rows.
const MOST_BARS: usize = 6_000;
const MOST_BARS_OF_ROW: usize = 400;
/// Waits of a row at most, besides those of the instance.
const MOST_WAITS_OF_ROW: usize = 100;
/// A bar shorter than this part of the window is not seen.
const FINENESS: u64 = 2_000;

/// The threads to draw: all, or those in `needed` and of the others a choice from those that waited
/// longest to those that waited least. `waited` has the ticks of every thread.
pub fn choose(waited: &[u64], needed: &[ThreadId]) -> Vec<ThreadId> {
    let mut ranked: Vec<ThreadId> = (0..waited.len() as ThreadId).collect();
    if ranked.len() <= MOST_ROWS {
        return ranked;
    }
    ranked.sort_by_key(|&thread| std::cmp::Reverse(waited[thread as usize]));
    let mut chosen: Vec<ThreadId> = Vec::with_capacity(MOST_ROWS);
    for &thread in needed.iter().take(MOST_ROWS) {
        if (thread as usize) < waited.len() && !chosen.contains(&thread) {
            chosen.push(thread);
        }
    }
    let rest: Vec<ThreadId> = ranked
        .into_iter()
        .filter(|thread| !chosen.contains(thread))
        .collect();
    let room = MOST_ROWS - chosen.len();
    // Evenly over the ranks, the first and the last one among them.
    let steps = room.saturating_sub(1).max(1);
    chosen.extend((0..room).filter_map(|number| rest.get(number * (rest.len() - 1) / steps)));
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

/// Makes bars of regions.
struct Drawer {
    begin: u64,
    end: u64,
    bars: Bars,
    /// Call paths of the regions that are open.
    open: Vec<(PathId, u64)>,
}

impl Drawer {
    fn bar(&mut self, begin: u64, end: u64, path: PathId, operation: Operation, depth: usize) {
        let (begin, end) = (begin.max(self.begin), end.min(self.end));
        if begin < end {
            self.bars.push(Bar {
                begin,
                end,
                depth: u16::try_from(depth).unwrap_or(u16::MAX),
                activity: activity(operation),
                // The call path, until the walk is over.
                place: path.index(),
                merged: 1,
                pattern: None,
                of_instance: false,
            });
        }
    }
}

impl Observer for Drawer {
    fn enter(&mut self, time: u64, path: PathId, _: Operation, _: &Attributes) {
        self.open.push((path, time));
    }

    fn exit(&mut self, span: Span, path: PathId, operation: Operation, _: &Attributes) {
        self.open.pop();
        self.bar(span.begin, span.end, path, operation, self.open.len());
    }
}

/// A wait of the thread of a row, as it is drawn.
#[derive(Debug)]
pub struct RowWait {
    pub pattern: usize,
    pub depth: u16,
    pub place: usize,
    pub parts: Vec<Span>,
    pub of_instance: bool,
}

/// Bars of a thread from `begin` to `end` (ticks), by begin, an outer bar before those inside.
pub fn draw(
    trace: &EventTrace,
    thread: ThreadId,
    (begin, end): (u64, u64),
    rows: usize,
    mut waits: Vec<RowWait>,
    places: &mut Numbered<Place>,
) -> Result<Vec<Bar>, Error> {
    let shortest = (end - begin) / FINENESS;
    let mut drawer = Drawer {
        begin,
        end,
        bars: Bars::new(shortest),
        open: Vec::new(),
    };
    let mut follower = Follower::new(trace, thread, begin, &mut drawer)?;
    while let Some(next) = follower.next_time()? {
        if next >= end && !follower.is_undecided() {
            break;
        }
        follower.step(&mut drawer)?;
    }
    let is_over = follower.next_time()?.is_none();
    follower.walker.finish(&mut drawer);
    // Regions that go on go on to the end of the window, or of the trace.
    let last = follower
        .walker
        .position()
        .span
        .map_or(begin, |span| span.end);
    let open: Vec<_> = follower.walker.open_regions().collect();
    let until = if is_over { last } else { end };
    for (depth, region) in open.iter().enumerate() {
        drawer.bar(region.enter, until, region.path, region.operation, depth);
    }
    let at_most = (MOST_BARS / rows.max(1)).clamp(60, MOST_BARS_OF_ROW);
    let mut bars = drawer.bars.finish(at_most);
    let walker = &follower.walker;
    for bar in &mut bars {
        let node = walker.tree().node(PathId(bar.place as u32));
        let place = match node.site {
            Some(site) => {
                let site = walker.sites().site(site);
                Place {
                    region: site.region_name().to_owned(),
                    file: site.file.clone(),
                    line: site.line,
                }
            }
            None => Place {
                region: String::new(),
                file: String::new(),
                line: 0,
            },
        };
        bar.place = places.number(&place) as usize;
    }
    let mut waiting = Bars::new(shortest);
    waits.sort_by_key(|wait| wait.parts.first().map_or(0, |part| part.begin));
    for wait in waits {
        for part in wait.parts {
            let (from, to) = (part.begin.max(begin), part.end.min(end));
            if from < to {
                waiting.push(Bar {
                    begin: from,
                    end: to,
                    depth: wait.depth,
                    activity: Activity::Waiting,
                    place: wait.place,
                    merged: 1,
                    pattern: Some(wait.pattern),
                    of_instance: wait.of_instance,
                });
            }
        }
    }
    bars.extend(waiting.finish(MOST_WAITS_OF_ROW));
    bars.sort_by_key(|bar| (bar.begin, bar.depth));
    Ok(bars)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_threads_are_all_drawn() {
        assert_eq!(choose(&[3, 0, 7], &[1]), [0, 1, 2]);
    }

    #[test]
    fn of_many_threads_those_that_matter_are_drawn() {
        let waited: Vec<u64> = (0..1000).map(|thread| thread * 37 % 1000).collect();
        let chosen = choose(&waited, &[400, 17]);
        assert_eq!(chosen.len(), MOST_ROWS);
        assert!(chosen.contains(&400) && chosen.contains(&17));
        let longest = chosen.iter().map(|&t| waited[t as usize]).max();
        let shortest = chosen.iter().map(|&t| waited[t as usize]).min();
        assert_eq!((longest, shortest), (Some(999), Some(0)));
        // Those between are spread.
        let middle = chosen
            .iter()
            .filter(|&&t| (250..750).contains(&waited[t as usize]));
        assert!((10..=22).contains(&middle.count()));
    }
}
