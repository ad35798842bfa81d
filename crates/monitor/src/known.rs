//! Reads names of activities, kinds, wait states and units that another process has written: only those that this
//! version has are valid.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::{Deserializer, Error};

/// Name of an activity, a kind, a wait state or a unit. (serde takes a plain reference for borrowed data.)
pub type Name = &'static str;

const NAMES: [&str; 48] = [
    "computing",
    "waiting",
    "communicating",
    "paused",
    "ended",
    "barrier",
    "lock",
    "point_to_point",
    "collective",
    "message",
    "release",
    "fence",
    "allocation",
    "one_sided",
    "io",
    "library",
    "count",
    "seconds",
    "bytes",
    "producer",
    "consumer",
    "wait_at_barrier",
    "barrier_completion",
    "split_phase_wait",
    "lock_contention",
    "flag_wait",
    "signal_wait",
    "event_wait",
    "partner_wait",
    "wait_at_alloc",
    "group_wait",
    "fence_wait",
    "completion_wait",
    "collective_sync_in",
    "collective_sync_out",
    "late_broadcast",
    "wait_inside_collective",
    "early_gather_receiver",
    "early_gather_sender",
    "wait_at_nxn",
    "nxn_completion",
    "early_prefix_reduce",
    "idle",
    "running",
    "receiving",
    "sending",
    "selecting",
    "ready",
];

fn known<E: Error>(name: &str) -> Result<&'static str, E> {
    let mut names = NAMES.into_iter();
    let found = names.find(|known| *known == name);
    found.ok_or_else(|| E::custom(format_args!("found {name:?}, expected one of {NAMES:?}")))
}

/// Reads a name of this version.
///
/// # Errors
/// If it is no text, or no such name.
pub fn name<'de, D: Deserializer<'de>>(source: D) -> Result<&'static str, D::Error> {
    known(&String::deserialize(source)?)
}

pub(crate) fn optional<'de, D: Deserializer<'de>>(
    source: D,
) -> Result<Option<&'static str>, D::Error> {
    let name = Option::<String>::deserialize(source)?;
    name.map(|name| known(&name)).transpose()
}

pub(crate) fn by_name<'de, D: Deserializer<'de>>(
    source: D,
) -> Result<BTreeMap<&'static str, f64>, D::Error> {
    let all = BTreeMap::<String, f64>::deserialize(source)?;
    let all = all
        .into_iter()
        .map(|(name, value)| Ok((known(&name)?, value)));
    all.collect()
}
