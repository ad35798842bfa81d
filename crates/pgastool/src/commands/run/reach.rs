//! Checks that all nodes of a run see its experiment directory. A program that is
//! started in /tmp, or in memory, on several nodes would leave the threads of one node there.

use std::path::Path;

/// The kind of file system below `directory` if, as far as can be known, no other node sees it.
pub fn node_local(directory: &Path) -> Option<&'static str> {
    let status = rustix::fs::statfs(directory).ok()?;
    local_kind(status.f_type as u64)
}

/// Kinds as `statfs(2)` lists them. A disk may be served to the other nodes by this very node, so
/// that this is a presumption.
fn local_kind(magic: u64) -> Option<&'static str> {
    match magic & 0xffff_ffff {
        0x0102_1994 => Some("tmpfs"),
        0x8584_58f6 => Some("ramfs"),
        0x0000_ef53 => Some("ext4"),
        0x5846_5342 => Some("xfs"),
        0x9123_683e => Some("btrfs"),
        0x2fc1_2fc1 => Some("zfs"),
        0x794c_7630 => Some("overlayfs"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_systems_of_a_node_are_told_from_shared_ones() {
        assert_eq!(local_kind(0x0102_1994), Some("tmpfs"));
        // Lustre, NFS, GPFS.
        for shared in [0x0bd0_0bd0, 0x6969, 0x4750_4653] {
            assert_eq!(local_kind(shared), None);
        }
    }

    #[test]
    fn memory_is_nodes_own() {
        assert_eq!(node_local(Path::new("/dev/shm")), Some("tmpfs"));
        assert_eq!(node_local(Path::new("/proc/no/such/directory")), None);
    }
}
