//! The file of records, which thread 0 alone writes.

use crate::agreement::agreed;
use crate::threads::Threads;
use pgas_timing::record::Record;
use std::fs::File;
use std::io::{self, Write};

pub struct Output<'a> {
    threads: Threads<'a>,
    /// `None` on all threads but the first.
    file: Option<File>,
    name: String,
}

impl<'a> Output<'a> {
    /// Creates the file on thread 0; the result is the same everywhere, as far as it is an error.
    pub fn create(threads: Threads<'a>, name: &str) -> Result<Self, String> {
        let file = match threads.is_first() {
            true => File::create(name).map(Some),
            false => Ok(None),
        };
        let file = file.map_err(|e| format!("{name}: cannot write the results: {e}"));
        let file = agreed(threads, file)?;
        Ok(Output {
            threads,
            file,
            name: name.to_string(),
        })
    }

    /// Appends a record in one write, so that readers see whole lines as they come. A record that
    /// cannot be written ends the program: nobody would see what follows.
    pub fn write(&mut self, record: &Record) {
        let Some(file) = &mut self.file else { return };
        let line = serde_json::to_string(record).map_err(io::Error::from);
        if let Err(e) = line.and_then(|line| file.write_all((line + "\n").as_bytes())) {
            eprintln!("{}: cannot write the results: {e}", self.name);
            self.threads.end(1);
        }
    }
}
