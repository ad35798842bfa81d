//! Call paths of samples in the common tree. Nothing is added to it: a region that the events do not
//! have is not a call path.

use std::collections::HashMap;

use pgas_earl::PathId;
use pgas_trace::model::{Operation, Site};

use crate::model::paths::CallPaths;
use crate::threads::stacks::ThreadStacks;

/// Paths by caller and region.
pub(super) struct PathIndex<'a> {
    children: HashMap<(PathId, &'a Site), PathId>,
}

impl<'a> PathIndex<'a> {
    pub fn new(paths: &'a CallPaths) -> Self {
        let nodes = paths.nodes().iter().enumerate().skip(1);
        let children = nodes.filter_map(|(number, node)| {
            let path = PathId(number as u32);
            Some(((node.parent, paths.site(path)?), path))
        });
        PathIndex {
            children: children.collect(),
        }
    }

    /// By number of a thread's path: the common one; `None` for one that is not known.
    pub fn names(&self, thread: &ThreadStacks) -> Vec<Option<PathId>> {
        let mut names: Vec<Option<PathId>> = Vec::with_capacity(thread.paths.len());
        for (caller, site) in &thread.paths {
            let caller = match caller {
                Some(caller) => names.get(*caller as usize).copied().flatten(),
                None => Some(PathId::PROGRAM),
            };
            names.push(caller.and_then(|caller| self.child(caller, site)));
        }
        names
    }

    fn child(&self, caller: PathId, site: &Site) -> Option<PathId> {
        let known = |site: &Site| self.children.get(&(caller, site)).copied();
        known(site).or_else(|| match site.operation {
            // Both halves are one barrier, if nothing lies in between.
            Operation::Notify | Operation::Wait => known(&Site {
                operation: Operation::Barrier,
                ..site.clone()
            }),
            _ => None,
        })
    }
}
