//! Accesses to data of other nodes, as part of a finding's cause.

use pgas_earl::PathId;

use super::Evidence;
use crate::model::nodes::Distance;
use crate::model::wording;

/// Share of the accesses from which on it is mentioned that they go to other nodes.
const MENTIONED: f64 = 0.01;

impl Evidence<'_> {
    /// " 75 % of the accesses here go to data on other nodes." if that is so; empty otherwise.
    pub(super) fn far_part(&self, paths: impl Iterator<Item = PathId>) -> String {
        if !self.nodes.are_several() {
            return String::new();
        }
        let (mut far, mut unknown, mut all) = (0.0, 0.0, 0.0);
        for path in paths {
            for (thread, profile) in (0..).zip(&self.found.threads) {
                let Some(at) = profile.accesses.paths.get(&path) else {
                    continue;
                };
                let scattered: f64 = at.scattered.iter().map(|t| t.accesses as f64).sum();
                unknown += scattered;
                all += scattered;
                for (&(owner, _), totals) in &at.owners {
                    let accesses = totals.accesses as f64;
                    all += accesses;
                    if self.nodes.distance(thread, owner) == Some(Distance::OtherNode) {
                        far += accesses;
                    }
                }
            }
        }
        if far <= 0.0 || far < MENTIONED * all {
            return String::new();
        }
        let at_least = if unknown > 0.0 { "at least " } else { "" };
        let share = wording::percent(far / all);
        format!(
            " Of the accesses here, {at_least}{share} go to data on other nodes, where each pays \
             the network's latency."
        )
    }

    /// Accesses that the call path `caller` makes at a line.
    pub(super) fn accesses_at<'a>(
        &'a self,
        caller: PathId,
        file: &'a str,
        line: u32,
    ) -> impl Iterator<Item = PathId> + 'a {
        self.all_paths().filter(move |&path| {
            let site = self.paths().site(path);
            let is_there = site.is_some_and(|site| site.line == line && site.file == file);
            is_there && self.maker(path) == caller
        })
    }
}
