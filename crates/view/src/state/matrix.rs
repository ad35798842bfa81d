//! Selection in the matrix of communication: a cell for each pair of threads.

use pgas_result::communication::{Communication, Flow};

use super::list::Cursor;
use crate::input::{Command, Motion};

/// Quantity that the cells show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Amount {
    #[default]
    Time,
    Bytes,
    Operations,
}

impl Amount {
    pub fn of(self, flow: &Flow) -> f64 {
        match self {
            Amount::Time => flow.seconds,
            Amount::Bytes => flow.bytes(),
            Amount::Operations => flow.operations as f64,
        }
    }
}

/// See the module.
#[derive(Debug, Clone, Default)]
pub struct Matrix {
    /// The thread that accesses.
    pub row: Cursor,
    /// The thread whose data it is.
    pub column: Cursor,
    pub amount: Amount,
}

impl Matrix {
    /// `height` rows and `width` columns of cells are visible.
    pub fn apply(
        &mut self,
        command: Command,
        communication: &Communication,
        height: usize,
        width: usize,
    ) -> bool {
        let threads = communication.by_thread.len();
        match command {
            Command::Move(motion) => self.row.go(motion, threads, height),
            Command::Left => self.column.go(Motion::By(-1), threads, width),
            Command::Right => self.column.go(Motion::By(1), threads, width),
            Command::Values | Command::Order => {
                self.amount = match self.amount {
                    Amount::Time => Amount::Bytes,
                    Amount::Bytes => Amount::Operations,
                    Amount::Operations => Amount::Time,
                }
            }
            Command::NextHot | Command::PreviousHot => {
                self.next_pair(communication, command == Command::NextHot, (height, width))
            }
            _ => return false,
        }
        true
    }

    /// From the largest pair to the smallest, or back; from a cell without data to the largest.
    fn next_pair(
        &mut self,
        communication: &Communication,
        down: bool,
        (height, width): (usize, usize),
    ) {
        let mut pairs: Vec<_> = communication.pairs.iter().collect();
        pairs.sort_by(|a, b| {
            let by_amount = self.amount.of(&b.flow).total_cmp(&self.amount.of(&a.flow));
            by_amount.then((a.thread, a.owner).cmp(&(b.thread, b.owner)))
        });
        let is_here = |pair: &&&pgas_result::communication::Pair| {
            (pair.thread as usize, pair.owner as usize) == (self.row.selected, self.column.selected)
        };
        let here = pairs.iter().position(|pair| is_here(&pair));
        let next = match (here, down) {
            (None, _) => 0,
            (Some(at), true) => at + 1,
            (Some(at), false) => at.saturating_sub(1),
        };
        if let Some(pair) = pairs.get(next) {
            let threads = communication.by_thread.len();
            self.row.show(pair.thread as usize, threads, height);
            self.column.show(pair.owner as usize, threads, width);
        }
    }
}
