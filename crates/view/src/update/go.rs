//! Ways from one screen to another: from a finding or a call path to its source, from a line to the
//! trees, to the explanation of a metric, and to the lists from which a metric or a file is chosen.

use pgas_cube::model::{CallPathId, MetricId};
use pgas_cube::values::{Calls, Extent, SystemTree};
use pgas_report::live;
use pgas_result::summary::Finding;

use crate::document::Document;
use crate::draw;
use crate::state::{App, Choice, Chooser, Cursor, Popup, Screen};

impl App {
    pub(super) fn explain(&mut self, document: &Document) {
        let metric = match (self.screen, &document.profile) {
            (Screen::Findings, _) => {
                let finding = self.finding_to_explain(document);
                finding.map(|finding| finding.explained_by().to_owned())
            }
            (_, Some(profile)) => {
                let metric = profile.cube().metrics.get(self.trees.metric().0);
                metric.map(|metric| metric.unique_name.clone())
            }
            _ => None,
        };
        if let Some(metric) = metric {
            self.popup = Some(Popup::Explanation { metric, top: 0 });
        }
    }

    /// The selected finding; of one of the online search, the first of the trace about its place.
    fn finding_to_explain<'a>(&self, document: &Document<'a>) -> Option<&'a Finding> {
        let selected = self.findings.cursor.selected;
        let findings = document.findings();
        let of_trace = |live| live::same_place(live, findings).first().copied();
        let index = document.live(selected).map_or(Some(selected), of_trace)?;
        findings.get(index)
    }

    pub(super) fn show_source(&mut self, document: &Document) {
        let Some(profile) = &document.profile else {
            return self.not_yet();
        };
        let place = match self.screen {
            Screen::Findings => {
                let selected = self.findings.cursor.selected;
                let finding = document.findings().get(selected);
                let live = document.live(selected).map(|live| match &live.place {
                    Some(place) => (place.file.as_str(), place.line),
                    None => ("", 0),
                });
                finding.map(|f| (f.file.as_str(), f.line)).or(live)
            }
            Screen::Trees => {
                let path = profile.cube().call_paths.get(self.trees.call_path().0);
                path.map(|p| (p.file.as_str(), p.line))
            }
            Screen::Iterations => {
                let found = document.summary.phases.get(self.iterations.cursor.selected);
                found.map(|l| (l.file.as_str(), l.line))
            }
            _ => None,
        };
        if let Some((name, line)) = place {
            match profile.file(name) {
                Some(file) => {
                    self.placed = true;
                    self.source.show(profile, file, line, self.source_height());
                }
                None => {
                    self.message = Some("where this stands in the source is not known".to_owned());
                    return;
                }
            }
        }
        // The source shows what the finding is about.
        if self.screen == Screen::Findings {
            let finding = document.findings().get(self.findings.cursor.selected);
            if let Some(metric) = finding.and_then(|f| profile.cube().metric(&f.metric)) {
                self.trees.choose_metric(profile, metric);
            }
        }
        self.screen = Screen::Source;
    }

    pub(super) fn show_trees(&mut self, document: &Document) {
        let Some(profile) = &document.profile else {
            return self.not_yet();
        };
        match self.screen {
            Screen::Findings => {
                let selected = self.findings.cursor.selected;
                if let Some(finding) = document.findings().get(selected) {
                    let metric = profile.cube().metric(&finding.metric);
                    let path = CallPathId(finding.call_path);
                    self.trees.show(profile, metric, path);
                }
                let live = document.live(selected);
                if let Some(path) = live.and_then(|live| profile.call_path_of(live)) {
                    self.trees.show(profile, None, path);
                }
            }
            Screen::Source => {
                if let Some((path, _)) = self.calls_of_line(profile).first() {
                    self.trees.show(profile, None, *path);
                }
            }
            Screen::Iterations => {
                if let Some(found) = document.summary.phases.get(self.iterations.cursor.selected) {
                    let path = CallPathId(found.call_path);
                    self.trees.show(profile, None, path);
                }
            }
            _ => {}
        }
        self.screen = Screen::Trees;
    }

    pub(super) fn choose_metric(&mut self, document: &Document) {
        let Some(profile) = &document.profile else {
            return self.not_yet();
        };
        let total = |metric: usize| {
            let id = MetricId(metric);
            let root = SystemTree::ROOT;
            profile
                .values
                .value(id, Extent::Inclusive, Calls::All, root)
        };
        let metrics = profile.values.metrics().depth_first().iter();
        let entries: Vec<_> = metrics
            .map(|metric| (*metric, total(*metric)))
            .filter(|(_, value)| *value != 0.0)
            .collect();
        self.open_chooser(Choice::Metric, entries, self.trees.metric().0);
    }

    pub(super) fn choose_file(&mut self, document: &Document) {
        let Some(profile) = &document.profile else {
            return self.not_yet();
        };
        let metric = self.trees.metric();
        let total = |file: usize| {
            let values = profile.line_values(file, metric, Extent::Exclusive);
            values.values().sum::<f64>()
        };
        let files = 0..profile.files.len();
        let mut entries: Vec<_> = files.map(|file| (file, total(file))).collect();
        entries.sort_by(|a, b| b.1.total_cmp(&a.1));
        self.screen = Screen::Source;
        self.placed = true;
        self.open_chooser(Choice::File, entries, self.source.file);
    }

    fn open_chooser(&mut self, choice: Choice, entries: Vec<(usize, f64)>, current: usize) {
        let selected = entries.iter().position(|(index, _)| *index == current);
        let mut chooser = Chooser {
            choice,
            cursor: Cursor::default(),
            entries,
        };
        let (_, inner) = draw::chooser_window(self.area, &chooser);
        let count = chooser.entries.len();
        let height = usize::from(inner.height);
        chooser.cursor.show(selected.unwrap_or(0), count, height);
        self.popup = Some(Popup::Chooser(chooser));
    }

    fn not_yet(&mut self) {
        self.message = Some("the profile is still being read".to_owned());
    }
}
