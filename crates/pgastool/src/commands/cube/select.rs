//! Which metrics and call paths are meant.

use std::str::FromStr;

use pgas_cube::model::{CallPathId, Cube, MetricId};
use pgas_filter::Pattern;

use crate::failure::Failure;

/// Call paths by the name of what is called, or one by its number.
#[derive(Debug, Clone)]
pub enum CallPathPattern {
    Number(usize),
    /// The pattern, and how it was typed.
    Region(Pattern, String),
}

impl FromStr for CallPathPattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(number) = text.strip_prefix('#').and_then(|n| n.parse().ok()) {
            return Ok(CallPathPattern::Number(number));
        }
        let pattern = Pattern::parse(text).map_err(|error| error.to_string())?;
        Ok(CallPathPattern::Region(pattern, text.to_owned()))
    }
}

/// All call paths that one of the patterns names; none may name nothing.
pub fn call_paths(cube: &Cube, patterns: &[CallPathPattern]) -> Result<Vec<CallPathId>, Failure> {
    let mut found = Vec::new();
    for pattern in patterns {
        let before = found.len();
        match pattern {
            CallPathPattern::Number(number) if *number < cube.call_paths.len() => {
                found.push(CallPathId(*number));
            }
            CallPathPattern::Number(number) => {
                let last = cube.call_paths.len().saturating_sub(1);
                let message = format!("there is no call path #{number}: the last is #{last}");
                return Err(Failure::new(message).help(HELP));
            }
            CallPathPattern::Region(pattern, _) => {
                let named = cube.call_paths.iter().enumerate().filter(|(_, call_path)| {
                    let region = cube.regions.get(call_path.region.0);
                    region.is_some_and(|region| pattern.matches(&region.name))
                });
                found.extend(named.map(|(index, _)| CallPathId(index)));
            }
        }
        if let (true, CallPathPattern::Region(_, text)) = (found.len() == before, pattern) {
            let message = format!("no call path is of a function or operation {text:?}");
            return Err(Failure::new(message).help(HELP));
        }
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

const HELP: &str = "`pgastool cube dump` lists the call paths with their numbers";

/// All metrics whose unique name fits one of the patterns, or all there are if there is no pattern.
pub fn metrics(cube: &Cube, patterns: &[Pattern]) -> Result<Vec<MetricId>, Failure> {
    let wanted = |name: &str| patterns.is_empty() || patterns.iter().any(|p| p.matches(name));
    let metrics = cube.metrics.iter().enumerate();
    let found = metrics.filter(|(_, metric)| wanted(&metric.unique_name));
    let found: Vec<_> = found.map(|(index, _)| MetricId(index)).collect();
    match found.is_empty() {
        false => Ok(found),
        true => Err(Failure::new("there is no such metric")
            .help("`pgastool cube info` lists the metrics of a result")),
    }
}
