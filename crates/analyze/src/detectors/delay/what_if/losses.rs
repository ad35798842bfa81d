//! Losses whose savings we estimate: each has a column, from when it first occurs.

use pgas_earl::PathId;

/// Losses at most; those that come up later are not followed.
const MOST: usize = 384;

/// In which way a loss at a call path is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Loss {
    /// An operation takes no time beside waiting; computation is divided evenly over threads.
    Time,
    /// Threads come there at the mean of their times.
    Lateness,
    /// Nobody waits there for others; a barrier is left out altogether.
    Waiting,
}

/// Class of a call path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathClass {
    /// The program's own code.
    Computation,
    /// A barrier, plain or split, or the collective end of the program.
    Barrier,
    /// Any other operation of the runtime, or time without a core or in the measurement.
    Other,
}

#[derive(Debug, Clone, Copy)]
struct Columns {
    class: PathClass,
    time: Option<u16>,
    lateness: Option<u16>,
    waiting: Option<u16>,
}

/// Columns that the time of a call path belongs to.
#[derive(Debug, Clone, Copy)]
pub struct TimeColumns {
    pub column: Option<usize>,
    /// The time is not gone, but divided.
    pub is_work: bool,
    /// Of a barrier that is left out.
    pub with_barrier: Option<usize>,
}

/// All losses.
#[derive(Debug)]
pub struct Losses {
    paths: Vec<Columns>,
    count: usize,
}

impl Default for Losses {
    fn default() -> Self {
        // The first column is the run as it was.
        Losses {
            paths: Vec::new(),
            count: 1,
        }
    }
}

impl Losses {
    pub fn learn(&mut self, classes: &mut Vec<PathClass>) {
        self.paths.extend(classes.drain(..).map(|class| Columns {
            class,
            time: None,
            lateness: None,
            waiting: None,
        }));
    }

    /// Columns so far.
    pub fn len(&self) -> usize {
        self.count
    }

    #[inline]
    pub fn time(&mut self, path: PathId) -> TimeColumns {
        let Some(columns) = self.paths.get_mut(path.index()) else {
            return TimeColumns {
                column: None,
                is_work: false,
                with_barrier: None,
            };
        };
        let of_barrier = columns.class == PathClass::Barrier;
        let with_barrier = match of_barrier {
            true => column(&mut columns.waiting, &mut self.count),
            false => None,
        };
        TimeColumns {
            column: column(&mut columns.time, &mut self.count),
            is_work: columns.class == PathClass::Computation,
            with_barrier,
        }
    }

    pub fn lateness(&mut self, path: PathId) -> Option<usize> {
        let columns = self.paths.get_mut(path.index())?;
        column(&mut columns.lateness, &mut self.count)
    }

    pub fn waiting(&mut self, path: PathId) -> Option<usize> {
        let columns = self.paths.get_mut(path.index())?;
        column(&mut columns.waiting, &mut self.count)
    }

    /// All that have a column.
    pub fn all(&self) -> impl Iterator<Item = (Loss, PathId, usize)> + '_ {
        let paths = self.paths.iter().enumerate();
        paths.flat_map(|(number, columns)| {
            let path = PathId(number as u32);
            [
                (Loss::Time, columns.time),
                (Loss::Lateness, columns.lateness),
                (Loss::Waiting, columns.waiting),
            ]
            .into_iter()
            .filter_map(move |(loss, column)| Some((loss, path, usize::from(column?))))
        })
    }
}

/// The column, given now if there is none and room for it.
#[inline]
fn column(known: &mut Option<u16>, count: &mut usize) -> Option<usize> {
    if known.is_none() && *count < MOST {
        *known = Some(*count as u16);
        *count += 1;
    }
    known.map(usize::from)
}
