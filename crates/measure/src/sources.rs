//! The C files that are compiled when a program is linked, for the command line to hand to the C compiler.

/// Name of the decoder's file.
pub const GASP_DECODER_NAME: &str = "gasp_decoder.c";
/// Decodes GASP events; compile it against `gasp.h` and `gasp_upc.h` of the UPC compiler and [`PGAS_MEASURE_H`].
pub const GASP_DECODER_C: &str = include_str!("../c/gasp_decoder.c");
/// Name of the header's file, as the decoder includes it.
pub const PGAS_MEASURE_NAME: &str = "pgas_measure.h";
/// The recorder's C interface.
pub const PGAS_MEASURE_H: &str = include_str!("../include/pgas_measure.h");
