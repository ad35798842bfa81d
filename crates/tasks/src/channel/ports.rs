//! Ports in messages to other processes.
//!
//! An output becomes a proxy there. An input takes the queue along, and what it leaves passes on
//! what still comes to it.

use std::collections::VecDeque;
use std::sync::Arc;

use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::channel::away::Origin;
use crate::channel::queue::Channel;
use crate::channel::remote::{Remote, Target};
use crate::channel::{Input, Message, Output};
use crate::place::Place;
use crate::remote::frame::{After, Step};
use crate::remote::{Address, Node, destination, node};

const OUTSIDE: &str = "ports can only be in messages and arguments of tasks";

/// An output under way.
#[derive(Serialize, Deserialize)]
struct OutputForm {
    number: u64,
    created: Place,
    capacity: Option<usize>,
    open: bool,
    to: Address,
    after: Option<After>,
}

impl<T: Message> Serialize for Output<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match (destination(), node()) {
            (Some(_), Some(node)) => form(self.home(), node).serialize(to),
            _ => Err(S::Error::custom(OUTSIDE)),
        }
    }
}

fn form<T: Message>(channel: &Arc<Channel<T>>, node: &'static Node) -> OutputForm {
    let mut state = channel.state.lock();
    let (created, open) = (channel.created, !(state.closed || state.abandoned));
    let remote = state
        .remote
        .get_or_insert_with(|| Box::new(Remote::home(node.number(), channel.capacity)));
    let (capacity, own) = (remote.capacity, remote.number);
    let (to, after) = match remote.target {
        Some(target) if !remote.entry => {
            node.step(target.to, own, target.after, Step::Add);
            let frames = node.frames_to(target.to.process);
            (
                target.to,
                Some(After {
                    process: node.me,
                    frames,
                }),
            )
        }
        _ => {
            state.outputs += 1;
            drop(state);
            node.keep_home(own, channel.clone());
            let address = Address {
                process: node.me,
                object: own,
            };
            (address, None)
        }
    };
    OutputForm {
        number: channel.number,
        created,
        capacity,
        open,
        to,
        after,
    }
}

impl<'de, T: Message> Deserialize<'de> for Output<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let form = OutputForm::deserialize(from)?;
        let node = node().ok_or_else(|| D::Error::custom(OUTSIDE))?;
        if form.to.process == node.me {
            let home = node.home(form.to.object).map(|home| home.as_any());
            let channel = home.and_then(|home| home.downcast::<Channel<T>>().ok());
            return channel
                .map(Self::new)
                .ok_or_else(|| D::Error::custom("an output of a channel that is gone"));
        }
        let origin = Origin {
            number: form.number,
            created: form.created,
            capacity: form.capacity,
            open: form.open,
        };
        let target = Target {
            to: form.to,
            after: form.after,
        };
        Ok(Self::new(Channel::proxy(&origin, target)))
    }
}

/// An input under way.
#[derive(Serialize, Deserialize)]
struct InputForm {
    number: u64,
    created: Place,
    capacity: Option<usize>,
    closed: bool,
    /// Of the object that has the queue then.
    object: u64,
    /// What it left, which sends to it.
    source: Address,
}

/// Messages, without copies.
struct Messages<'a, T>(&'a VecDeque<T>, &'a VecDeque<T>);

impl<T: Message> Serialize for Messages<'_, T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(Chained(self.0.iter(), self.1.iter()))
    }
}

/// An iterator that knows its length.
struct Chained<I>(I, I);

impl<I: ExactSizeIterator> Iterator for Chained<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        self.0.next().or_else(|| self.1.next())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.len() + self.1.len();
        (left, Some(left))
    }
}

impl<T: Message> Serialize for Input<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let (Some(process), Some(node)) = (destination(), node()) else {
            return Err(S::Error::custom(OUTSIDE));
        };
        let object = node.number();
        let channel = &self.channel;
        let moved = channel.move_to(Address { process, object });
        let moved = moved.ok_or_else(|| S::Error::custom("the same input twice"))?;
        let form = InputForm {
            number: channel.number,
            created: channel.created,
            capacity: channel.capacity,
            closed: moved.closed,
            object,
            source: Address {
                process: node.me,
                object: moved.number,
            },
        };
        (form, Messages(self.held(), &moved.queue)).serialize(to)
    }
}

impl<'de, T: Message> Deserialize<'de> for Input<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let (form, messages) = <(InputForm, VecDeque<T>)>::deserialize(from)?;
        let node = node().ok_or_else(|| D::Error::custom(OUTSIDE))?;
        let channel = Arc::new(Channel::numbered(form.number, form.capacity, form.created));
        let mut remote = Remote::home(form.object, form.capacity);
        remote.sources.insert(form.source);
        channel.fill(messages, remote, form.closed, |channel, message| {
            channel.grant(form.source, message)
        });
        if !form.closed {
            node.add_home(form.object, channel.clone());
        }
        Ok(Self::new(channel))
    }
}
