//! One call tree for all threads. Each thread's walker numbers its call paths as it meets them;
//! here equal paths of different threads get one number, and records are translated to it.

use pgas_earl::{
    CallTree, LockAcquisition, LockRelease, PathId, PathNode, SiteTable, SourceSite, SyncRecord,
};
use pgas_trace::model::{Operation, Site};
use serde::{Deserialize, Serialize};

/// Sites and call paths that a thread's walker has added since the previous query.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Discovered {
    /// New sites, in the order of their numbers on the thread.
    pub sites: Vec<Site>,
    /// New call paths, in the order of their numbers; parents and sites by the thread's own
    /// numbers.
    pub nodes: Vec<PathNode>,
}

/// The numbers that a thread's own sites and paths have in the common tree.
#[derive(Debug)]
struct Translation {
    sites: Vec<SourceSite>,
    paths: Vec<PathId>,
}

/// Call paths of all threads.
#[derive(Debug)]
pub struct CallPaths {
    sites: SiteTable,
    tree: CallTree,
    threads: Vec<Translation>,
}

impl CallPaths {
    /// A tree of the program's own path alone, for that number of threads.
    pub fn new(threads: usize) -> Self {
        let translation = || Translation {
            sites: Vec::new(),
            paths: vec![PathId::PROGRAM],
        };
        CallPaths {
            sites: SiteTable::default(),
            tree: CallTree::default(),
            threads: (0..threads).map(|_| translation()).collect(),
        }
    }

    /// Takes over what a thread has discovered, in the order in which it was.
    pub fn learn(&mut self, thread: usize, discovered: &mut Discovered) {
        let translation = &mut self.threads[thread];
        for site in discovered.sites.drain(..) {
            translation.sites.push(self.sites.intern(&site));
        }
        for node in discovered.nodes.drain(..) {
            let parent = translation.paths[node.parent.index()];
            let path = match node.site {
                Some(site) => self.tree.child(parent, translation.sites[site.0 as usize]),
                None => PathId::PROGRAM,
            };
            translation.paths.push(path);
        }
    }

    /// The path that leads from a caller (in common numbers) to a site, which is noted as one of
    /// the thread's if the events of the thread do not have it. Only after all streams were
    /// read to their ends.
    pub fn child(&mut self, thread: usize, caller: PathId, site: &Site) -> PathId {
        let site = self.sites.intern(site);
        let path = self.tree.child(caller, site);
        self.threads[thread].paths.push(path);
        path
    }

    /// The common number of a thread's own path.
    pub fn translate(&self, thread: usize, path: PathId) -> PathId {
        self.threads[thread].paths[path.index()]
    }

    /// The common numbers of a thread's own paths, by these.
    pub fn names(&self, thread: usize) -> &[PathId] {
        &self.threads[thread].paths
    }

    /// Replaces the thread's own call paths in a record by the common ones.
    pub fn translate_synchronisation(&self, thread: usize, record: &mut SyncRecord) {
        match record {
            SyncRecord::Barrier(record) => {
                record.path = self.translate(thread, record.path);
                if let Some(notify) = &mut record.notify {
                    notify.path = self.translate(thread, notify.path);
                }
            }
            SyncRecord::Collective(record) => record.path = self.translate(thread, record.path),
        }
    }

    /// Replaces the thread's own call path in a record by the common one.
    pub fn translate_acquisition(&self, thread: usize, record: &mut LockAcquisition) {
        record.path = self.translate(thread, record.path);
    }

    /// Replaces the thread's own call path in a record by the common one.
    pub fn translate_release(&self, thread: usize, record: &mut LockRelease) {
        record.path = self.translate(thread, record.path);
    }

    /// Number of call paths, at least 1.
    #[allow(clippy::len_without_is_empty)] // the program's own path is always there
    pub fn len(&self) -> usize {
        self.tree.len()
    }

    /// Caller and site of a path.
    pub fn node(&self, path: PathId) -> PathNode {
        self.tree.node(path)
    }

    /// All nodes; a parent stands before its children.
    pub fn nodes(&self) -> &[PathNode] {
        self.tree.nodes()
    }

    /// By path: its place in the order in which thread 0 met paths, then thread 1 the ones that are
    /// left, and so on. Unlike the numbers of paths, that does not depend on how far the
    /// threads were read at a time.
    pub fn order(&self) -> Vec<usize> {
        let mut order = vec![usize::MAX; self.len()];
        let mut next = 0;
        for path in self.threads.iter().flat_map(|thread| &thread.paths) {
            let place = &mut order[path.index()];
            if *place == usize::MAX {
                *place = next;
                next += 1;
            }
        }
        order
    }

    /// Where a path's last step is in the source; `None` for the program.
    pub fn site(&self, path: PathId) -> Option<&Site> {
        self.node(path).site.map(|site| self.sites.site(site))
    }

    /// Operation of a path's last step; `None` for the program.
    pub fn operation(&self, path: PathId) -> Option<Operation> {
        self.node(path).site.map(|site| self.sites.operation(site))
    }

    /// The innermost function of the program around a path, its own step included.
    pub fn function(&self, mut path: PathId) -> Option<&Site> {
        loop {
            let site = self.site(path)?;
            if site.operation.is_user() {
                return Some(site);
            }
            path = self.node(path).parent;
        }
    }
}
