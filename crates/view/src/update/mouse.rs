//! Clicks and the wheel of the mouse: they select and scroll what is under the pointer.

use crate::document::Document;
use crate::draw;
use crate::input::{Command, Motion};
use crate::layout;
use crate::state::{App, Popup, Screen, source_lines};

impl App {
    pub(super) fn click(&mut self, document: &Document, column: u16, row: u16) {
        if self.typing().is_some() {
            return;
        }
        if let Some(popup) = &self.popup {
            let Popup::Chooser(chooser) = popup else {
                self.popup = None;
                return;
            };
            let (_, inner) = draw::chooser_window(self.area, chooser);
            match layout::line_at(inner, column, row) {
                Some(line) => {
                    let entry = chooser.entries.get(chooser.cursor.top + line);
                    if let Some((index, _)) = entry {
                        let (choice, index) = (chooser.choice, *index);
                        self.popup = None;
                        self.chosen(document, choice, index);
                    }
                }
                None => self.popup = None,
            }
            return;
        }
        let frame = layout::frame(self.area);
        if layout::line_at(frame.tabs, column, row).is_some() {
            match draw::tab_at(self, column) {
                Some(draw::Tab::Screen(screen)) => self.screen = screen,
                Some(draw::Tab::Help) => self.popup = Some(Popup::Help { top: 0 }),
                None => {}
            }
            return;
        }
        let line = |area| layout::line_at(area, column, row);
        match (self.screen, &document.profile) {
            (Screen::Findings, _) => {
                let areas = self.finding_areas(document);
                if let Some(line) = areas.list.map(draw::finding_list).and_then(line) {
                    self.findings.reading = false;
                    let index = self.findings.cursor.top + line;
                    if index < document.entries() {
                        self.findings.select(index);
                    }
                } else if areas.detail.and_then(line).is_some() {
                    self.findings.reading = true;
                }
            }
            (Screen::Trees, Some(profile)) => {
                let (panes, _) = layout::trees(frame.body, self.trees.focus);
                for (pane, area) in panes {
                    if let Some(line) = line(layout::tree_lines(area)) {
                        let top = self.trees.pane(pane).cursor.top;
                        self.trees.click(pane, top + line, profile);
                    }
                }
            }
            (Screen::Source, Some(_)) => {
                let (_, list, _) = draw::source_areas(frame.body);
                if let Some(line) = line(list) {
                    self.source.cursor.selected = self.source.cursor.top + line;
                }
            }
            (Screen::Threads, Some(_)) => {
                let (_, list, _) = draw::thread_areas(frame.body);
                if let Some(line) = line(list) {
                    self.threads.cursor.selected = self.threads.cursor.top + line;
                }
            }
            (Screen::Iterations, _) => {
                let areas = self.loop_areas(document);
                if let Some(line) = areas.list.and_then(line) {
                    self.iterations.reading = false;
                    let index = self.iterations.cursor.top + line;
                    if index < document.summary.phases.len() {
                        self.iterations.select(index);
                    }
                } else if areas.detail.and_then(line).is_some() {
                    self.iterations.reading = true;
                }
            }
            (Screen::Matrix, _) => {
                if let Some(communication) = &document.summary.communication {
                    let threads = communication.by_thread.len();
                    let cells = draw::matrix_cells(frame.body, threads);
                    if let Some((across, down)) = cells.at(column, row) {
                        self.matrix.row.selected = self.matrix.row.top + down;
                        self.matrix.column.selected = self.matrix.column.top + across;
                    }
                }
            }
            _ => {}
        }
    }

    pub(super) fn scroll(&mut self, document: &Document, column: u16, row: u16, lines: isize) {
        let motion = Command::Move(Motion::By(lines));
        if self.popup.is_some() {
            return self.in_popup(document, motion);
        }
        let body = layout::frame(self.area).body;
        let inside = |area| layout::line_at(area, column, row).is_some();
        match (self.screen, &document.profile) {
            (Screen::Findings, _) => {
                let areas = self.finding_areas(document);
                if areas.detail.is_some_and(inside) {
                    let reading = std::mem::replace(&mut self.findings.reading, true);
                    let (text, list) = (self.finding_text(document), self.list_height(document));
                    let count = document.entries();
                    self.findings.apply(motion, count, list, text);
                    self.findings.reading = reading;
                } else {
                    let count = document.entries();
                    let height = self.list_height(document);
                    let before = self.findings.cursor.selected;
                    self.findings.cursor.scroll(lines, count, height);
                    if self.findings.cursor.selected != before {
                        self.findings.text_top = 0;
                    }
                }
            }
            (Screen::Trees, Some(_)) => {
                let (panes, _) = layout::trees(body, self.trees.focus);
                let height = self.tree_height();
                for (pane, area) in panes {
                    if inside(area) {
                        self.trees.scroll(pane, lines, height);
                    }
                }
            }
            (Screen::Source, Some(profile)) => {
                let count = profile.files.get(self.source.file).map_or(0, source_lines);
                let height = self.source_height();
                self.source.cursor.scroll(lines, count, height);
            }
            (Screen::Threads, Some(_)) => {
                let (count, height) = (self.threads.rows().len(), self.thread_height());
                self.threads.cursor.scroll(lines, count, height);
            }
            (Screen::Iterations, _) => {
                let (text, list) = (self.loop_text(document), self.loop_height(document));
                let over_text = self.loop_areas(document).detail.is_some_and(inside);
                let reading = std::mem::replace(&mut self.iterations.reading, over_text);
                let count = document.summary.phases.len();
                self.iterations.apply(motion, count, list, text);
                self.iterations.reading = reading;
            }
            _ => {
                self.on_screen(document, motion);
            }
        }
    }
}
