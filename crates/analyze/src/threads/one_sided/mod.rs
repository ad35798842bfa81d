//! Single accesses to shared data: who accesses whose data how much, small accesses that follow
//! each other in memory, and what block transfers cost. Found in one pass over a thread's events;
//! nothing is kept per event.
//!
//! Memory, for each thread and call path with one-sided operations: at most 67 cells of at most 0.4
//! KiB (see [`traffic`]); where a call path reaches more than 64 owners, the others are sums of the
//! thread, at most 64 bytes an owner and direction. So 1,024 threads, each of which accesses all
//! others at two places, need some 100 MB at the very worst, and 20 MB if the accesses are block
//! transfers.

pub mod blocks;
mod hazards;
pub mod profile;
pub mod runs;
pub mod sampled;
pub mod traffic;

use pgas_earl::{PathId, Span};
use pgas_trace::model::{Address, Attributes, Operation, ThreadId};
use rustc_hash::FxHashMap;

use blocks::{BlockSums, SMALL};
use hazards::Written;
use runs::{Access, Runs};
use traffic::{Cells, DIRECTION_LIST, Direction, Totals};

/// Collects the accesses of one thread, whose events it receives in order.
#[derive(Debug)]
pub struct Accesses {
    me: ThreadId,
    /// By path.
    paths: Vec<AtPath>,
    /// The innermost operation that has begun and not ended.
    open: Open,
    /// Those around it: mostly none.
    around: Vec<Open>,
    /// Accesses to owners that have no cell at the call path.
    elsewhere: FxHashMap<(ThreadId, Direction), Totals>,
    /// By direction (get, put): block transfers with other threads.
    blocks: [BlockSums; 2],
    /// Accesses so far.
    number: u64,
    /// By direction: number of the latest one.
    latest: [u64; 2],
    /// Changes with every synchronisation.
    period: u64,
    written: Written,
    /// Number after that of the latest write that was read again.
    read_back: u64,
}

/// Accesses at one call path of one thread.
#[derive(Debug)]
struct AtPath {
    cells: Cells,
    runs: Runs,
    /// Ticks of the fastest small access to another thread's data; the largest number if there was
    /// none.
    fastest: u64,
    /// Number of the latest access.
    latest: u64,
}

impl Default for AtPath {
    fn default() -> Self {
        AtPath {
            cells: Cells::default(),
            runs: Runs::default(),
            fastest: u64::MAX,
            latest: 0,
        }
    }
}

/// An operation that has begun.
#[derive(Debug)]
struct Open {
    kind: Kind,
    operation: Operation,
    path: PathId,
    owner: ThreadId,
    bytes: u64,
    address: Option<Address>,
    /// Of a copy: whose data it reads.
    source: ThreadId,
    /// Regions inside that are open.
    inside: u32,
    /// Ticks of those that have ended.
    nested: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// There is none.
    None,
    Transfer,
    Copy,
}

impl Open {
    const NONE: Open = Open {
        kind: Kind::None,
        operation: Operation::Function,
        path: PathId::PROGRAM,
        owner: 0,
        bytes: 0,
        address: None,
        source: 0,
        inside: 0,
        nested: 0,
    };
}

impl Accesses {
    /// Accesses of thread `me`, before its first event.
    pub fn new(me: ThreadId) -> Self {
        Accesses {
            me,
            paths: Vec::new(),
            open: Open::NONE,
            around: Vec::new(),
            elsewhere: FxHashMap::default(),
            blocks: [BlockSums::default(); 2],
            number: 0,
            latest: [0; 2],
            period: 0,
            written: Written::default(),
            read_back: 0,
        }
    }

    /// A region was entered.
    #[inline]
    pub fn enter(&mut self, path: PathId, operation: Operation, attributes: &Attributes) {
        match *attributes {
            Attributes::Transfer {
                partner,
                bytes,
                address,
            } => {
                let open = self.begin(path, operation);
                open.kind = Kind::Transfer;
                (open.owner, open.bytes, open.address) = (partner, bytes, address);
            }
            Attributes::Copy {
                source,
                destination,
                bytes,
                destination_address,
                ..
            } => {
                let open = self.begin(path, operation);
                (open.kind, open.source) = (Kind::Copy, source);
                (open.owner, open.bytes) = (destination, bytes);
                open.address = destination_address;
            }
            _ => {
                self.open.inside += u32::from(self.open.kind != Kind::None);
                if traits(operation) & SYNCHRONISES != 0 {
                    self.period += 1;
                    self.written.clear();
                }
            }
        }
    }

    #[inline]
    fn begin(&mut self, path: PathId, operation: Operation) -> &mut Open {
        if self.open.kind != Kind::None {
            self.begin_inside();
        }
        self.open.path = path;
        self.open.operation = operation;
        &mut self.open
    }

    #[cold]
    fn begin_inside(&mut self) {
        self.around
            .push(std::mem::replace(&mut self.open, Open::NONE));
    }

    /// A region was left.
    #[inline]
    pub fn exit(&mut self, span: Span) {
        if self.open.kind == Kind::None {
            return;
        }
        if self.open.inside == 0 {
            self.end(span.length());
            return;
        }
        self.open.inside -= 1;
        if self.open.inside == 0 {
            self.open.nested = self.open.nested.saturating_add(span.length());
        }
    }

    /// The stream has ended: what is open counts, but took no time that is known.
    pub fn finish(&mut self) {
        while self.open.kind != Kind::None {
            self.open.nested = u64::MAX;
            self.end(0);
        }
    }

    /// The innermost operation ends after `length` ticks.
    fn end(&mut self, length: u64) {
        let ticks = length.saturating_sub(self.open.nested);
        match self.open.kind {
            Kind::Transfer => self.transfer(ticks),
            _ => self.copy(ticks),
        }
        self.open.kind = Kind::None;
        self.open.nested = 0;
        if !self.around.is_empty() {
            self.leave(length);
        }
    }

    /// Goes on with the operation around the one that has ended.
    #[cold]
    fn leave(&mut self, length: u64) {
        if let Some(mut around) = self.around.pop() {
            if around.inside == 0 {
                around.nested = around.nested.saturating_add(length);
            }
            self.open = around;
        }
    }

    #[inline]
    fn transfer(&mut self, ticks: u64) {
        let (path, owner, bytes) = (self.open.path, self.open.owner, self.open.bytes);
        let traits = traits(self.open.operation);
        let puts = usize::from(traits & GETS == 0);
        let remote = owner != self.me;
        self.number += 1;
        self.latest[puts] = self.number;
        let mut not_before = 0;
        if let (Some(address), true) = (self.open.address, remote) {
            not_before = self.hazard(puts == 1, owner, address.number(), bytes);
        }
        if path.index() >= self.paths.len() {
            self.make_room(path);
        }
        let at = &mut self.paths[path.index()];
        let direction = DIRECTION_LIST[puts];
        let (cell, same) = at.cells.find(self.me, owner, direction);
        let uninterrupted = same && self.latest[1 - puts] < at.latest;
        at.latest = self.number;
        let Some(cell) = cell else {
            self.scatter(path, owner, direction, bytes, ticks);
            return;
        };
        cell.totals.note(bytes, ticks);
        if let Some(address) = self.open.address {
            cell.reach(address.number(), bytes);
        }
        if !remote {
            return;
        }
        if bytes < SMALL && traits & FOLLOWED != 0 {
            let access = Access {
                address: self.open.address,
                bytes,
                ticks,
                number: self.number,
                period: self.period,
                uninterrupted,
                not_before,
            };
            at.fastest = at.fastest.min(ticks);
            cell.ways.follow(&access, &mut at.runs);
        }
        if traits & BLOCK != 0 {
            self.blocks[puts].note(bytes, ticks);
        }
    }

    #[cold]
    fn make_room(&mut self, path: PathId) {
        if path.index() >= self.paths.len() {
            self.paths.resize_with(path.index() + 1, AtPath::default);
        }
    }

    /// Notes what is written, and says which runs an access ends: those that began before the
    /// returned number.
    #[inline]
    fn hazard(&mut self, puts: bool, owner: ThreadId, address: u64, bytes: u64) -> u64 {
        if puts {
            self.written.note(owner, address, bytes, self.number);
            return self.read_back;
        }
        match self.written.latest(owner, address) {
            Some(written) => {
                self.read_back = self.read_back.max(written + 1);
                written
            }
            None => 0,
        }
    }

    #[cold]
    fn copy(&mut self, ticks: u64) {
        let (me, path, bytes) = (self.me, self.open.path, self.open.bytes);
        let (source, destination) = (self.open.source, self.open.owner);
        self.number += 1;
        self.latest = [self.number; 2];
        if let (Some(to), true) = (self.open.address, destination != me) {
            self.written
                .note(destination, to.number(), bytes, self.number);
        }
        if source == destination {
            self.side(path, source, Direction::Within, bytes, ticks);
            return;
        }
        // Its time is that of the side that is not the thread's own; of two such, of the source.
        let (of_source, of_destination) = match source == me {
            true => (0, ticks),
            false => (ticks, 0),
        };
        self.side(path, source, Direction::Get, bytes, of_source);
        self.side(path, destination, Direction::Put, bytes, of_destination);
    }

    /// One side of a copy.
    fn side(
        &mut self,
        path: PathId,
        owner: ThreadId,
        direction: Direction,
        bytes: u64,
        ticks: u64,
    ) {
        self.make_room(path);
        let at = &mut self.paths[path.index()];
        match at.cells.find_slowly(self.me, owner, direction) {
            Some(cell) => cell.totals.note(bytes, ticks),
            None => self.scatter(path, owner, direction, bytes, ticks),
        }
    }

    #[cold]
    fn scatter(
        &mut self,
        path: PathId,
        owner: ThreadId,
        direction: Direction,
        bytes: u64,
        ticks: u64,
    ) {
        let at = &mut self.paths[path.index()];
        at.cells.scattered[direction as usize].note(bytes, ticks);
        let totals = self.elsewhere.entry((owner, direction));
        totals.or_default().note(bytes, ticks);
    }
}

/// It reads the owner's data.
const GETS: u8 = 1;
/// Several can be one block transfer.
const FOLLOWED: u8 = 2;
/// It tells what a block transfer costs: it moves between shared and private memory, and ends when
/// that is done.
const BLOCK: u8 = 4;
/// Accesses may not be moved across it: what other threads write or read is known only from here
/// on.
const SYNCHRONISES: u8 = 8;

/// By number of the operation.
const TRAITS: [u8; 256] = {
    use Operation::*;
    let mut traits = [SYNCHRONISES; 256];
    let others = [
        Function,
        UserRegion,
        MeasurementStall,
        NoCore,
        Forall,
        Malloc,
        Realloc,
        MallocFree,
        Alloc,
        GlobalAlloc,
        Memcpy,
        Memset,
        NonBlockingSync,
    ];
    let mut index = 0;
    while index < others.len() {
        traits[others[index] as usize] = 0;
        index += 1;
    }
    traits[Get as usize] = GETS | FOLLOWED;
    // Those before and after them are counted.
    traits[RemoteGet as usize] = GETS;
    traits[RemotePut as usize] = 0;
    traits[Atomic as usize] = 0;
    traits[NonBlockingGet as usize] = GETS | FOLLOWED;
    traits[Memget as usize] = GETS | FOLLOWED | BLOCK;
    traits[Put as usize] = FOLLOWED;
    traits[NonBlockingPut as usize] = FOLLOWED;
    traits[Memput as usize] = FOLLOWED | BLOCK;
    traits
};

#[inline]
fn traits(operation: Operation) -> u8 {
    TRAITS[usize::from(operation as u8)]
}

/// Which way a transfer of that kind moves data.
pub fn direction(operation: Operation) -> Direction {
    match traits(operation) & GETS {
        0 => Direction::Put,
        _ => Direction::Get,
    }
}
