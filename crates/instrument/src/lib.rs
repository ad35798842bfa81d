//! Knows UPC compilers: finds them, asks what they are, and rewrites a compile or link command so
//! that the program it makes can be measured. Each implementation of UPC is one small table-like
//! module under [`flavour`]. Compilers of other programming models are in [`model`]: their programs
//! are linked with wrappers around the calls of the model's library.

pub mod command;
pub mod compiler;
pub mod flavour;
pub mod invocation;
pub mod model;
pub mod mpi;
pub mod network;
pub mod program;
pub mod response;
pub mod support;
