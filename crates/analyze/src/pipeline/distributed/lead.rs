//! The process that leads: it tells others what to read, passes on what comes from them, and
//! collects what they know at the end.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use pgas_earl::EventSource;
use pgas_trace::Interruption;
use rayon::ThreadPool;

use super::division::divide;
use super::message::{self, Conclusion, Head, Names, Opening, Order};
use super::seal::Sealed;
use super::{Exchange, ExchangeError};
use crate::model::paths::CallPaths;
use crate::pipeline::exchange::{Patience, check};
use crate::pipeline::sums::ThreadSums;
use crate::pipeline::workers::Workers;
use crate::threads::profile::ThreadProfile;
use crate::threads::stacks::ThreadStacks;

/// Groups of streams that each process makes of its share: what several cores of it read side by
/// side, and take apart side by side where it is judged.
const GROUPS: usize = 8;

/// So long an analysis that was interrupted waits for the others to end in good order.
const LAST_ANSWERS: Duration = Duration::from_secs(2);

/// The processes that analyse together, as the one sees them that leads.
pub struct Team<'a> {
    exchange: Sealed<'a>,
    cores: &'a ThreadPool,
    interruption: &'a Interruption,
}

impl<'a> Team<'a> {
    /// `exchange` is the way to the others, of which this process is number 0; `cores` are those of
    /// this process, and `interruption` ends an analysis that is under way.
    pub fn new(
        exchange: &'a mut dyn Exchange,
        cores: &'a ThreadPool,
        interruption: &'a Interruption,
    ) -> Self {
        Team {
            exchange: Sealed::new(exchange),
            cores,
            interruption,
        }
    }

    /// Lets the others go; they have nothing more to do.
    ///
    /// # Errors
    /// [`ExchangeError::Lost`].
    pub fn dismiss(&mut self) -> Result<(), ExchangeError> {
        self.exchange.dismiss()
    }

    /// Shares the streams of the experiment in `directory`, of which `events` are the numbers of
    /// events by thread.
    pub(crate) fn lead(&mut self, directory: &Path, events: &[u64]) -> Lead<'_, 'a> {
        let parts = divide(events, self.exchange.size());
        let own = parts[0].clone();
        let others = parts.into_iter().enumerate().skip(1);
        let busy = others.filter(|(_, threads)| !threads.is_empty());
        let helpers = busy.map(|(rank, threads)| Helper {
            rank,
            threads,
            groups: Vec::new(),
            is_open: false,
        });
        Lead {
            helpers: helpers.collect(),
            own,
            directory: directory.to_owned(),
            exchange: &mut self.exchange,
            cores: self.cores,
            interruption: self.interruption,
            sums: Vec::new(),
            stacks: Vec::new(),
            held_events: 0,
        }
    }
}

/// Another process.
#[derive(Debug)]
struct Helper {
    rank: usize,
    threads: Range<usize>,
    /// Their numbers, and the threads of each.
    groups: Vec<(usize, Range<usize>)>,
    /// It has received the opening of the experiment.
    is_open: bool,
}

/// The analysis of one experiment by several processes.
pub(crate) struct Lead<'a, 'b> {
    exchange: &'a mut Sealed<'b>,
    cores: &'a ThreadPool,
    interruption: &'a Interruption,
    directory: PathBuf,
    /// Threads whose streams this process reads.
    own: Range<usize>,
    /// Those that have threads of their own, in the order of these.
    helpers: Vec<Helper>,
    sums: Vec<ThreadSums>,
    stacks: Vec<ThreadStacks>,
    held_events: u64,
}

impl<'a> Lead<'a, '_> {
    pub fn cores(&self) -> &'a ThreadPool {
        self.cores
    }

    /// Threads whose streams this process reads: the first ones.
    pub fn own(&self) -> Range<usize> {
        self.own.clone()
    }

    /// How many threads others read.
    pub fn threads(&self) -> usize {
        self.helpers.iter().map(|helper| helper.threads.len()).sum()
    }

    /// Divides the threads of others into groups, whose numbers begin with `first`, and sends each
    /// process its share to read, with at most `per_thread` events of a thread in a stretch.
    /// Returns the number of groups.
    pub fn open(&mut self, first: usize, per_thread: u64) -> Result<usize, ExchangeError> {
        let mut next = first;
        for helper in &mut self.helpers {
            let threads = &helper.threads;
            let size = threads.len().div_ceil(GROUPS).max(1);
            let begins = threads.clone().step_by(size);
            let groups = begins.map(|begin| begin..threads.end.min(begin + size));
            helper.groups = (next..).zip(groups).collect();
            next += helper.groups.len();
            let order = Order::Open(Opening {
                version: env!("CARGO_PKG_VERSION").into(),
                directory: self.directory.clone(),
                groups: helper.groups.clone(),
                per_thread,
            });
            helper.is_open = true;
            self.exchange.send(helper.rank, message::encode(&order)?)?;
        }
        Ok(next - first)
    }

    /// Carries messages to and fro until the search is over.
    pub fn relay<S>(&mut self, workers: &Workers<S>) -> Result<(), ExchangeError>
    where
        S: EventSource + Send,
        S::Error: Send,
    {
        let mut patience = Patience::default();
        while !workers.is_over() {
            check(self.interruption)?;
            let mut idle = true;
            while let Some(until) = workers.tell() {
                idle = false;
                let order = message::encode(&Order::Read(until))?;
                for helper in &self.helpers {
                    self.exchange.send(helper.rank, order.clone())?;
                }
            }
            while let Some((_, bytes)) = self.exchange.receive()? {
                idle = false;
                let (head, begin) = message::head(&bytes)?;
                match head {
                    Head::Contribution { group } => workers.has_come(group, (bytes, begin))?,
                    Head::Unable => {
                        return Err(ExchangeError::Elsewhere(message::decode_rest(&bytes)?));
                    }
                    Head::Conclusion | Head::Lost | Head::Closed => {
                        return Err(ExchangeError::Nonsense);
                    }
                }
            }
            match idle {
                true => patience.wait(),
                false => patience.reset(),
            }
        }
        Ok(())
    }

    /// Asks the others what they know about their threads, now that all call paths have common
    /// numbers.
    pub fn ask_for_profiles(&mut self, paths: &CallPaths) -> Result<(), ExchangeError> {
        for helper in &self.helpers {
            let threads = helper.threads.clone();
            let order = Order::Conclude(Names {
                paths: paths.len(),
                threads: threads.map(|thread| paths.names(thread).to_vec()).collect(),
            });
            self.exchange.send(helper.rank, message::encode(&order)?)?;
        }
        Ok(())
    }

    /// The profiles of their threads, in the order of these.
    pub fn profiles(&mut self) -> Result<Vec<ThreadProfile>, ExchangeError> {
        let mut patience = Patience::default();
        let mut concluded: BTreeMap<usize, Conclusion> = BTreeMap::new();
        while concluded.len() < self.helpers.len() {
            check(self.interruption)?;
            let Some((rank, bytes)) = self.exchange.receive()? else {
                patience.wait();
                continue;
            };
            patience.reset();
            match message::head(&bytes)?.0 {
                // Some may have looked for more after the end.
                Head::Contribution { .. } => {}
                Head::Conclusion => {
                    concluded.insert(rank, message::decode_rest(&bytes)?);
                }
                Head::Unable => {
                    return Err(ExchangeError::Elsewhere(message::decode_rest(&bytes)?));
                }
                Head::Lost | Head::Closed => return Err(ExchangeError::Nonsense),
            }
        }
        let mut profiles = Vec::with_capacity(self.threads());
        for helper in &self.helpers {
            let conclusion = concluded.remove(&helper.rank);
            let conclusion = conclusion.ok_or(ExchangeError::Nonsense)?;
            let expected = helper.threads.len();
            if conclusion.profiles.len() != expected
                || conclusion.sums.len() != expected
                || conclusion.stacks.len() != expected
                || !conclusion.stacks.iter().all(ThreadStacks::is_consistent)
            {
                return Err(ExchangeError::Nonsense);
            }
            profiles.extend(conclusion.profiles);
            self.stacks.extend(conclusion.stacks);
            self.held_events += conclusion.held_events;
            for (thread, sums) in helper.threads.clone().zip(conclusion.sums) {
                let sums = ThreadSums::from_plain(thread as u32, sums);
                self.sums.push(sums.ok_or(ExchangeError::Nonsense)?);
            }
        }
        Ok(profiles)
    }

    /// Other data from the helping processes than the profiles: the sums of their threads, where
    /// samples found these, and the number of events that were held.
    pub fn sums(&mut self) -> (Vec<ThreadSums>, Vec<ThreadStacks>, u64) {
        let stacks = std::mem::take(&mut self.stacks);
        (std::mem::take(&mut self.sums), stacks, self.held_events)
    }

    /// Ends the work of the others on this experiment, and takes what is still on its way. Unless
    /// all is `well` with the exchange, it does not wait for long.
    pub fn close(&mut self, mut well: bool) -> Result<(), ExchangeError> {
        let close = message::encode(&Order::Close)?;
        let mut open = 0;
        for helper in &mut self.helpers {
            if std::mem::take(&mut helper.is_open) {
                self.exchange.send(helper.rank, close.clone())?;
                open += 1;
            }
        }
        let mut patience = Patience::default();
        let (mut deadline, mut ended) = (None, Ok(()));
        while open > 0 {
            // Another process may have gone, and will never answer.
            let now = Instant::now();
            let in_doubt = !well || self.interruption.is_requested();
            if in_doubt && *deadline.get_or_insert(now + LAST_ANSWERS) < now {
                return ended.and(Err(ExchangeError::Interrupted));
            }
            let head = match self.exchange.receive() {
                Ok(Some((_, bytes))) => message::head(&bytes).map(|(head, _)| head),
                Ok(None) => {
                    patience.wait();
                    continue;
                }
                Err(error) => Err(error),
            };
            match head {
                Ok(Head::Closed) => open -= 1,
                Ok(Head::Lost) | Err(ExchangeError::Nonsense) => {
                    // Perhaps this was it.
                    (well, ended) = (false, Err(ExchangeError::Nonsense));
                }
                Ok(_) => {}
                Err(error) => return Err(error),
            }
        }
        ended
    }
}
