//! Destination of a result: stdout, or a file that is written whole or not at all.

use crate::failure::Failure;
use crate::terminal::{self, visible};
use std::io::{self, Write};
use std::path::Path;

/// Writes `text` to `file`, or to stdout if there is none.
///
/// # Errors
/// If it cannot be written. That a reader of stdout went away early (`| head`) is none.
pub fn deliver(text: &str, file: Option<&Path>) -> Result<(), Failure> {
    match file {
        Some(path) => write_file(path, text.as_bytes())
            .map_err(|error| Failure::new(format!("cannot write {}: {error}", path.display()))),
        None => {
            let ending = if text.ends_with('\n') { "" } else { "\n" };
            match terminal::is_stdout() {
                true => to_stdout(&[visible(text).as_bytes(), ending.as_bytes()]),
                false => to_stdout(&[text.as_bytes(), ending.as_bytes()]),
            }
        }
    }
}

/// Writes what is no text to stdout.
///
/// # Errors
/// As [`deliver`].
pub fn deliver_bytes(bytes: &[u8]) -> Result<(), Failure> {
    to_stdout(&[bytes])
}

fn to_stdout(parts: &[&[u8]]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let mut written = parts.iter().try_for_each(|part| out.write_all(part));
    written = written.and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::new(format!("cannot write the result: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes the whole file or nothing, so that no reader ever sees half of it.
pub fn write_file(path: &Path, content: &[u8]) -> io::Result<()> {
    // Something that is not a plain file, such as /dev/stdout, must stay what it is.
    if path.metadata().is_ok_and(|m| !m.is_file()) {
        return std::fs::OpenOptions::new()
            .write(true)
            .open(path)?
            .write_all(content);
    }
    pgas_files::replace(path, |file| file.write_all(content))
}
