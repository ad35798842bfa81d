//! Severities in a size that a browser takes. Of every row the total is kept, exactly. Every
//! thread's value is kept for all rows as long as they are few enough; of more, for the call paths
//! that matter and all that call them, and what the others have is added up in the nearest one of
//! these: so a call path that has its threads' values has them exactly, with and without what it
//! calls. The others have minimum, quartiles and maximum over threads.

use std::collections::BTreeMap;

use pgas_cube::model::{CallPathId, Cube, MetricId};
use pgas_result::AnalysisResult;
use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};

use super::balance::Quartiles;

/// So many values of single threads a page has at most in its rows, and in what is added up at most
/// as many again.
const MOST_VALUES: usize = 1 << 20;

/// Which call paths have a value for every thread.
pub(super) struct Kept {
    complete: bool,
    call_paths: Vec<bool>,
}

impl Kept {
    /// `cubes` have the same trees.
    pub fn choose(cubes: &[&Cube], result: &AnalysisResult) -> Self {
        Self::choose_within(MOST_VALUES, cubes, result)
    }

    fn choose_within(most: usize, cubes: &[&Cube], result: &AnalysisResult) -> Self {
        let count = cubes.first().map_or(0, |cube| cube.call_paths.len());
        // Values that a call path costs, and its largest share of any metric.
        let mut cost = vec![0; count];
        let mut weight = vec![0.0_f64; count];
        for cube in cubes {
            let totals: Vec<f64> = (0..cube.metrics.len())
                .map(|index| cube.total(MetricId(index)))
                .collect();
            for (metric, call_path, values) in cube.rows() {
                cost[call_path.0] += if uniform(values) { 1 } else { values.len() };
                let share = values.iter().sum::<f64>() / totals[metric.0];
                if share.is_finite() {
                    weight[call_path.0] = weight[call_path.0].max(share.abs());
                }
            }
        }
        if cost.iter().sum::<usize>() <= most {
            return Kept {
                complete: true,
                call_paths: vec![true; count],
            };
        }
        for call_path in named(result).filter(|id| *id < count) {
            weight[call_path] = f64::INFINITY;
        }
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by(|a, b| weight[*b].total_cmp(&weight[*a]).then(a.cmp(b)));
        let mut kept = Kept {
            complete: false,
            call_paths: vec![false; count],
        };
        let mut left = most;
        for call_path in order {
            let missing: Vec<usize> = kept.missing_on_the_way(cubes, call_path).collect();
            let price: usize = missing.iter().map(|id| cost[*id]).sum();
            // The first ones are always there, so that there is something to look at.
            if price > left && left < most {
                break;
            }
            left = left.saturating_sub(price);
            for id in missing {
                kept.call_paths[id] = true;
            }
        }
        kept
    }

    /// `call_path` and its callers that are not kept yet.
    fn missing_on_the_way<'a>(
        &'a self,
        cubes: &'a [&Cube],
        call_path: usize,
    ) -> impl Iterator<Item = usize> + 'a {
        let parent = |id: &usize| {
            let cube = cubes.first()?;
            Some(cube.call_paths[*id].parent?.0)
        };
        std::iter::successors(Some(call_path), parent).take_while(|id| !self.call_paths[*id])
    }

    /// The nearest caller that is kept; `None` if `call_path` itself is, or none is.
    fn stands_in(&self, cube: &Cube, call_path: CallPathId) -> Option<CallPathId> {
        if self.call_paths[call_path.0] {
            return None;
        }
        let parent = |id: &CallPathId| cube.call_paths[id.0].parent;
        std::iter::successors(parent(&call_path), parent).find(|id| self.call_paths[id.0])
    }

    /// The call paths with all values, unless these are all.
    pub fn listed(&self) -> Option<Vec<usize>> {
        if self.complete {
            return None;
        }
        let all = self.call_paths.iter().enumerate();
        Some(all.filter(|(_, kept)| **kept).map(|(id, _)| id).collect())
    }
}

/// Call paths that the conclusions are about.
fn named(result: &AnalysisResult) -> impl Iterator<Item = usize> + '_ {
    let summary = &result.summary;
    let findings = summary.findings.iter().map(|finding| finding.call_path);
    let loops = summary.phases.iter().map(|phase| phase.call_path);
    findings.chain(loops)
}

/// Rows of one metric, call path by call path: parallel lists.
#[derive(Debug, Default, Serialize)]
pub(super) struct MetricRows {
    call_paths: Vec<usize>,
    totals: Vec<f64>,
    values: Vec<RowValues>,
    /// Sums over the call paths that are left out, by the nearest caller that is kept.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    rest: BTreeMap<usize, RowValues>,
}

/// One row.
#[derive(Debug, PartialEq)]
enum RowValues {
    /// The same for all threads: a number.
    Uniform(f64),
    /// A list with a value per thread.
    PerThread(Vec<f64>),
    /// A list in a list: minimum, quartiles, maximum.
    Spread([f64; 5]),
}

impl Serialize for RowValues {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            RowValues::Uniform(value) => serializer.serialize_f64(*value),
            RowValues::PerThread(values) => {
                let mut list = serializer.serialize_seq(Some(values.len()))?;
                for value in values {
                    list.serialize_element(&Short(*value))?;
                }
                list.end()
            }
            RowValues::Spread(figures) => [figures.map(Short)].serialize(serializer),
        }
    }
}

impl RowValues {
    fn all(values: &[f64]) -> Self {
        match values.first() {
            Some(first) if uniform(values) => RowValues::Uniform(*first),
            _ => RowValues::PerThread(values.to_vec()),
        }
    }

    fn spread(values: &[f64]) -> Self {
        match Quartiles::of(values) {
            _ if uniform(values) => RowValues::all(values),
            None => RowValues::Uniform(0.0),
            Some(q) => RowValues::Spread([q.minimum, q.lower, q.median, q.upper, q.maximum]),
        }
    }
}

fn uniform(values: &[f64]) -> bool {
    values.windows(2).all(|two| two[0] == two[1])
}

/// A number with seven significant digits: more than can be shown or measured, and half the size.
/// Whole numbers (calls, bytes) stay what they are.
struct Short(f64);

impl Serialize for Short {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = self.0;
        if value.fract() == 0.0 && value.abs() < 9e15 {
            return serializer.serialize_i64(value as i64);
        }
        let short: f64 = format!("{value:.6e}").parse().unwrap_or(value);
        serializer.serialize_f64(short)
    }
}

/// All rows, a list for each metric of the cube.
pub(super) fn rows(cube: &Cube, kept: &Kept) -> Vec<MetricRows> {
    let mut metrics: Vec<MetricRows> = Vec::new();
    metrics.resize_with(cube.metrics.len(), MetricRows::default);
    let mut rest: BTreeMap<(usize, usize), Vec<f64>> = BTreeMap::new();
    for (metric, call_path, values) in cube.rows() {
        if values.iter().all(|value| *value == 0.0) {
            continue;
        }
        let rows = &mut metrics[metric.0];
        rows.call_paths.push(call_path.0);
        rows.totals.push(values.iter().sum());
        match kept.stands_in(cube, call_path) {
            None => rows.values.push(RowValues::all(values)),
            Some(above) => {
                rows.values.push(RowValues::spread(values));
                let sum = rest
                    .entry((metric.0, above.0))
                    .or_insert_with(|| vec![0.0; values.len()]);
                sum.iter_mut().zip(values).for_each(|(s, v)| *s += v);
            }
        }
    }
    for ((metric, call_path), values) in rest {
        metrics[metric]
            .rest
            .insert(call_path, RowValues::all(&values));
    }
    metrics
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgas_cube::model::{CallPath, Metric, Region, RegionId, Thread, Unit};
    use pgas_result::summary::{Efficiency, Summary};

    /// A root with `count` callees, each of which calls one more; a value per thread in all of
    /// them.
    fn wide(count: usize, threads: usize) -> AnalysisResult {
        let mut cube = Cube::default();
        cube.metrics.push(Metric {
            display_name: "Time".into(),
            unique_name: "time".into(),
            unit: Unit::Seconds,
            url: String::new(),
            description: String::new(),
            parent: None,
        });
        cube.regions.push(Region {
            name: "f".into(),
            module: String::new(),
            begin_line: 0,
            end_line: 0,
            description: String::new(),
        });
        cube.nodes.push("node".into());
        cube.threads = (0..threads)
            .map(|number| Thread {
                name: format!("thread {number}"),
                node: 0,
                process: 0,
            })
            .collect();
        let parents = std::iter::once(None)
            .chain((0..count).flat_map(|i| [Some(CallPathId(0)), Some(CallPathId(2 * i + 1))]));
        cube.call_paths = parents
            .map(|parent| CallPath {
                region: RegionId(0),
                parent,
                file: String::new(),
                line: 0,
            })
            .collect();
        for call_path in 0..cube.call_paths.len() {
            let row = cube.row_mut(MetricId(0), CallPathId(call_path));
            for (thread, value) in row.iter_mut().enumerate() {
                *value = (call_path + 1) as f64 + thread as f64 / 1024.0;
            }
        }
        let efficiency = Efficiency {
            load_balance: 1.0,
            communication_efficiency: 1.0,
            parallel_efficiency: 1.0,
        };
        AnalysisResult {
            summary: Summary {
                schema: 1,
                program: "wide".into(),
                arguments: Vec::new(),
                threads: threads as u32,
                models: Vec::new(),
                wall_seconds: 1.0,
                efficiency,
                findings: Vec::new(),
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
            },
            cube,
        }
    }

    #[test]
    fn what_is_left_out_is_added_up_in_the_nearest_that_is_there() {
        let result = wide(50, 8);
        let cube = &result.cube;
        let kept = Kept::choose_within(40 * 8, &[cube], &result);
        let listed = kept.listed().expect("some are left out");
        assert!(listed.contains(&0) && listed.len() > 10 && listed.len() <= 40);
        let rows = rows(cube, &kept);
        assert_eq!(rows[0].totals.iter().sum::<f64>(), cube.total(MetricId(0)));
        let mut sums = vec![0.0; 8];
        let mut add = |values: &RowValues| match values {
            RowValues::PerThread(values) => {
                sums.iter_mut().zip(values).for_each(|(s, v)| *s += v);
                true
            }
            _ => false,
        };
        let complete = rows[0].values.iter().filter(|row| add(row)).count();
        assert_eq!(complete, listed.len());
        assert!(rows[0].rest.values().all(&mut add));
        assert_eq!(sums, cube.per_thread(MetricId(0)));
    }

    #[test]
    fn small_results_are_kept_whole() {
        let result = wide(5, 4);
        let kept = Kept::choose(&[&result.cube], &result);
        assert_eq!(kept.listed(), None);
        let rows = rows(&result.cube, &kept);
        assert!(rows[0].rest.is_empty());
        assert!(matches!(rows[0].values[3], RowValues::PerThread(_)));
    }

    #[test]
    fn rows_are_short() {
        let json = |row| serde_json::to_string(&row).unwrap();
        assert_eq!(json(RowValues::all(&[3.0, 3.0])), "3.0");
        assert_eq!(
            json(RowValues::all(&[0.123_456_789_012, 12.0])),
            "[0.1234568,12]"
        );
        let spread = RowValues::spread(&[1.5, 2.0, 3.0, 4.0]);
        assert_eq!(json(spread), "[[1.5,1.5,2,3,4]]");
    }
}
