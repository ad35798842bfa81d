//! Names that all reports share: of kinds of findings, efficiency factors and activities. Text,
//! HTML, the terminal viewer, comparisons and JSON take them from here; the documentation is tested
//! against it. Metrics carry their names themselves.

use pgas_cube::model::Cube;

use crate::model::summary::{Finding, FindingKind};

/// Name of a kind of finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KindOfFinding {
    /// The kind that the names are of.
    pub kind: FindingKind,
    /// As files, JSON and `pgastool explain` spell it.
    pub id: &'static str,
    /// For people; title of the reference page of this kind.
    pub name: &'static str,
    /// Whether a finding of this kind is called by its metric ("Wait at barrier") instead of by
    /// `name`.
    pub named_after_metric: bool,
    /// One sentence without a full stop.
    pub explanation: &'static str,
}

const fn kind(
    kind: FindingKind,
    id: &'static str,
    name: &'static str,
    named_after_metric: bool,
    explanation: &'static str,
) -> KindOfFinding {
    KindOfFinding {
        kind,
        id,
        name,
        named_after_metric,
        explanation,
    }
}

/// All kinds, in the order of [`FindingKind`].
#[rustfmt::skip]
pub const KINDS_OF_FINDINGS: [KindOfFinding; FindingKind::Other as usize + 1] = [
    kind(FindingKind::Wait, "wait", "Waiting for others", true,
        "A thread waits for another one"),
    kind(FindingKind::Cost, "cost", "Expensive operations", true,
        "Operations cost time by themselves"),
    kind(FindingKind::Imbalance, "imbalance", "Load imbalance", false,
        "Work is unevenly divided"),
    kind(FindingKind::Mode, "mode", "Weaker synchronisation flags", false,
        "A collective operation asks for more synchronisation than the run needed"),
    kind(FindingKind::RemovableBarrier, "removable_barrier", "Barrier that may not be needed", false,
        "A barrier that the run did not need"),
    kind(FindingKind::FineGrained, "fine_grained", "Fine-grained access", false,
        "Many small accesses that a block transfer would replace"),
    kind(FindingKind::OwnAffinity, "own_affinity", "Own data through shared pointers", false,
        "Accesses to the thread's own data that a pointer to private would make cheap"),
    kind(FindingKind::WrongSide, "wrong_side", "Data on the wrong side", false,
        "Data that lies with another thread than the one that uses it"),
    kind(FindingKind::Placement, "placement", "Threads on the wrong node", false,
        "Threads that exchange most of their data with threads of one other node"),
    kind(FindingKind::Other, "other", "Other", true,
        "A finding of another version of the tool"),
];

impl FindingKind {
    /// Its entry in [`KINDS_OF_FINDINGS`].
    pub fn definition(self) -> &'static KindOfFinding {
        &KINDS_OF_FINDINGS[self as usize]
    }

    /// Name of a finding of this kind, given its metric's name.
    pub fn name_with(self, metric: &str) -> &str {
        let definition = self.definition();
        match definition.named_after_metric {
            true => metric,
            false => definition.name,
        }
    }
}

impl Finding {
    /// Name of a finding: that of its metric, or of its kind where the metric does not state the
    /// problem.
    pub fn name<'a>(&'a self, cube: &'a Cube) -> &'a str {
        let metric = cube.metric(&self.metric);
        let metric = metric.map_or(self.metric.as_str(), |id| &cube.metrics[id.0].display_name);
        self.kind.name_with(metric)
    }

    /// Id whose reference page explains it.
    pub fn explained_by(&self) -> &str {
        let definition = self.kind.definition();
        match definition.named_after_metric {
            true => &self.metric,
            false => definition.id,
        }
    }
}

/// Name of an efficiency factor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Factor {
    /// Field of [`crate::model::summary::Efficiency`].
    pub id: &'static str,
    /// For people, e.g. "Load balance".
    pub name: &'static str,
    /// Text after its percentage: "74 % of the processors' time is computation".
    pub meaning: &'static str,
}

/// In the order of reports: the product, then what it is the product of.
pub const FACTORS: [Factor; 3] = [
    Factor {
        id: "parallel_efficiency",
        name: "Parallel efficiency",
        meaning: "of the processors' time is computation",
    },
    Factor {
        id: "load_balance",
        name: "Load balance",
        meaning: "is what the mean thread computes of what the busiest does",
    },
    Factor {
        id: "communication_efficiency",
        name: "Communication",
        meaning: "of the run, the busiest thread computes",
    },
];

/// Name of the activity that is no metric: all wait states together.
pub const WAITING: &str = "Waiting";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_stands_at_its_place_and_has_its_spelling_in_files() {
        for (index, entry) in KINDS_OF_FINDINGS.iter().enumerate() {
            assert_eq!(entry.kind as usize, index, "{entry:?}");
            let spelt = serde_json::to_value(entry.kind).unwrap();
            assert_eq!(spelt, entry.id);
            let same = KINDS_OF_FINDINGS.iter().filter(|e| e.name == entry.name);
            assert_eq!(same.count(), 1, "{entry:?}");
        }
    }
}
