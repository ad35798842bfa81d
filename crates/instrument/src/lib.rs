//! Knows UPC compilers: finds them, asks what they are, and rewrites a compile or link command so that the program it
//! makes can be measured. Each implementation of UPC is one small table-like module.

pub mod filter;
pub mod wildcard;
