//! What programs compiled by the embedded UPC compiler run on: headers and the runtime library.
