//! One of the three trees: which entries are open, which are visible, and which one is selected.

use std::collections::HashSet;

use pgas_cube::values::{Both, SystemKind};

use super::list::Cursor;
use crate::document::Profile;
use crate::input::Motion;

/// Which tree, in the order in which selections act: each restricts those after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pane {
    Metrics,
    Calls,
    System,
}

impl Pane {
    pub const ALL: [Pane; 3] = [Pane::Metrics, Pane::Calls, Pane::System];

    /// Entries directly below `entry`. A process of a single thread is left out, as it says nothing
    /// of its own.
    pub fn children(self, profile: &Profile, entry: usize) -> Vec<usize> {
        let values = &profile.values;
        match self {
            Pane::Metrics => values.metrics().children(entry).to_vec(),
            Pane::Calls => values.call_paths().children(entry).to_vec(),
            Pane::System => {
                let tree = values.system().tree();
                let shown = |&child: &usize| match single_thread(profile, child) {
                    Some(thread) => thread,
                    None => child,
                };
                tree.children(entry).iter().map(shown).collect()
            }
        }
    }

    fn roots(self, profile: &Profile) -> Vec<usize> {
        let values = &profile.values;
        match self {
            Pane::Metrics => values.metrics().roots().to_vec(),
            Pane::Calls => values.call_paths().roots().to_vec(),
            Pane::System => values.system().tree().roots().to_vec(),
        }
    }

    pub fn parent(self, profile: &Profile, entry: usize) -> Option<usize> {
        let cube = profile.cube();
        match self {
            Pane::Metrics => cube.metrics.get(entry)?.parent.map(|id| id.0),
            Pane::Calls => cube.call_paths.get(entry)?.parent.map(|id| id.0),
            Pane::System => {
                let nodes = profile.values.system().nodes();
                let parent = nodes.get(entry)?.parent?;
                match single_thread(profile, parent.0) {
                    Some(_) => nodes.get(parent.0)?.parent.map(|id| id.0),
                    None => Some(parent.0),
                }
            }
        }
    }

    /// Name of an entry.
    pub fn name<'a>(self, profile: &'a Profile, entry: usize) -> &'a str {
        let cube = profile.cube();
        match self {
            Pane::Metrics => cube.metrics.get(entry).map_or("", |m| &m.display_name),
            Pane::Calls => profile.region(pgas_cube::model::CallPathId(entry)),
            Pane::System => {
                let nodes = profile.values.system().nodes();
                nodes.get(entry).map_or("", |node| &node.name)
            }
        }
    }

    /// All entries, those below one another in depth-first order.
    pub fn depth_first<'a>(self, profile: &'a Profile) -> &'a [usize] {
        let values = &profile.values;
        match self {
            Pane::Metrics => values.metrics().depth_first(),
            Pane::Calls => values.call_paths().depth_first(),
            Pane::System => values.system().tree().depth_first(),
        }
    }
}

/// The thread of a process that has just one.
fn single_thread(profile: &Profile, node: usize) -> Option<usize> {
    let system = profile.values.system();
    let is_process = matches!(system.nodes().get(node)?.kind, SystemKind::Process(_));
    match system.tree().children(node) {
        [thread] if is_process => Some(*thread),
        _ => None,
    }
}

/// In which order siblings stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    #[default]
    AsMeasured,
    ByValue,
    ByName,
}

/// A visible line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    pub entry: usize,
    pub depth: usize,
    pub has_children: bool,
}

/// See the module.
#[derive(Debug, Clone)]
pub struct TreePane {
    pane: Pane,
    open: HashSet<usize>,
    selected: usize,
    pub cursor: Cursor,
    rows: Vec<Row>,
    /// Inclusive and exclusive over the tree, of what the selections in the other trees leave.
    values: Both,
}

impl TreePane {
    pub fn new(pane: Pane) -> Self {
        TreePane {
            pane,
            open: HashSet::new(),
            selected: 0,
            cursor: Cursor::default(),
            rows: Vec::new(),
            values: Both {
                inclusive: Vec::new(),
                exclusive: Vec::new(),
            },
        }
    }

    pub fn selected(&self) -> usize {
        self.selected
    }

    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    pub fn is_open(&self, entry: usize) -> bool {
        self.open.contains(&entry)
    }

    /// As it is shown: of an open entry without those below it.
    pub fn value(&self, entry: usize) -> f64 {
        let values = match self.is_open(entry) {
            true => &self.values.exclusive,
            false => &self.values.inclusive,
        };
        values.get(entry).copied().unwrap_or(0.0)
    }

    /// With those below it, open or not.
    pub fn inclusive(&self, entry: usize) -> f64 {
        self.values.inclusive.get(entry).copied().unwrap_or(0.0)
    }

    /// Sum over the roots.
    pub fn total(&self, profile: &Profile) -> f64 {
        let roots = self.pane.roots(profile);
        roots.iter().map(|root| self.inclusive(*root)).sum()
    }

    pub fn set_values(&mut self, values: Both) {
        self.values = values;
    }

    pub fn open(&mut self, profile: &Profile, entry: usize) {
        if !self.pane.children(profile, entry).is_empty() {
            self.open.insert(entry);
        }
    }

    pub fn close(&mut self, entry: usize) {
        self.open.remove(&entry);
    }

    /// Opens an entry and everything below it that has a value.
    pub fn open_all(&mut self, profile: &Profile, entry: usize) {
        let mut next = vec![entry];
        while let Some(entry) = next.pop() {
            let children = self.pane.children(profile, entry);
            if !children.is_empty() {
                self.open.insert(entry);
                next.extend(children.into_iter().filter(|c| self.inclusive(*c) != 0.0));
            }
        }
    }

    /// Closes an entry and everything below it.
    pub fn close_all(&mut self, profile: &Profile, entry: usize) {
        let mut next = vec![entry];
        while let Some(entry) = next.pop() {
            if self.open.remove(&entry) {
                next.extend(self.pane.children(profile, entry));
            }
        }
    }

    /// Selects an entry, opening what hides it.
    pub fn select(&mut self, profile: &Profile, entry: usize) {
        self.selected = entry;
        let above = std::iter::successors(self.pane.parent(profile, entry), |e| {
            self.pane.parent(profile, *e)
        });
        self.open.extend(above.collect::<Vec<_>>());
    }

    /// Puts the selection on a visible line.
    pub fn go(&mut self, motion: Motion, height: usize) {
        self.cursor.go(motion, self.rows.len(), height);
        self.take_cursor();
    }

    /// The selection follows the line that the cursor is on.
    pub fn take_cursor(&mut self) {
        if let Some(row) = self.rows.get(self.cursor.selected) {
            self.selected = row.entry;
        }
    }

    /// Collects the visible lines anew, after anything that they depend on has changed.
    pub fn arrange(&mut self, profile: &Profile, order: Order, hide_zeros: bool, height: usize) {
        self.rows.clear();
        let mut next: Vec<(usize, usize)> = Vec::new();
        self.push_sorted(profile, order, self.pane.roots(profile), 0, &mut next);
        while let Some((entry, depth)) = next.pop() {
            let holds_selection = entry == self.selected;
            if hide_zeros && self.inclusive(entry) == 0.0 && !holds_selection {
                continue;
            }
            let children = self.pane.children(profile, entry);
            let has_children = !children.is_empty();
            self.rows.push(Row {
                entry,
                depth,
                has_children,
            });
            if has_children && self.is_open(entry) {
                self.push_sorted(profile, order, children, depth + 1, &mut next);
            }
        }
        let line_of = |entry: usize| self.rows.iter().position(|row| row.entry == entry);
        // A hidden entry is represented by the entry that hides it.
        let mut entry = Some(self.selected);
        let line = loop {
            match entry {
                Some(e) => match line_of(e) {
                    Some(line) => break line,
                    None => entry = self.pane.parent(profile, e),
                },
                None => break 0,
            }
        };
        self.cursor.show(line, self.rows.len(), height);
        self.take_cursor();
    }

    /// Adds siblings so that the first is taken first.
    fn push_sorted(
        &self,
        profile: &Profile,
        order: Order,
        mut entries: Vec<usize>,
        depth: usize,
        next: &mut Vec<(usize, usize)>,
    ) {
        match order {
            Order::AsMeasured => {}
            // Seconds and bytes have no order.
            Order::ByValue if self.pane == Pane::Metrics && depth == 0 => {}
            Order::ByValue => {
                entries.sort_by(|a, b| self.inclusive(*b).total_cmp(&self.inclusive(*a)));
            }
            Order::ByName => {
                entries.sort_by_key(|entry| self.pane.name(profile, *entry).to_lowercase());
            }
        }
        next.extend(entries.into_iter().rev().map(|entry| (entry, depth)));
    }
}
