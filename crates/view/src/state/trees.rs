//! The three trees, coupled as in Cube: the values of a tree are those of the selections to its
//! left. A closed entry stands for all below it, an open one for itself alone.

use pgas_cube::model::{CallPathId, MetricId};
use pgas_cube::values::{Both, Calls, Extent, SystemTree};

use super::tree_pane::{Order, Pane, TreePane};
use crate::document::Profile;
use crate::input::Command;
use crate::lines;

/// Scale of the values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scale {
    #[default]
    Absolute,
    /// Percent of the selected metric's root over the whole run.
    OfRoot,
    /// Percent of the selection in the tree to the left.
    OfSelection,
}

/// Where the selection is; values depend on nothing else.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Selections {
    metric: usize,
    metric_open: bool,
    call: usize,
    call_open: bool,
}

/// See the module.
#[derive(Debug, Clone)]
pub struct Trees {
    pub focus: Pane,
    panes: [TreePane; 3],
    pub scale: Scale,
    pub order: Order,
    pub hide_zeros: bool,
    /// Those that the values are of.
    valued: Option<Selections>,
}

impl Default for Trees {
    fn default() -> Self {
        Trees {
            focus: Pane::Metrics,
            panes: Pane::ALL.map(TreePane::new),
            scale: Scale::default(),
            order: Order::default(),
            hide_zeros: false,
            valued: None,
        }
    }
}

impl Trees {
    pub fn pane(&self, pane: Pane) -> &TreePane {
        &self.panes[pane as usize]
    }

    fn pane_mut(&mut self, pane: Pane) -> &mut TreePane {
        &mut self.panes[pane as usize]
    }

    pub fn metric(&self) -> MetricId {
        MetricId(self.pane(Pane::Metrics).selected())
    }

    pub fn call_path(&self) -> CallPathId {
        CallPathId(self.pane(Pane::Calls).selected())
    }

    /// Opens the entries that a result shows first: the outermost metrics and functions, and
    /// threads if there are few.
    pub fn unfold(&mut self, profile: &Profile, height: usize) {
        const FEW_THREADS: usize = 64;
        let cube = profile.cube();
        for id in ["time", "pgas"] {
            if let Some(metric) = cube.metric(id) {
                self.pane_mut(Pane::Metrics).open(profile, metric.0);
            }
        }
        if let Some(time) = pgas_report::figures::time(cube) {
            self.pane_mut(Pane::Metrics).select(profile, time.0);
            // Selected, it stands for all time.
            self.pane_mut(Pane::Metrics).close(time.0);
        }
        for root in profile.values.call_paths().roots() {
            self.pane_mut(Pane::Calls).open(profile, *root);
        }
        // Opened, the root stands for itself alone, which is next to nothing.
        let time = self.metric();
        let both = profile
            .values
            .per_call_path(time, Extent::Inclusive, SystemTree::ROOT);
        let first = profile.values.call_paths().roots().first().copied();
        let children = first.map_or(&[][..], |root| profile.values.call_paths().children(root));
        let most = children
            .iter()
            .max_by(|a, b| both.inclusive[**a].total_cmp(&both.inclusive[**b]));
        if let Some(path) = most.copied().or(first) {
            self.pane_mut(Pane::Calls).select(profile, path);
        }
        if cube.threads.len() <= FEW_THREADS {
            let system = profile.values.system();
            for node in 0..system.nodes().len() {
                self.pane_mut(Pane::System).open(profile, node);
            }
        }
        self.refresh(profile, height);
    }

    /// Shows a metric at a call path.
    pub fn show(&mut self, profile: &Profile, metric: Option<MetricId>, path: CallPathId) {
        if let Some(metric) = metric {
            self.pane_mut(Pane::Metrics).select(profile, metric.0);
        }
        if path.0 < profile.cube().call_paths.len() {
            self.pane_mut(Pane::Calls).select(profile, path.0);
        }
        self.focus = Pane::Calls;
    }

    pub fn choose_metric(&mut self, profile: &Profile, metric: MetricId) {
        self.pane_mut(Pane::Metrics).select(profile, metric.0);
    }

    /// Brings values and lines up to date; `height` lines are visible.
    pub fn refresh(&mut self, profile: &Profile, height: usize) {
        let selections = self.selections();
        if self.valued != Some(selections) {
            self.value(profile, selections);
            self.valued = Some(selections);
        }
        let (order, hide_zeros) = (self.order, self.hide_zeros);
        for pane in &mut self.panes {
            pane.arrange(profile, order, hide_zeros, height);
        }
        // The selection may have been hidden.
        let selections = self.selections();
        if self.valued != Some(selections) {
            self.value(profile, selections);
            self.valued = Some(selections);
        }
    }

    fn selections(&self) -> Selections {
        let (metrics, calls) = (self.pane(Pane::Metrics), self.pane(Pane::Calls));
        Selections {
            metric: metrics.selected(),
            metric_open: metrics.is_open(metrics.selected()),
            call: calls.selected(),
            call_open: calls.is_open(calls.selected()),
        }
    }

    fn value(&mut self, profile: &Profile, now: Selections) {
        let extent = |open| match open {
            true => Extent::Exclusive,
            false => Extent::Inclusive,
        };
        let metric = MetricId(now.metric);
        let of_metric = extent(now.metric_open);
        let values = &profile.values;
        let before = self.valued;
        if before.is_none() {
            let both = values.per_metric(Calls::All, SystemTree::ROOT);
            self.pane_mut(Pane::Metrics).set_values(both);
        }
        let same_metric =
            before.is_some_and(|b| (b.metric, b.metric_open) == (now.metric, now.metric_open));
        if !same_metric {
            let both: Both = values.per_call_path(metric, of_metric, SystemTree::ROOT);
            self.pane_mut(Pane::Calls).set_values(both);
        }
        let path = CallPathId(now.call);
        let calls = match now.call_open {
            true => Calls::Exclusive(path),
            false => Calls::Inclusive(path),
        };
        let both = values.per_system_node(metric, of_metric, calls);
        self.pane_mut(Pane::System).set_values(both);
    }

    /// The whole that percentages in a tree are of, if values are shown so.
    pub fn whole(&self, profile: &Profile, pane: Pane) -> Option<f64> {
        let metrics = self.pane(Pane::Metrics);
        let root_of = |entry: usize| {
            let path = profile.values.metrics().path(entry);
            metrics.inclusive(path.first().copied().unwrap_or(entry))
        };
        match (self.scale, pane) {
            (Scale::Absolute, _) => None,
            (Scale::OfRoot, _) | (_, Pane::Metrics) => Some(root_of(metrics.selected())),
            (Scale::OfSelection, Pane::Calls) => Some(metrics.value(metrics.selected())),
            (Scale::OfSelection, Pane::System) => {
                let calls = self.pane(Pane::Calls);
                Some(calls.value(calls.selected()))
            }
        }
    }

    /// Applies a command to the tree that has the focus; whether it was one for trees.
    pub fn apply(&mut self, command: Command, profile: &Profile, height: usize) -> bool {
        let focus = self.focus;
        let pane = self.pane_mut(focus);
        let selected = pane.selected();
        match command {
            Command::Move(motion) => pane.go(motion, height),
            Command::Toggle | Command::Enter => match pane.is_open(selected) {
                true => pane.close(selected),
                false => pane.open(profile, selected),
            },
            Command::Right => {
                let children = focus.children(profile, selected);
                match (pane.is_open(selected), children.is_empty()) {
                    (false, false) => pane.open(profile, selected),
                    // Further right is the next tree.
                    (_, true) => self.focus = neighbour(focus, 1),
                    (true, _) => pane.go(crate::input::Motion::By(1), height),
                }
            }
            Command::Left => {
                if pane.is_open(selected) {
                    pane.close(selected);
                } else if let Some(parent) = focus.parent(profile, selected) {
                    pane.select(profile, parent);
                } else {
                    self.focus = neighbour(focus, -1);
                }
            }
            Command::OpenAll => pane.open_all(profile, selected),
            Command::CloseAll => pane.close_all(profile, selected),
            Command::NextPane => self.focus = neighbour(focus, 1),
            Command::PreviousPane => self.focus = neighbour(focus, -1),
            Command::Order => {
                self.order = match self.order {
                    Order::AsMeasured => Order::ByValue,
                    Order::ByValue => Order::ByName,
                    Order::ByName => Order::AsMeasured,
                }
            }
            Command::Values => {
                self.scale = match self.scale {
                    Scale::Absolute => Scale::OfRoot,
                    Scale::OfRoot => Scale::OfSelection,
                    Scale::OfSelection => Scale::Absolute,
                }
            }
            Command::Zeros => self.hide_zeros = !self.hide_zeros,
            _ => return false,
        }
        true
    }

    /// Clicks a visible line of a tree: selects it; if it was selected, opens or closes it.
    pub fn click(&mut self, pane: Pane, line: usize, profile: &Profile) {
        self.focus = pane;
        let tree = self.pane_mut(pane);
        let Some(row) = tree.rows().get(line).copied() else {
            return;
        };
        match (row.entry == tree.selected(), tree.is_open(row.entry)) {
            (true, true) => tree.close(row.entry),
            (true, false) => tree.open(profile, row.entry),
            (false, _) => {
                tree.cursor.selected = line;
                tree.take_cursor();
            }
        }
    }

    pub fn scroll(&mut self, pane: Pane, lines: isize, height: usize) {
        let tree = self.pane_mut(pane);
        let count = tree.rows().len();
        tree.cursor.scroll(lines, count, height);
        tree.take_cursor();
    }

    /// Selects the next entry of the focused tree, visible or not, whose name or place contains
    /// `wanted`.
    pub fn search(&mut self, profile: &Profile, wanted: &str, forward: bool, stay: bool) -> bool {
        let focus = self.focus;
        let entries = focus.depth_first(profile);
        let selected = self.pane(focus).selected();
        let from = entries.iter().position(|e| *e == selected).unwrap_or(0);
        let is_match = |at: usize| {
            let entry = entries[at];
            // A process that is left out cannot be gone to.
            let shown = focus != Pane::System
                || focus
                    .parent(profile, entry)
                    .is_none_or(|parent| focus.children(profile, parent).contains(&entry));
            let named = lines::matches(focus.name(profile, entry), wanted);
            let placed = focus == Pane::Calls && {
                let path = &profile.cube().call_paths[entry];
                lines::matches(&format!("{}:{}", path.file, path.line), wanted)
            };
            shown && (named || placed)
        };
        match lines::find(entries.len(), from, forward, stay, is_match) {
            Some(at) => {
                let entry = entries[at];
                self.pane_mut(focus).select(profile, entry);
                true
            }
            None => false,
        }
    }
}

/// The next or previous tree, or the same at the end.
fn neighbour(pane: Pane, step: isize) -> Pane {
    let index = (pane as usize).saturating_add_signed(step);
    Pane::ALL[index.min(Pane::ALL.len() - 1)]
}
