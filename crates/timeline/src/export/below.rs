//! Computing time of call paths divided among the functions and lines that samples found below them.

use std::collections::BTreeMap;

use pgas_cube::model::{CallPathId, MetricId};
use pgas_result::AnalysisResult;
use pgas_result::sampling::{CodePlace, SampledStack};

/// Metrics whose time at a call path of the program's own code is computing.
const OF_COMPUTING: [&str; 2] = ["time", "computation"];

/// Sampled stacks by call path; none for metrics that samples say nothing about.
#[derive(Default)]
pub(super) struct Below<'r> {
    stacks: BTreeMap<usize, Vec<&'r SampledStack>>,
    numbers: BTreeMap<&'r CodePlace, usize>,
    places: Vec<&'r CodePlace>,
}

/// Some places below a call path, outermost first, and the value of each thread there.
pub(super) type Part<'r> = (&'r [CodePlace], Vec<f64>);

impl<'r> Below<'r> {
    pub fn of(result: &'r AnalysisResult, metric: MetricId) -> Self {
        let mut below = Below::default();
        let described = result.cube.metrics.get(metric.0);
        let computes = described.is_some_and(|m| OF_COMPUTING.contains(&m.unique_name.as_str()));
        let sampling = result.summary.sampling.as_ref().filter(|_| computes);
        for stack in sampling.into_iter().flat_map(|sampling| &sampling.stacks) {
            below.stacks.entry(stack.call_path).or_default().push(stack);
            for place in &stack.frames {
                let next = below.places.len();
                if *below.numbers.entry(place).or_insert(next) == next {
                    below.places.push(place);
                }
            }
        }
        below
    }

    /// Every place once, by number.
    pub fn places(&self) -> impl Iterator<Item = &'r CodePlace> + '_ {
        self.places.iter().copied()
    }

    pub fn number(&self, place: &CodePlace) -> usize {
        self.numbers.get(place).copied().unwrap_or(0)
    }

    /// The values of a call path, by thread, divided: together the parts are the whole. What no
    /// stack has is the first part, which has no places.
    pub fn parts(&self, call_path: CallPathId, values: &[f64]) -> Vec<Part<'r>> {
        let stacks = self.stacks.get(&call_path.0).map_or(&[][..], Vec::as_slice);
        let mut sampled = vec![0.0; values.len()];
        let parts = || stacks.iter().flat_map(|stack| &stack.threads);
        for part in parts() {
            if let Some(sum) = sampled.get_mut(part.thread as usize) {
                *sum += part.seconds;
            }
        }
        let rest = values
            .iter()
            .zip(&sampled)
            .map(|(whole, part)| (whole - part).max(0.0));
        let mut all: Vec<Part> = vec![(&[], rest.collect())];
        for stack in stacks {
            let mut of_threads = vec![0.0; values.len()];
            for part in &stack.threads {
                let thread = part.thread as usize;
                if let (Some(value), Some(&whole)) =
                    (of_threads.get_mut(thread), values.get(thread))
                {
                    // A thread has no more than it has.
                    let scale = if sampled[thread] > whole {
                        whole / sampled[thread]
                    } else {
                        1.0
                    };
                    *value = part.seconds * scale;
                }
            }
            all.push((&stack.frames, of_threads));
        }
        all
    }
}

/// "compare (ssort.upc:14)", "qsort_r".
pub(super) fn name(place: &CodePlace) -> String {
    let function = match place.function.as_str() {
        "" => "unknown",
        function => function,
    };
    let file = place.file.rsplit('/').next().unwrap_or_default();
    match place.line {
        0 => function.to_owned(),
        line => format!("{function} ({file}:{line})"),
    }
}
