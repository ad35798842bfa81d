//! From the pieces of a CUBE file, in the order of the file and with the file's ids, to a [`Cube`]
//! with indices.

use std::collections::HashMap;

use super::dialect::Dialect;
use super::ids::{final_order, inverse, numbers, reordered};
use super::topologies::{Owner, Topologies};
use super::unfit::{Unfit, unfit};
use crate::model::{CallPath, CallPathId, Cube, Metric, MetricId, Region, RegionId, Thread, Unit};
use crate::roles;
use crate::topology::Dimension;

/// Where the text of an element goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Mirror,
    MetricDisplayName,
    MetricUniqueName,
    MetricDataType,
    MetricUnit,
    MetricUrl,
    MetricDescription,
    RegionName,
    RegionRole,
    RegionDescription,
    SystemNodeName,
    Coordinate(Owner),
    MachineName,
    NodeName,
    ProcessRank,
    ThreadName,
}

/// How CUBE 4 stores a metric.
#[derive(Debug, Clone, Default)]
pub(crate) struct MetricData {
    /// Id in the file; the files of the metric are named after it.
    pub id: usize,
    /// `EXCLUSIVE`, `INCLUSIVE`, or that of a derived metric.
    pub kind: String,
    pub data_type: String,
    /// The unit, if the model has none for it.
    pub unknown_unit: Option<String>,
}

/// Content of an XML document.
pub(crate) struct Document {
    pub cube: Cube,
    /// By metric.
    pub metric_data: Vec<MetricData>,
    /// Call paths in the order of the file, which is depth first.
    pub call_paths_in_file: Vec<usize>,
    /// The role of each region, such as "function"; only CUBE 4 has one.
    pub roles: Vec<String>,
}

/// Collects entries in the order of the file. Once the severities begin, the trees are complete:
/// entries are put in the order of their ids, and further ones are refused.
pub(super) struct Builder {
    dialect: Dialect,
    pub cube: Cube,
    /// Beside the entries of the same index.
    metric_data: Vec<MetricData>,
    roles: Vec<String>,
    /// Ids as the file gives them, beside the entries of the same index.
    region_ids: Vec<usize>,
    call_path_ids: Vec<usize>,
    thread_ids: Vec<usize>,
    /// The `calleeId` of each call path.
    callees: Vec<usize>,
    open_metrics: Vec<usize>,
    open_call_paths: Vec<usize>,
    machines: Vec<String>,
    /// Machine, node and what is between them, and which node of the model was made of it.
    open_system_nodes: Vec<(String, Option<usize>)>,
    processes: usize,
    process_id: Option<usize>,
    /// Of which process each thread is, by ids in the file.
    process_ids: Vec<Option<usize>>,
    topologies: Topologies,
    call_paths_in_file: Vec<usize>,
    process_rank: u32,
    pub complete: bool,
    metric_of: HashMap<usize, MetricId>,
    call_path_of: HashMap<usize, CallPathId>,
    matrix: Option<MetricId>,
    row: Option<CallPathId>,
}

impl Builder {
    pub fn new(dialect: Dialect) -> Self {
        Builder {
            dialect,
            cube: Cube::default(),
            metric_data: Vec::new(),
            roles: Vec::new(),
            region_ids: Vec::new(),
            call_path_ids: Vec::new(),
            thread_ids: Vec::new(),
            callees: Vec::new(),
            open_metrics: Vec::new(),
            open_call_paths: Vec::new(),
            machines: Vec::new(),
            open_system_nodes: Vec::new(),
            processes: 0,
            process_id: None,
            process_ids: Vec::new(),
            topologies: Topologies::default(),
            call_paths_in_file: Vec::new(),
            process_rank: 0,
            complete: false,
            metric_of: HashMap::new(),
            call_path_of: HashMap::new(),
            matrix: None,
            row: None,
        }
    }

    /// The largest of the tables.
    pub fn entries(&self) -> usize {
        [
            self.cube.metrics.len(),
            self.cube.regions.len(),
            self.cube.call_paths.len(),
            self.cube.threads.len(),
            self.cube.nodes.len(),
            self.topologies.len(),
        ]
        .into_iter()
        .max()
        .unwrap_or(0)
    }

    /// `kind`: the `type` of CUBE 4.
    pub fn open_metric(&mut self, id: usize, kind: String) {
        let index = self.cube.metrics.len();
        self.cube.metrics.push(Metric {
            display_name: String::new(),
            unique_name: String::new(),
            unit: Unit::Seconds,
            url: String::new(),
            description: String::new(),
            parent: self.open_metrics.last().copied().map(MetricId),
        });
        self.metric_data.push(MetricData {
            id,
            kind,
            ..MetricData::default()
        });
        self.open_metrics.push(index);
    }

    pub fn close_metric(&mut self) -> Result<(), Unfit> {
        let Some(index) = self.open_metrics.pop() else {
            return Ok(());
        };
        let metric = &mut self.cube.metrics[index];
        match (
            metric.display_name.is_empty(),
            metric.unique_name.is_empty(),
        ) {
            (true, true) => return unfit("a metric without a name", "<uniq_name>"),
            (false, true) => metric.unique_name = metric.display_name.clone(),
            (true, false) => metric.display_name = metric.unique_name.clone(),
            (false, false) => {}
        }
        Ok(())
    }

    pub fn open_region(&mut self, id: usize, module: String, begin_line: u32, end_line: u32) {
        self.region_ids.push(id);
        self.roles.push(String::new());
        self.cube.regions.push(Region {
            name: String::new(),
            module,
            begin_line,
            end_line,
            description: String::new(),
        });
    }

    pub fn open_call_path(&mut self, id: usize, callee: usize, file: String, line: u32) {
        let index = self.cube.call_paths.len();
        self.call_path_ids.push(id);
        self.callees.push(callee);
        self.cube.call_paths.push(CallPath {
            region: RegionId(0),
            parent: self.open_call_paths.last().copied().map(CallPathId),
            file,
            line,
        });
        self.open_call_paths.push(index);
    }

    pub fn close_call_path(&mut self) {
        self.open_call_paths.pop();
    }

    pub fn open_machine(&mut self) {
        self.machines.push(String::new());
    }

    pub fn open_node(&mut self) {
        self.cube.nodes.push(String::new());
    }

    pub fn open_system_node(&mut self) {
        self.open_system_nodes.push((String::new(), None));
    }

    pub fn close_system_node(&mut self) {
        if let Some((name, node)) = self.open_system_nodes.pop() {
            // Its name may stand behind what is in it.
            if let Some(node) = node.and_then(|node| self.cube.nodes.get_mut(node)) {
                node.clone_from(&name);
            }
            if self.open_system_nodes.is_empty() {
                self.machines.push(name);
            }
        }
    }

    /// A system node that directly contains processes is a node of the model.
    pub fn group_in_system_node(&mut self) {
        if let Some((_, node @ None)) = self.open_system_nodes.last_mut() {
            *node = Some(self.cube.nodes.len());
            self.cube.nodes.push(String::new());
        }
    }

    pub fn open_topology(&mut self, name: String, dimensions: usize) {
        self.topologies.open(name, dimensions);
    }

    pub fn dimension(&mut self, dimension: Dimension) {
        self.topologies.dimension(dimension);
    }

    pub fn close_topology(&mut self) -> Result<(), Unfit> {
        self.topologies.close()
    }

    /// `id`: that of the file, if it has one.
    pub fn open_process(&mut self, id: Option<usize>) -> Result<(), Unfit> {
        self.process_id = id;
        let number = u32::try_from(self.processes);
        self.processes += 1;
        match number {
            Ok(number) => self.process_rank = number,
            Err(_) => return unfit("too many processes", "fewer than 2^32"),
        }
        Ok(())
    }

    pub fn open_thread(&mut self, id: usize) {
        self.thread_ids.push(id);
        self.process_ids.push(self.process_id);
        self.cube.threads.push(Thread {
            name: String::new(),
            node: match self.open_system_nodes.last() {
                Some(&(_, Some(node))) => node,
                _ => self.cube.nodes.len().saturating_sub(1),
            },
            process: self.process_rank,
        });
    }

    pub fn text(&mut self, place: Place, text: &str) -> Result<(), Unfit> {
        let cube = &mut self.cube;
        let metric = self
            .open_metrics
            .last()
            .and_then(|&m| cube.metrics.get_mut(m));
        let target = match place {
            Place::Mirror => {
                cube.mirrors.push(text.to_owned());
                None
            }
            Place::MetricUnit => {
                let unit = match (unit(text), self.dialect) {
                    (Ok(unit), _) => unit,
                    (Err(unfit), Dialect::Three) => return Err(unfit),
                    // CUBE 4 allows any; such a metric may not be wanted.
                    (Err(_), Dialect::Four) => {
                        if let Some(data) = open_data(&self.open_metrics, &mut self.metric_data) {
                            data.unknown_unit = Some(text.trim().to_owned());
                        }
                        Unit::Occurrences
                    }
                };
                if let Some(metric) = metric {
                    metric.unit = unit;
                }
                None
            }
            Place::MetricDataType => {
                open_data(&self.open_metrics, &mut self.metric_data).map(|d| &mut d.data_type)
            }
            Place::RegionRole => self.roles.last_mut(),
            Place::SystemNodeName => self.open_system_nodes.last_mut().map(|(name, _)| name),
            Place::Coordinate(owner) => {
                self.topologies.coordinate(owner, text)?;
                None
            }
            Place::ProcessRank => {
                self.process_rank = match text.trim().parse() {
                    Ok(rank) => rank,
                    Err(_) => return unfit(format!("rank {text:?}"), "a natural number"),
                };
                None
            }
            Place::MetricDisplayName => metric.map(|m| &mut m.display_name),
            Place::MetricUniqueName => metric.map(|m| &mut m.unique_name),
            Place::MetricUrl => metric.map(|m| &mut m.url),
            Place::MetricDescription => metric.map(|m| &mut m.description),
            Place::RegionName => cube.regions.last_mut().map(|r| &mut r.name),
            Place::RegionDescription => cube.regions.last_mut().map(|r| &mut r.description),
            Place::MachineName => self.machines.last_mut(),
            Place::NodeName => cube.nodes.last_mut(),
            Place::ThreadName => cube.threads.last_mut().map(|t| &mut t.name),
        };
        if let Some(target) = target {
            text.clone_into(target);
        }
        Ok(())
    }

    /// The trees are complete: gives every entry its final index.
    pub fn start_severities(&mut self) -> Result<(), Unfit> {
        if self.complete {
            return unfit("a second <severity>", "one");
        }
        self.complete = true;
        let cube = &mut self.cube;

        let parents: Vec<_> = cube.metrics.iter().map(|m| m.parent.map(|p| p.0)).collect();
        let metric_ids: Vec<_> = self.metric_data.iter().map(|data| data.id).collect();
        let order = final_order(&metric_ids, &parents, "metric")?;
        self.metric_of = numbers(&metric_ids, &order, MetricId);
        self.metric_data = reordered(&mut self.metric_data, &order);
        let new_index = inverse(&order);
        let mut metrics = reordered(&mut cube.metrics, &order);
        for metric in &mut metrics {
            metric.parent = metric.parent.map(|p| MetricId(new_index[p.0]));
        }
        cube.metrics = metrics;
        let mut names: Vec<_> = cube.metrics.iter().map(|m| &m.unique_name).collect();
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return unfit(format!("two metrics named {:?}", pair[0]), "unique names");
        }

        let order = final_order(&self.region_ids, &vec![None; cube.regions.len()], "region")?;
        let region_of = numbers(&self.region_ids, &order, RegionId);
        cube.regions = reordered(&mut cube.regions, &order);
        let described = |region: &&mut Region| {
            roles::is_operation(region) && region.description == roles::COMMUNICATION
        };
        for region in cube.regions.iter_mut().filter(described) {
            region.description.clear();
        }
        self.roles = reordered(&mut self.roles, &order);

        let parents: Vec<_> = cube
            .call_paths
            .iter()
            .map(|c| c.parent.map(|p| p.0))
            .collect();
        let order = final_order(&self.call_path_ids, &parents, "cnode")?;
        self.call_path_of = numbers(&self.call_path_ids, &order, CallPathId);
        let new_index = inverse(&order);
        for (call_path, callee) in cube.call_paths.iter_mut().zip(&self.callees) {
            call_path.parent = call_path.parent.map(|p| CallPathId(new_index[p.0]));
            call_path.region = match region_of.get(callee) {
                Some(&region) => region,
                None => return unfit(format!("calleeId {callee}"), "the id of a region"),
            };
        }
        cube.call_paths = reordered(&mut cube.call_paths, &order);
        self.call_paths_in_file = new_index;

        let order = final_order(&self.thread_ids, &vec![None; cube.threads.len()], "thread")?;
        cube.threads = reordered(&mut cube.threads, &order);
        cube.topologies = std::mem::take(&mut self.topologies).finish(
            &self.thread_ids,
            &order,
            &self.process_ids,
        )?;
        cube.machine = self.machines.join(", ");
        Ok(())
    }

    pub fn open_matrix(&mut self, metric: usize) -> Result<(), Unfit> {
        self.matrix = self.metric_of.get(&metric).copied();
        match self.matrix {
            Some(_) => Ok(()),
            None => unfit(format!("metricId {metric}"), "the id of a metric"),
        }
    }

    pub fn open_row(&mut self, call_path: usize) -> Result<(), Unfit> {
        self.row = self.call_path_of.get(&call_path).copied();
        match self.row {
            Some(_) => Ok(()),
            None => unfit(format!("cnodeId {call_path}"), "the id of a cnode"),
        }
    }

    /// `values`: one per thread.
    pub fn close_row(&mut self, values: Vec<f64>) -> Result<(), Unfit> {
        let (Some(metric), Some(call_path)) = (self.matrix, self.row) else {
            return Ok(());
        };
        if self.cube.row(metric, call_path).is_some() {
            return unfit("a second row of this metric and cnode", "each at most once");
        }
        // Rows of zeros are not kept, as in a cube that was never written.
        if values.iter().any(|&value| value != 0.0) {
            self.cube
                .row_mut(metric, call_path)
                .copy_from_slice(&values);
        }
        Ok(())
    }

    pub fn finish(mut self) -> Result<Document, Unfit> {
        if !self.complete {
            self.start_severities()?;
        }
        for (what, count) in [
            ("<metric>", self.cube.metrics.len()),
            ("<region>", self.cube.regions.len()),
            ("<cnode>", self.cube.call_paths.len()),
            ("<thread>", self.cube.threads.len()),
        ] {
            if count == 0 {
                return unfit(format!("no {what}"), "at least one");
            }
        }
        Ok(Document {
            cube: self.cube,
            metric_data: self.metric_data,
            call_paths_in_file: self.call_paths_in_file,
            roles: self.roles,
        })
    }
}

fn open_data<'a>(open: &[usize], data: &'a mut [MetricData]) -> Option<&'a mut MetricData> {
    open.last().and_then(|&metric| data.get_mut(metric))
}

fn unit(text: &str) -> Result<Unit, Unfit> {
    match text.trim().to_ascii_lowercase().as_str() {
        "sec" | "s" | "seconds" => Ok(Unit::Seconds),
        "occ" | "occurrences" | "#" | "" => Ok(Unit::Occurrences),
        "bytes" | "byte" => Ok(Unit::Bytes),
        _ => unfit(
            format!("unit {:?}", text.trim()),
            "one of sec, occ and bytes",
        ),
    }
}
