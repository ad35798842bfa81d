//! A helping process: reads its share of the streams by order of the leading process and sends the
//! contributions to it. One of its threads exchanges messages while others read.

use std::ops::Range;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread;

use pgas_earl::{EventSource, PathId};
use pgas_trace::model::ThreadId;
use pgas_trace::{Experiment, Interruption};
use rayon::ThreadPool;
use rayon::prelude::*;

use super::message::{self, Conclusion, Head, Names, Opening, Order};
use super::seal::{Sealed, Told};
use super::{Exchange, ExchangeError};
use crate::pipeline::contribution::{Contribution, advance};
use crate::pipeline::error::Error;
use crate::pipeline::exchange::{Patience, check};
use crate::pipeline::reading::Reader;
use crate::pipeline::streams::{Share, failed};
use crate::pipeline::thread_profile::profile;
use crate::threads::batch::Batch;

/// Helps process 0 with its analyses until process 0 has no more to do. `cores` read;
/// `interruption` ends the work, which is reported to process 0.
///
/// # Errors
/// [`ExchangeError`]: process 0 cannot be reached, or not understood. Errors in the streams are
/// reported to process 0 and are no errors here.
pub fn help(
    exchange: &mut dyn Exchange,
    cores: &ThreadPool,
    interruption: &Interruption,
) -> Result<(), ExchangeError> {
    let mut exchange = Sealed::new(exchange);
    let (orders, to_do) = channel();
    let (done, answers) = channel();
    // The channels end with it, and so does the work.
    thread::scope(move |scope| {
        scope.spawn(move || work(&to_do, &done, cores, interruption));
        let mut patience = Patience::default();
        let (mut has_said, mut is_lost) = (false, false);
        loop {
            let mut idle = true;
            loop {
                match answers.try_recv() {
                    Ok(answer) => exchange.send(0, answer)?,
                    Err(TryRecvError::Empty) => break,
                    Err(TryRecvError::Disconnected) => return Err(ExchangeError::Nonsense),
                }
                idle = false;
            }
            if check(interruption).is_err() && !has_said {
                has_said = true;
                exchange.send(0, unable(&ExchangeError::Interrupted)?)?;
            }
            if let Some(told) = exchange.told()? {
                idle = false;
                match told {
                    Told::Leave => return Ok(()),
                    Told::Order(order) if !is_lost => {
                        orders.send(order).map_err(|_| ExchangeError::Nonsense)?;
                    }
                    // The meaning of this message, and so of all later ones, cannot be known.
                    Told::Order(_) | Told::Nonsense => {
                        is_lost = true;
                        exchange.send(0, message::encode(&Head::Lost)?)?;
                    }
                }
            }
            match idle {
                true => patience.wait(),
                false => patience.reset(),
            }
        }
    })
}

/// The message that the process cannot do its part.
fn unable(why: &dyn std::fmt::Display) -> Result<Vec<u8>, ExchangeError> {
    message::encode_with(Head::Unable, &why.to_string())
}

/// Does what is ordered until nothing can be ordered any more.
fn work(
    orders: &Receiver<Order>,
    answers: &Sender<Vec<u8>>,
    cores: &ThreadPool,
    interruption: &Interruption,
) {
    while let Ok(order) = orders.recv() {
        let answer = match order {
            Order::Open(opening) => {
                let read = read_share(&opening, orders, answers, cores, interruption);
                match read {
                    Ok(()) => message::encode(&Head::Closed),
                    Err(error) => {
                        // An exchange that has ended needs no answer.
                        let _ = unable(&error).map(|message| answers.send(message));
                        closed(orders)
                    }
                }
            }
            _ => Err(ExchangeError::Nonsense),
        };
        let sent = answer.map(|answer| answers.send(answer));
        if !matches!(sent, Ok(Ok(()))) {
            return;
        }
    }
}

/// Passes over orders about an experiment that cannot be read.
fn closed(orders: &Receiver<Order>) -> Result<Vec<u8>, ExchangeError> {
    while let Ok(order) = orders.recv() {
        if matches!(order, Order::Close) {
            break;
        }
    }
    message::encode(&Head::Closed)
}

/// The readers of a group, until one of them fails.
struct Group<S> {
    number: usize,
    readers: Vec<Reader<S>>,
    batches: Vec<Batch>,
    has_failed: bool,
}

/// Reads the share of one experiment until it is closed.
fn read_share(
    opening: &Opening,
    orders: &Receiver<Order>,
    answers: &Sender<Vec<u8>>,
    cores: &ThreadPool,
    interruption: &Interruption,
) -> Result<(), Error> {
    if opening.version != env!("CARGO_PKG_VERSION") {
        return Err(ExchangeError::Nonsense.into());
    }
    let mut experiment = Experiment::open(&opening.directory)?;
    experiment.stop_on(interruption);
    let begin = opening
        .groups
        .first()
        .map_or(0, |(_, threads)| threads.start);
    let end = opening
        .groups
        .last()
        .map_or(begin, |(_, threads)| threads.end);
    experiment.keep_threads(&(begin as ThreadId..end as ThreadId));
    let share = Share::new(&experiment, begin..end);
    let mut sources = share.sources().into_iter();
    let group = |(number, threads): &(usize, Range<usize>)| Group {
        number: *number,
        readers: threads
            .clone()
            .zip(&mut sources)
            .map(|(thread, source)| Reader::new(thread as ThreadId, source))
            .collect(),
        batches: threads.clone().map(|_| Batch::default()).collect(),
        has_failed: false,
    };
    let mut groups: Vec<Group<_>> = opening.groups.iter().map(group).collect();
    drop(sources);
    while let Ok(order) = orders.recv() {
        match order {
            Order::Read(until) => {
                let read = |group: &mut Group<_>| -> Result<(), ExchangeError> {
                    let answer = contribution(group, until, opening.per_thread, &experiment)?;
                    // A closed channel means that the exchange has ended.
                    let _ = answers.send(answer);
                    Ok(())
                };
                let groups = groups.par_iter_mut().filter(|group| !group.has_failed);
                cores.install(|| groups.try_for_each(read))?;
            }
            Order::Conclude(names) => {
                let readers = std::mem::take(&mut groups).into_iter();
                let readers: Vec<Reader<_>> = readers.flat_map(|group| group.readers).collect();
                let conclude = || conclusion(readers, &share, &names);
                let conclusion = cores.install(conclude)?;
                let _ = answers.send(message::encode_with(Head::Conclusion, &conclusion)?);
            }
            Order::Close => break,
            Order::Open(_) => return Err(ExchangeError::Nonsense.into()),
        }
    }
    Ok(())
}

/// Reads the next stretch of a group, and makes a message of what it contributes.
fn contribution<S>(
    group: &mut Group<S>,
    until: u64,
    per_thread: u64,
    experiment: &Experiment,
) -> Result<Vec<u8>, ExchangeError>
where
    S: EventSource<Error = pgas_trace::Error>,
{
    let head = Head::Contribution {
        group: group.number,
    };
    let batches = &mut group.batches;
    match advance(&mut group.readers, until, per_thread, batches) {
        Ok(read) => {
            let contribution = Contribution::Read {
                read,
                batches: std::mem::take(batches),
            };
            let message = message::encode_with(head, &contribution);
            if let Contribution::Read { batches: used, .. } = contribution {
                *batches = used;
                batches.iter_mut().for_each(Batch::clear);
            }
            message
        }
        Err(failure) => {
            group.has_failed = true;
            let thread = failure.thread;
            let message = failed(experiment, failure).to_string();
            message::encode_with(head, &Contribution::Failed { thread, message })
        }
    }
}

/// Profiles, sums and samples of all threads of this process at the end.
fn conclusion<S: EventSource + Send>(
    readers: Vec<Reader<S>>,
    share: &Share,
    names: &Names,
) -> Result<Conclusion, Error> {
    let fits = |reader: &Reader<S>, own: &[PathId]| {
        let in_tree = own.iter().all(|path| path.index() < names.paths);
        in_tree && own.len() == reader.walker().tree().len()
    };
    let mut pairs = readers.iter().zip(&names.threads);
    if readers.len() != names.threads.len() || !pairs.all(|(reader, own)| fits(reader, own)) {
        return Err(ExchangeError::Nonsense.into());
    }
    let profiles = readers.into_par_iter().zip(&names.threads);
    let profiles = profiles.map(|(reader, own)| profile(&reader, own, names.paths));
    let profiles = profiles.collect();
    let sums = share.sums()?.into_iter().map(|sums| sums.into_plain());
    Ok(Conclusion {
        profiles,
        sums: sums.collect(),
        stacks: share.stacks()?,
        held_events: share.held_events(),
    })
}
