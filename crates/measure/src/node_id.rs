//! Numbers of the nodes of a call tree.

/// Number of a node. The root stands for the thread outside of all regions.
pub(crate) type NodeId = u32;

pub(crate) const ROOT: NodeId = 0;
/// The place of a call for which the tree has no room.
pub(crate) const UNPLACED: NodeId = u32::MAX;
