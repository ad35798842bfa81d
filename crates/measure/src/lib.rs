//! The recorder that is linked into measured programs.
