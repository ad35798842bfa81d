//! The C files that are compiled when a program is linked, for the command line to hand to the C
//! compiler.

/// Name of the decoder's file.
pub const GASP_DECODER_NAME: &str = "gasp_decoder.c";
/// Decodes GASP events; compile it against `gasp.h` and `gasp_upc.h` of the UPC compiler and
/// [`HEADERS`].
pub const GASP_DECODER_C: &str = include_str!("../c/gasp_decoder.c");
/// The headers that the decoder includes beside those of the compiler, each with its name: the
/// recorder's C interface, and parts of the decoder.
pub const HEADERS: &[(&str, &str)] = &[
    ("pgas_measure.h", include_str!("../include/pgas_measure.h")),
    (
        "gasp_decoder_table.h",
        include_str!("../c/gasp_decoder_table.h"),
    ),
    (
        "gasp_decoder_thread.h",
        include_str!("../c/gasp_decoder_thread.h"),
    ),
    ("user_events.h", include_str!("../c/user_events.h")),
];
