//! Activity of a thread since some point in time: the difference of its profile then and now.
//!
//! Only paths that were touched since then are looked at, so that a short interval costs little in
//! a program with many call paths.

use crate::calltree::PathId;

/// Elements that tables of a thread, written with every event, have room for from the start. Small
/// tables of several threads would lie side by side in memory, and cores that write them take the
/// cache lines from each other: on two cores that cost more than the second core gained.
pub(crate) const ROOM: usize = 64;

/// Remembers, for one interval that is open, which paths were touched and what their time was
/// before.
#[derive(Debug)]
pub struct Interval {
    /// By path: the last interval in which it was touched.
    marks: Vec<u32>,
    number: u32,
    touched: Vec<(PathId, u64)>,
}

impl Default for Interval {
    fn default() -> Self {
        Interval {
            marks: Vec::with_capacity(ROOM),
            number: 1,
            touched: Vec::with_capacity(ROOM),
        }
    }
}

impl Interval {
    /// Must be called before `path` is charged; `ticks` is the time charged to it so far.
    #[inline]
    pub fn touch(&mut self, path: PathId, ticks: u64) {
        match self.marks.get_mut(path.index()) {
            Some(mark) if *mark == self.number => {}
            Some(mark) => {
                *mark = self.number;
                self.touched.push((path, ticks));
            }
            None => {
                // A fresh mark, 0, differs from the number of every interval.
                self.marks.resize(path.index() + 1, 0);
                self.marks[path.index()] = self.number;
                self.touched.push((path, ticks));
            }
        }
    }

    /// Starts a new interval.
    pub fn begin(&mut self) {
        self.touched.clear();
        if self.number == u32::MAX {
            self.marks.fill(0);
            self.number = 0;
        }
        self.number += 1;
    }

    /// Time per path in the open interval, in the order in which paths were touched first; `ticks`
    /// gives the time charged to a path so far.
    pub fn spent<'a>(
        &'a self,
        ticks: impl Fn(PathId) -> u64 + 'a,
    ) -> impl Iterator<Item = (PathId, u64)> + 'a {
        self.touched
            .iter()
            .map(move |&(path, before)| (path, ticks(path) - before))
            .filter(|&(_, spent)| spent > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_time_since_the_beginning_counts() {
        let mut ticks = [0u64; 3];
        let mut interval = Interval::default();
        let charge = |interval: &mut Interval, ticks: &mut [u64; 3], path: u32, time: u64| {
            interval.touch(PathId(path), ticks[path as usize]);
            ticks[path as usize] += time;
        };
        charge(&mut interval, &mut ticks, 0, 5);
        charge(&mut interval, &mut ticks, 2, 7);
        charge(&mut interval, &mut ticks, 0, 1);
        let spent = |interval: &Interval, ticks: &[u64; 3]| -> Vec<_> {
            interval.spent(|p| ticks[p.index()]).collect()
        };
        assert_eq!(spent(&interval, &ticks), [(PathId(0), 6), (PathId(2), 7)]);
        interval.begin();
        assert_eq!(spent(&interval, &ticks), []);
        charge(&mut interval, &mut ticks, 2, 1);
        charge(&mut interval, &mut ticks, 1, 4);
        charge(&mut interval, &mut ticks, 0, 0);
        assert_eq!(spent(&interval, &ticks), [(PathId(2), 1), (PathId(1), 4)]);
    }
}
