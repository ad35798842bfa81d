//! Carries the messages of the processes that analyse together over MPI. It is built only with the
//! feature `library`, since it needs an MPI library; all that the messages mean is in
//! `pgas_analyze::distributed`, which needs none.
#![cfg(feature = "library")]

use std::collections::{BTreeMap, VecDeque};
use std::thread;
use std::time::Duration;

use mpi::environment::Universe;
use mpi::request;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Destination, Equivalence, Source};
use mpi::{Rank, Tag, Threading};
use pgas_analyze::distributed::{Exchange, ExchangeError};

/// Bytes that are sent at once. MPI counts them with 31 bits.
const PIECE: usize = 1 << 30;

/// Of the last piece of a message, and of those before it.
const LAST: Tag = 0;
const MORE: Tag = 1;

/// All processes that were started together.
pub struct MpiExchange {
    world: SimpleCommunicator,
    /// By sender: pieces of a message whose last one is still to come.
    begun: BTreeMap<Rank, Vec<u8>>,
    /// Messages that came while something was sent.
    come: VecDeque<(usize, Vec<u8>)>,
    /// Ends MPI when it is dropped, so it comes last.
    _universe: Universe,
}

impl MpiExchange {
    /// Connects this process with those that it was started with. Only the calling thread may use
    /// the exchange.
    ///
    /// # Errors
    /// [`ExchangeError::Lost`] if MPI was in use before.
    pub fn connect() -> Result<Self, ExchangeError> {
        let connected = mpi::initialize_with_threading(Threading::Funneled);
        let (universe, _) =
            connected.ok_or_else(|| ExchangeError::Lost("MPI was initialised twice".to_owned()))?;
        Ok(MpiExchange {
            world: universe.world(),
            begun: BTreeMap::new(),
            come: VecDeque::new(),
            _universe: universe,
        })
    }

    /// Ends all processes at once, with this exit status; for when they cannot agree to end any
    /// more.
    pub fn abort(&self, status: u8) -> ! {
        self.world.abort(status.into())
    }

    fn rank_of(&self, process: usize) -> Result<Rank, ExchangeError> {
        let rank = Rank::try_from(process).ok();
        let rank = rank.filter(|&rank| rank < self.world.size());
        rank.ok_or_else(|| ExchangeError::Lost(format!("there is no process {process}")))
    }
}

/// Takes pieces that have come. Returns whether there were any.
fn take_in(
    world: &SimpleCommunicator,
    begun: &mut BTreeMap<Rank, Vec<u8>>,
    come: &mut VecDeque<(usize, Vec<u8>)>,
) -> bool {
    let mut any = false;
    while let Some((message, status)) = world.any_process().immediate_matched_probe() {
        any = true;
        let count = status.count(u8::equivalent_datatype());
        let (rank, tag) = (status.source_rank(), status.tag());
        let mut piece = vec![0; usize::try_from(count).unwrap_or(0)];
        message.matched_receive_into(&mut piece[..]);
        let whole = match begun.remove(&rank) {
            Some(mut before) => {
                before.append(&mut piece);
                before
            }
            None => piece,
        };
        match tag {
            MORE => {
                begun.insert(rank, whole);
            }
            _ => come.push_back((rank as usize, whole)),
        }
    }
    any
}

impl Exchange for MpiExchange {
    fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    fn size(&self) -> usize {
        self.world.size() as usize
    }

    fn send(&mut self, to: usize, message: Vec<u8>) -> Result<(), ExchangeError> {
        let process = self.world.process_at_rank(self.rank_of(to)?);
        let pieces = message.len().div_ceil(PIECE);
        for (number, piece) in message.chunks(PIECE).enumerate() {
            let tag = if number + 1 < pieces { MORE } else { LAST };
            request::scope(|scope| {
                let mut sending = process.immediate_send_with_tag(scope, piece, tag);
                // The other one may be sending to this one, too, and receive nothing until that is
                // done.
                while let Err(still) = sending.test() {
                    sending = still;
                    if !take_in(&self.world, &mut self.begun, &mut self.come) {
                        thread::sleep(Duration::from_micros(20));
                    }
                }
            });
        }
        Ok(())
    }

    fn receive(&mut self) -> Result<Option<(usize, Vec<u8>)>, ExchangeError> {
        if self.come.is_empty() {
            take_in(&self.world, &mut self.begun, &mut self.come);
        }
        Ok(self.come.pop_front())
    }
}

impl Drop for MpiExchange {
    fn drop(&mut self) {
        // Others would wait for this process for ever.
        if thread::panicking() {
            self.abort(101);
        }
    }
}
