//! Addresses of functions and constants, as other processes of the same executable understand
//! them.
//!
//! An executable may be loaded anywhere, but distances within it are the same in all processes.

/// Where distances are measured from.
#[inline(never)]
fn anchor() {}

/// Distance of an address in the executable.
pub(crate) fn offset(address: usize) -> u64 {
    address.wrapping_sub(anchor as fn() as usize) as u64
}

/// The address at a distance.
pub(crate) fn address(offset: u64) -> usize {
    (offset as usize).wrapping_add(anchor as fn() as usize)
}

/// A hash of this executable. Distances are the same only where it is the same.
#[cfg(feature = "mpi")]
pub(crate) fn executable_hash() -> std::io::Result<u64> {
    use std::io::Read;

    use xxhash_rust::xxh3::Xxh3;

    let mut file = std::fs::File::open("/proc/self/exe")?;
    let (mut hash, mut part) = (Xxh3::new(), vec![0; 1 << 18]);
    loop {
        match file.read(&mut part)? {
            0 => return Ok(hash.digest()),
            bytes => hash.update(&part[..bytes]),
        }
    }
}

/// Strings of the executable as a distance and a length.
pub(crate) mod text {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(text: &&'static str, to: S) -> Result<S::Ok, S::Error> {
        (super::offset(text.as_ptr() as usize), text.len()).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<&'static str, D::Error> {
        let (offset, bytes) = <(u64, usize)>::deserialize(from)?;
        // SAFETY: a process of the same executable has a string there, which is constant.
        Ok(unsafe {
            let bytes = std::slice::from_raw_parts(super::address(offset) as *const u8, bytes);
            std::str::from_utf8_unchecked(bytes)
        })
    }
}
