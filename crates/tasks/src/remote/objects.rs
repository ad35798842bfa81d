//! Objects of this process that other processes know: channels and proxies.

use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, Weak};

use parking_lot::Mutex;

use crate::remote::frame::{Notice, Step};

/// A proxy, or what passes steps on: its process and its number.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub(crate) struct Address {
    pub process: u32,
    pub object: u64,
}

/// A channel or a proxy of one.
pub(crate) trait Object: Send + Sync {
    /// An output of another process did something.
    ///
    /// # Errors
    /// A message that cannot be read, or not be passed on.
    fn accept(self: Arc<Self>, from: Address, step: Step<'_>) -> Result<(), String>;

    /// The channel says something to this proxy.
    fn notice(&self, notice: Notice);

    /// For those who know its type.
    fn as_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync>;
}

/// Steps from where they came, for an object that has not arrived.
type Early = Vec<(Address, Step<'static>)>;

#[derive(Default)]
pub(super) struct Objects {
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    homes: HashMap<u64, Arc<dyn Object>>,
    proxies: HashMap<u64, Weak<dyn Object>>,
    early: HashMap<u64, Early>,
}

impl Objects {
    /// Steps that came before their object, an input that moves here, are returned.
    pub fn add_home(&self, number: u64, object: Arc<dyn Object>) -> Early {
        let mut known = self.known.lock();
        known.homes.insert(number, object);
        known.early.remove(&number).unwrap_or_default()
    }

    pub fn add_proxy(&self, number: u64, object: Weak<dyn Object>) {
        self.known.lock().proxies.insert(number, object);
    }

    /// Nobody will send to it any more. It is returned, as it must not be dropped here.
    #[must_use]
    pub fn remove(&self, number: u64) -> Option<Arc<dyn Object>> {
        let mut known = self.known.lock();
        known.proxies.remove(&number);
        known.homes.remove(&number)
    }

    /// Where steps go; they are kept if it has not arrived.
    pub fn home_or_keep<'s>(
        &self,
        number: u64,
        from: Address,
        step: Step<'s>,
    ) -> Option<(Arc<dyn Object>, Step<'s>)> {
        let mut known = self.known.lock();
        if let Some(object) = known.homes.get(&number) {
            return Some((Arc::clone(object), step));
        }
        known
            .early
            .entry(number)
            .or_default()
            .push((from, step.keep()));
        None
    }

    pub fn home(&self, number: u64) -> Option<Arc<dyn Object>> {
        self.known.lock().homes.get(&number).cloned()
    }

    /// Where notices go.
    pub fn any(&self, number: u64) -> Option<Arc<dyn Object>> {
        let known = self.known.lock();
        let home = known.homes.get(&number).cloned();
        home.or_else(|| known.proxies.get(&number)?.upgrade())
    }

    /// All objects that are held here, to be dropped.
    #[must_use]
    pub fn clear(&self) -> Vec<Arc<dyn Object>> {
        let known = std::mem::take(&mut *self.known.lock());
        known.homes.into_values().collect()
    }
}
