//! How many files a run writes: one for each thread, which is simplest, or one for each node, which
//! shared file systems need: making and opening a file there is the work of one server for all
//! nodes.

use std::ffi::CString;
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// With more threads than these one file is made for all, wherever it lies.
const MANY_THREADS: u32 = 32;

/// Which threads share a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Files {
    /// One of the others, by the place and the number of threads.
    Automatic,
    /// Every thread has its own.
    Thread,
    /// All threads of a node write into one.
    Node,
}

impl Files {
    /// The choice that a user calls `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "auto" => Some(Files::Automatic),
            "thread" => Some(Files::Thread),
            "node" => Some(Files::Node),
            _ => None,
        }
    }

    /// The name by which a user chooses it.
    pub fn name(self) -> &'static str {
        match self {
            Files::Automatic => "auto",
            Files::Thread => "thread",
            Files::Node => "node",
        }
    }

    /// The choice for a program of `threads` threads that is recorded in `directory`. The kind of
    /// the directory's file system is looked up; where it is not known, it counts as local.
    pub fn resolve(self, directory: &Path, threads: u32) -> Files {
        match self {
            Files::Automatic if threads > MANY_THREADS || is_shared(directory) => Files::Node,
            Files::Automatic => Files::Thread,
            chosen => chosen,
        }
    }
}

/// Numbers of file systems that several machines may share, as `statfs` gives them.
const SHARED: [u32; 17] = [
    0x6969,      // NFS
    0x0BD0_0BD0, // Lustre
    0x4750_4653, // GPFS, Spectrum Scale
    0x1983_0326, // BeeGFS
    0x00C3_6400, // CephFS
    0xAAD7_AAEA, // PanFS
    0x2003_0528, // OrangeFS
    0x517B,      // SMB
    0xFF53_4D42, // CIFS
    0xFE53_4D42, // SMB 2
    0x6573_5546, // FUSE, by which many come
    0x5346_414F, // AFS
    0x6B41_4653, // AFS, OpenAFS
    0x7375_7245, // Coda
    0x7461_636F, // OCFS2
    0x0116_1970, // GFS2
    0x0102_1997, // 9P
];

fn is_shared(directory: &Path) -> bool {
    let Ok(name) = CString::new(directory.as_os_str().as_bytes()) else {
        return false;
    };
    // SAFETY: `name` is a C string, and `found` plain data for which zeros are valid, and valid for
    // writing.
    let kind = unsafe {
        let mut found: libc::statfs = MaybeUninit::zeroed().assume_init();
        if libc::statfs(name.as_ptr(), &mut found) != 0 {
            return false;
        }
        found.f_type
    };
    // The type's width differs between machines; the numbers have 32 bits.
    SHARED.contains(&(kind as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_stands_and_none_follows_the_place_and_the_threads() {
        let here = tempfile::tempdir().unwrap();
        for files in [Files::Thread, Files::Node] {
            assert_eq!(files.resolve(here.path(), 1), files);
            assert_eq!(Files::from_name(files.name()), Some(files));
        }
        let nowhere = here.path().join("nowhere");
        let few = |path| Files::Automatic.resolve(path, MANY_THREADS);
        assert_eq!(few(&nowhere), Files::Thread);
        // A file system of the kernel's own is nobody else's.
        assert_eq!(few(Path::new("/proc")), Files::Thread);
        let many = Files::Automatic.resolve(Path::new("/proc"), MANY_THREADS + 1);
        assert_eq!(many, Files::Node);
        assert_eq!(Files::from_name("process"), None);
    }
}
