//! How much one thread moves at one call path, by the thread whose data it is. The memory of a call
//! path is bounded: the first [`MOST_OWNERS`] owners are distinguished, and what goes to others
//! beyond them is one sum there.

use pgas_trace::model::ThreadId;
use serde::{Deserialize, Serialize};

use super::runs::Ways;

/// Owners that are distinguished at one call path of one thread.
pub const MOST_OWNERS: usize = 64;
/// Owners with larger numbers are looked for one by one: no program has so many threads.
const INDEXED: u32 = 1 << 16;
/// Marks an owner that has no cell of its own.
const NO_CELL: u32 = u32::MAX;

/// Which way data goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Direction {
    /// From its owner to the thread.
    Get,
    /// From the thread to its owner.
    Put,
    /// A copy from and to data of the same owner.
    Within,
    /// A copy of which only one side's owner is known, but not which side that is.
    Either,
}

/// Number of directions.
pub const DIRECTIONS: usize = 4;
/// All of them, each at its number.
pub const DIRECTION_LIST: [Direction; DIRECTIONS] = [
    Direction::Get,
    Direction::Put,
    Direction::Within,
    Direction::Either,
];

/// Sums over accesses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Totals {
    /// Number of accesses.
    pub accesses: u64,
    /// Bytes that they moved.
    pub bytes: u64,
    /// Ticks that they took, without regions inside of them.
    pub ticks: u64,
}

impl Totals {
    /// Counts one access. Ticks of a thread cannot come to more than its time.
    #[inline]
    pub(crate) fn note(&mut self, bytes: u64, ticks: u64) {
        self.accesses += 1;
        self.bytes = self.bytes.saturating_add(bytes);
        self.ticks = self.ticks.wrapping_add(ticks);
    }

    /// Adds other accesses; a sum that overflows stays at `u64::MAX`.
    pub fn add(&mut self, other: &Totals) {
        self.accesses = self.accesses.saturating_add(other.accesses);
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.ticks = self.ticks.saturating_add(other.ticks);
    }

    /// Whether there were no accesses.
    pub fn is_zero(&self) -> bool {
        *self == Totals::default()
    }
}

/// Accesses to one owner's data in one direction.
#[derive(Debug, Default)]
pub(crate) struct Cell {
    pub owner: ThreadId,
    pub direction: Option<Direction>,
    pub totals: Totals,
    pub ways: Ways,
    /// From the first byte to the end of the last (exclusive), as far as addresses are known.
    pub extent: Option<(u64, u64)>,
}

impl Cell {
    /// Widens the extent by an access.
    #[inline]
    pub fn reach(&mut self, address: u64, bytes: u64) {
        let end = address.saturating_add(bytes);
        self.extent = Some(match self.extent {
            Some((first, last)) => (first.min(address), last.max(end)),
            None => (address, end),
        });
    }
}

/// All accesses at one call path of one thread.
#[derive(Debug)]
pub(crate) struct Cells {
    cells: Vec<Cell>,
    /// By owner: the number of its cell + 1; 0 if it has none. Only for paths with one direction.
    index: Vec<u8>,
    /// The latest cell.
    latest: u32,
    /// How often an access went to another owner than the one before.
    pub switches: u64,
    /// By direction: to owners without a cell.
    pub scattered: [Totals; DIRECTIONS],
}

impl Default for Cells {
    fn default() -> Self {
        Cells {
            cells: Vec::new(),
            index: Vec::new(),
            latest: NO_CELL,
            switches: 0,
            scattered: [Totals::default(); DIRECTIONS],
        }
    }
}

impl Cells {
    /// The cell of an owner at a path all of whose accesses have the same direction; `None` if
    /// there are too many owners. `me` always gets one. The second value is whether the access
    /// before went to the same owner.
    #[inline]
    pub fn find(
        &mut self,
        me: ThreadId,
        owner: ThreadId,
        direction: Direction,
    ) -> (Option<&mut Cell>, bool) {
        let known = self.cells.get(self.latest as usize);
        let same = known.is_some_and(|cell| cell.owner == owner);
        if !same {
            self.switches += 1;
            self.latest = self.find_other(me, owner, direction).unwrap_or(NO_CELL);
        }
        (self.cells.get_mut(self.latest as usize), same)
    }

    #[inline(never)]
    fn find_other(&mut self, me: ThreadId, owner: ThreadId, direction: Direction) -> Option<u32> {
        if owner >= INDEXED {
            return self.number(me, owner, direction);
        }
        if let Some(&number @ 1..) = self.index.get(owner as usize) {
            return Some(u32::from(number) - 1);
        }
        let number = self.new_cell(me, owner, direction)?;
        if owner as usize >= self.index.len() {
            self.index.resize(owner as usize + 1, 0);
        }
        self.index[owner as usize] = number as u8 + 1;
        Some(number)
    }

    /// The same for paths with several directions.
    pub fn find_slowly(
        &mut self,
        me: ThreadId,
        owner: ThreadId,
        direction: Direction,
    ) -> Option<&mut Cell> {
        let number = self.number(me, owner, direction)?;
        self.cells.get_mut(number as usize)
    }

    fn number(&mut self, me: ThreadId, owner: ThreadId, direction: Direction) -> Option<u32> {
        let known = self
            .cells
            .iter()
            .position(|cell| cell.owner == owner && cell.direction == Some(direction));
        match known {
            Some(number) => Some(number as u32),
            None => self.new_cell(me, owner, direction),
        }
    }

    fn new_cell(&mut self, me: ThreadId, owner: ThreadId, direction: Direction) -> Option<u32> {
        // A copy can have its own data on three sides.
        let room = match owner == me {
            true => MOST_OWNERS + 3,
            false => MOST_OWNERS,
        };
        if self.cells.len() >= room {
            return None;
        }
        self.cells.push(Cell {
            owner,
            direction: Some(direction),
            ..Cell::default()
        });
        Some(self.cells.len() as u32 - 1)
    }

    pub fn all(&self) -> &[Cell] {
        &self.cells
    }
}
