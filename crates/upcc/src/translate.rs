//! The middle step: preprocessed UPC in, C with a note about the unit out, messages on standard
//! error.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use pgas_filter::Filter;

use crate::Error;
use crate::messages::Messages;
use crate::request::{Language, Request};
use crate::unit_note;
use pgas_instrument::network::Network;

/// The filter file of `-inst-filter`.
pub struct FilterFile {
    name: String,
    text: String,
    filter: Arc<Filter>,
}

impl FilterFile {
    /// Reads the filter file, if one was named.
    pub fn of(request: &Request) -> Result<Option<Self>, Error> {
        let Some(path) = &request.filter else {
            return Ok(None);
        };
        let text =
            fs::read_to_string(path).map_err(|e| Error::io("read the filter file", path, e))?;
        let name = path.display().to_string();
        // A wrong filter is an error even if no function is ever asked about.
        let filter = Arc::new(Filter::parse(&text, &name)?);
        Ok(Some(FilterFile { name, text, filter }))
    }
}

/// A source that was turned into C.
pub struct Translated {
    /// Name of the source.
    pub name: String,
    /// The text after preprocessing.
    pub text: String,
    /// The C, with its warnings and the places of its tokens.
    pub output: pgas_upc::Output,
}

/// Translates `preprocessed`, which was made of `source` and other files with these `digests`, into
/// `c_file`.
pub fn translate(
    request: &Request,
    filter: Option<&FilterFile>,
    preprocessed: &Path,
    (source, language): (&Path, Language),
    digests: &[String],
    c_file: &Path,
) -> Result<Translated, Error> {
    let bytes = fs::read(preprocessed).map_err(|e| Error::io("read", preprocessed, e))?;
    // Text that is not UTF-8 passes through as bytes, each in the guise of a character.
    let (text, is_utf8) = match String::from_utf8(bytes) {
        Ok(text) => (text, true),
        Err(e) => (e.into_bytes().into_iter().map(char::from).collect(), false),
    };
    let filter = filter.filter(|_| request.instrument);
    let function_filter = filter.map(|file| {
        let filter = file.filter.clone();
        Box::new(move |function: &str, file: &str| filter.includes_function(function, file)) as _
    });
    let operation_filter = filter.map(|file| {
        let filter = file.filter.clone();
        Box::new(move |operation: &str| filter.includes_operation(operation)) as _
    });
    let options = pgas_upc::Options {
        threads: request.threads,
        instrument: request.instrument,
        check: request.check,
        several_nodes: request.network() == Network::Mpi,
        count_accesses: request.instrument && request.count_accesses,
        instrument_local: request.instrument && request.instrument_local,
        instrument_functions: request.instrument && request.instrument_functions,
        leave_out_small: request.leave_out_small,
        function_filter,
        operation_filter,
        name: source.display().to_string(),
        old_keywords: request.old_keywords,
        maybe_c: language == Language::C,
    };
    let messages = Messages::new(request);
    let output = match pgas_upc::compile(&text, &options) {
        Ok(output) => output,
        Err(diagnostics) => {
            messages.show(&diagnostics);
            return Err(Error::Shown);
        }
    };
    if messages.show(&output.warnings) {
        return Err(Error::Shown);
    }
    let mut c = output.c.clone();
    c += "\n# 1 \"<pgas-upcc>\"\n";
    c += &unit_note::source(request);
    if !output.is_c {
        c += &unit_note::unseen_source(&output.unseen);
    }
    c += &unit_note::sources_source(digests);
    if let Some(file) = filter {
        c += &unit_note::filter_source(&file.name, &file.text);
    }
    let bytes = match is_utf8 {
        true => c.into_bytes(),
        false => c
            .chars()
            .flat_map(|c| match u8::try_from(c) {
                Ok(byte) => vec![byte],
                Err(_) => c.to_string().into_bytes(),
            })
            .collect(),
    };
    fs::write(c_file, bytes).map_err(|e| Error::io("write", c_file, e))?;
    Ok(Translated {
        name: options.name,
        text,
        output,
    })
}

/// The version of GCC that preprocessed a text, as our header in it says; 0 if it does not say.
/// Clang says 4.
pub fn gnu_version(preprocessed: &Path) -> u32 {
    const MARK: &[u8] = b"upcr_gnuc = ";
    // The header comes first.
    let mut start = Vec::new();
    let read = fs::File::open(preprocessed).and_then(|f| f.take(1 << 16).read_to_end(&mut start));
    let Some(at) = start
        .windows(MARK.len())
        .position(|w| w == MARK)
        .filter(|_| read.is_ok())
    else {
        return 0;
    };
    let digits = start[at + MARK.len()..]
        .iter()
        .take_while(|b| b.is_ascii_digit())
        .take(6);
    digits.fold(0, |n, digit| n * 10 + u32::from(digit - b'0'))
}
