//! How the waiting at one call path develops over the iterations of the loop that it is in, in a
//! sentence.

use pgas_earl::PathId;
use pgas_result::phases::Shape;

use crate::conclude::loops::{chosen, quarters};
use crate::detectors::iterations::choice::Chosen;
use crate::detectors::iterations::details::Detail;
use crate::detectors::iterations::shape::Development;
use crate::detectors::wait_states::patterns::PATTERNS;
use crate::model::clock::Times;
use crate::model::wording;
use crate::pipeline::search::Found;

/// Values of a loop below which nothing is said.
const LEAST_VALUES: usize = 6;
/// Ratio of the larger to the smaller quarter below which nothing is reported.
const LEAST_RATIO: f64 = 1.5;

/// The loops of a run over whose iterations waiting may grow.
#[derive(Debug)]
pub struct Growth<'a> {
    found: &'a Found,
    chosen: Vec<Chosen<'a>>,
}

impl<'a> Growth<'a> {
    pub fn new(found: &'a Found) -> Self {
        let mut chosen = chosen(found);
        // Of a loop and one inside, the inner one tells more.
        chosen.sort_by_key(|chosen| std::cmp::Reverse(chosen.iterations));
        Growth { found, chosen }
    }

    /// Whether what is lost to a pattern (its place in
    /// [`crate::detectors::wait_states::patterns::PATTERNS`]) at a call path grows or shrinks:
    /// " It grows over the 200 iterations: 1.2 ms each at first, 8.3 ms at the end."; else nothing.
    pub fn sentence(&self, pattern: usize, path: PathId, times: &Times) -> String {
        let iterations = &self.found.matcher.detectors().iterations;
        if PATTERNS[pattern].formula.is_of_some_threads() && !iterations.knows_locks() {
            return String::new();
        }
        let detail = Detail::Lost(pattern, path);
        for chosen in &self.chosen {
            let rates = chosen.rates(detail);
            if rates.len() < LEAST_VALUES {
                continue;
            }
            let verb = match Development::of(&rates).shape {
                Shape::Growing => "grows",
                Shape::Shrinking => "shrinks",
                _ => continue,
            };
            let (first, last) = quarters(&rates);
            if first.max(last) < LEAST_RATIO * first.min(last) {
                continue;
            }
            return format!(
                " It {verb} over the {} iterations: {} each at first, {} at the end.",
                chosen.iterations,
                wording::seconds(times.length(first)),
                wording::seconds(times.length(last))
            );
        }
        String::new()
    }
}
