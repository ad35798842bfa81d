//! The note by which `pgastool run` knows a program of tasks: see `.pgas_info` in
//! `crates/instrument/src/program.rs`.

#[cfg(feature = "record")]
const TEXT: &[u8; 56] = b"compiler=tasks;threads=dynamic;instrumented=yes;\0\0\0\0\0\0\0\0";
#[cfg(not(feature = "record"))]
const TEXT: &[u8; 56] = b"compiler=tasks;threads=dynamic;instrumented=no;\0\0\0\0\0\0\0\0\0";

#[used]
#[unsafe(link_section = ".pgas_info")]
static NOTE: [u8; 56] = *TEXT;

/// Linkers leave out what nothing refers to.
pub(crate) fn keep() {
    std::hint::black_box(&NOTE);
}
