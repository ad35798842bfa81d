//! Room on the screen for each list and text, which moving and scrolling depend on.

use crate::document::Document;
use crate::state::App;
use crate::{draw, layout};

impl App {
    pub(super) fn finding_areas(&self, document: &Document) -> layout::ListAndDetail {
        let body = layout::frame(self.area).body;
        draw::finding_areas(body, document.entries(), self.findings.reading)
    }

    pub(super) fn list_height(&self, document: &Document) -> usize {
        let list = self.finding_areas(document).list;
        list.map_or(1, |area| usize::from(draw::finding_list(area).height))
    }

    /// Visible lines of the selected finding's text, and all of its lines.
    pub(super) fn finding_text(&self, document: &Document) -> (usize, usize) {
        match self.finding_areas(document).detail {
            Some(area) => {
                let lines = draw::finding_lines(self, document, usize::from(area.width));
                (usize::from(area.height), lines.len())
            }
            None => (0, 0),
        }
    }

    pub(super) fn tree_height(&self) -> usize {
        let body = layout::frame(self.area).body;
        let (panes, _) = layout::trees(body, self.trees.focus);
        let first = panes.first();
        first.map_or(0, |(_, area)| usize::from(layout::tree_lines(*area).height))
    }

    pub(super) fn source_height(&self) -> usize {
        let (_, list, _) = draw::source_areas(layout::frame(self.area).body);
        usize::from(list.height)
    }

    pub(super) fn thread_height(&self) -> usize {
        let (_, list, _) = draw::thread_areas(layout::frame(self.area).body);
        usize::from(list.height)
    }

    pub(super) fn loop_areas(&self, document: &Document) -> layout::ListAndDetail {
        let body = layout::frame(self.area).body;
        draw::loop_areas(body, document.summary.phases.len(), self.iterations.reading)
    }

    pub(super) fn loop_height(&self, document: &Document) -> usize {
        let list = self.loop_areas(document).list;
        list.map_or(1, |area| usize::from(area.height))
    }

    /// Visible lines of the selected loop's text, and all of its lines.
    pub(super) fn loop_text(&self, document: &Document) -> (usize, usize) {
        let found = document.summary.phases.get(self.iterations.cursor.selected);
        match (self.loop_areas(document).detail, found) {
            (Some(area), Some(found)) => {
                let lines = draw::loop_lines(self, document, found, area);
                (usize::from(area.height), lines.len())
            }
            _ => (0, 0),
        }
    }

    /// Visible lines of the tables of tasks and channels.
    pub(super) fn task_height(&self) -> usize {
        layout::frame(self.area).body.height.into()
    }

    pub(super) fn matrix_size(&self, threads: usize) -> (usize, usize) {
        let cells = draw::matrix_cells(layout::frame(self.area).body, threads);
        (cells.rows, cells.columns)
    }
}
