//! Where streams lie in files, and blocks in streams. Readers and the collector of buffers share
//! it; nothing that a file says is trusted, and what a killed process left unfinished is passed
//! over.

mod blocks;
mod extents;
mod source;
mod stream;

pub use blocks::{Blocks, blocks, index};
pub use extents::{Extent, Torn, put_together, stream_of, walk};
pub use source::{FileSource, Source};
pub use stream::{Piece, StreamFile};
