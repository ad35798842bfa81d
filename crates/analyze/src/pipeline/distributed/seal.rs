//! Messages between processes, sealed: each ends with a checksum of its content, sender, receiver
//! and number. So any difference from the messages that the other process sent, each once and in
//! order, is detected before a process acts on it: bytes that were lost or changed, messages that
//! came twice, messages of another version of the tool.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::message::{self, Order};
use super::{Exchange, ExchangeError};

/// There is nothing more to do. It has no seal, so that processes understand it that understand
/// nothing else.
const LEAVE: &[u8] = b"leave";

/// Bytes of a seal.
const SEAL: usize = size_of::<u64>();

/// Message from the leading process to a helping one.
pub(super) enum Told {
    Order(Order),
    Leave,
    /// It cannot be understood.
    Nonsense,
}

/// An exchange of messages with seals.
pub(super) struct Sealed<'a> {
    exchange: &'a mut dyn Exchange,
    /// How many messages went to each process.
    sent: Vec<u64>,
    /// How many came from each.
    received: Vec<u64>,
}

impl<'a> Sealed<'a> {
    pub fn new(exchange: &'a mut dyn Exchange) -> Self {
        let processes = exchange.size();
        Sealed {
            exchange,
            sent: vec![0; processes],
            received: vec![0; processes],
        }
    }

    /// Number of processes.
    pub fn size(&self) -> usize {
        self.exchange.size()
    }

    /// # Errors
    /// [`ExchangeError::Lost`].
    pub fn send(&mut self, to: usize, mut message: Vec<u8>) -> Result<(), ExchangeError> {
        let number = self.sent.get_mut(to);
        let number =
            number.ok_or_else(|| ExchangeError::Lost(format!("there is no process {to}")))?;
        let seal = seal(&message, self.exchange.rank(), to, *number);
        *number += 1;
        message.extend_from_slice(&seal);
        self.exchange.send(to, message)
    }

    /// A message that has come, and from which process; `None` if there is none at the moment.
    ///
    /// # Errors
    /// [`ExchangeError::Lost`]; [`ExchangeError::Nonsense`] if it is not what that process sent.
    pub fn receive(&mut self) -> Result<Option<(usize, Vec<u8>)>, ExchangeError> {
        let Some((from, message)) = self.exchange.receive()? else {
            return Ok(None);
        };
        self.opened(from, message).map(Some)
    }

    /// Next message from the leading process; `None` if there is none at the moment.
    ///
    /// # Errors
    /// [`ExchangeError::Lost`].
    pub fn told(&mut self) -> Result<Option<Told>, ExchangeError> {
        let Some((from, message)) = self.exchange.receive()? else {
            return Ok(None);
        };
        if message == LEAVE {
            return Ok(Some(Told::Leave));
        }
        let opened = self.opened(from, message);
        let order = opened.and_then(|(_, message)| message::decode(&message));
        Ok(Some(order.map_or(Told::Nonsense, Told::Order)))
    }

    /// Tells all others that there is nothing more to do.
    ///
    /// # Errors
    /// [`ExchangeError::Lost`].
    pub fn dismiss(&mut self) -> Result<(), ExchangeError> {
        (1..self.size()).try_for_each(|rank| self.exchange.send(rank, LEAVE.to_vec()))
    }

    /// Takes the seal off.
    fn opened(
        &mut self,
        from: usize,
        mut message: Vec<u8>,
    ) -> Result<(usize, Vec<u8>), ExchangeError> {
        let number = self.received.get_mut(from).ok_or(ExchangeError::Nonsense)?;
        let expected = *number;
        *number += 1;
        let length = message
            .len()
            .checked_sub(SEAL)
            .ok_or(ExchangeError::Nonsense)?;
        let found = message.split_off(length);
        match found == seal(&message, from, self.exchange.rank(), expected) {
            true => Ok((from, message)),
            false => Err(ExchangeError::Nonsense),
        }
    }
}

fn seal(message: &[u8], from: usize, to: usize, number: u64) -> [u8; SEAL] {
    let place = [from as u64, to as u64, number];
    let place: Vec<u8> = place.into_iter().flat_map(u64::to_le_bytes).collect();
    let version = xxh3_64_with_seed(env!("CARGO_PKG_VERSION").as_bytes(), 0);
    xxh3_64_with_seed(message, xxh3_64_with_seed(&place, version)).to_le_bytes()
}
