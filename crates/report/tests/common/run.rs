//! A result under construction, to which severities, findings and statistics are added.

use pgas_cube::model::{
    CallPath, CallPathId, Cube, Metric, MetricId, Region, RegionId, Thread, Unit,
};
use pgas_result::AnalysisResult;
use pgas_result::causes::Causes;
use pgas_result::recording::Recording;
use pgas_result::summary::{Efficiency, Finding, InstanceStatistics, Summary};
use pgas_result::synchronization::Synchronization;

/// (unique name, display name, unit, parent)
const METRICS: [(&str, &str, Unit, Option<&str>); 23] = [
    ("time", "Time", Unit::Seconds, None),
    ("computation", "Computation", Unit::Seconds, Some("time")),
    ("pgas", "PGAS", Unit::Seconds, Some("time")),
    ("one_sided", "One-sided", Unit::Seconds, Some("pgas")),
    ("collective", "Collective", Unit::Seconds, Some("pgas")),
    (
        "late_broadcast",
        "Late broadcast",
        Unit::Seconds,
        Some("collective"),
    ),
    (
        "synchronization",
        "Synchronization",
        Unit::Seconds,
        Some("pgas"),
    ),
    ("barrier", "Barrier", Unit::Seconds, Some("synchronization")),
    (
        "wait_at_barrier",
        "Wait at barrier",
        Unit::Seconds,
        Some("barrier"),
    ),
    (
        "barrier_completion",
        "Barrier completion",
        Unit::Seconds,
        Some("barrier"),
    ),
    ("lock", "Lock", Unit::Seconds, Some("synchronization")),
    (
        "lock_contention",
        "Lock contention",
        Unit::Seconds,
        Some("lock"),
    ),
    ("allocation", "Allocation", Unit::Seconds, Some("pgas")),
    (
        "wait_at_alloc",
        "Wait at allocation",
        Unit::Seconds,
        Some("allocation"),
    ),
    ("measurement", "Measurement", Unit::Seconds, Some("time")),
    ("visits", "Visits", Unit::Occurrences, None),
    ("bytes_put", "Bytes put", Unit::Bytes, None),
    (
        "bytes_put_local",
        "Bytes put, local",
        Unit::Bytes,
        Some("bytes_put"),
    ),
    (
        "bytes_put_remote",
        "Bytes put, remote",
        Unit::Bytes,
        Some("bytes_put"),
    ),
    ("bytes_get", "Bytes got", Unit::Bytes, None),
    (
        "bytes_get_local",
        "Bytes got, local",
        Unit::Bytes,
        Some("bytes_get"),
    ),
    (
        "bytes_get_remote",
        "Bytes got, remote",
        Unit::Bytes,
        Some("bytes_get"),
    ),
    ("imbalance", "Load imbalance", Unit::Seconds, None),
];

/// A result under construction: severities are added to a metric and all those that contain it.
pub struct Run {
    pub cube: Cube,
    pub findings: Vec<Finding>,
    pub instances: Vec<InstanceStatistics>,
    pub remarks: Vec<String>,
    pub recording: Recording,
    pub causes: Option<Causes>,
}

impl Run {
    pub fn new(threads: usize) -> Self {
        let mut cube = Cube::default();
        cube.metrics = METRICS
            .iter()
            .map(|(unique, display, unit, parent)| Metric {
                display_name: (*display).into(),
                unique_name: (*unique).into(),
                unit: *unit,
                url: format!("@mirror@patterns.html#{unique}"),
                description: format!("{display}, over all threads."),
                parent: parent.map(metric_id),
            })
            .collect();
        cube.machine = "cluster".into();
        cube.nodes = vec!["node-1".into()];
        cube.threads = (0..threads)
            .map(|number| Thread {
                name: format!("thread {number}"),
                node: 0,
                process: number as u32,
            })
            .collect();
        cube.attributes
            .insert("started".into(), "2026-11-21 14:30:00".into());
        Run {
            cube,
            findings: Vec::new(),
            instances: Vec::new(),
            remarks: Vec::new(),
            recording: Recording::default(),
            causes: None,
        }
    }

    pub fn call_path(&mut self, parent: Option<usize>, name: &str, file: &str, line: u32) -> usize {
        self.cube.regions.push(Region {
            name: name.into(),
            module: if name.starts_with("upc_") {
                "UPC"
            } else {
                file
            }
            .into(),
            begin_line: line,
            end_line: line,
            description: String::new(),
        });
        self.cube.call_paths.push(CallPath {
            region: RegionId(self.cube.regions.len() - 1),
            parent: parent.map(CallPathId),
            file: file.into(),
            line,
        });
        self.cube.call_paths.len() - 1
    }

    /// Adds a counter with a value per call path and thread.
    pub fn counter(&mut self, name: &str, values: &[(usize, &[f64])]) {
        self.cube.metrics.push(Metric {
            display_name: name.into(),
            unique_name: name.into(),
            unit: match name {
                "task-clock" => Unit::Seconds,
                _ => Unit::Occurrences,
            },
            url: String::new(),
            description: format!("Counter {name}."),
            parent: None,
        });
        let metric = MetricId(self.cube.metrics.len() - 1);
        for (call_path, values) in values {
            let row = self.cube.row_mut(metric, CallPathId(*call_path));
            row.copy_from_slice(values);
        }
        self.recording.counters.push(name.into());
    }

    pub fn add(&mut self, metric: &str, call_path: usize, values: &[f64]) {
        let mut metric = Some(metric_id(metric));
        while let Some(id) = metric {
            let row = self.cube.row_mut(id, CallPathId(call_path));
            for (sum, value) in row.iter_mut().zip(values) {
                *sum += value;
            }
            metric = self.cube.metrics[id.0].parent;
        }
    }

    pub fn result(self, program: &str, arguments: &[&str], wall_seconds: f64) -> AnalysisResult {
        let computation = self.cube.per_thread(metric_id("computation"));
        let most = computation.iter().copied().fold(0.0, f64::max);
        let mean = computation.iter().sum::<f64>() / computation.len() as f64;
        AnalysisResult {
            summary: Summary {
                schema: 1,
                program: program.into(),
                arguments: arguments.iter().map(|a| (*a).to_owned()).collect(),
                threads: self.cube.threads.len() as u32,
                models: vec!["upc".into()],
                wall_seconds,
                efficiency: Efficiency {
                    load_balance: mean / most,
                    communication_efficiency: most / wall_seconds,
                    parallel_efficiency: mean / wall_seconds,
                },
                findings: self.findings,
                instances: self.instances,
                remarks: self.remarks,
                recording: self.recording,
                clocks: None,
                causes: self.causes,
                synchronization: None,
                withheld: Vec::new(),
                worst_instances: Vec::new(),
                sampling: None,
                machine: None,
                tasks: None,
                live_findings: Vec::new(),
                communication: None,
                accesses: Default::default(),
                phases: Vec::new(),
            },
            cube: self.cube,
        }
    }
}

pub fn metric_id(name: &str) -> MetricId {
    MetricId(METRICS.iter().position(|m| m.0 == name).unwrap())
}
