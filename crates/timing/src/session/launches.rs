//! Launches of one operation, as they add up over its stages.

use super::rows::Row;
use crate::compare::Apart;
use crate::record::Stage;

/// Launches of one operation so far, as thread 0 knows them.
#[derive(Debug, Default)]
pub(super) struct Launches {
    /// Without stage 0.
    pub(super) launches: u32,
    pub(super) started_late: u32,
    /// By correct launch: the maximum over threads.
    pub(super) times: Vec<f64>,
    /// By correct launch: times of all threads.
    pub(super) by_thread: Vec<Vec<f64>>,
    /// By correct launch: distance of the first start from the last, on the global clock.
    pub(super) spreads: Vec<f64>,
    /// By how much starts may be apart without being seen; the largest of all stages.
    pub(super) apart: Apart,
    /// Ticks by which threads may be late because they share cores.
    pub(super) tolerance: u64,
    pub(super) stages: Vec<Stage>,
    /// Of the last stage.
    pub(super) rows: Vec<Row>,
}
