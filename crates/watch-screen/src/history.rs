//! Efficiency of all periods of a run, in bounded memory.

/// Max number of points; then pairs of points are merged.
const MOST: usize = 512;

/// Mean efficiency of consecutive groups of periods of equal size.
#[derive(Debug, Clone)]
pub struct History {
    points: Vec<Mean>,
    /// Periods per point.
    periods: u32,
    last: Mean,
}

#[derive(Debug, Clone, Copy, Default)]
struct Mean {
    sum: f64,
    count: u32,
    /// Number of periods, including those of unknown efficiency.
    periods: u32,
}

impl Mean {
    fn of(parts: &[Mean]) -> Mean {
        Mean {
            sum: parts.iter().map(|part| part.sum).sum(),
            count: parts.iter().map(|part| part.count).sum(),
            periods: parts.iter().map(|part| part.periods).sum(),
        }
    }

    fn value(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / f64::from(self.count))
    }
}

impl History {
    pub fn new() -> Self {
        History {
            points: Vec::new(),
            periods: 1,
            last: Mean::default(),
        }
    }

    /// Adds a period; `None` if its efficiency is unknown.
    pub fn add(&mut self, efficiency: Option<f64>) {
        self.last.periods += 1;
        if let Some(efficiency) = efficiency {
            self.last.sum += efficiency;
            self.last.count += 1;
        }
        if self.last.periods < self.periods {
            return;
        }
        self.points.push(std::mem::take(&mut self.last));
        if self.points.len() == MOST {
            self.points = self.points.chunks(2).map(Mean::of).collect();
            self.periods *= 2;
        }
    }

    /// Efficiency over the whole run in at most `most` columns, oldest first.
    pub fn columns(&self, most: usize) -> Vec<Option<f64>> {
        let each = self.points.len().div_ceil(most.max(1)).max(1);
        let columns = self.points.chunks(each);
        columns.map(|points| Mean::of(points).value()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_run_stays_whole_in_bounded_memory() {
        let mut history = History::new();
        for period in 0..100_000 {
            history.add(Some(if period < 50_000 { 0.25 } else { 0.75 }));
        }
        assert!(history.points.len() < MOST);
        let columns = history.columns(20);
        assert!(columns.len() <= 20);
        assert_eq!(columns[0], Some(0.25));
        assert_eq!(columns.last(), Some(&Some(0.75)));
    }

    #[test]
    fn a_period_without_efficiency_is_a_gap() {
        let mut history = History::new();
        for efficiency in [Some(0.5), None, Some(1.0)] {
            history.add(efficiency);
        }
        assert_eq!(history.columns(10), [Some(0.5), None, Some(1.0)]);
    }
}
