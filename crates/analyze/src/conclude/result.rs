//! Builds the cube from what the search found.

use std::collections::{BTreeMap, HashMap};

use pgas_cube::model::{CallPath, CallPathId, Cube, Metric, MetricId, Region, RegionId, Thread};
use pgas_earl::PathId;
use pgas_trace::functions::FunctionLines;
use pgas_trace::model::{Site, ThreadId};
use pgas_trace::models::{self, Model, Words};

use crate::conclude::description::Description;
use crate::conclude::means::descriptions;
use crate::conclude::metrics::{add_counter, counter_scale, metrics};
use crate::conclude::seconds::Seconds;
use crate::detectors::wait_states::patterns::PATTERNS;
use crate::detectors::wait_states::severities::Blame;
use crate::model::paths::CallPaths;
use crate::model::time_class::{Bytes, Class};
use crate::pipeline::search::Found;
use crate::threads::profile::ThreadProfile;

/// The cube, and the place in it of every call path of the search. Its last metrics are the
/// counters.
pub fn build(
    found: &Found,
    seconds: &Seconds,
    description: &Description,
    models: &[Model],
) -> (Cube, Vec<CallPathId>) {
    let paths = found.matcher.paths();
    let mut cube = Cube::default();
    let words = Words::of(models);
    cube.metrics = metrics(found.has_events());
    for name in &found.counters {
        add_counter(&mut cube.metrics, name);
    }
    describe_metrics(&mut cube.metrics, models);
    cube.machine = description.machine.clone();
    describe(&mut cube, description, &words);
    let places = add_call_tree(&mut cube, paths, description);
    add_end_lines(&mut cube, &description.functions);
    let severities = Severities::new(&cube);
    for (number, &place) in places.iter().enumerate() {
        let path = PathId(number as u32);
        severities.add_path(&mut cube, found, seconds, path, place);
        severities.add_counters(&mut cube, found, path, place);
        severities.add_critical(&mut cube, found, seconds, path, place);
    }
    severities.add_delays(&mut cube, found, seconds, &places);
    (cube, places)
}

/// Describes metrics in the terms of the program's models.
fn describe_metrics(metrics: &mut [Metric], models: &[Model]) {
    let words = Words::of(models);
    let has_upc = models.is_empty() || models.contains(&Model::Upc);
    for metric in metrics {
        let text = match has_upc {
            true => &metric.description,
            false => descriptions::without_upc(&metric.unique_name, &metric.description),
        };
        metric.description = words.say(text);
        if *models == [Model::Mpi] {
            name_mpi(metric);
        }
    }
}

/// Names the library in metrics of a program of MPI alone, which has no PGAS runtime.
fn name_mpi(metric: &mut Metric) {
    if metric.unique_name == "pgas" {
        metric.display_name = Model::Mpi.name().into();
    }
    metric.description = metric.description.replace("the PGAS runtime", "MPI");
}

fn describe(cube: &mut Cube, description: &Description, words: &Words) {
    let pairs = [
        ("program", description.program.clone()),
        ("arguments", description.arguments.join(" ")),
        ("threads", description.locations.len().to_string()),
        ("wall_seconds", format!("{:.9}", description.wall_seconds)),
        ("tool_version", description.tool_version.clone()),
        ("started", description.started.clone()),
    ];
    cube.attributes
        .extend(pairs.map(|(key, value)| (key.to_owned(), value)));
    for (thread, (host, process)) in description.locations.iter().enumerate() {
        let known = cube.nodes.iter().position(|node| node == host);
        let node = known.unwrap_or_else(|| {
            cube.nodes.push(host.clone());
            cube.nodes.len() - 1
        });
        cube.threads.push(Thread {
            name: words.title(thread as u32),
            node,
            process: *process,
        });
    }
}

/// Adds regions and call paths: callees behind their caller, in the order of [`CallPaths::order`].
fn add_call_tree(cube: &mut Cube, paths: &CallPaths, description: &Description) -> Vec<CallPathId> {
    let mut children: Vec<Vec<PathId>> = vec![Vec::new(); paths.len()];
    for (number, node) in paths.nodes().iter().enumerate().skip(1) {
        children[node.parent.index()].push(PathId(number as u32));
    }
    let order = paths.order();
    for siblings in &mut children {
        siblings.sort_unstable_by_key(|path| order[path.index()]);
    }
    let mut regions: HashMap<(String, String, u32), RegionId> = HashMap::new();
    let mut places = vec![CallPathId(0); paths.len()];
    let mut open = vec![PathId::PROGRAM];
    while let Some(path) = open.pop() {
        open.extend(children[path.index()].iter().rev());
        let site = paths.site(path);
        let region = region(site, description);
        let key = (
            region.name.clone(),
            region.module.clone(),
            region.begin_line,
        );
        let region = *regions.entry(key).or_insert_with(|| {
            cube.regions.push(region);
            RegionId(cube.regions.len() - 1)
        });
        places[path.index()] = CallPathId(cube.call_paths.len());
        let parent = site.map(|_| places[paths.node(path).parent.index()]);
        cube.call_paths.push(CallPath {
            region,
            parent,
            file: site.map_or_else(String::new, |site| site.file.clone()),
            line: site.map_or(0, |site| site.line),
        });
    }
    places
}

fn add_end_lines(cube: &mut Cube, functions: &[FunctionLines]) {
    let place =
        |function: &FunctionLines| (function.name.clone(), function.file.clone(), function.line);
    let ends: HashMap<_, u32> = functions.iter().map(|f| (place(f), f.end_line)).collect();
    for region in &mut cube.regions {
        let place = (
            region.name.clone(),
            region.module.clone(),
            region.begin_line,
        );
        region.end_line = ends.get(&place).copied().unwrap_or(0);
    }
}

fn region(site: Option<&Site>, description: &Description) -> Region {
    let (name, module, line) = match site {
        None => (description.program.as_str(), "", 0),
        Some(site) if site.operation.is_user() => {
            (site.region_name(), site.file.as_str(), site.line)
        }
        Some(site) => {
            let module = match models::of_site(site, description.runtime) {
                Some(model) => model.name(),
                None if site.operation.is_standstill() => "pgastool",
                None => "libc",
            };
            (site.region_name(), module, 0)
        }
    };
    Region {
        name: name.into(),
        module: module.into(),
        begin_line: line,
        end_line: 0,
        description: String::new(),
    }
}

/// One of the amounts of bytes.
type Amount = fn(&Bytes) -> u64;

/// Where severities go.
struct Severities {
    /// By metric: it and its ancestors.
    chains: Vec<Vec<MetricId>>,
    patterns: Vec<Option<MetricId>>,
    visits: Option<MetricId>,
    imbalance: Option<MetricId>,
}

impl Severities {
    fn new(cube: &Cube) -> Self {
        let chain = |index: usize| {
            std::iter::successors(Some(MetricId(index)), |m| cube.metrics[m.0].parent).collect()
        };
        Severities {
            chains: (0..cube.metrics.len()).map(chain).collect(),
            patterns: PATTERNS.iter().map(|p| cube.metric(p.id)).collect(),
            visits: cube.metric("visits"),
            imbalance: cube.metric("imbalance"),
        }
    }

    /// Adds one value per thread to a metric and its ancestors, at one call path.
    fn add(&self, cube: &mut Cube, metric: Option<MetricId>, place: CallPathId, values: &[f64]) {
        if values.iter().all(|&value| value == 0.0) {
            return;
        }
        for &metric in metric.iter().flat_map(|m| &self.chains[m.0]) {
            for (sum, value) in cube.row_mut(metric, place).iter_mut().zip(values) {
                *sum += value;
            }
        }
    }

    fn add_counters(&self, cube: &mut Cube, found: &Found, path: PathId, place: CallPathId) {
        let first = cube.metrics.len() - found.counters.len();
        for (number, name) in found.counters.iter().enumerate() {
            let scale = counter_scale(name);
            let count = |thread: &ThreadProfile| {
                let counts = thread.counters.get(number)?;
                Some(*counts.get(path.index())? as f64 * scale)
            };
            let values: Vec<f64> = found
                .threads
                .iter()
                .map(|thread| count(thread).unwrap_or(0.0))
                .collect();
            self.add(cube, Some(MetricId(first + number)), place, &values);
        }
    }

    /// Time on the critical path.
    fn add_critical(
        &self,
        cube: &mut Cube,
        found: &Found,
        seconds: &Seconds,
        path: PathId,
        place: CallPathId,
    ) {
        let critical = &found.critical;
        let all = critical.total(path);
        if all == 0 {
            return;
        }
        let share = critical.imbalance(path) / all as f64;
        let (mut balanced, mut excess) = (Vec::new(), Vec::new());
        for thread in 0..found.threads.len() {
            let ticks = critical.ticks(path, thread as ThreadId);
            let of_excess = ((ticks as f64 * share).round() as u64).min(ticks);
            excess.push(seconds.of(of_excess));
            balanced.push(seconds.of(ticks - of_excess));
        }
        self.add(cube, cube.metric("critical_path"), place, &balanced);
        self.add(cube, cube.metric("critical_path_imbalance"), place, &excess);
    }

    /// Waiting, by what it is due to.
    fn add_delays(&self, cube: &mut Cube, found: &Found, seconds: &Seconds, places: &[CallPathId]) {
        let mut delays: BTreeMap<CallPathId, Vec<Blame>> = BTreeMap::new();
        for ((path, thread), blame) in found.matcher.severities().blames() {
            let by_thread = delays
                .entry(places[path.index()])
                .or_insert_with(|| vec![Blame::default(); found.threads.len()]);
            by_thread[thread as usize].add(blame);
        }
        let short_term = cube.metric("delay_short_term");
        let long_term = cube.metric("delay_long_term");
        for (place, delays) in delays {
            let values = |ticks: fn(&Blame) -> u64| -> Vec<f64> {
                let ticks = delays.iter().map(ticks);
                ticks.map(|ticks| seconds.of(ticks)).collect()
            };
            self.add(cube, short_term, place, &values(|blame| blame.short_term));
            self.add(cube, long_term, place, &values(|blame| blame.long_term));
        }
    }

    fn add_path(
        &self,
        cube: &mut Cube,
        found: &Found,
        seconds: &Seconds,
        path: PathId,
        place: CallPathId,
    ) {
        let class = Class::of(found.matcher.paths().operation(path));
        let totals = || found.threads.iter().map(|t| t.totals[path.index()]);
        let mut own: Vec<u64> = totals().map(|totals| totals.ticks).collect();
        for (pattern, lost) in waiting(found, path) {
            let values: Vec<f64> = lost.iter().map(|&lost| seconds.of(lost)).collect();
            own.iter_mut()
                .zip(lost)
                .for_each(|(own, lost)| *own -= lost);
            self.add(cube, self.patterns[pattern], place, &values);
        }
        let own: Vec<f64> = own.into_iter().map(|ticks| seconds.of(ticks)).collect();
        self.add(cube, cube.metric(class.metric()), place, &own);
        let visits: Vec<f64> = totals().map(|totals| totals.visits as f64).collect();
        self.add(cube, self.visits, place, &visits);
        let amounts: [(_, Amount); 6] = [
            ("bytes_put", |bytes| bytes.put_somewhere),
            ("bytes_put_local", |bytes| bytes.put_local),
            ("bytes_put_remote", |bytes| bytes.put_remote),
            ("bytes_get", |bytes| bytes.get_somewhere),
            ("bytes_get_local", |bytes| bytes.get_local),
            ("bytes_get_remote", |bytes| bytes.get_remote),
        ];
        if class == Class::OneSided {
            for (id, count) in amounts {
                let bytes = found.threads.iter().map(|t| &t.bytes[path.index()]);
                let values: Vec<f64> = bytes.map(|bytes| count(bytes) as f64).collect();
                self.add(cube, cube.metric(id), place, &values);
            }
        }
        if class == Class::Computation {
            let imbalance = Imbalance::of(found, path);
            let mut values = vec![0.0; found.threads.len()];
            if let Some(value) = values.get_mut(imbalance.thread) {
                *value = imbalance.excess() * seconds.per_tick();
            }
            self.add(cube, self.imbalance, place, &values);
        }
    }
}

/// By the number of the pattern: ticks that each thread lost at a call path. It is no more than the
/// thread was there, though operations that cannot be nest in each other and each wait.
pub fn waiting(found: &Found, path: PathId) -> Vec<(usize, Vec<u64>)> {
    let totals = found.threads.iter().map(|t| t.totals[path.index()].ticks);
    let mut left: Vec<u64> = totals.collect();
    let severities = found.matcher.severities();
    let entries =
        (0..PATTERNS.len()).filter_map(|pattern| Some((pattern, severities.entry(pattern, path)?)));
    entries
        .map(|(pattern, entry)| {
            let of_threads = left.iter_mut().zip(&entry.ticks);
            let lost = of_threads.map(|(left, &lost)| {
                let lost = lost.min(*left);
                *left -= lost;
                lost
            });
            (pattern, lost.collect())
        })
        .collect()
}

/// How unevenly a call path's own computation is spread over threads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Imbalance {
    /// The thread with the longest time; of several the first.
    pub thread: usize,
    /// Its ticks.
    pub longest: u64,
    /// Ticks.
    pub mean: f64,
}

impl Imbalance {
    pub fn of(found: &Found, path: PathId) -> Self {
        let ticks = |thread: usize| found.threads[thread].totals[path.index()].ticks;
        let threads = found.threads.len();
        let thread = (0..threads)
            .reduce(|best, next| {
                if ticks(next) > ticks(best) {
                    next
                } else {
                    best
                }
            })
            .unwrap_or(0);
        let sum: u128 = (0..threads).map(|thread| u128::from(ticks(thread))).sum();
        Imbalance {
            thread,
            longest: if threads > 0 { ticks(thread) } else { 0 },
            mean: sum as f64 / threads.max(1) as f64,
        }
    }

    /// Longest minus mean, in ticks.
    pub fn excess(&self) -> f64 {
        (self.longest as f64 - self.mean).max(0.0)
    }
}
