//! Knows UPC compilers: finds them, asks what they are, rewrites a compile or link command; filter files.
