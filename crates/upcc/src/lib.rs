//! The driver of the embedded UPC compiler: the command pgas-upcc.
