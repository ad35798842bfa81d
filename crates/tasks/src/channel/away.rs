//! Channels between processes: proxies, and homes that have moved.

use std::any::Any;
use std::borrow::Cow;
use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Weak};
use std::task::{Context, Wake, Waker};

use crate::channel::Message;
use crate::channel::queue::{Channel, State};
use crate::channel::remote::{Remote, Target};
use crate::place::Place;
use crate::remote::frame::{Notice, Step};
use crate::remote::{Address, Object, node, pack};

/// What a proxy is made of.
pub(in crate::channel) struct Origin {
    pub number: u64,
    pub created: Place,
    pub capacity: Option<usize>,
    pub open: bool,
}

impl<T: Message> Channel<T> {
    /// A proxy with one output.
    pub fn proxy(origin: &Origin, target: Target) -> Arc<Self> {
        let held = origin.capacity.map(|_| 0);
        let proxy = Self::numbered(origin.number, held, origin.created);
        let number = node().map_or(0, |node| node.number());
        let mut state = proxy.state.lock();
        state.closed = !origin.open;
        state.remote = Some(Box::new(Remote {
            number,
            target: Some(target),
            entry: false,
            capacity: origin.capacity,
            sources: BTreeSet::new(),
        }));
        drop(state);
        let proxy = Arc::new(proxy);
        if let Some(node) = node() {
            let object: Arc<dyn Object> = proxy.clone();
            node.add_proxy(number, Arc::downgrade(&object));
        }
        proxy
    }

    /// Sends a message on to where the channel is: its number here.
    ///
    /// Packing it may use this channel, whose output can be in the message.
    ///
    /// # Errors
    /// A message that cannot be packed.
    #[cold]
    pub fn send_on(&self, target: Target, message: &T) -> Result<u64, String> {
        let bytes = pack(target.to.process, message)?;
        let mut state = self.state.lock();
        let number = state.sent;
        state.sent += 1;
        if let Some(remote) = &state.remote {
            remote.pass_on(Step::Send(Cow::Owned(bytes)));
        }
        Ok(number)
    }

    /// A message from a proxy.
    fn take_in(self: &Arc<Self>, from: Address, bytes: &[u8]) -> Result<(), String> {
        let message = postcard::from_bytes::<T>(bytes).map_err(|error| {
            let name = std::any::type_name::<T>();
            format!("a value of type {name} from another process cannot be read: {error}")
        })?;
        let mut state = self.state.lock();
        if state.closed || state.abandoned {
            drop(state);
            notify(from, Notice::Refused);
            return Ok(());
        }
        state.note_source(from);
        if let Some(target) = state.target() {
            drop(state);
            let number = self.send_on(target, &message)?;
            self.grant_or_wait(&mut self.state.lock(), from, number);
            return Ok(());
        }
        let number = state.sent;
        state.sent += 1;
        state.queue.push_back(message);
        self.grant_or_wait(&mut state, from, number);
        let receiver = state.receiver.take();
        drop(state);
        if let Some(receiver) = receiver {
            receiver.wake();
        }
        Ok(())
    }

    /// Tells a proxy that its message has a place, now or when that is so.
    fn grant_or_wait(self: &Arc<Self>, state: &mut State<T>, from: Address, number: u64) {
        if self.capacity.is_none() {
            return;
        }
        let waker = self.grant(from, number);
        if !self.block(state, number, &Context::from_waker(&waker)) {
            notify(from, Notice::Granted);
        }
    }

    /// Tells a proxy that its message has a place when it is woken.
    pub fn grant(self: &Arc<Self>, to: Address, message: u64) -> Waker {
        Waker::from(Arc::new(Grant {
            channel: Arc::downgrade(self),
            message,
            to,
        }))
    }

    /// The queue of an input that moves to another object, to which all is passed on from now on.
    /// `None` if that was done before.
    pub fn move_to(self: &Arc<Self>, to: Address) -> Option<Moved<T>> {
        let node = node()?;
        let mut state = self.state.lock();
        if state.target().is_some() {
            return None;
        }
        let capacity = self.capacity;
        let remote = state
            .remote
            .get_or_insert_with(|| Box::new(Remote::home(node.number(), capacity)));
        remote.target = Some(Target { to, after: None });
        let number = remote.number;
        let closed = state.closed;
        state.receiver = None;
        // From now on, a message has a place here when it has one there.
        if let Some(capacity) = capacity {
            state.sent = state.sent.max(self.next_received() + capacity as u64);
        }
        let queue = std::mem::take(&mut state.queue);
        let live = state.outputs > 0;
        drop(state);
        if live {
            node.keep_home(number, self.clone());
        }
        Some(Moved {
            number,
            closed: closed || !live,
            queue,
        })
    }
}

/// What goes with an input that moves.
pub(in crate::channel) struct Moved<T> {
    /// Of the object that it leaves.
    pub number: u64,
    pub closed: bool,
    pub queue: VecDeque<T>,
}

fn notify(to: Address, notice: Notice) {
    if let Some(node) = node() {
        node.notify(to, notice);
    }
}

/// A message that waits for a place, and its proxy.
struct Grant<T> {
    channel: Weak<Channel<T>>,
    message: u64,
    to: Address,
}

impl<T: Message> Wake for Grant<T> {
    fn wake(self: Arc<Self>) {
        let place = self.channel.upgrade();
        let granted = place.is_some_and(|channel| channel.has_place(self.message));
        let notice = if granted {
            Notice::Granted
        } else {
            Notice::Refused
        };
        notify(self.to, notice);
    }
}

impl<T> Channel<T> {
    /// Tells the home and the proxies that the channel is closed.
    pub fn close_away(&self, state: &State<T>) {
        if let Some(remote) = &state.remote {
            remote.pass_on(Step::Close);
            remote.notify(Notice::Closed);
        }
    }

    /// The last output here, and of those who send here, is gone: nobody will send here any more.
    #[cold]
    pub fn drop_away(&self) -> Option<Arc<dyn Object>> {
        let state = self.state.lock();
        let remote = state.remote.as_ref()?;
        remote.pass_on(Step::Drop);
        node()?.remove(remote.number)
    }

    /// Tells the proxies that nobody will receive any more.
    pub fn refuse(&self, state: &State<T>) {
        if let Some(remote) = &state.remote {
            remote.notify(Notice::Refused);
        }
    }
}

impl<T> State<T> {
    /// Where messages go, if not here.
    #[inline]
    pub fn target(&self) -> Option<Target> {
        self.remote.as_ref()?.target
    }

    fn note_source(&mut self, source: Address) {
        if let Some(remote) = &mut self.remote {
            remote.sources.insert(source);
        }
    }
}

impl<T: Message> Object for Channel<T> {
    fn accept(self: Arc<Self>, from: Address, step: Step<'_>) -> Result<(), String> {
        match step {
            Step::Send(bytes) => return self.take_in(from, &bytes),
            Step::Add => self.state.lock().outputs += 1,
            Step::Drop => {
                let mut state = self.state.lock();
                if let Some(remote) = &mut state.remote {
                    remote.sources.remove(&from);
                }
                drop(state);
                self.drop_output();
            }
            Step::Close => self.close(),
        }
        Ok(())
    }

    fn notice(&self, notice: Notice) {
        match notice {
            Notice::Granted => self.count_granted(),
            Notice::Closed => self.close_here(),
            Notice::Refused => self.abandon_here(),
        }
    }

    fn as_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync> {
        self
    }
}
