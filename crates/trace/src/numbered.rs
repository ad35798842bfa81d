//! Definitions of a trace: values that get numbers in the order in which they come, by which events
//! name them. What writes other formats collects their strings, regions and places in it.

use std::borrow::Borrow;
use std::hash::Hash;

use rustc_hash::FxHashMap;

/// Values in the order in which they came, and their numbers from 0.
#[derive(Debug, Clone)]
pub struct Numbered<T> {
    values: Vec<T>,
    numbers: FxHashMap<T, u32>,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Numbered {
            values: Vec::new(),
            numbers: FxHashMap::default(),
        }
    }
}

impl<T> Numbered<T> {
    /// The values, each at the place that is its number.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// The same, when no more are to come.
    pub fn into_values(self) -> Vec<T> {
        self.values
    }
}

impl<T: Eq + Hash + Clone> Numbered<T> {
    /// The number of a value, which is the next one if the value is new.
    pub fn number<Q>(&mut self, value: &Q) -> u32
    where
        T: Borrow<Q>,
        Q: ToOwned<Owned = T> + Eq + Hash + ?Sized,
    {
        if let Some(&number) = self.numbers.get(value) {
            return number;
        }
        let number = self.values.len() as u32;
        self.values.push(value.to_owned());
        self.numbers.insert(value.to_owned(), number);
        number
    }
}
