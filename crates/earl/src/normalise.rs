//! Makes the events of different runtimes alike: from a runtime without an event for `upc_barrier`
//! (Berkeley UPC), a `upc_notify` and a `upc_wait` from the same line with nothing between them are
//! one plain barrier. Whether nothing is between them is known only later, so the events of a
//! notify are held back until the next one decides.

use pgas_trace::model::{Attributes, Operation, Site};
use rustc_hash::FxHashMap;

use crate::sites::{SiteTable, SourceSite};

/// An event whose site is resolved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Item {
    pub time: u64,
    pub enter: bool,
    pub site: SourceSite,
    pub attributes: Attributes,
}

/// More than a few standstills inside of one notify are no longer waited for.
const HELD_AT_MOST: usize = 64;

#[derive(Debug, Default)]
pub(crate) struct Normaliser {
    /// A notify and the standstills (of the measurement, without a core) in and after it; empty if
    /// nothing is undecided.
    held: Vec<Item>,
    /// The notify that is held has been left.
    notified: bool,
    /// The wait that is being reported as the end of a barrier, and that barrier.
    merged: Option<(SourceSite, SourceSite)>,
    /// The barrier that a notify and a wait make, `None` if they are on different lines.
    barriers: FxHashMap<(SourceSite, SourceSite), Option<SourceSite>>,
    /// The runtime reports barriers as such, so that halves are what the program says.
    is_off: bool,
}

impl Normaliser {
    pub fn for_whole_barriers() -> Self {
        Normaliser {
            is_off: true,
            ..Normaliser::default()
        }
    }

    /// Whether an event of this operation passes unchanged.
    #[inline]
    pub fn passes(&self, operation: Operation) -> bool {
        let is_half = matches!(operation, Operation::Notify | Operation::Wait);
        self.held.is_empty() && (!is_half || self.is_off)
    }

    /// Takes the next event; appends to `out` what is decided by it.
    pub fn push(&mut self, item: Item, sites: &mut SiteTable, out: &mut Vec<Item>) {
        let operation = sites.operation(item.site);
        if let (Some((wait, barrier)), false) = (self.merged, item.enter) {
            if item.site == wait {
                self.merged = None;
                out.push(Item {
                    site: barrier,
                    ..item
                });
                return;
            }
        }
        let Some(notify) = self.held.first().map(|first| first.site) else {
            if item.enter && operation == Operation::Notify {
                self.notified = false;
                self.held.push(item);
            } else {
                out.push(item);
            }
            return;
        };
        let room = self.held.len() < HELD_AT_MOST;
        if operation.is_standstill() && room {
            self.held.push(item);
            return;
        }
        if !item.enter && item.site == notify && !self.notified && room {
            self.notified = true;
            self.held.push(item);
            return;
        }
        if item.enter && operation == Operation::Wait && self.notified {
            if let Some(barrier) = self.barrier(notify, item.site, sites) {
                let stalls = self
                    .held
                    .drain(..)
                    .filter(|held| held.enter || held.site != notify);
                out.extend(stalls.map(|held| match held.site == notify {
                    true => Item {
                        site: barrier,
                        ..held
                    },
                    false => held,
                }));
                self.merged = Some((item.site, barrier));
                return;
            }
        }
        out.append(&mut self.held);
        self.push(item, sites, out);
    }

    /// Gives out what is still held at the end of the stream.
    pub fn finish(&mut self, out: &mut Vec<Item>) {
        out.append(&mut self.held);
    }

    fn barrier(
        &mut self,
        notify: SourceSite,
        wait: SourceSite,
        sites: &mut SiteTable,
    ) -> Option<SourceSite> {
        *self.barriers.entry((notify, wait)).or_insert_with(|| {
            let (a, b) = (sites.site(notify), sites.site(wait));
            if a.line != b.line || a.file != b.file {
                return None;
            }
            let barrier = Site {
                operation: Operation::Barrier,
                ..a.clone()
            };
            Some(sites.intern(&barrier))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Operation::*;

    /// Feeds (operation, line, enter) and returns the same of what comes out; the time is the
    /// position.
    fn normalised(events: &[(Operation, u32, bool)]) -> Vec<(u64, Operation, u32, bool)> {
        let mut sites = SiteTable::default();
        let mut normaliser = Normaliser::default();
        let mut out = Vec::new();
        for (time, &(operation, line, enter)) in events.iter().enumerate() {
            let site = sites.intern(&Site {
                operation,
                file: "a.upc".into(),
                line,
                name: String::new(),
            });
            let item = Item {
                time: time as u64,
                enter,
                site,
                attributes: Attributes::None,
            };
            normaliser.push(item, &mut sites, &mut out);
        }
        normaliser.finish(&mut out);
        out.iter()
            .map(|i| {
                let site = sites.site(i.site);
                (i.time, site.operation, site.line, i.enter)
            })
            .collect()
    }

    #[test]
    fn notify_and_wait_of_one_line_are_a_barrier() {
        assert_eq!(
            normalised(&[
                (Notify, 7, true),
                (Notify, 7, false),
                (Wait, 7, true),
                (Wait, 7, false),
                (Fence, 8, true),
            ]),
            [
                (0, Barrier, 7, true),
                (3, Barrier, 7, false),
                (4, Fence, 8, true)
            ]
        );
    }

    #[test]
    fn a_stall_between_does_not_make_it_a_split_phase() {
        assert_eq!(
            normalised(&[
                (Notify, 7, true),
                (Notify, 7, false),
                (MeasurementStall, 0, true),
                (MeasurementStall, 0, false),
                (Wait, 7, true),
                (Wait, 7, false),
            ]),
            [
                (0, Barrier, 7, true),
                (2, MeasurementStall, 0, true),
                (3, MeasurementStall, 0, false),
                (5, Barrier, 7, false)
            ]
        );
    }

    #[test]
    fn other_lines_or_something_between_is_a_split_phase() {
        let other_line = [
            (Notify, 7, true),
            (Notify, 7, false),
            (Wait, 9, true),
            (Wait, 9, false),
        ];
        let between = [
            (Notify, 7, true),
            (Notify, 7, false),
            (Get, 7, true),
            (Get, 7, false),
            (Wait, 7, true),
            (Wait, 7, false),
        ];
        for events in [&other_line[..], &between[..]] {
            let unchanged: Vec<_> = events
                .iter()
                .enumerate()
                .map(|(t, &(o, l, e))| (t as u64, o, l, e))
                .collect();
            assert_eq!(normalised(events), unchanged);
        }
    }

    #[test]
    fn two_notifies_and_a_cut_stream_lose_nothing() {
        let events = [
            (Notify, 7, true),
            (Notify, 7, false),
            (Notify, 7, true),
            (Notify, 7, false),
        ];
        assert_eq!(normalised(&events).len(), 4);
        assert_eq!(normalised(&events[..3]).len(), 3);
        assert_eq!(normalised(&events[..1]), [(0, Notify, 7, true)]);
    }
}
