//! The call tree: every call path that was taken, each once.
//!
//! A call path is its caller's path and a site: a function is distinguished from another by name
//! and place of definition, an operation of the runtime by its kind and the line of the call. Path
//! 0 is the program itself, so that all paths form one tree.
//!
//! Paths have at most [`MAX_DEPTH`] regions. A call at that depth gets a path beside its caller's:
//! of a recursion that goes deeper, all calls from there on are one path, so that neither depth nor
//! number of paths grow with it.
//!
//! A tree may also have a limit to the number of its paths. Beyond it, a site whose path from its
//! caller is new counts as called from the program, so that the number exceeds the limit by no more
//! than the number of sites.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::sites::SourceSite;

/// Number of a call path in its tree; 0 is the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PathId(pub u32);

impl PathId {
    /// The program itself.
    pub const PROGRAM: PathId = PathId(0);

    /// Index of the path in tables by path, such as [`CallTree::nodes`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One call path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathNode {
    /// Always smaller than the path's own number; the program is its own parent.
    pub parent: PathId,
    /// `None` for the program.
    pub site: Option<SourceSite>,
}

/// Regions in the longest call path. Readers of results, ours and others, limit how deep elements
/// nest.
pub const MAX_DEPTH: u32 = 10_000;

/// Call paths of one thread, as many as the recorder has sums of, before sites count as called from
/// the program.
pub const MAX_PATHS: usize = 1 << 16;

/// Call paths of one thread, or of several whose sites are in one table.
#[derive(Debug)]
pub struct CallTree {
    most: usize,
    nodes: Vec<PathNode>,
    /// By path: number of regions in it.
    depths: Vec<u32>,
    /// The child that was looked up last, by parent: loops call the same thing again.
    recent: Vec<(SourceSite, PathId)>,
    /// By path: which of its siblings was looked up after it, the last time: or the same things
    /// one after another.
    follower: Vec<(SourceSite, PathId)>,
    children: FxHashMap<(PathId, SourceSite), PathId>,
}

const NO_CHILD: (SourceSite, PathId) = (SourceSite(u32::MAX), PathId(0));

impl Default for CallTree {
    /// A tree without a limit to the number of its paths.
    fn default() -> Self {
        CallTree::with_limit(usize::MAX)
    }
}

impl CallTree {
    /// A tree of at most `most` paths, and those of sites that count as called from the program.
    pub fn with_limit(most: usize) -> Self {
        CallTree {
            most,
            nodes: vec![PathNode {
                parent: PathId::PROGRAM,
                site: None,
            }],
            depths: vec![0],
            recent: vec![NO_CHILD],
            follower: vec![NO_CHILD],
            children: FxHashMap::default(),
        }
    }

    /// Whether sites may from now on count as called from the program.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.nodes.len() >= self.most
    }

    /// Whether a path has as many regions as a path can have.
    pub fn is_deepest(&self, path: PathId) -> bool {
        self.depths[path.index()] == MAX_DEPTH
    }

    /// Number of call paths, at least 1.
    #[allow(clippy::len_without_is_empty)] // the program's own path is always there
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Caller and site of a path.
    pub fn node(&self, path: PathId) -> PathNode {
        self.nodes[path.index()]
    }

    /// All nodes; a parent stands before its children.
    pub fn nodes(&self) -> &[PathNode] {
        &self.nodes
    }

    /// The path that leads from `parent` through `site`, which is added if it is new.
    #[inline]
    pub fn child(&mut self, parent: PathId, site: SourceSite) -> PathId {
        let (recent_site, recent_path) = self.recent[parent.index()];
        if recent_site == site {
            return recent_path;
        }
        let (next_site, next_path) = self.follower[recent_path.index()];
        // The follower of the program's own path, which is nobody's child, is none.
        if next_site == site {
            self.recent[parent.index()] = (site, next_path);
            return next_path;
        }
        let path = self.child_slowly(parent, site);
        if recent_path != PathId::PROGRAM && self.nodes[path.index()].parent == parent {
            self.follower[recent_path.index()] = (site, path);
        }
        path
    }

    fn child_slowly(&mut self, parent: PathId, site: SourceSite) -> PathId {
        let depth = self.depths[parent.index()];
        if depth == MAX_DEPTH {
            let beside = self.nodes[parent.index()].parent;
            let path = self.child_slowly(beside, site);
            if self.nodes[path.index()].parent == beside {
                self.recent[parent.index()] = (site, path);
            }
            return path;
        }
        if self.is_full() && parent != PathId::PROGRAM {
            // Not remembered as the recent one: the follower of a path is known to have the same
            // caller.
            return match self.children.get(&(parent, site)) {
                Some(&path) => {
                    self.recent[parent.index()] = (site, path);
                    path
                }
                None => self.child(PathId::PROGRAM, site),
            };
        }
        let next = PathId(self.nodes.len() as u32);
        let path = *self.children.entry((parent, site)).or_insert(next);
        if path == next {
            self.nodes.push(PathNode {
                parent,
                site: Some(site),
            });
            self.depths.push(depth + 1);
            self.recent.push(NO_CHILD);
            self.follower.push(NO_CHILD);
        }
        self.recent[parent.index()] = (site, path);
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recursion_is_one_path_from_the_largest_depth_on() {
        let mut tree = CallTree::default();
        let (f, g) = (SourceSite(0), SourceSite(1));
        let mut path = PathId::PROGRAM;
        for _ in 0..MAX_DEPTH {
            path = tree.child(path, f);
        }
        let deepest = path;
        for _ in 0..3 {
            assert_eq!(tree.child(deepest, f), deepest);
            let beside = tree.child(deepest, g);
            assert_eq!(tree.node(beside).parent, tree.node(deepest).parent);
            assert_eq!(tree.child(beside, f), deepest);
            assert_eq!(tree.child(beside, g), beside);
        }
        assert_eq!(tree.len(), MAX_DEPTH as usize + 2);
    }

    #[test]
    fn beyond_the_largest_number_sites_count_as_called_from_the_program() {
        let mut tree = CallTree::with_limit(4);
        let (f, g, h) = (SourceSite(0), SourceSite(1), SourceSite(2));
        let main_f = tree.child(PathId::PROGRAM, f);
        let f_g = tree.child(main_f, g);
        assert!(!tree.is_full());
        let f_h = tree.child(main_f, h);
        assert!(tree.is_full());
        let main_g = tree.child(f_g, g);
        let main_h = tree.child(f_h, h);
        assert_eq!(tree.node(main_g).parent, PathId::PROGRAM);
        assert_eq!(tree.node(main_h).parent, PathId::PROGRAM);
        // Existing paths are found all the same, in any order.
        for _ in 0..3 {
            assert_eq!(tree.child(f_g, f), main_f);
            assert_eq!(tree.child(f_g, g), main_g);
            assert_eq!(tree.child(main_f, g), f_g);
            assert_eq!(tree.child(main_f, h), f_h);
            assert_eq!(tree.child(PathId::PROGRAM, g), main_g);
            assert_eq!(tree.child(main_g, h), main_h);
        }
        assert_eq!(tree.len(), 6);
    }

    #[test]
    fn a_path_is_its_parent_and_its_site() {
        let mut tree = CallTree::default();
        let (f, g) = (SourceSite(0), SourceSite(1));
        let main_f = tree.child(PathId::PROGRAM, f);
        let main_g = tree.child(PathId::PROGRAM, g);
        let f_g = tree.child(main_f, g);
        assert_eq!(tree.child(PathId::PROGRAM, f), main_f);
        assert_eq!(tree.child(main_f, g), f_g);
        assert_ne!(main_g, f_g);
        // In turns, and in another order than before.
        for site in [f, g, f, g, g, f, f] {
            let path = tree.child(PathId::PROGRAM, site);
            assert_eq!(path, if site == f { main_f } else { main_g });
        }
        assert_eq!(tree.len(), 4);
        assert_eq!(tree.node(f_g).parent, main_f);
        assert!(
            tree.nodes()[1..]
                .iter()
                .enumerate()
                .all(|(i, n)| n.parent.index() <= i)
        );
    }
}
