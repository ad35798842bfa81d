//! Barriers, collective operations and free locks beside what the machine needs for them, where it
//! was measured.

use std::collections::BTreeMap;

use pgas_cube::model::CallPathId;
use pgas_earl::PathId;
use pgas_machine::{Distance, Expected, Group, Machine, Question};
use pgas_result::machine::{MachineUse, OperationLength};
use pgas_trace::model::{SyncMode, ThreadId};
use pgas_trace::models::{Model, of_site};

use super::description::Description;
use crate::detectors::lengths::Lengths;
use crate::model::clock::Times;
use crate::model::nodes::{self, Nodes};
use crate::pipeline::search::Found;

/// How many times the upper end of what the machine needs an operation must take to be called slow.
const SLOW: f64 = 1.5;
/// Instances from which on a median says what is usual.
const LEAST_INSTANCES: u64 = 5;

/// Seconds by which taking a free lock must exceed what it should take: caches that another core has
/// changed since, and recording, explain less.
const LOCK_EXCESS: f64 = 1e-6;

/// The run compared with the measurement of the machine; `None` if there is no measurement.
pub(super) fn used(
    found: &Found,
    times: &Times,
    places: &[CallPathId],
    description: &Description,
) -> Option<MachineUse> {
    let machine = description.operation_costs.as_ref()?;
    let run = Run {
        found,
        times,
        description,
        machine,
    };
    let paths = (0..found.matcher.paths().len()).map(|number| PathId(number as u32));
    let operations = paths.filter_map(|path| {
        let lengths = found.matcher.detectors().lengths.at(path)?;
        run.length(path, places[path.index()], lengths)
    });
    let mut hosts = description.locations.iter();
    Some(MachineUse {
        measured: machine.measured.clone(),
        host: machine.host.name.clone(),
        is_of_run: hosts.any(|(host, _)| whole(host) == machine.host.name),
        operations: operations.collect(),
    })
}

/// The host of a node that may be a part of it: `host/1`.
fn whole(node: &str) -> &str {
    node.split('/').next().unwrap_or(node)
}

/// Distance of data for the machine's costs.
pub(super) fn distance(nodes: &Nodes, thread: ThreadId, owner: ThreadId) -> Distance {
    match nodes.distance(thread, owner) {
        Some(nodes::Distance::Own) => Distance::Own,
        Some(nodes::Distance::OtherNode) => Distance::Far,
        // Without names of nodes there is one.
        Some(nodes::Distance::SameNode) | None => Distance::Near,
    }
}

struct Run<'a> {
    found: &'a Found,
    times: &'a Times,
    description: &'a Description,
    machine: &'a Machine,
}

impl Run<'_> {
    fn length(
        &self,
        path: PathId,
        place: CallPathId,
        lengths: &Lengths,
    ) -> Option<OperationLength> {
        let site = self.found.matcher.paths().site(path)?;
        let model = of_site(site, self.description.runtime)?;
        let median = self.times.length(lengths.median() as f64);
        let median = (median - self.recording()).max(0.0);
        let expected = self.expected(site.region_name(), model, lengths);
        let uncertainty = self.times.length(lengths.uncertainty);
        let excess = if lengths.is_of_lock { LOCK_EXCESS } else { 0.0 };
        let is_slow = expected.is_some_and(|expected| {
            lengths.instances >= LEAST_INSTANCES
                && median - uncertainty > SLOW * expected.high + excess
        });
        Some(OperationLength {
            call_path: place.0,
            calls: lengths.instances,
            median_seconds: median,
            expected_seconds: expected.map(|expected| expected.seconds),
            is_slow,
            is_of_one_thread: lengths.is_of_lock,
        })
    }

    fn expected(&self, name: &str, model: Model, lengths: &Lengths) -> Option<Expected> {
        let nodes = self.description.nodes()?;
        let question = Question {
            model: model.id(),
            operation: name,
            arguments: arguments(model, lengths.modes),
            bytes: lengths.bytes,
        };
        if lengths.is_of_lock {
            let places = match nodes.names().len() {
                1 => &[Distance::Near][..],
                _ => &[Distance::Near, Distance::Far][..],
            };
            return self.machine.expected_alone(&question, places);
        }
        let group = Group {
            threads: self.found.threads.len() as u32,
            nodes: nodes.names().len() as u32,
        };
        self.machine.expected(&question, group)
    }

    /// Seconds that recording adds to the length of an operation: the end of recording its Enter
    /// and the beginning of recording its Exit are together one event.
    fn recording(&self) -> f64 {
        let costs = self.description.costs.iter().flatten();
        costs.map(|cost| cost.event).max().unwrap_or(0) as f64 * 1e-12
    }
}

/// Arguments that the operation must have been measured with.
fn arguments(
    model: Model,
    modes: Option<(SyncMode, SyncMode)>,
) -> BTreeMap<&'static str, &'static str> {
    let name = |mode| match mode {
        SyncMode::None => "no",
        SyncMode::Mine => "my",
        SyncMode::All => "all",
    };
    let modes = modes.filter(|_| model == Model::Upc);
    modes.map_or_else(BTreeMap::new, |(sync_in, sync_out)| {
        BTreeMap::from([("in", name(sync_in)), ("out", name(sync_out))])
    })
}
