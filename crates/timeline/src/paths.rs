//! Call paths of a trace as call paths of the cube that was made of it.

use std::collections::HashMap;

use pgas_cube::model::{CallPathId, Cube};
use pgas_earl::{PathId, Walker};
use pgas_trace::model::Site;

/// Step from a caller to a callee: number of the caller; region, file and line of the callee.
type Step<'c> = (usize, &'c str, &'c str, u32);

/// Finds call paths of a cube.
#[derive(Debug)]
pub struct CallPaths<'c> {
    children: HashMap<Step<'c>, usize>,
    /// By call path: how many are above it, the program not counted.
    depths: Vec<u16>,
}

/// The number that stands for a call path that the cube does not have.
pub const UNKNOWN: PathId = PathId(u32::MAX);

impl<'c> CallPaths<'c> {
    pub fn new(cube: &'c Cube) -> Self {
        let mut children = HashMap::new();
        let mut depths: Vec<u16> = Vec::with_capacity(cube.call_paths.len());
        for (number, path) in cube.call_paths.iter().enumerate() {
            let depth = path.parent.map_or(0, |parent| match parent.0 {
                0 => 0,
                parent => depths
                    .get(parent)
                    .map_or(0, |depth| depth.saturating_add(1)),
            });
            depths.push(depth);
            let name = cube
                .regions
                .get(path.region.0)
                .map_or("", |r| r.name.as_str());
            if let Some(parent) = path.parent {
                children.insert((parent.0, name, path.file.as_str(), path.line), number);
            }
        }
        CallPaths { children, depths }
    }

    /// How many regions are around one at a call path.
    pub fn depth(&self, path: CallPathId) -> u16 {
        self.depths.get(path.0).copied().unwrap_or(0)
    }

    /// By path of a walker: the call path in the cube, as its index, or [`UNKNOWN`].
    pub fn translate(&self, walker: &Walker) -> Vec<PathId> {
        let sites = walker.sites();
        let mut found: Vec<PathId> = Vec::new();
        for node in walker.tree().nodes() {
            let Some(site) = node.site else {
                // The program itself is the first call path.
                found.push(PathId(0));
                continue;
            };
            let parent = found[node.parent.index()];
            found.push(self.child(parent, sites.site(site)));
        }
        found
    }

    fn child(&self, parent: PathId, site: &Site) -> PathId {
        if parent == UNKNOWN {
            return UNKNOWN;
        }
        let step = (
            parent.index(),
            site.region_name(),
            site.file.as_str(),
            site.line,
        );
        self.children
            .get(&step)
            .map_or(UNKNOWN, |&path| PathId(path as u32))
    }
}
