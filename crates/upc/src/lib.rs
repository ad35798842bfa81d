//! The embedded UPC compiler: preprocessed UPC in, C out.
