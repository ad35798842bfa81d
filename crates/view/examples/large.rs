//! Writes the result of an invented run of any size, to try how the viewer and other readers of
//! results behave with it.
//!
//!     large DIR THREADS PATHS
//!
//! A third of the call paths are functions of the program, at any depth; the others are operations
//! that they call.

#[path = "../../trace/tests/support/numbers.rs"]
mod numbers;

use std::error::Error;
use std::path::Path;

use numbers::Numbers;
use pgas_cube::model::{
    CallPath, CallPathId, Cube, Metric, MetricId, Region, RegionId, Thread, Unit,
};
use pgas_result::AnalysisResult;
use pgas_result::summary::{Efficiency, Finding, FindingKind, Summary};

/// (unique name, display name, index of the parent)
const METRICS: [(&str, &str, Option<usize>); 8] = [
    ("time", "Time", None),
    ("computation", "Computation", Some(0)),
    ("pgas", "PGAS", Some(0)),
    ("one_sided", "One-sided", Some(2)),
    ("synchronization", "Synchronization", Some(2)),
    ("barrier", "Barrier", Some(4)),
    ("wait_at_barrier", "Wait at barrier", Some(5)),
    ("visits", "Visits", None),
];
/// Functions and operations that call paths end in.
const REGIONS: usize = 300;
/// Operations that a function calls.
const OPERATIONS: usize = 2;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [directory, threads, paths] = &arguments[..] else {
        return Err("usage: large DIR THREADS PATHS".into());
    };
    let result = invent(threads.parse()?, paths.parse()?);
    result.save(Path::new(directory))?;
    Ok(())
}

fn invent(threads: usize, paths: usize) -> AnalysisResult {
    let mut random = Numbers(1);
    let mut cube = Cube::default();
    cube.metrics = METRICS.iter().map(metric).collect();
    cube.regions = (0..REGIONS).map(region).collect();
    cube.machine = "cluster".into();
    cube.nodes = (0..threads.div_ceil(32))
        .map(|n| format!("node-{n}"))
        .collect();
    cube.threads = (0..threads).map(thread).collect();
    let mut functions: Vec<usize> = Vec::new();
    for path in 0..paths {
        let is_function = path % (OPERATIONS + 1) == 0;
        let parent = match is_function {
            // Near the last ones, so that the tree becomes deep.
            true => functions
                .len()
                .checked_sub(1 + random.index(20).min(functions.len().saturating_sub(1)))
                .map(|f| functions[f]),
            false => functions.last().copied(),
        };
        let region = random.index(REGIONS / 2) * 2 + usize::from(!is_function);
        cube.call_paths.push(CallPath {
            region: RegionId(region),
            parent: parent.map(CallPathId),
            file: "large.upc".into(),
            line: 1 + path as u32,
        });
        let metrics: &[usize] = match (is_function, path % 2) {
            (true, _) => &[0, 1],
            (false, 0) => &[0, 2, 3],
            (false, _) => &[0, 2, 4, 5, 6],
        };
        let seconds: Vec<f64> = (0..threads)
            .map(|_| random.index(1_000_000) as f64 * 1e-9)
            .collect();
        for &metric in metrics {
            cube.row_mut(MetricId(metric), CallPathId(path))
                .copy_from_slice(&seconds);
        }
        cube.row_mut(MetricId(7), CallPathId(path)).fill(10.0);
        if is_function {
            functions.push(path);
        }
    }
    let summary = Summary {
        schema: 1,
        program: "large".into(),
        arguments: Vec::new(),
        threads: threads as u32,
        models: vec!["upc".into()],
        wall_seconds: cube.per_thread(MetricId(0)).into_iter().fold(0.0, f64::max),
        efficiency: Efficiency {
            load_balance: 0.9,
            communication_efficiency: 0.5,
            parallel_efficiency: 0.45,
        },
        findings: (0..paths.min(50))
            .filter(|path| path % 3 == 1)
            .map(|path| finding(&cube, path))
            .collect(),
        instances: Vec::new(),
        remarks: Vec::new(),
        recording: Default::default(),
        clocks: None,
        causes: None,
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
    };
    AnalysisResult { cube, summary }
}

fn metric(of: &(&str, &str, Option<usize>)) -> Metric {
    let (unique_name, display_name, parent) = of;
    Metric {
        display_name: (*display_name).into(),
        unique_name: (*unique_name).into(),
        unit: match *unique_name {
            "visits" => Unit::Occurrences,
            _ => Unit::Seconds,
        },
        url: String::new(),
        description: format!("{display_name}, invented."),
        parent: parent.map(MetricId),
    }
}

fn region(number: usize) -> Region {
    let operation = number % 2 == 1;
    Region {
        name: match operation {
            true => format!("upc_operation_{number}"),
            false => format!("function_{number}"),
        },
        module: if operation { "UPC" } else { "large.upc" }.into(),
        begin_line: 1 + number as u32,
        end_line: 1 + number as u32,
        description: String::new(),
    }
}

fn thread(number: usize) -> Thread {
    Thread {
        name: format!("thread {number}"),
        node: number / 32,
        process: number as u32,
    }
}

fn finding(cube: &Cube, path: usize) -> Finding {
    let node = &cube.call_paths[path];
    let seconds: f64 = cube
        .row(MetricId(0), CallPathId(path))
        .map_or(0.0, |row| row.iter().sum());
    Finding {
        kind: FindingKind::Wait,
        metric: "wait_at_barrier".into(),
        seconds,
        percent: 100.0 * seconds / cube.total(MetricId(0)),
        region: cube.regions[node.region.0].name.clone(),
        function: String::new(),
        file: node.file.clone(),
        line: node.line,
        call_path: path,
        culprit_thread: Some(0),
        cause: "It was invented.".into(),
        advice: "Measure a real program.".into(),
        worst: None,
        saves_seconds: None,
        overlaps: Vec::new(),
    }
}
