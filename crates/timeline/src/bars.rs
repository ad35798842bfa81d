//! Bars of a thread: one for each region while it was on the stack. Those that are too short to be
//! drawn are merged with their neighbours of the same depth as they come, so that what is kept is
//! bounded by what can be seen.

use pgas_analyze::time_class::Class;
use pgas_result::timeline::Activity;
use pgas_trace::model::Operation;

/// Times in ticks; otherwise as in [`pgas_result::timeline::Bar`].
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    pub begin: u64,
    pub end: u64,
    pub depth: u16,
    pub activity: Activity,
    pub place: usize,
    pub merged: u32,
    /// The pattern, of a waiting bar.
    pub pattern: Option<usize>,
    pub of_instance: bool,
}

impl Bar {
    fn length(&self) -> u64 {
        self.end.saturating_sub(self.begin)
    }
}

/// Activity of an operation, by which it is coloured.
pub fn activity(operation: Operation) -> Activity {
    match Class::of(Some(operation)) {
        // One thread ends the program for all of them: that is not the program's own work, but
        // lasts no time, either.
        Class::Computation | Class::Pgas => Activity::Computation,
        Class::OneSided => Activity::OneSided,
        Class::Collective => Activity::Collective,
        Class::Barrier => Activity::Barrier,
        Class::Lock => Activity::Lock,
        Class::PointToPoint => Activity::PointToPoint,
        Class::Message => Activity::Message,
        Class::Fence => Activity::Fence,
        Class::Allocation => Activity::Allocation,
        Class::Io => Activity::Io,
        Class::NoCore => Activity::NoCore,
        Class::Measurement => Activity::Measurement,
    }
}

/// Bars of one depth that are being merged.
#[derive(Debug)]
struct Pending {
    bar: Bar,
    /// Places and their time.
    places: Vec<(usize, u64)>,
}

/// Takes the bars of one thread, those of each depth by their begin.
#[derive(Debug)]
pub struct Bars {
    /// Ticks: what is shorter is merged.
    shortest: u64,
    done: Vec<Bar>,
    /// By depth.
    pending: Vec<Option<Pending>>,
}

impl Bars {
    pub fn new(shortest: u64) -> Self {
        Bars {
            shortest,
            done: Vec::new(),
            pending: Vec::new(),
        }
    }

    pub fn push(&mut self, bar: Bar) {
        let depth = usize::from(bar.depth);
        if depth >= self.pending.len() {
            self.pending.resize_with(depth + 1, || None);
        }
        let pending = &mut self.pending[depth];
        if bar.length() >= self.shortest || bar.of_instance {
            self.done.extend(pending.take().map(Pending::finish));
            self.done.push(bar);
            return;
        }
        let shortest = self.shortest;
        if let Some(pending) = pending {
            let gap = bar.begin.saturating_sub(pending.bar.end);
            let alike = pending.bar.activity == bar.activity || pending.bar.length() < shortest;
            if gap < shortest && alike {
                return pending.add(bar);
            }
        }
        let place = (bar.place, bar.length());
        let before = pending.replace(Pending {
            bar,
            places: vec![place],
        });
        self.done.extend(before.map(Pending::finish));
    }

    /// At most `at_most` bars (but those of the instance are never merged), by begin, an outer one
    /// before those inside.
    pub fn finish(mut self, at_most: usize) -> Vec<Bar> {
        loop {
            let pending = self.pending.drain(..).flatten();
            self.done.extend(pending.map(Pending::finish));
            self.done.sort_by_key(|bar| (bar.begin, bar.depth));
            let fixed = self.done.iter().filter(|bar| bar.of_instance).count();
            if self.done.len() - fixed <= at_most || self.shortest > u64::MAX / 4 {
                return self.done;
            }
            let mut coarser = Bars::new(self.shortest.max(1) * 2);
            self.done.into_iter().for_each(|bar| coarser.push(bar));
            self = coarser;
        }
    }
}

impl Pending {
    fn add(&mut self, bar: Bar) {
        self.bar.end = self.bar.end.max(bar.end);
        self.bar.merged = self.bar.merged.saturating_add(bar.merged);
        let length = bar.length();
        let most = self
            .places
            .iter()
            .map(|&(_, ticks)| ticks)
            .max()
            .unwrap_or(0);
        let known = self
            .places
            .iter_mut()
            .find(|(place, _)| *place == bar.place);
        let ticks = match known {
            Some((_, ticks)) => {
                *ticks += length;
                *ticks
            }
            None => {
                self.places.push((bar.place, length));
                length
            }
        };
        if ticks > most {
            self.bar.place = bar.place;
            self.bar.activity = bar.activity;
            self.bar.pattern = bar.pattern;
        }
    }

    fn finish(self) -> Bar {
        self.bar
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bar(begin: u64, end: u64, depth: u16, place: usize) -> Bar {
        Bar {
            begin,
            end,
            depth,
            activity: Activity::OneSided,
            place,
            merged: 1,
            pattern: None,
            of_instance: false,
        }
    }

    #[test]
    fn short_neighbours_become_one_named_after_the_longest() {
        let mut bars = Bars::new(10);
        for (begin, place) in [(0, 3), (2, 4), (4, 4), (6, 3), (8, 4)] {
            bars.push(bar(begin, begin + 1, 2, place));
        }
        bars.push(bar(100, 101, 2, 3));
        bars.push(bar(110, 150, 2, 5));
        let merged = bars.finish(400);
        let brief: Vec<_> = merged
            .iter()
            .map(|b| (b.begin, b.end, b.place, b.merged))
            .collect();
        assert_eq!(brief, [(0, 9, 4, 5), (100, 101, 3, 1), (110, 150, 5, 1)]);
    }

    proptest! {
        /// Nothing gets lost, no two bars of a depth overlap, and there are not more than asked for.
        #[test]
        fn any_number_of_bars_fits(lengths in prop::collection::vec((0u64..50, 0u64..9, 0u16..3), 0..400), at_most in 3usize..50) {
            let mut bars = Bars::new(5);
            let (mut ends, mut count) = ([0u64; 3], 0);
            for (length, gap, depth) in lengths {
                let begin = ends[usize::from(depth)] + gap;
                ends[usize::from(depth)] = begin + length;
                bars.push(bar(begin, begin + length, depth, length as usize % 4));
                count += 1;
            }
            let merged = bars.finish(at_most);
            prop_assert!(merged.len() <= at_most);
            prop_assert_eq!(merged.iter().map(|bar| bar.merged).sum::<u32>(), count);
            for depth in 0..3 {
                let mut reached = 0;
                for bar in merged.iter().filter(|bar| bar.depth == depth) {
                    prop_assert!(bar.begin >= reached && bar.end >= bar.begin);
                    reached = bar.end;
                }
            }
        }
    }
}
