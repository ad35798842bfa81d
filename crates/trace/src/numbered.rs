//! Definitions of a trace: values that get numbers in the order in which they come, by which events
//! name them. Writers of other formats collect their strings, regions and places in it.

use std::borrow::Borrow;
use std::hash::Hash;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// Values in the order in which they came, and their numbers from 0.
#[derive(Debug, Clone)]
pub struct Numbered<T>(IndexSet<T, FxBuildHasher>);

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Numbered(IndexSet::default())
    }
}

impl<T: Eq + Hash> Numbered<T> {
    /// The values, each at the place that is its number.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &T> {
        self.0.iter()
    }

    /// The same, when no more are to come.
    pub fn into_values(self) -> Vec<T> {
        self.0.into_iter().collect()
    }

    /// The number of a value, which is the next one if the value is new.
    pub fn number<Q>(&mut self, value: &Q) -> u32
    where
        T: Borrow<Q>,
        Q: ToOwned<Owned = T> + Eq + Hash + ?Sized,
    {
        let known = self.0.get_index_of(value);
        known.unwrap_or_else(|| self.0.insert_full(value.to_owned()).0) as u32
    }
}
