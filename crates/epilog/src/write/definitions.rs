//! The definitions of a file: strings, files, regions and call sites, each with the number that it
//! got.

use std::io::{self, Write};

use pgas_trace::model::{Operation, Site};
use pgas_trace::models::Words;
use pgas_trace::{Experiment, Numbered};
use rustc_hash::FxHashMap;

use crate::format::{CallSite, Location, RecordWriter, Region};
use crate::names::{self, Names};
use crate::notes;

/// Definitions so far.
#[derive(Debug)]
pub struct Definitions {
    names: Names,
    strings: Numbered<String>,
    /// Numbers of their names.
    files: Numbered<u32>,
    regions: Vec<Region>,
    /// By site and description.
    region_numbers: FxHashMap<(Site, Option<String>), u32>,
    /// Channels with messages, which have communicators.
    channels: u32,
    call_sites: Numbered<CallSite>,
    /// Call sites when everything had been seen once.
    closed_at: usize,
}

impl Definitions {
    pub fn new(names: Names) -> Self {
        let mut definitions = Definitions {
            names,
            strings: Numbered::default(),
            files: Numbered::default(),
            regions: Vec::new(),
            region_numbers: FxHashMap::default(),
            channels: 0,
            call_sites: Numbered::default(),
            closed_at: 0,
        };
        if names == Names::Shmem {
            // EXPERT looks for it even in programs that do not use it.
            definitions.region(&Site::operation(Operation::Get, "", 0));
        }
        definitions
    }

    /// The region that a site enters.
    pub fn region(&mut self, site: &Site) -> u32 {
        self.described_region(site, None)
    }

    /// The same for one that has a description of its own.
    pub fn described_region(&mut self, site: &Site, description: Option<String>) -> u32 {
        let key = (site.region(), description);
        if let Some(&number) = self.region_numbers.get(&key) {
            return number;
        }
        let (region, description) = &key;
        let name = match site.operation.is_user() || !region.name.is_empty() {
            true => &site.name,
            false => names::written(site.operation, self.names),
        };
        let description = description.as_deref();
        let description = description.unwrap_or(notes::description(site.operation));
        let region = Region {
            name: self.strings.number(name),
            file: self.file(&region.file),
            begin_line: line(region.line),
            end_line: None,
            description: Some(self.strings.number(description)),
            kind: names::region_type(site.operation),
        };
        let number = self.regions.len() as u32;
        self.regions.push(region);
        self.region_numbers.insert(key, number);
        number
    }

    /// Where the call of an operation at `site` is, if that is known.
    pub fn place(&mut self, site: &Site) -> Option<(Option<u32>, Option<u32>)> {
        let known = !site.operation.is_user() && (!site.file.is_empty() || site.line != 0);
        known.then(|| (self.file(&site.file), line(site.line)))
    }

    /// Gives each of `count` channels a communicator.
    pub fn channels(&mut self, count: u32) {
        self.channels = count;
    }

    /// The number of a call site.
    pub fn call_site(&mut self, site: CallSite) -> u32 {
        self.call_sites.number(&site)
    }

    fn file(&mut self, name: &str) -> Option<u32> {
        if name.is_empty() {
            return None;
        }
        let name = self.strings.number(name);
        Some(self.files.number(&name))
    }

    /// Everything was seen: from now on numbers are looked up, not given.
    pub fn close(&mut self) {
        self.closed_at = self.call_sites.values().len();
    }

    /// Whether a number was given after all.
    pub fn grew(&self) -> bool {
        self.call_sites.values().len() > self.closed_at
    }

    /// Writes everything up to the events, in the order in which EARL wants it. `notes` are strings
    /// for ourselves.
    pub fn write<W: Write>(
        &mut self,
        out: &mut RecordWriter<W>,
        places: &Places,
        words: &Words,
        notes: &[String],
    ) -> io::Result<()> {
        let machine = self.strings.number(&places.machine);
        let nodes: Vec<u32> = places
            .nodes
            .iter()
            .map(|node| self.strings.number(&node.name))
            .collect();
        let threads = places.node_of.len();
        let names: Vec<u32> = (0..threads)
            .map(|thread| self.strings.number(&words.title(thread as u32)))
            .collect();
        for (number, text) in self.strings.values().enumerate() {
            out.string(number as u32, text)?;
        }
        for (index, text) in notes.iter().enumerate() {
            out.string((self.strings.values().len() + index) as u32, text)?;
        }

        out.machine(0, nodes.len() as u32, machine)?;
        for (number, (node, &name)) in places.nodes.iter().zip(&nodes).enumerate() {
            out.node(number as u32, 0, node.processors, name, places.clock_rate)?;
        }
        for (thread, &name) in names.iter().enumerate() {
            out.process(thread as u32, name)?;
        }
        for (thread, &name) in names.iter().enumerate() {
            out.thread(0, thread as u32, name)?;
        }
        for (thread, &node) in places.node_of.iter().enumerate() {
            let location = Location {
                machine: 0,
                node,
                process: thread as u32,
                thread: 0,
            };
            out.location(thread as u32, &location)?;
        }
        for (number, &name) in self.files.values().enumerate() {
            out.file(number as u32, name)?;
        }
        for (number, region) in self.regions.iter().enumerate() {
            out.region(number as u32, region)?;
        }
        let group = everyone(threads);
        for communicator in 0..notes::COMMUNICATORS + self.channels {
            out.communicator(communicator, &group)?;
        }
        for (number, site) in self.call_sites.values().enumerate() {
            out.call_site(number as u32, site)?;
        }
        Ok(())
    }
}

fn line(line: u32) -> Option<u32> {
    Some(line).filter(|&line| line != 0)
}

/// A group of all processes.
fn everyone(threads: usize) -> Vec<u8> {
    let mut group = vec![0xff; threads.div_ceil(8)];
    if let (Some(last), 1..) = (group.last_mut(), threads % 8) {
        *last = (1 << (threads % 8)) - 1;
    }
    group
}

/// Where threads ran.
#[derive(Debug)]
pub struct Places {
    machine: String,
    nodes: Vec<Node>,
    /// By thread: index in `nodes`.
    node_of: Vec<u32>,
    /// Hertz.
    clock_rate: f64,
}

#[derive(Debug)]
struct Node {
    name: String,
    processors: u32,
}

impl Places {
    pub fn of(experiment: &Experiment, threads: u32) -> Self {
        let metadata = experiment.metadata();
        let mut hosts = vec![metadata.host.as_str(); threads as usize];
        for stream in experiment.streams() {
            if let Some(host) = stream.property("host") {
                hosts[stream.thread() as usize] = host;
            }
        }
        let mut nodes: Vec<Node> = Vec::new();
        let mut numbers = FxHashMap::default();
        let mut node_of = Vec::new();
        for host in hosts {
            let number = *numbers.entry(host).or_insert_with(|| {
                nodes.push(Node {
                    name: host.to_owned(),
                    processors: 0,
                });
                nodes.len() - 1
            });
            nodes[number].processors += 1;
            node_of.push(number as u32);
        }
        // The number of cores is known only of the node that the run was started on.
        if let ([node], Some(cores)) = (&mut nodes[..], metadata.cores) {
            node.processors = cores;
        }
        Places {
            machine: metadata.host.clone(),
            nodes,
            node_of,
            clock_rate: 1.0 / experiment.clock().seconds_per_tick(),
        }
    }
}
